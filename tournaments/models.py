"""What spans tables or rounds."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from rulebook import modes, policies
from rulebook.lifecycle import RoundState, StageState, TournamentState
from rulebook.pairing.pod_sizes import POD_POLICIES


def mode_choices() -> list[tuple[str, str]]:
    return modes.choices()


def pod_policy_choices() -> list[tuple[str, str]]:
    return [(policy.key, policy.name) for policy in POD_POLICIES.values()]


def policy_choices() -> list[tuple[str, str]]:
    return policies.choices()


class Tournament(models.Model):
    """The whole event, one play mode. Its rules are frozen when it starts."""

    State = TournamentState

    class Level(models.TextChoices):
        CASUAL = "casual"
        COMPETITIVE = "competitive"
        PROFESSIONAL = "professional"

    class LatePolicy(models.TextChoices):
        LOSS = "loss", "missed rounds are losses"
        BYE = "bye", "missed rounds are byes"
        NOTHING = "nothing", "missed rounds count for nothing"

    class Format(models.TextChoices):
        SWISS = "swiss", "Swiss rounds"
        ROUND_ROBIN = "round-robin", "round robin"
        ELIMINATION = "elimination", "elimination only"

    class CutMethod(models.TextChoices):
        SINGLE = "single", "single elimination"
        THIRD_PLACE = "third-place", "single elimination with a match for the third place"
        DRAFT = "draft", "single elimination in the order of a draft's seats"
        DOUBLE = "double", "double elimination"
        PODS = "pods", "playoff pods of four"

    store = models.ForeignKey("teams.Store", models.PROTECT, related_name="tournaments")
    slug = models.SlugField(unique=True, max_length=80)
    name = models.CharField(max_length=160)
    mode = models.CharField(max_length=40, choices=mode_choices)
    edition = models.CharField(max_length=40, blank=True, editable=False)
    options = models.JSONField(default=list, blank=True)
    level = models.CharField(max_length=12, choices=Level.choices, default=Level.CASUAL)
    policy = models.CharField("standings policy", max_length=40, choices=policy_choices)
    best_of = models.PositiveSmallIntegerField(validators=[MinValueValidator(1), MaxValueValidator(9)])
    planned_rounds = models.PositiveSmallIntegerField(
        "Swiss rounds", validators=[MinValueValidator(1), MaxValueValidator(30)]
    )
    cut = models.PositiveSmallIntegerField(
        default=0, help_text="how many teams play the elimination; 0 for none"
    )
    format = models.CharField(max_length=12, choices=Format.choices, default=Format.SWISS)
    cut_method = models.CharField(
        max_length=12,
        choices=CutMethod.choices,
        blank=True,
        help_text="how the elimination is played; empty: as the mode says",
    )
    keeps_results = models.BooleanField(
        default=False,
        help_text="round robin: results of who leaves before half of his matches stay",
    )
    round_minutes = models.PositiveSmallIntegerField(
        default=50, validators=[MinValueValidator(1), MaxValueValidator(600)]
    )
    late_policy = models.CharField(max_length=8, choices=LatePolicy.choices, default=LatePolicy.LOSS)
    last_late_round = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="the last round a late team may enter; empty: half of the rounds, plus one",
    )
    hide_never_played = models.BooleanField(
        default=False, help_text="leave who left without a match out of the shown standings"
    )
    seed = models.BigIntegerField(editable=False)
    rules = models.JSONField(
        null=True, blank=True, editable=False, help_text="mode and policy, frozen at the start"
    )
    last_round_by_standing = models.BooleanField(default=False, help_text="pair the last Swiss round by rank")
    pod_policy = models.CharField(
        max_length=20, choices=pod_policy_choices, blank=True, help_text="how a field is cut into pods"
    )
    hall = models.CharField(max_length=120, blank=True, help_text="usable tables, for example 1-20, 31-40")
    zone = models.CharField(
        max_length=64, default="UTC", help_text="time zone of the venue, e.g. Europe/Berlin"
    )
    capacity = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(
        max_length=12,
        choices=[(s.value, s.value) for s in TournamentState],
        default=TournamentState.DRAFT,
        editable=False,
    )
    starts_at = models.DateTimeField(null=True, blank=True)
    announced_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="when registration was first opened: from then on the public may see it",
    )
    created_at = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name


class Staff(models.Model):
    """What a user may do in one tournament."""

    class Role(models.TextChoices):
        ORGANIZER = "organizer"
        HEAD_JUDGE = "head-judge", "head judge"
        JUDGE = "judge"
        SCOREKEEPER = "scorekeeper"
        VIEWER = "viewer"

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="staff")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="roles")
    role = models.CharField(max_length=12, choices=Role.choices)

    class Meta:
        verbose_name_plural = "staff"
        constraints = [models.UniqueConstraint(fields=["tournament", "user", "role"], name="role_once")]

    def __str__(self) -> str:
        return f"{self.user} {self.role}"


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


class Step(models.Model):
    """Something the clock does at `due_at`, at most once."""

    class Kind(models.TextChoices):
        PUBLISH = "publish"
        TIME = "time", "call time"

    class Mode(models.TextChoices):
        AUTOMATIC = "automatic"
        ASKED = "asked"
        MANUAL = "manual"

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        BLOCKED = "blocked"
        CANCELLED = "cancelled"

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="steps")
    round = models.ForeignKey(Round, models.PROTECT, null=True, blank=True, related_name="steps")
    match = models.ForeignKey("matches.Match", models.PROTECT, null=True, blank=True, related_name="steps")
    key = models.CharField(max_length=60)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    due_at = models.DateTimeField(db_index=True)
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.AUTOMATIC)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    grace_s = models.PositiveIntegerField(
        default=6 * 3600, help_text="seconds after which a late step is not done any more"
    )
    blocked_why = models.CharField(max_length=300, blank=True)
    blocked_version = models.PositiveBigIntegerField(null=True, blank=True)
    deed = models.ForeignKey("journal.Deed", models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["due_at", "id"]
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="step_key_once")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.due_at}"


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
    deed = models.ForeignKey("journal.Deed", models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.level} ({self.infraction})"
