"""Deeds that take an earlier one back exactly: afterwards everything that counts is as it was before it.

Whatever cannot be restored exactly any more is refused with the way that is left.
"""

from django.db import transaction
from django.db.models import Q, QuerySet

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one, locked
from journal.models import Deed
from journal.recording import record
from matches.models import Chair, Game, Match, Result, Side
from matches.undoing import take_report_away, take_result_away
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState, TeamState
from rulebook.scoring import ResultKind
from tournaments.following import follow_plan
from tournaments.models import Round, Stage, Step, Tournament
from tournaments.one_round import cancel_steps, lock_round_in_play, record_round
from tournaments.rounds import reopen_round, void_round

LONE = (MatchKind.BYE, MatchKind.ASSIGNED_LOSS)


@transaction.atomic
def take_back_pairing(*, round_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Round:
    """The draft is gone, as if it had not been paired, and its number can be paired again."""
    rnd = _locked_round(round_id, RoundState.PAIRED, "published; take the publication back first")
    for draft in rnd.stage.rounds.filter(state=RoundState.PAIRED, number__gt=rnd.number):
        draft.stage = rnd.stage
        void_round(draft)
    void_round(rnd)
    follow_plan(rnd.stage.tournament, again=True)
    record_round(rnd, DeedKind.ROUND_SCRAPPED, actor, reason=reason, undoes=undoes)
    return rnd


@transaction.atomic
def take_back_publish(*, round_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Round:
    """The pairings are a draft again that only staff see; refused once a table has a result.

    Line-ups and what was declared for them are copied anew by the next publication."""
    rnd = _locked_round(round_id, RoundState.PUBLISHED, "started; take the start back first")
    matches = locked(Match.objects.filter(round=rnd).exclude(state=MatchState.VOID))
    if rnd.stage.method == Stage.Method.ROUND_ROBIN:
        _leavers_wait_again(matches)
    else:
        _nobody_left(rnd)
    scored = [m.table or 0 for m in matches if m.kind == MatchKind.TABLE and m.state != MatchState.PAIRED]
    if scored:
        raise RuleBroken(
            "round-has-results",
            f"Table {min(scored)} of round {rnd.number} has a result; take that back first, or repair the "
            "round.",
        )
    Chair.objects.filter(match__in=matches).delete()
    for match in matches:
        if match.kind in LONE and match.state == MatchState.CONFIRMED:
            take_result_away(match, back_to=MatchState.PAIRED)
    rnd.state, rnd.published_at = RoundState.PAIRED, None
    rnd.save(update_fields=["state", "published_at"])
    follow_plan(rnd.stage.tournament, again=True)
    record_round(rnd, DeedKind.PUBLISH_TAKEN_BACK, actor, reason=reason, undoes=undoes)
    return rnd


@transaction.atomic
def take_back_start(*, round_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Round:
    """The round is published and waits for its start; refused once a game, a report or a result came in."""
    rnd = _locked_round(round_id, RoundState.RUNNING, "over; reopen it first")
    matches = locked(Match.objects.filter(round=rnd, kind=MatchKind.TABLE).exclude(state=MatchState.VOID))
    begun = _begun_tables(rnd, matches)
    if begun:
        raise RuleBroken(
            "round-has-results",
            f"Table {min(begun)} of round {rnd.number} has begun; its start stands.",
            tables=sorted(begun),
        )
    opened = [match.pk for match in matches if match.state == MatchState.OPEN]
    Match.objects.filter(pk__in=opened).update(state=MatchState.PAIRED)
    cancel_steps(rnd, Step.Kind.TIME)
    rnd.state = RoundState.PUBLISHED
    rnd.started_at = rnd.ends_at = rnd.time_called_at = rnd.left_when_paused = None
    rnd.save(update_fields=["state", "started_at", "ends_at", "time_called_at", "left_when_paused"])
    follow_plan(rnd.stage.tournament, again=True)
    record_round(rnd, DeedKind.START_TAKEN_BACK, actor, reason=reason, undoes=undoes)
    return rnd


@transaction.atomic
def take_back_close(*, round_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Round:
    """The round takes results again, and the clock will call its time if that is still to come."""
    found = Round.objects.filter(pk=round_id).select_related("stage").first()
    if found is not None:
        lock_one(Tournament, found.stage.tournament_id)
        if found.time_called_at is None and found.ends_at is not None and found.ends_at > now():
            Step.objects.filter(round=found, kind=Step.Kind.TIME).update(state=Step.State.WAITING)
    return reopen_round(round_id=round_id, actor=actor, reason=reason, undoes=undoes)


@transaction.atomic
def take_back_confirm(*, match_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Match:
    """The match has no result any more and stands as reported before; refused once its round is closed."""
    match = lock_one(Match, match_id)
    rnd = Round.objects.only("number", "state").get(pk=match.round_id)
    if match.state != MatchState.CONFIRMED or match.kind != MatchKind.TABLE:
        raise RuleBroken("not-confirmed", f"This match is {match.state}; there is no result to take back.")
    if rnd.state not in (RoundState.RUNNING, RoundState.PUBLISHED):
        raise RuleBroken(
            "round-closed",
            f"Round {rnd.number} is {rnd.state} with this result; reopen the round, or correct the result.",
        )
    deed = undoes or _deeds_of(match).filter(kind=DeedKind.MATCH_CONFIRMED).latest("number")
    before = _result_in_words(match)
    back_to = _state_before(match, deed, rnd)
    take_result_away(match, back_to=back_to)
    by = (deed.after or {}).get("by")
    if by is not None:
        take_report_away(match, int(by))
    board = (deed.after or {}).get("board")
    if board is not None:
        _take_board_away(match, board)
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.CONFIRM_TAKEN_BACK,
        actor=actor,
        subject=f"match:{match.pk}",
        before=before,
        after={"state": back_to},
        reason=reason,
        undoes=undoes,
    )
    return match


def _nobody_left(rnd: Round) -> None:
    """A draft is of teams that play."""
    gone = Side.objects.filter(round=rnd, is_live=True).exclude(team__state=TeamState.PLAYING)
    side = gone.select_related("team").first()
    if side is not None:
        raise RuleBroken(
            "team-left",
            f"{side.team} left since round {rnd.number} was published; undo that first, or repair the round.",
        )


def _leavers_wait_again(matches: list[Match]) -> None:
    """What the publication of a round robin settled for teams that left is settled by the next one."""
    for match in matches:
        settled = match.results.filter(
            is_current=True,
            kind__in=[ResultKind.NO_SHOW, ResultKind.BOTH_ABSENT],
            match__kind=MatchKind.TABLE,
        )
        if match.state == MatchState.CONFIRMED and settled.exists():
            take_result_away(match, back_to=MatchState.PAIRED)
    rests = [match for match in matches if match.kind == MatchKind.ASSIGNED_LOSS]
    for match in rests:
        match.kind = MatchKind.BYE
    Match.objects.filter(pk__in=[match.pk for match in rests]).update(kind=MatchKind.BYE)


def _begun_tables(rnd: Round, matches: list[Match]) -> set[int]:
    """Tables at which something happened since the start; who had not come before it does not count."""
    by_id = {match.pk: match.table or 0 for match in matches}
    began = {m.table or 0 for m in matches if m.state in (MatchState.REPORTED, MatchState.DISPUTED)}
    games = Game.objects.filter(board__match__in=by_id).values_list("board__match_id", flat=True)
    results = Result.objects.filter(match__in=by_id, is_current=True).filter(
        Q(confirmed_at__gte=rnd.started_at) | Q(confirmed_at=None) | ~Q(board_label="")
    )
    return began | {by_id[pk] for pk in (*games, *results.values_list("match_id", flat=True))}


def _state_before(match: Match, confirmed: Deed, rnd: Round) -> MatchState:
    """What the match was when it was confirmed, as the journal tells it."""
    if rnd.state == RoundState.PUBLISHED:
        return MatchState.PAIRED
    kinds = (DeedKind.MATCH_REPORTED, DeedKind.MATCH_DISPUTED, DeedKind.CONFIRM_TAKEN_BACK)
    earlier = _deeds_of(match).filter(number__lt=confirmed.number, kind__in=kinds)
    last = earlier.order_by("-number").first()
    if last is None:
        return MatchState.OPEN
    if last.kind == DeedKind.MATCH_REPORTED:
        is_board = "board" in (last.after or {})
        return MatchState.OPEN if is_board else MatchState.REPORTED
    if last.kind == DeedKind.MATCH_DISPUTED:
        return MatchState.DISPUTED
    return MatchState((last.after or {})["state"])


def _take_board_away(match: Match, board: str) -> None:
    """The board whose result decided the match has none; an earlier one it replaced counts again."""
    own = list(Result.objects.filter(match=match, board_label=board).order_by("-id")[:2])
    for result, is_current in zip(own, (False, True), strict=False):
        Result.objects.filter(pk=result.pk).update(is_current=is_current)


def _result_in_words(match: Match) -> dict[str, object]:
    result = Result.objects.get(match=match, board_label="", is_current=True)
    lines = list(result.lines.order_by("side__index"))
    return {
        "kind": result.kind,
        "wins": [line.wins for line in lines],
        "draws": lines[0].draws,
        "result": result.pk,
    }


def _deeds_of(match: Match) -> "QuerySet[Deed]":
    return Deed.objects.filter(tournament_id=match.tournament_id, subject=f"match:{match.pk}")


def _locked_round(round_id: int, state: RoundState, otherwise: str) -> Round:
    """The round in that state, locked with its tournament; refused in any other."""
    rnd = lock_round_in_play(round_id)
    if rnd.state == RoundState.SCRAPPED:
        raise RuleBroken("wrong-state", f"Round {rnd.number} is scrapped; there is nothing to take back.")
    if rnd.state != state:
        is_before = list(RoundState).index(RoundState(rnd.state)) < list(RoundState).index(state)
        words = f"only {rnd.state}" if is_before else otherwise
        raise RuleBroken("wrong-state", f"Round {rnd.number} is {words}.", current=rnd.state)
    return rnd
