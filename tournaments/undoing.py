"""Which deed is undone by which, and what stands in the way: one table.

An undo is a deed of its own that names the one it undoes; what was undone can be done again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from django.db import models, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState, RoundState, StageState, TeamState, TournamentState
from teams.models import Team
from tournaments.coming_back import take_back_leaving, went_on_since
from tournaments.cutting import undo_cut
from tournaments.models import Penalty, Round, Stage, Tournament
from tournaments.penalties import take_back_penalty
from tournaments.registration import undo_check_in
from tournaments.repairing import undo_repair
from tournaments.rounds import current_among
from tournaments.setting_up import reopen_registration
from tournaments.solos import JOINABLE, part_team
from tournaments.staff import Can
from tournaments.taking_back import (
    take_back_close,
    take_back_confirm,
    take_back_pairing,
    take_back_publish,
    take_back_start,
)

LOOKED_AT = 12
M = TypeVar("M", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Seen:
    """The rows the deeds are about, read once for many deeds."""

    tournament: Tournament
    stages: tuple[Stage, ...]
    rounds: Mapping[int, Round]
    matches: Mapping[int, Match]
    teams: Mapping[int, Team]
    penalties: Mapping[int, Penalty]
    newer: frozenset[int]

    @property
    def stage(self) -> Stage | None:
        """The stage that is played."""
        begun = [stage for stage in self.stages if stage.state != StageState.WAITING]
        return begun[-1] if begun else None

    @property
    def current(self) -> Round | None:
        """The round that is played or was played last; of a round robin the first that is not closed."""
        return current_among(self.stage, self.rounds.values())


Blocked = Callable[[Deed, Seen], str]


@dataclass(frozen=True, slots=True)
class Way:
    """How a deed is undone: `inverse` does it, `blocked` says in a sentence what stands in its way (empty:
    nothing does), `changes` what it changes."""

    inverse: Callable[[Deed, Actor, str], object]
    blocked: Blocked
    changes: str
    can: Can


def _id(deed: Deed) -> int:
    return int(deed.subject.partition(":")[2] or 0)


def _round_is(state: RoundState, otherwise: str) -> Blocked:
    """Blocked unless the round is the current one and in that state."""

    def blocked(deed: Deed, seen: Seen) -> str:
        rnd, current = seen.rounds.get(_id(deed)), seen.current
        if rnd is None or rnd.state == RoundState.SCRAPPED:
            return "That round was scrapped; there is nothing to undo."
        is_robin = rnd.stage.method == Stage.Method.ROUND_ROBIN
        if current is not None and current.number > rnd.number and not _is_draft_of_robin(current, is_robin):
            return f"Round {current.number} is {current.state} already; undo that first."
        if seen.stage is None or rnd.stage_id != seen.stage.pk:
            return "The cut is made from this round; undo the cut first."
        if rnd.state != state:
            return otherwise.format(number=rnd.number, state=rnd.state)
        return _is_running(seen)

    return blocked


def _is_draft_of_robin(rnd: Round, is_robin: bool) -> bool:
    return is_robin and rnd.state == RoundState.PAIRED


def _is_running(seen: Seen) -> str:
    state = seen.tournament.state
    return "" if state == TournamentState.RUNNING else f"The tournament is {state}; it has to run."


def _confirm_blocked(deed: Deed, seen: Seen) -> str:
    match = seen.matches.get(_id(deed))
    rnd = seen.rounds.get(match.round_id) if match else None
    if match is None or rnd is None or match.state == MatchState.VOID:
        return "That match was replaced; there is nothing to undo."
    if match.state != MatchState.CONFIRMED:
        return f"The match is {match.state}; there is no result to take back."
    if rnd.state not in (RoundState.RUNNING, RoundState.PUBLISHED):
        return f"Round {rnd.number} is {rnd.state} with this result; reopen it, or correct the result."
    return _is_running(seen)


def _leaving_blocked(deed: Deed, seen: Seen) -> str:
    team, then = seen.teams.get(_id(deed)), deed.after or {}
    left = TeamState.DROPPED if deed.kind == DeedKind.TEAM_DROPPED else TeamState.DISQUALIFIED
    if team is None or team.state != left or "in_round" not in then:
        return "The team is in again; there is nothing to undo."
    return went_on_since(seen.current, then)


def _repair_blocked(deed: Deed, seen: Seen) -> str:
    if "made" not in (deed.after or {}):
        return "The draft followed a team that left or came; undo that instead."
    rnd = seen.rounds.get(_id(deed))
    if rnd is None or rnd != seen.current or rnd.state in (RoundState.CLOSED, RoundState.SCRAPPED):
        return "That round is over; correct results instead."
    return _is_running(seen)


def _cut_blocked(deed: Deed, seen: Seen) -> str:
    if seen.stage is None or seen.stage.pk != _id(deed) or seen.stage.state != StageState.RUNNING:
        return "There is no cut to undo."
    rnd = seen.current
    if rnd is not None:
        return f"Bracket round {rnd.number} is {rnd.state}; undo or scrap it first."
    return _is_running(seen)


def _start_blocked(deed: Deed, seen: Seen) -> str:
    if seen.current is not None:
        return f"Round {seen.current.number} is {seen.current.state}; undo or scrap it first."
    return _is_running(seen)


def _check_in_blocked(deed: Deed, seen: Seen) -> str:
    team = seen.teams.get(_id(deed))
    if team is None or team.state != TeamState.CHECKED_IN:
        return f"The team is {team.state if team else 'gone'}, not checked in any more."
    return ""


def _join_blocked(deed: Deed, seen: Seen) -> str:
    team = seen.teams.get(_id(deed))
    if team is None or team.state not in JOINABLE:
        return f"The team is {team.state if team else 'gone'}; drop it instead."
    return ""


def _penalty_blocked(deed: Deed, seen: Seen) -> str:
    penalty = seen.penalties.get(deed.pk)
    if penalty is None or penalty.taken_back_at is not None:
        return "That penalty was taken back already."
    return ""


def _undo_penalty(deed: Deed, actor: Actor, reason: str) -> object:
    penalty_id = Penalty.objects.values_list("pk", flat=True).get(deed=deed)
    return take_back_penalty(penalty_id=penalty_id, actor=actor, reason=reason)


def _of_round(service: Callable[..., object]) -> Callable[[Deed, Actor, str], object]:
    return lambda deed, actor, reason: service(round_id=_id(deed), actor=actor, reason=reason, undoes=deed)


def _of_whole(service: Callable[..., object]) -> Callable[[Deed, Actor, str], object]:
    return lambda deed, actor, reason: service(
        tournament_id=deed.tournament_id, actor=actor, reason=reason, undoes=deed
    )


def _leave_back(deed: Deed, actor: Actor, reason: str) -> object:
    return take_back_leaving(deed_id=deed.pk, actor=actor, reason=reason)


UNDO: Mapping[str, Way] = {
    DeedKind.ROUND_PAIRED: Way(
        _of_round(take_back_pairing),
        _round_is(RoundState.PAIRED, "Round {number} is {state} already; undo that first."),
        "The draft is gone and can be paired anew.",
        Can.PAIR,
    ),
    DeedKind.ROUND_PUBLISHED: Way(
        _of_round(take_back_publish),
        _round_is(RoundState.PUBLISHED, "Round {number} is {state} already; undo that first."),
        "The pairings are hidden again and stay as a draft; byes are not scored yet.",
        Can.PAIR,
    ),
    DeedKind.ROUND_STARTED: Way(
        _of_round(take_back_start),
        _round_is(RoundState.RUNNING, "Round {number} is {state} already; undo that first."),
        "The clock stops and the round waits for its start; refused once a table has begun.",
        Can.RUN_CLOCK,
    ),
    DeedKind.ROUND_CLOSED: Way(
        _of_round(take_back_close),
        _round_is(RoundState.CLOSED, "Round {number} is {state} again already."),
        "The round takes results again; its standings do not count until it is closed once more.",
        Can.RUN_CLOCK,
    ),
    DeedKind.ROUND_REPAIRED: Way(
        lambda deed, actor, reason: undo_repair(round_id=_id(deed), actor=actor, reason=reason),
        _repair_blocked,
        "The pairs that were given up meet again at their tables; refused once a repaired table has begun.",
        Can.PAIR,
    ),
    DeedKind.MATCH_CONFIRMED: Way(
        lambda deed, actor, reason: take_back_confirm(
            match_id=_id(deed), actor=actor, reason=reason, undoes=deed
        ),
        _confirm_blocked,
        "The table has no result any more and waits for one; its reports stay.",
        Can.CORRECT,
    ),
    DeedKind.TEAM_DROPPED: Way(
        _leave_back,
        _leaving_blocked,
        "The team plays as if it had not left: its match and the draft are what they were.",
        Can.DROP,
    ),
    DeedKind.TEAM_DISQUALIFIED: Way(
        _leave_back,
        _leaving_blocked,
        "The team plays as if it had not been disqualified: its match and the draft are what they were.",
        Can.DISQUALIFY,
    ),
    DeedKind.CUT_MADE: Way(
        _of_whole(undo_cut),
        _cut_blocked,
        "The bracket is gone and the Swiss rounds go on.",
        Can.PAIR,
    ),
    DeedKind.TOURNAMENT_STARTED: Way(
        _of_whole(reopen_registration),
        _start_blocked,
        "Registration is open again; teams and settings can change.",
        Can.SETTINGS,
    ),
    DeedKind.TEAM_CHECKED_IN: Way(
        lambda deed, actor, reason: undo_check_in(team_id=_id(deed), actor=actor, reason=reason, undoes=deed),
        _check_in_blocked,
        "The team is registered, but not here yet.",
        Can.REGISTER,
    ),
    DeedKind.TEAMS_JOINED: Way(
        lambda deed, actor, reason: part_team(deed_id=deed.pk, actor=actor, reason=reason),
        _join_blocked,
        "The team is two players again who look for a partner; its place is free.",
        Can.REGISTER,
    ),
    DeedKind.PENALTY_GIVEN: Way(
        _undo_penalty,
        _penalty_blocked,
        "The penalty counts no more; a game or match lost by it stays until somebody corrects it.",
        Can.PENALTIES,
    ),
}


@transaction.atomic
def undo(*, deed_id: int, actor: Actor, reason: str = "") -> Deed:
    """The deed is taken back and can be done again; returns the deed that took it back.

    `RuleBroken` names what stands in the way: "not-undoable", "already-undone", "undo-blocked", or the code
    of the service that takes it back.
    """
    found = Deed.objects.filter(pk=deed_id).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such deed.")
    tournament = lock_one(Tournament, found.tournament_id)
    way = UNDO.get(found.kind)
    if way is None or found.undoes_id is not None:
        raise RuleBroken("not-undoable", "This cannot be undone; correct it by a deed of its own.")
    if Deed.objects.filter(undoes=found).exists():
        raise RuleBroken("already-undone", "That was undone already; reload the page.")
    blocked = blocked_by(found, seen_for(tournament, [found]))
    if blocked:
        raise RuleBroken("undo-blocked", blocked)
    way.inverse(found, actor, reason)
    return Deed.objects.filter(undoes=found).latest("number")


def blocked_by(deed: Deed, seen: Seen) -> str:
    """What stands in the way of undoing the deed, in a sentence; empty when nothing is known to.

    A table that has begun meanwhile is found by the service itself."""
    way = UNDO.get(deed.kind)
    if way is None or deed.undoes_id is not None:
        return "This cannot be undone; correct it by a deed of its own."
    if deed.pk in seen.newer:
        return "It was done again or changed since; undo the later one."
    return way.blocked(deed, seen)


@dataclass(frozen=True, slots=True)
class Known:
    """What a caller has read already: the stages, the unscrapped rounds, some matches and teams by id."""

    stages: Sequence[Stage]
    rounds: Sequence[Round]
    matches: Mapping[int, Match] = field(default_factory=dict)
    teams: Mapping[int, Team] = field(default_factory=dict)


def seen_for(tournament: Tournament, deeds: Sequence[Deed], known: Known | None = None) -> Seen:
    """What `blocked_by` has to know of these deeds: at most six queries however many they are, none for what
    is `known`."""
    newer = Deed.objects.filter(Exists(_later()), pk__in=[deed.pk for deed in deeds])
    return _seen(tournament, deeds, known, frozenset(newer.values_list("pk", flat=True)))


def newest_undoable(
    tournament: Tournament, powers: Iterable[Can], known: Known | None = None
) -> tuple[Deed, Way] | None:
    """The last thing somebody of the staff (or the clock) did that can be undone with these powers.

    One query where nothing stands in the way of the newest one and its rows are `known`."""
    kinds = [kind for kind, way in UNDO.items() if way.can in set(powers)]
    deeds = list(
        Deed.objects.filter(tournament=tournament, kind__in=kinds, undoes=None)
        .exclude(actor__startswith="seat:")
        .exclude(Exists(Deed.objects.filter(undoes=OuterRef("pk"))))
        .exclude(Exists(_later()))
        .order_by("-number")[:LOOKED_AT]
    )
    for some in (deeds[:1], deeds[1:]):
        seen = _seen(tournament, some, known, frozenset()) if some else None
        for deed in some:
            if seen is not None and not blocked_by(deed, seen):
                return deed, UNDO[deed.kind]
    return None


def _seen(tournament: Tournament, deeds: Sequence[Deed], known: Known | None, newer: frozenset[int]) -> Seen:
    asked = [deed for deed in deeds if deed.kind in UNDO]
    stages = tuple(known.stages if known else Stage.objects.filter(tournament=tournament).order_by("number"))
    by_id = {stage.pk: stage for stage in stages}
    own = known.rounds if known else Round.objects.filter(stage__in=by_id).defer("inputs", "output")
    rounds = {rnd.pk: rnd for rnd in own}
    for rnd in rounds.values():
        rnd.stage = by_id[rnd.stage_id]
    return Seen(
        tournament=tournament,
        stages=stages,
        rounds=rounds,
        matches=_named(Match.objects.defer("terms"), asked, "match", known.matches if known else {}),
        teams=_named(Team.objects.all(), asked, "team", known.teams if known else {}),
        penalties=_penalties([deed.pk for deed in asked if deed.kind == DeedKind.PENALTY_GIVEN]),
        newer=newer,
    )


def _later() -> "QuerySet[Deed]":
    """Deeds by which the same thing was done again to the same row, or its result corrected; a penalty is
    given again without a word about the earlier one."""
    return (
        Deed.objects.filter(
            tournament=OuterRef("tournament"),
            subject=OuterRef("subject"),
            number__gt=OuterRef("number"),
            undone_by=None,
            undoes=None,
        )
        .filter(Q(kind=OuterRef("kind")) | Q(kind=DeedKind.MATCH_CORRECTED))
        .exclude(kind=DeedKind.PENALTY_GIVEN)
    )


def _named(rows: QuerySet[M], deeds: Iterable[Deed], sort: str, known: Mapping[int, M]) -> Mapping[int, M]:
    ids = {_id(deed) for deed in deeds if deed.subject.startswith(f"{sort}:")} - known.keys()
    return {**known, **rows.in_bulk(ids)} if ids else known


def _penalties(deed_ids: Sequence[int]) -> dict[int, Penalty]:
    rows = Penalty.objects.filter(deed__in=deed_ids) if deed_ids else ()
    return {penalty.deed_id: penalty for penalty in rows if penalty.deed_id}
