"""Stages, their rounds and their brackets."""

from django.db import models
from django.db.models import Q

from rulebook.lifecycle import RoundState, StageState
from tournaments.models.choices import policy_choices
from tournaments.models.tournament import Tournament


class Stage(models.Model):
    """A part of the tournament with one pairing method."""

    State = StageState

    class Method(models.TextChoices):
        SWISS = "swiss", "Swiss"
        ROUND_ROBIN = "round-robin", "round robin"
        ELIMINATION = "elimination", "single elimination"
        DOUBLE = "double", "double elimination"
        PODS = "pods", "playoff pods"

    BRACKETS = (Method.ELIMINATION, Method.DOUBLE, Method.PODS)

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="stages")
    number = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=20, choices=Method.choices)
    policy = models.CharField(
        "standings policy",
        max_length=40,
        choices=policy_choices,
        blank=True,
        help_text="empty: the tournament's",
    )
    settings = models.JSONField(default=dict, blank=True)
    planned_rounds = models.PositiveSmallIntegerField()
    state = models.CharField(
        max_length=8, choices=[(s.value, s.value) for s in StageState], default=StageState.WAITING
    )

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once")]

    def __str__(self) -> str:
        return f"{self.get_method_display()} ({self.number})"

    @property
    def is_bracket(self) -> bool:
        """Whoever loses is out, at once or the second time."""
        return self.method in self.BRACKETS


class StageEntry(models.Model):
    """A team in a stage: its seed, frozen at the cut, and its final place."""

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="entries")
    team = models.ForeignKey("teams.Team", models.PROTECT, related_name="entries")
    seed = models.PositiveIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["stage_id", "seed", "id"]
        verbose_name_plural = "stage entries"
        constraints = [
            models.UniqueConstraint(fields=["stage", "team"], name="team_once_per_stage"),
            models.UniqueConstraint(
                fields=["stage", "seed"], condition=Q(seed__isnull=False), name="seed_once_per_stage"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team} in {self.stage}"


class ByeGrant(models.Model):
    """A bye a team has in one round whatever the pairing: awarded beforehand, or asked for."""

    class Reason(models.TextChoices):
        AWARDED = "awarded"
        REQUESTED = "requested"

    team = models.ForeignKey("teams.Team", models.PROTECT, related_name="granted_byes")
    round_number = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=10, choices=Reason.choices, default=Reason.AWARDED)

    class Meta:
        ordering = ["team_id", "round_number"]
        constraints = [models.UniqueConstraint(fields=["team", "round_number"], name="bye_granted_once")]

    def __str__(self) -> str:
        return f"bye of team {self.team_id} in round {self.round_number}"


class Round(models.Model):
    """One wave of matches. `seed`, `engine`, `inputs` and `output` let anybody pair it again."""

    State = RoundState

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    bracket = models.CharField(max_length=12, blank=True)
    state = models.CharField(
        max_length=10, choices=[(s.value, s.value) for s in RoundState], default=RoundState.PAIRED
    )
    seed = models.BigIntegerField()
    engine = models.CharField(max_length=40)
    inputs = models.JSONField()
    output = models.JSONField()
    paired_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    left_when_paused = models.PositiveIntegerField(
        null=True, blank=True, help_text="seconds left when the clock was paused"
    )
    time_called_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["stage_id", "number", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "bracket", "number"],
                condition=~Q(state=RoundState.SCRAPPED),
                name="round_number_once",
            )
        ]

    def __str__(self) -> str:
        return f"round {self.number}"


class Slot(models.Model):
    """One place of a bracket node: where its team comes from, and the team once it is known."""

    class Source(models.TextChoices):
        SEED = "seed"
        WINNER = "winner"
        LOSER = "loser"
        BYE = "bye"

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="slots")
    node = models.CharField(max_length=12)
    round_number = models.PositiveSmallIntegerField()
    index = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=8, choices=Source.choices)
    source_seed = models.PositiveIntegerField(null=True, blank=True)
    source_node = models.CharField(max_length=12, blank=True)
    team = models.ForeignKey("teams.Team", models.PROTECT, null=True, blank=True, related_name="slots")
    is_settled = models.BooleanField(default=False, help_text="known: a team, or for good nobody")
    match = models.ForeignKey("matches.Match", models.PROTECT, null=True, blank=True, related_name="slots")

    class Meta:
        ordering = ["stage_id", "round_number", "node", "index"]
        constraints = [models.UniqueConstraint(fields=["stage", "node", "index"], name="slot_once_per_node")]

    def __str__(self) -> str:
        return f"{self.node}.{self.index}"
