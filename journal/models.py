"""Append-only memory: one row per deed, numbered per tournament without gaps; and the setting of the
clock."""

from datetime import datetime

from django.db import models

LONGEST_REASON = 300


class Head(models.Model):
    """The number of a tournament's newest deed, which is also the tournament's version."""

    tournament = models.OneToOneField("tournaments.Tournament", models.PROTECT, primary_key=True)
    last = models.PositiveBigIntegerField(default=0)
    shared = models.PositiveBigIntegerField(
        default=0, help_text="the newest deed that is not about one match, team or seat alone"
    )

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.last}"


class Deed(models.Model):
    """Who did what, when and why; holds ids, never names, addresses or tokens. Never changed, never
    deleted."""

    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="deeds")
    number = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=40)
    at = models.DateTimeField()
    actor = models.CharField(max_length=40, help_text="user:ID, seat:ID, clock or command")
    door = models.CharField(max_length=12)
    subject = models.CharField(
        max_length=40, blank=True, help_text="what it was done to: team:ID, round:ID, match:ID"
    )
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    undoes = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="undone_by")
    is_public = models.BooleanField(default=False)

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="deed_number_once_per_tournament")
        ]
        indexes = [models.Index(fields=["tournament", "subject", "number"], name="deed_by_subject")]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"


class ClockSetting(models.Model):
    """One row: at `real_at` the clock showed `shown_at`, and since then it has run `speed` times as fast."""

    real_at = models.DateTimeField()
    shown_at = models.DateTimeField()
    speed = models.FloatField(default=1.0)

    def __str__(self) -> str:
        return f"{self.shown_at} x {self.speed}"

    def shown(self, real: datetime) -> datetime:
        """What the clock shows at the real moment `real`."""
        return self.shown_at + (real - self.real_at) * self.speed
