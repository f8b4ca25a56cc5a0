"""Several tables at once, and a result together with who leaves after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_all, lock_one
from journal.recording import record_many
from matches.games import check_games, score_so_far
from matches.models import Match
from matches.results import WAITS_FOR_RESULT, enter_result, judged_report, settle, told
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState
from rulebook.scoring import Line, ResultKind, lines_for
from teams.models import Team
from tournaments.models import Round, Tournament
from tournaments.withdrawals import drop_team


@dataclass(frozen=True, slots=True)
class Resolution:
    """How one open table ends; `as_reported` takes its single report, `as_played` the recorded games."""

    match_id: int
    kind: ResultKind = ResultKind.PLAYED
    wins: tuple[int, ...] = ()
    draws: int = 0
    loser: int | None = None
    as_reported: bool = False
    as_played: bool = False


@transaction.atomic
def resolve_tables(*, round_id: int, resolutions: Sequence[Resolution], actor: Actor) -> list[Match]:
    """Every named table of the running round has its result, all of them or none."""
    if not resolutions:
        raise RuleBroken("nothing-chosen", "Choose how at least one table ends.")
    rnd = lock_one(Round, round_id)
    if rnd.state != RoundState.RUNNING:
        raise RuleBroken("round-not-running", f"Round {rnd.number} is {rnd.state}; it takes no results.")
    held = lock_all(Match, [one.match_id for one in resolutions])
    deeds = []
    for one in sorted(resolutions, key=lambda resolution: resolution.match_id):
        match = held.get(one.match_id)
        if match is None or match.round_id != rnd.pk:
            raise RuleBroken("not-found", "A table is not in this round any more; reload the page.")
        kind, judged = _judged(match, one)
        settle(match, kind, judged, actor)
        deeds.append((f"match:{match.pk}", told(kind, judged)))
    record_many(
        tournament_id=next(iter(held.values())).tournament_id,
        kind=DeedKind.MATCH_CONFIRMED,
        actor=actor,
        deeds=deeds,
    )
    return list(held.values())


@transaction.atomic
def enter_and_drop(*, match_id: int, team_ids: Sequence[int], actor: Actor, **result: Any) -> list[Team]:
    """The result counts and the teams leave after it; without a result they concede what they play."""
    tournament_id = Match.objects.filter(pk=match_id).values_list("tournament_id", flat=True).first()
    if tournament_id is None:
        raise RuleBroken("not-found", "There is no such match any more; reload the page.")
    lock_one(Tournament, tournament_id)
    if result:
        enter_result(match_id=match_id, actor=actor, **result)
    return [drop_team(team_id=team_id, actor=actor) for team_id in team_ids]


def _judged(match: Match, one: Resolution) -> tuple[ResultKind, tuple[Line, ...]]:
    name = f"Table {match.table}"
    if match.state not in WAITS_FOR_RESULT:
        raise RuleBroken("already-confirmed", f"{name} is {match.state}; take it out and try again.")
    try:
        if one.as_reported:
            return judged_report(match)
        counted = one.kind is ResultKind.PLAYED and not one.as_played
        wins, draws = (one.wins, one.draws) if counted else score_so_far(match)
        if counted:
            check_games(match, wins, draws)
        return one.kind, lines_for(match.frozen_terms, one.kind, wins=wins, draws=draws, loser=one.loser)
    except RuleBroken as refused:
        raise RuleBroken(refused.code, f"{name}: {refused.sentence}", **refused.facts) from refused
