"""A confirmed result was wrong."""

from collections.abc import Sequence

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record, version_of
from matches.boards import board_lines, settle_board
from matches.models import Match, Result
from matches.results import settle, told
from rulebook.boards import team_lines
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState, TournamentState
from rulebook.scoring import ResultKind, lines_for
from tournaments.bracket_results import settle_slots
from tournaments.models import Round, Stage, Tournament
from tournaments.standings import retake_snapshots


@transaction.atomic
def correct_result(
    *,
    match_id: int,
    actor: Actor,
    reason: str,
    kind: ResultKind = ResultKind.PLAYED,
    wins: Sequence[int] = (),
    draws: int = 0,
    loser: int | None = None,
    winner: int | None = None,
    out_order: Sequence[int | None] = (),
    version: int | None = None,
) -> Match:
    """The match has the new result, the old one is kept, and every later table of standings is new.

    Pairings already made stay. In a bracket it is refused once the next round is paired from the wrong
    winner. With the `version` that was shown it is refused once anything has changed since."""
    tournament, rnd, match = _locked_match(match_id, reason, version)
    before = Result.objects.get(match=match, board_label="", is_current=True)
    was = {"kind": before.kind, "wins": [line.wins for line in before.lines.order_by("side__index")]}
    judged = lines_for(
        match.frozen_terms, kind, wins=wins, draws=draws, loser=loser, winner=winner, out_order=out_order
    )
    settle(match, kind, judged, actor)
    _follow(rnd, tournament)
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.MATCH_CORRECTED,
        actor=actor,
        subject=f"match:{match.pk}",
        before=was,
        after=told(kind, judged),
        reason=reason,
    )
    return match


@transaction.atomic
def correct_board(
    *,
    match_id: int,
    board_label: str,
    actor: Actor,
    reason: str,
    kind: ResultKind = ResultKind.PLAYED,
    wins: Sequence[int] = (),
    draws: int = 0,
    loser: int | None = None,
    version: int | None = None,
) -> Match:
    """One board of the decided match has the new result, the team's result and every later standing follow.

    A board that was not played may be given its result too. Refused where the match would be open again: the
    missing board comes first."""
    tournament, rnd, match = _locked_match(match_id, reason, version)
    terms = match.frozen_terms
    if board_label not in terms.boards or len(terms.boards) < 2:
        raise RuleBroken("unknown-board", f"This match has no board {board_label!r}.")
    was = board_lines(match)
    before = {"board": board_label, "wins": [line.wins for line in was.get(board_label, ())]}
    judged = lines_for(terms, kind, wins=wins, draws=draws, loser=loser)
    settle_board(match, board_label, kind, judged, actor)
    decided = team_lines(terms, board_lines(match))
    settle(match, ResultKind.PLAYED, decided, actor)
    _follow(rnd, tournament)
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.MATCH_CORRECTED,
        actor=actor,
        subject=f"match:{match.pk}",
        before=before,
        after={
            "board": board_label,
            **told(kind, judged),
            "match": told(ResultKind.PLAYED, decided),
        },
        reason=reason,
    )
    return match


def _locked_match(match_id: int, reason: str, version: int | None = None) -> tuple[Tournament, Round, Match]:
    """The match with its round and tournament, locked, if its confirmed result can be corrected."""
    if not reason.strip():
        raise RuleBroken("reason-missing", "Write down why the result is corrected.")
    found = Match.objects.filter(pk=match_id).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such match any more; reload the page.")
    tournament = lock_one(Tournament, found.tournament_id)
    if tournament.state not in (TournamentState.RUNNING, TournamentState.FINISHED):
        raise RuleBroken("tournament-not-running", f"{tournament.name} is {tournament.state}.")
    rnd = lock_one(Round, found.round_id)
    rnd.stage = Stage.objects.get(pk=rnd.stage_id)
    rnd.stage.tournament = tournament
    match = lock_one(Match, match_id)
    if match.kind != MatchKind.TABLE:
        raise RuleBroken(
            "bye-has-no-report", "A bye or an assigned loss is scored by rule; there is nothing to correct."
        )
    if match.state != MatchState.CONFIRMED:
        raise RuleBroken(
            "not-confirmed", f"This match is {match.state}; enter its result instead of correcting it."
        )
    if version is not None and version_of(tournament.pk) != version:
        raise RuleBroken("preview-outdated", "Something changed meanwhile; look again at what it changes.")
    return tournament, rnd, match


def _follow(rnd: Round, tournament: Tournament) -> None:
    """Standings or bracket follow the corrected result of a closed round."""
    if rnd.state != RoundState.CLOSED:
        return
    if not rnd.stage.is_bracket:
        retake_snapshots(rnd.stage, rnd.number)
        return
    before = _waiting(rnd)
    settle_slots(rnd)
    later = rnd.stage.rounds.filter(number__gt=rnd.number).exclude(state=RoundState.SCRAPPED)
    if _waiting(rnd) != before and later.exists():
        raise RuleBroken(
            "bracket-moved-on",
            "The next bracket round is paired from the old winner; scrap that round first.",
        )


def _waiting(rnd: Round) -> list[tuple[str, int, int | None]]:
    slots = rnd.stage.slots.filter(round_number__gt=rnd.number)
    return list(slots.order_by("node", "index").values_list("node", "index", "team_id"))
