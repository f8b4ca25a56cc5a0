"""Keys by which store software calls the API."""

from django.conf import settings
from django.db import models


class ApiKey(models.Model):
    """A secret of one store, known by its prefix; only the secret's hash is kept."""

    store = models.ForeignKey("teams.Store", models.PROTECT, related_name="keys")
    tournament = models.ForeignKey(
        "tournaments.Tournament",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="keys",
        help_text="the only tournament the key opens; empty: all of the store",
    )
    name = models.CharField(max_length=80, help_text="which software uses it")
    prefix = models.CharField(max_length=12, unique=True)
    hash = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    replaces = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")

    class Meta:
        verbose_name = "API key"
        ordering = ["store_id", "-id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix})"
