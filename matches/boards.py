"""Matches of several boards: A plays A, B plays B, C plays C, and the boards make one team result."""

from collections.abc import Sequence

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.games import check_games
from matches.models import Line, Match, Result
from matches.results import WAITS_FOR_RESULT, settle, sides_of, told
from rulebook.boards import team_lines
from rulebook.errors import RuleBroken
from rulebook.scoring import Line as Judged
from rulebook.scoring import Outcome, ResultKind, lines_for


@transaction.atomic
def enter_board(
    *,
    match_id: int,
    board_label: str,
    actor: Actor,
    kind: ResultKind = ResultKind.PLAYED,
    wins: Sequence[int] = (),
    draws: int = 0,
    loser: int | None = None,
) -> Match:
    """The board has its result; once no open board can turn the match, the team result is confirmed too.

    Entering a board again replaces its result while the match is not confirmed.
    """
    match = lock_one(Match, match_id)
    terms = match.frozen_terms
    if board_label not in terms.boards or len(terms.boards) < 2:
        raise RuleBroken("unknown-board", f"This match has no board {board_label!r}.")
    if match.state not in WAITS_FOR_RESULT:
        raise RuleBroken("match-not-open", f"The match is {match.state}; its boards take no result.")
    if kind is ResultKind.PLAYED:
        check_games(match, wins, draws, board_label)
    judged = lines_for(terms, kind, wins=wins, draws=draws, loser=loser)
    settle_board(match, board_label, kind, judged, actor)
    decided = _team_result(match)
    if decided is not None:
        settle(match, ResultKind.PLAYED, decided, actor)
    after = {"board": board_label, **told(kind, judged), "match": told(kind, decided) if decided else None}
    deed = DeedKind.MATCH_CONFIRMED if decided else DeedKind.MATCH_REPORTED
    record(
        tournament_id=match.tournament_id, kind=deed, actor=actor, subject=f"match:{match.pk}", after=after
    )
    return match


def board_lines(match: Match) -> dict[str, tuple[Judged, ...]]:
    """The current lines of each board that has a result."""
    found: dict[str, list[Judged]] = {}
    rows = Line.objects.filter(result__match=match, result__is_current=True).exclude(result__board_label="")
    for line in rows.select_related("result", "side").order_by("result__board_label", "side__index"):
        value = Judged(line.side.index, Outcome(line.outcome), line.wins, line.draws)
        found.setdefault(line.result.board_label, []).append(value)
    return {label: tuple(lines) for label, lines in found.items()}


def settle_board(match: Match, label: str, kind: ResultKind, judged: Sequence[Judged], actor: Actor) -> None:
    """The board's result counts, an earlier one is kept; the team's result is not touched."""
    Result.objects.filter(match=match, board_label=label, is_current=True).update(is_current=False)
    result = Result.objects.create(
        match=match, board_label=label, kind=kind, source=actor.door, confirmed_at=now()
    )
    by_index = {side.index: side for side in sides_of(match)}
    Line.objects.bulk_create(
        Line(
            result=result,
            side=by_index[line.side],
            outcome=line.outcome,
            wins=line.wins,
            draws=line.draws,
        )
        for line in judged
    )


def _team_result(match: Match) -> tuple[Judged, ...] | None:
    try:
        return team_lines(match.frozen_terms, board_lines(match))
    except RuleBroken as refused:
        if refused.code == "boards-missing":
            return None
        raise
