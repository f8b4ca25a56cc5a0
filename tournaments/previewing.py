"""What a correction would change: it is done, looked at and taken back, so that it can be read first."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from django.db import transaction

from journal.actors import Actor
from journal.recording import version_of
from matches.models import Line, Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState, StageState, TeamState
from teams.models import Team
from tournaments.corrections import correct_board, correct_result
from tournaments.drafting import is_draft_round
from tournaments.drawing import draw, is_in_pods
from tournaments.models import Round, Slot, SnapshotRow, Stage, StageEntry
from tournaments.repairing import repair_plan
from tournaments.rounds import current_round, void_round
from tournaments.standings import last_closed, latest_snapshot

Ranked = Mapping[int, tuple[int, Fraction]]
Sides = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A result in side order: how it ended, games and outcome of each side, drawn games."""

    kind: str
    wins: tuple[int, ...]
    outcomes: tuple[str, ...]
    draws: int


@dataclass(frozen=True, slots=True)
class Contest:
    """One result of the match and what it would be; `label` is the board's, empty for the whole match."""

    label: str
    was: Told | None
    now: Told | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A team whose rank or points in the newest standings would be others."""

    team_id: int
    rank_before: int
    rank_after: int
    points_before: Fraction
    points_after: Fraction


@dataclass(frozen=True, slots=True)
class CutMoved:
    """Who would be inside and outside the cut by the standings; one that is made keeps its teams."""

    size: int
    enters: Sides
    leaves: Sides
    is_made: bool


@dataclass(frozen=True, slots=True)
class PairingsMoved:
    """What the later round that is paired already would be; `refused` says why nothing can be told.

    `made` are the tables that would be new. A `drawn` round would be paired anew, any other is repaired."""

    number: int
    state: str
    made: tuple[Sides, ...] = ()
    is_drawn: bool = False
    refused: str = ""


@dataclass(frozen=True, slots=True)
class SlotMoved:
    """A place in a later round of the bracket that another team would stand in."""

    round_number: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class PlaceMoved:
    """A team whose place in the bracket would be another."""

    team_id: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Preview:
    """All that the correction would change at the tournament's `version`, or the sentence that forbids it."""

    version: int
    contests: tuple[Contest, ...]
    after_round: int = 0
    moved: tuple[Moved, ...] = ()
    cut: CutMoved | None = None
    pairings: PairingsMoved | None = None
    slots: tuple[SlotMoved, ...] = ()
    places: tuple[PlaceMoved, ...] = ()
    is_running: bool = False
    refused: str = ""

    @property
    def digest(self) -> str:
        """Equal for two previews that say the same, whatever else happened in between."""
        return hashlib.sha256(repr(replace(self, version=0)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What can be seen of the tournament before or after the correction."""

    ranked: Ranked
    top: Sides
    slots: Mapping[int, tuple[int, int | None]]
    places: Mapping[int, int | None]


def preview_correction(
    *, match_id: int, actor: Actor, reason: str, board_label: str = "", **said: Any
) -> Preview:
    """What `correct_result`, or `correct_board` where a board is named, would change; nothing is left behind.

    `said` is the result as those services take it. A result that cannot be is refused as there; where the
    bracket has moved on the preview itself says so."""
    correct: Callable[..., Match] = partial(correct_result, match_id=match_id)
    if board_label:
        said = {key: said[key] for key in ("kind", "wins", "draws", "loser") if key in said}
        correct = partial(correct_board, match_id=match_id, board_label=board_label)
    with transaction.atomic():
        preview = _preview(match_id, partial(correct, actor=actor, reason=reason, **said), board_label)
        transaction.set_rollback(True)
    return preview


def _preview(match_id: int, correct: Callable[[], Match], board_label: str) -> Preview:
    """The preview, with the correction done. Whoever calls takes it back."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise RuleBroken("not-found", "There is no such match any more; reload the page.")
    rnd = Round.objects.select_related("stage__tournament").get(pk=match.round_id)
    labels = (board_label, "") if board_label else ("",)
    version, was = version_of(match.tournament_id), {label: _told(match, label) for label in labels}
    later = _later(rnd)
    before, planned = _seen(rnd), _planned(later)
    try:
        with transaction.atomic():
            correct()
    except RuleBroken as broken:
        if broken.code != "bracket-moved-on":
            raise
        contests = tuple(Contest(label, told, None) for label, told in was.items())
        return Preview(version, contests, refused=broken.sentence)
    after = _seen(rnd)
    return Preview(
        version=version,
        contests=tuple(Contest(label, told, _told(match, label)) for label, told in was.items()),
        after_round=0 if rnd.stage.is_bracket else last_closed(rnd.stage),
        moved=_moved(before.ranked, after.ranked),
        cut=_cut(rnd, before, after),
        pairings=_pairings(later, planned),
        slots=tuple(
            SlotMoved(number, old, after.slots[pk][1])
            for pk, (number, old) in before.slots.items()
            if after.slots[pk][1] != old
        ),
        places=tuple(
            PlaceMoved(team, place, after.places.get(team))
            for team, place in before.places.items()
            if after.places.get(team) != place
        ),
        is_running=rnd.state != RoundState.CLOSED,
    )


def _told(match: Match, label: str) -> Told | None:
    lines = list(
        Line.objects.filter(result__match=match, result__is_current=True, result__board_label=label)
        .select_related("result")
        .order_by("side__index")
    )
    if not lines:
        return None
    return Told(
        lines[0].result.kind,
        tuple(line.wins for line in lines),
        tuple(line.outcome for line in lines),
        lines[0].draws,
    )


def _seen(rnd: Round) -> _Seen:
    """Standings and cut of a stage that is ranked by points; slots and places of a bracket."""
    if rnd.stage.is_bracket:
        slots = Slot.objects.filter(stage=rnd.stage, round_number__gt=rnd.number).order_by("pk")
        entries = StageEntry.objects.filter(stage=rnd.stage).order_by("seed", "pk")
        return _Seen(
            {},
            (),
            {pk: (number, team) for pk, number, team in slots.values_list("pk", "round_number", "team_id")},
            dict(entries.values_list("team_id", "place")),
        )
    snapshot = latest_snapshot(rnd.stage)
    stored = SnapshotRow.objects.filter(snapshot=snapshot).order_by("position")
    rows = list(stored.values_list("team_id", "rank", "points")) if snapshot else []
    playing = set(
        Team.objects.filter(tournament_id=rnd.stage.tournament_id, state=TeamState.PLAYING).values_list(
            "pk", flat=True
        )
    )
    return _Seen(
        {team: (rank, Fraction(points)) for team, rank, points in rows},
        tuple(team for team, *_ in rows if team in playing),
        {},
        {},
    )


def _moved(before: Ranked, after: Ranked) -> tuple[Moved, ...]:
    """Who stands elsewhere, in the new order; those with other points first."""
    moved = [
        Moved(team, before[team][0], rank, before[team][1], points)
        for team, (rank, points) in after.items()
        if team in before and before[team] != (rank, points)
    ]
    return tuple(sorted(moved, key=lambda one: one.points_before == one.points_after))


def _cut(rnd: Round, before: _Seen, after: _Seen) -> CutMoved | None:
    """Who changes places over the line of the cut; None for nobody, or without a cut."""
    if rnd.stage.number != 1 or rnd.stage.is_bracket:
        return None
    made = StageEntry.objects.filter(
        stage__tournament=rnd.stage.tournament_id, stage__method__in=Stage.BRACKETS, seed__isnull=False
    ).exclude(stage__state=StageState.WAITING)
    entered = made.count()
    size = entered or rnd.stage.tournament.cut
    old, new = before.top[:size], after.top[:size]
    if set(old) == set(new):
        return None
    enters = tuple(team for team in new if team not in old)
    return CutMoved(size, enters, tuple(team for team in old if team not in new), bool(entered))


def _later(rnd: Round) -> Round | None:
    """The round after it that is paired and not over yet."""
    last = current_round(rnd.stage)
    if rnd.stage.is_bracket or last is None or last.number <= rnd.number or last.state == RoundState.CLOSED:
        return None
    last.stage = rnd.stage
    return last


def _is_repaired(rnd: Round) -> bool:
    """The round is mended by a plan; any other that nobody has seen is paired anew."""
    return (
        rnd.stage.method == Stage.Method.SWISS
        and not is_in_pods(rnd.stage.tournament)
        and not is_draft_round(rnd.stage, rnd.number)
    )


def _planned(rnd: Round | None) -> set[Sides]:
    """The tables that a repair would make without the correction."""
    if rnd is None or not _is_repaired(rnd) or rnd.state == RoundState.RUNNING:
        return set()
    try:
        return {_unordered(one.sides) for one in repair_plan(rnd).plan.made}
    except RuleBroken:
        return set()


def _pairings(rnd: Round | None, planned: set[Sides]) -> PairingsMoved | None:
    """What becomes of the later round; None where there is none. It may be given up for it here."""
    if rnd is None or rnd.stage.method == Stage.Method.ROUND_ROBIN:
        return None
    shown = PairingsMoved(rnd.number, rnd.state)
    if rnd.state == RoundState.RUNNING or (not _is_repaired(rnd) and rnd.state != RoundState.PAIRED):
        return shown
    try:
        if _is_repaired(rnd):
            made = [one.sides for one in repair_plan(rnd).plan.made]
            return replace(shown, made=tuple(one for one in made if _unordered(one) not in planned))
        return replace(shown, made=_drawn(rnd), is_drawn=True)
    except RuleBroken as broken:
        return replace(shown, refused=broken.sentence)


def _drawn(rnd: Round) -> tuple[Sides, ...]:
    """The tables of the draft that it would not have, were it paired again with its own seed."""
    if rnd.engine == "given":
        return ()
    old: dict[int, list[int]] = {}
    for match, team in rnd.matches.filter(sides__is_live=True).values_list("pk", "sides__team_id").order_by():
        old.setdefault(match, []).append(team)
    tables = {_unordered(tuple(teams)) for teams in old.values()}
    void_round(rnd)
    return tuple(
        tuple(teams)
        for teams in draw(rnd.stage, rnd.number, rnd.seed).tables
        if _unordered(tuple(teams)) not in tables
    )


def _unordered(sides: Sides) -> Sides:
    return tuple(sorted(sides))
