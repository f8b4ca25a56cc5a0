"""What happens at one table. A match carries its terms, frozen when it was paired, and never asks upwards."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from rulebook.lifecycle import MatchKind, MatchState
from rulebook.scoring import Outcome, ResultKind
from rulebook.terms import Terms
from rulebook.tracker import Tap
from rulebook.turns import OpeningBy


def _choices(enum: Any) -> list[tuple[str, str]]:
    return [(member.value, member.value.replace("-", " ")) for member in enum]


class Match(models.Model):
    """The contest of its sides at one table; a bye is a match with one side, an assigned loss too."""

    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="matches")
    round = models.ForeignKey("tournaments.Round", models.PROTECT, related_name="matches")
    kind = models.CharField(max_length=16, choices=_choices(MatchKind), default=MatchKind.TABLE)
    table = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=_choices(MatchState), default=MatchState.PAIRED)
    terms = models.JSONField()
    extension_s = models.PositiveIntegerField(default=0, help_text="seconds of extra time for this table")
    why = models.CharField(max_length=300, blank=True, help_text="why these sides meet, in one sentence")

    class Meta:
        ordering = ["round_id", "table", "id"]
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(
                fields=["round", "table"], condition=~Q(state=MatchState.VOID), name="table_once_per_round"
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table}" if self.table else f"{self.kind} {self.pk}"

    @property
    def frozen_terms(self) -> Terms:
        return Terms.from_dict(self.terms)


class Side(models.Model):
    """A team's part in one match; the sides of a void match are not live."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="sides")
    round = models.ForeignKey("tournaments.Round", models.PROTECT, related_name="+")
    team = models.ForeignKey("teams.Team", models.PROTECT, related_name="sides")
    index = models.PositiveSmallIntegerField()
    is_live = models.BooleanField(default=True)

    class Meta:
        ordering = ["match_id", "index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="side_index_once"),
            models.UniqueConstraint(
                fields=["round", "team"], condition=Q(is_live=True), name="team_once_per_round"
            ),
        ]

    def __str__(self) -> str:
        return f"side {self.index + 1} of match {self.match_id}"


class Chair(models.Model):
    """One player of the line-up, copied when the round is published; position is seating, never turn
    order."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="chairs")
    side = models.ForeignKey(Side, models.PROTECT, related_name="chairs")
    player = models.ForeignKey("teams.Player", models.PROTECT, related_name="+")
    label = models.CharField(max_length=1)
    position = models.PositiveSmallIntegerField()
    declared = models.JSONField(default=dict, blank=True, help_text="what the player brings beyond a deck")

    class Meta:
        ordering = ["match_id", "position"]
        constraints = [models.UniqueConstraint(fields=["match", "position"], name="chair_position_once")]

    def __str__(self) -> str:
        return f"{self.position} {self.label}"


class Board(models.Model):
    """One contest inside a match: one in every mode, three (A, B, C) in trios."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="boards")
    label = models.CharField(max_length=1, blank=True)

    class Meta:
        ordering = ["match_id", "label"]
        constraints = [models.UniqueConstraint(fields=["match", "label"], name="board_label_once")]

    def __str__(self) -> str:
        return self.label or "board"


