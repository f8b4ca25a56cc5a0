"""The whole event, who serves in it, and what was uploaded to it."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from rulebook.lifecycle import TournamentState
from tournaments.models.choices import mode_choices, pod_policy_choices, policy_choices


class Tournament(models.Model):
    """The whole event, one play mode. Its rules are frozen when it starts."""

    State = TournamentState

    class Level(models.TextChoices):
        CASUAL = "casual"
        COMPETITIVE = "competitive"
        PROFESSIONAL = "professional"

    class LatePolicy(models.TextChoices):
        LOSS = "loss", "missed rounds are losses"
        BYE = "bye", "one bye for all missed rounds"
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
    cut_policy = models.CharField(
        "standings policy of the elimination",
        max_length=40,
        choices=policy_choices,
        blank=True,
        help_text="orders those who leave the elimination in the same round; empty: by seed",
    )
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
    draft_rounds = models.PositiveSmallIntegerField(
        "rounds inside the drafting groups",
        default=0,
        validators=[MaxValueValidator(7)],
        help_text="so many rounds are played inside groups of eight who draft together; 0: no draft",
    )
    last_round_by_standing = models.BooleanField(default=False, help_text="pair the last Swiss round by rank")
    pod_policy = models.CharField(
        max_length=20, choices=pod_policy_choices, blank=True, help_text="how a field is cut into pods"
    )
    hall = models.CharField(max_length=120, blank=True, help_text="usable tables, for example 1-20, 31-40")
    tables_in_a_row = models.PositiveSmallIntegerField(
        default=8,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
        help_text="how the table map is drawn",
    )
    feature_table = models.PositiveIntegerField(
        null=True, blank=True, help_text="the table of the match everybody watches"
    )
    shows_standings = models.BooleanField(
        default=True, help_text="standings are published when a round is closed; else by a deed"
    )
    confirm_after_s = models.PositiveIntegerField(
        "seconds until an unanswered report counts",
        default=300,
        validators=[MaxValueValidator(7200)],
        help_text="a report the other side neither confirms nor disputes is confirmed by the clock; 0: never",
    )
    opening_after_s = models.PositiveIntegerField(
        "seconds until the default turn order applies",
        default=0,
        validators=[MaxValueValidator(7200)],
        help_text="when nobody has chosen who starts by then; 0: the table waits",
    )
    decklists_until = models.DateTimeField(
        null=True, blank=True, help_text="players hand in their deck lists until then; empty: none are asked"
    )
    deck_format = models.CharField(
        max_length=40, blank=True, help_text="what a deck list is checked by; empty: as the mode says"
    )
    zone = models.CharField(
        max_length=64, default="UTC", help_text="time zone of the venue, e.g. Europe/Berlin"
    )
    capacity = models.PositiveIntegerField(null=True, blank=True)
    signs_up = models.BooleanField(
        "public sign-up", default=False, help_text="while registration is open, teams enter on a public page"
    )
    hold_hours = models.PositiveSmallIntegerField(
        "hours a place is held",
        default=24,
        validators=[MinValueValidator(1), MaxValueValidator(240)],
        help_text="until who signed up has confirmed the e-mail",
    )
    state = models.CharField(
        max_length=12,
        choices=[(s.value, s.value) for s in TournamentState],
        default=TournamentState.DRAFT,
        editable=False,
    )
    starts_at = models.DateTimeField(null=True, blank=True)
    plan = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text="what the clock does of the day, and when; empty: it calls time and nothing else",
    )
    held_at = models.DateTimeField(
        null=True, editable=False, help_text="the clock is held since then: it does no step"
    )
    released_at = models.DateTimeField(
        null=True, editable=False, help_text="when the clock last went on after it was held"
    )
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


class Invitation(models.Model):
    """A link by which somebody with an account takes a role once; only the token's hash is kept."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=12, choices=Staff.Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["tournament_id", "id"]

    def __str__(self) -> str:
        return f"invitation as {self.role}"


class SignUp(models.Model):
    """A team that entered by itself: what is still to be confirmed, by e-mail and by the desk.

    Of its links only the hashes are kept; the address goes to the player once it is confirmed."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="sign_ups")
    team = models.OneToOneField("teams.Team", models.PROTECT, related_name="sign_up")
    email = models.EmailField(blank=True)
    confirm_hash = models.CharField(max_length=64, blank=True, db_index=True)
    invite_hash = models.CharField(max_length=64, blank=True, db_index=True)
    asks = models.JSONField(
        default=list, blank=True, help_text="players whom the desk may know already, by id"
    )
    language = models.CharField(max_length=12, default="en", help_text="of the page where the team entered")
    made_at = models.DateTimeField()
    held_until = models.DateTimeField(null=True, blank=True, db_index=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament_id", "id"]

    def __str__(self) -> str:
        return f"sign-up of team {self.team_id}"

    @property
    def is_pending(self) -> bool:
        """The place is held until somebody confirms the address."""
        return self.confirmed_at is None and self.released_at is None


class Upload(models.Model):
    """A file somebody wants to import: kept while its columns are matched and its rows are looked at, and
    until a worker has entered it, where it is a large one. A tournament file has a store, and its tournament
    when it is entered."""

    class State(models.TextChoices):
        OPEN = "open"  # somebody looks at its rows
        WAITING = "waiting"  # for a worker
        WORKING = "working"  # a worker has taken it; if he dies, the next one does
        DONE = "done"
        REFUSED = "refused"  # nothing is entered, `error` says why; it may be asked for again

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.PROTECT, null=True, blank=True, related_name="uploads"
    )
    store = models.ForeignKey("teams.Store", models.PROTECT, null=True, blank=True, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="who sent it; empty for a key that nobody made",
    )
    name = models.CharField(max_length=200)
    body = models.BinaryField()
    choices = models.JSONField(default=dict, blank=True, help_text="delimiter, encoding, columns, answers")
    made_at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True, help_text="when a worker was asked to enter it")
    asked_by = models.CharField(max_length=40, blank=True, help_text="as the journal names who does a deed")
    asked_through = models.CharField(max_length=10, blank=True, help_text="by which door")
    only_good = models.BooleanField(default=False, help_text="wrong rows are left out")
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="when a worker last began with it")
    tries = models.PositiveSmallIntegerField(default=0)
    rows = models.PositiveIntegerField(default=0, help_text="how many were to be entered")
    entered = models.PositiveIntegerField(default=0, help_text="teams")
    waitlisted = models.PositiveIntegerField(default=0, help_text="of them on the waiting list")
    error = models.TextField(blank=True, help_text="why nothing of it was entered")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def state(self) -> State:
        """How far it is."""
        if self.applied_at is not None:
            return self.State.DONE
        if self.error:
            return self.State.REFUSED
        if self.asked_at is None:
            return self.State.OPEN
        return self.State.WAITING if self.claimed_at is None else self.State.WORKING

    @property
    def is_asked_for(self) -> bool:
        """A worker has it or will have it."""
        return self.state in (self.State.WAITING, self.State.WORKING)
