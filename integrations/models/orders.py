"""Places sold by a store's software."""

from django.db import models


class Order(models.Model):
    """A place somebody reserved or bought. Its team is registered as soon as it is reserved, so a place is
    counted in one way only, whoever sold it."""

    class State(models.TextChoices):
        RESERVED = "reserved"
        CONFIRMED = "confirmed"
        CANCELLED = "cancelled"
        REFUNDED = "refunded"
        EXPIRED = "expired"

    store = models.ForeignKey("teams.Store", models.PROTECT, related_name="orders")
    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="orders")
    team = models.ForeignKey("teams.Team", models.PROTECT, related_name="orders")
    external_order_id = models.CharField(max_length=80)
    state = models.CharField(max_length=10, choices=State.choices, default=State.RESERVED)
    hold_minutes = models.PositiveIntegerField(help_text="how long a place is held without confirmation")
    expires_at = models.DateTimeField(
        null=True, blank=True, help_text="when a held place is free again; none while the team waits for one"
    )
    made_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["store", "external_order_id"], name="order_once_per_store")
        ]

    def __str__(self) -> str:
        return f"order {self.pk}"