class Game(models.Model):
    """One play of the contest: optional detail that must agree with the result's counts."""

    class State(models.TextChoices):
        PLAYING = "playing"
        ENDED = "ended"

    board = models.ForeignKey(Board, models.PROTECT, related_name="games")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.PLAYING)
    ended_by = models.CharField(max_length=32, blank=True)
    winner = models.PositiveSmallIntegerField(null=True, blank=True, help_text="index of the winning side")
    is_draw = models.BooleanField(default=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    subgames = models.JSONField(
        default=list, blank=True, help_text='games inside this one: {"order", "seed", "winner", "is_over"}'
    )

    class Meta:
        ordering = ["board_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["board", "number"], name="game_number_once"),
            models.CheckConstraint(
                condition=Q(is_draw=False) | Q(winner__isnull=True), name="drawn_game_has_no_winner"
            ),
        ]

    def __str__(self) -> str:
        return f"game {self.number}"


class Opening(models.Model):
    """How one game starts: who chose, by what right, and the order that follows."""

    game = models.OneToOneField(Game, models.PROTECT, related_name="opening")
    chooser = models.PositiveSmallIntegerField(null=True, blank=True, help_text="index of the choosing side")
    by = models.CharField(max_length=10, choices=_choices(OpeningBy))
    option = models.CharField(max_length=20, blank=True)
    order = models.JSONField(help_text='positions in turn order, e.g. ["1A", "2A", "1B", "2B"]')
    is_default = models.BooleanField(default=False)
    gone = models.JSONField(default=list, blank=True, help_text="positions that had left before a restart")
    replaced = models.JSONField(
        default=list, blank=True, help_text="what a restart or a card has replaced, oldest first"
    )

    def __str__(self) -> str:
        return " ".join(self.order)


class Result(models.Model):
    """What a match ended as; a correction is a new current row, the old one stays."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="results")
    board_label = models.CharField(max_length=1, blank=True)
    kind = models.CharField(max_length=20, choices=_choices(ResultKind))
    source = models.CharField(max_length=12, help_text="the door it came through")
    confirmed_at = models.DateTimeField(null=True, blank=True)
    is_current = models.BooleanField(default=True)

    class Meta:
        ordering = ["match_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "board_label"], condition=Q(is_current=True), name="one_current_result"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of match {self.match_id}"


class Line(models.Model):
    """One side of a result: counts are the truth, points are derived and never stored here."""

    result = models.ForeignKey(Result, models.PROTECT, related_name="lines")
    side = models.ForeignKey(Side, models.PROTECT, related_name="lines")
    outcome = models.CharField(max_length=4, choices=_choices(Outcome))
    wins = models.PositiveSmallIntegerField(default=0)
    draws = models.PositiveSmallIntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    half_points = models.PositiveSmallIntegerField(null=True, blank=True, help_text="match points times two")
    out_order = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["result_id", "id"]
        constraints = [models.UniqueConstraint(fields=["result", "side"], name="line_once_per_side")]

    def __str__(self) -> str:
        return f"{self.outcome} {self.wins}"


class Report(models.Model):
    """What one side says the result was, until the other side agrees or staff decide."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="reports")
    board_label = models.CharField(max_length=1, blank=True)
    side = models.ForeignKey(Side, models.PROTECT, related_name="reports")
    body = models.JSONField(
        help_text='{"kind", "wins": {team: n}, "draws", "loser"}; keyed by team, never by left and right'
    )
    deed_key = models.CharField(max_length=64, blank=True)
    reported_at = models.DateTimeField()
    is_current = models.BooleanField(default=True)

    class Meta:
        ordering = ["match_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "board_label", "side"],
                condition=Q(is_current=True),
                name="one_current_report",
            )
        ]

    def __str__(self) -> str:
        return f"report on match {self.match_id}"


class Entry(models.Model):
    """One tap on the table tracker: never changed, taken back by another entry that names it.

    It belongs to a game by number, so that an opening taken back and chosen again leaves the score alone.
    """

    board = models.ForeignKey(Board, models.PROTECT, related_name="entries")
    game = models.PositiveSmallIntegerField(help_text="number of the game on the board")
    number = models.PositiveIntegerField()
    position = models.CharField(max_length=4, help_text='the seat it happens to, e.g. "1A"')
    kind = models.CharField(max_length=12, choices=_choices(Tap))
    amount = models.IntegerField(default=0)
    source = models.CharField(max_length=8, blank=True, help_text="a battlefield, or the commander's seat")
    undoes = models.PositiveIntegerField(null=True, blank=True, help_text="number of the entry taken back")
    at = models.DateTimeField()
    actor = models.CharField(max_length=40)

    class Meta:
        ordering = ["board_id", "game", "number"]
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["board", "game", "number"], name="entry_number_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount} at {self.position}"


class Call(models.Model):
    """Somebody at the table asks for a judge; open until it is ended."""

    class Kind(models.TextChoices):
        JUDGE = "judge", "judge, please"
        DISPUTE = "dispute", "disputed result"
        TIME = "time", "time extension"

    match = models.ForeignKey(Match, models.PROTECT, related_name="calls")
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.JUDGE)
    side = models.ForeignKey(Side, models.PROTECT, null=True, blank=True, related_name="calls")
    note = models.CharField(max_length=200, blank=True)
    opened_at = models.DateTimeField()
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    taken_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["opened_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "kind"], condition=Q(ended_at__isnull=True), name="one_open_call_per_kind"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} call of match {self.match_id}"
