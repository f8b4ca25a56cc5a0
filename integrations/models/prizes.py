"""What is won, and what of it is paid out."""

from django.db import models
from django.db.models import F, Q


class Payout(models.Model):
    """What each place from `first` to `last` wins: money in minor units, a thing in words, or both."""

    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="payouts")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    amount_minor = models.PositiveBigIntegerField(default=0, help_text="for the team, in cents")
    currency = models.CharField(max_length=3, blank=True, help_text="for example EUR")
    what = models.CharField(max_length=200, blank=True, help_text="for example 24 boosters")

    class Meta:
        ordering = ["tournament_id", "first"]
        constraints = [
            models.CheckConstraint(condition=Q(first__gte=1, last__gte=F("first")), name="payout_places"),
            models.UniqueConstraint(fields=["tournament", "first"], name="payout_place_once"),
        ]

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"


class Prize(models.Model):
    """A row of the ledger: one member's money, or a thing that the whole team has won."""

    class Status(models.TextChoices):
        OPEN = "open"
        PAID = "paid"
        VOID = "void"

    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="prizes")
    team = models.ForeignKey("teams.Team", models.PROTECT, related_name="prizes")
    place = models.PositiveIntegerField()
    label = models.CharField(max_length=1, blank=True, help_text="the member's seat; empty: the whole team")
    player = models.ForeignKey("teams.Player", models.PROTECT, null=True, blank=True, related_name="prizes")
    amount_minor = models.PositiveBigIntegerField(default=0)
    currency = models.CharField(max_length=3, blank=True)
    what = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=4, choices=Status.choices, default=Status.OPEN)
    external_ref = models.CharField(max_length=120, blank=True, help_text="of the payment in other software")
    awarded_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament_id", "place", "team_id", "label", "id"]

    def __str__(self) -> str:
        return f"prize {self.pk}"
