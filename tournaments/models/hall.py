"""What the clock does, and what the desk does in the hall."""

from django.db import models

from tournaments.models.stage import Round
from tournaments.models.tournament import Tournament


class Step(models.Model):
    """Something the clock does at `due_at`, at most once."""

    class Kind(models.TextChoices):
        OPEN_REGISTRATION = "open-registration", "open registration"
        CLOSE_REGISTRATION = "close-registration", "close registration"
        END_CHECK_IN = "end-check-in", "end check-in"
        START_TOURNAMENT = "start-tournament", "start the tournament"
        PAIR = "pair"
        PUBLISH = "publish"
        START = "start", "start the round"
        WARN = "warn", "warn before the end"
        TIME = "time", "call time"
        TABLE_TIME = "table-time", "end of a table's extra time"
        OVERDUE = "overdue", "name the tables that are overdue"
        CLOSE = "close", "close the round"
        MAKE_CUT = "make-cut", "make the cut"
        FINISH = "finish", "publish the final ranking"

    class Mode(models.TextChoices):
        AUTOMATIC = "automatic"
        ASKED = "asked"
        MANUAL = "manual"

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        BLOCKED = "blocked"
        CANCELLED = "cancelled"
        MISSED = "missed"

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="steps")
    round = models.ForeignKey(Round, models.PROTECT, null=True, blank=True, related_name="steps")
    match = models.ForeignKey("matches.Match", models.PROTECT, null=True, blank=True, related_name="steps")
    key = models.CharField(max_length=60)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    minutes = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of a warning: so long before the end of the round"
    )
    due_at = models.DateTimeField(db_index=True)
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.AUTOMATIC)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    own_time = models.BooleanField(default=False, help_text="a person set its time: the plan leaves it")
    own_mode = models.BooleanField(default=False, help_text="a person set its mode: the plan leaves it")
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


class Announcement(models.Model):
    """What the desk says to everybody: on every phone page and the big screen until it is taken down."""

    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="announcements")
    text = models.CharField(max_length=300)
    made_at = models.DateTimeField()
    taken_down_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament_id", "-id"]

    def __str__(self) -> str:
        return self.text


class DeckCheck(models.Model):
    """A table picked by lot for a deck check, hidden from players; its minutes are given back."""

    round = models.ForeignKey("tournaments.Round", models.PROTECT, related_name="deck_checks")
    match = models.ForeignKey("matches.Match", models.PROTECT, related_name="deck_checks")
    seed = models.BigIntegerField()
    picked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    given_back_s = models.PositiveIntegerField(default=0, help_text="seconds added to the table's time")

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "match"], name="deck_check_once_per_match"),
        ]

    def __str__(self) -> str:
        return f"deck check of match {self.match_id}"
