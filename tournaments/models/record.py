"""Standings as they were, and rulings."""

from django.db import models

from tournaments.models.stage import Stage
from tournaments.models.tournament import Tournament


class Snapshot(models.Model):
    """The standings after a closed round; a correction makes a new version of it and of the later ones."""

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="snapshots")
    after_round = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()
    policy = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    taken_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["stage_id", "after_round", "version"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "after_round", "version"], name="snapshot_version_once")
        ]

    def __str__(self) -> str:
        return f"after round {self.after_round}, version {self.version}"


class SnapshotRow(models.Model):
    """One standing, as it was."""

    snapshot = models.ForeignKey(Snapshot, models.PROTECT, related_name="rows")
    team = models.ForeignKey("teams.Team", models.PROTECT, related_name="+")
    rank = models.PositiveIntegerField()
    position = models.PositiveIntegerField(help_text="the order, by lot among those who share a rank")
    points = models.CharField(max_length=20, help_text="match points as an exact fraction")
    record = models.JSONField(help_text="wins, losses, draws, played, byes")
    figures = models.JSONField(help_text='tiebreakers as exact fractions, e.g. {"omw": "7/12"}')

    class Meta:
        ordering = ["snapshot_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "team"], name="standing_once_per_team"),
            models.UniqueConstraint(fields=["snapshot", "position"], name="standing_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. team {self.team_id}"


class Penalty(models.Model):
    """A recorded ruling against a team or player."""

    class Level(models.TextChoices):
        WARNING = "warning"
        GAME_LOSS = "game-loss", "game loss"
        MATCH_LOSS = "match-loss", "match loss"
        DISQUALIFICATION = "disqualification"

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="penalties")
    team = models.ForeignKey("teams.Team", models.PROTECT, null=True, blank=True, related_name="penalties")
    player = models.ForeignKey(
        "teams.Player", models.PROTECT, null=True, blank=True, related_name="penalties"
    )
    match = models.ForeignKey(
        "matches.Match", models.PROTECT, null=True, blank=True, related_name="penalties"
    )
    infraction = models.CharField(max_length=200)
    level = models.CharField(max_length=20, choices=Level.choices)
    note = models.CharField(max_length=300, blank=True)
    given_at = models.DateTimeField(null=True, editable=False)
    taken_back_at = models.DateTimeField(null=True, blank=True, editable=False)
    deed = models.ForeignKey("journal.Deed", models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.level} ({self.infraction})"
