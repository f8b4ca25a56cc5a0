"""Who outside is told of deeds, how far each has been told, and every message that goes out."""

from django.db import models

SCOPE_HELP = "only events of these kinds, for example round.published; empty: all"


class Endpoint(models.Model):
    """An address of a store's software. Its secret is made from the salt and the installation's key, so no
    row holds it; for a while after a rotation the old one signs too."""

    store = models.ForeignKey("teams.Store", models.PROTECT, related_name="endpoints")
    url = models.URLField(max_length=500)
    events = models.JSONField(default=list, blank=True, help_text=SCOPE_HELP)
    salt = models.CharField(max_length=64, editable=False)
    old_salt = models.CharField(max_length=64, blank=True, editable=False)
    old_until = models.DateTimeField(null=True, blank=True, help_text="until then the old secret signs too")
    made_at = models.DateTimeField()
    disabled_at = models.DateTimeField(null=True, blank=True)
    disabled_why = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["store_id", "id"]

    def __str__(self) -> str:
        return f"endpoint {self.pk}"


class Stream(models.Model):
    """How far one endpoint has read one tournament's journal; whoever holds the claim sends for it."""

    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="streams")
    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="+")
    cursor = models.PositiveBigIntegerField(default=0, help_text="the last deed that was looked at")
    next_try_at = models.DateTimeField(null=True, blank=True, help_text="nothing is sent before")
    claim = models.CharField(max_length=32, blank=True, editable=False)
    claimed_until = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["endpoint_id", "tournament_id"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "tournament"], name="stream_once_per_tournament")
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id}/{self.tournament_id}: {self.cursor}"


class Delivery(models.Model):
    """One message to one endpoint: the deed of that number. What it says is made anew at each try, so that
    no name is kept here; its id stays."""

    class State(models.TextChoices):
        PENDING = "pending"
        DELIVERED = "delivered"
        DEAD = "dead", "given up"

    stream = models.ForeignKey(Stream, models.PROTECT, related_name="deliveries")
    number = models.PositiveBigIntegerField(help_text="of the deed in the tournament's journal")
    event = models.CharField(max_length=40)
    message_id = models.CharField(max_length=64, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=120, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    dead_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["stream_id", "number"]
        verbose_name_plural = "deliveries"
        constraints = [models.UniqueConstraint(fields=["stream", "number"], name="delivery_once_per_deed")]
        indexes = [
            models.Index(
                fields=["stream", "number"], condition=models.Q(state="pending"), name="pending_deliveries"
            )
        ]

    def __str__(self) -> str:
        return self.message_id
