"""One round from its pairing to its close, each step one deed."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import locked
from journal.models import Deed
from matches.lineup import confirm_lone_sides, seat_chairs
from matches.models import Call, Line, Match, Side
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState, StageState, check_move
from tournaments.bracket_results import settle_slots, unsettle_slots
from tournaments.following import follow_plan
from tournaments.models import Round, Stage, Step
from tournaments.one_round import call_time_at_end, cancel_steps, lock_round_in_play, record_round
from tournaments.robin import settle_leavers
from tournaments.standings import take_snapshot


@transaction.atomic
def publish_round(*, round_id: int, actor: Actor) -> Round:
    """Everybody sees the pairings: line-ups are copied, byes and assigned losses are scored."""
    rnd = _locked_round(round_id, RoundState.PUBLISHED, only_from=RoundState.PAIRED)
    _is_next(rnd)
    if rnd.stage.method == Stage.Method.ROUND_ROBIN:
        settle_leavers(rnd, actor)
    matches = list(rnd.matches.exclude(state=MatchState.VOID).order_by("table", "id"))
    seat_chairs(matches)
    confirm_lone_sides(matches, actor)
    rnd.state = RoundState.PUBLISHED
    rnd.published_at = now()
    rnd.save(update_fields=["state", "published_at"])
    cancel_steps(rnd, Step.Kind.PUBLISH)
    follow_plan(rnd.stage.tournament)
    record_round(rnd, DeedKind.ROUND_PUBLISHED, actor)
    return rnd


@transaction.atomic
def start_round(*, round_id: int, actor: Actor) -> Round:
    """The clock of the round runs, results may come in, and the clock will call time at its end."""
    rnd = _locked_round(round_id, RoundState.RUNNING, only_from=RoundState.PUBLISHED)
    rnd.matches.filter(kind=MatchKind.TABLE, state=MatchState.PAIRED).update(state=MatchState.OPEN)
    rnd.state = RoundState.RUNNING
    rnd.started_at = now()
    rnd.ends_at = rnd.started_at + timedelta(minutes=rnd.stage.tournament.round_minutes)
    rnd.save(update_fields=["state", "started_at", "ends_at"])
    call_time_at_end(rnd)
    follow_plan(rnd.stage.tournament)
    record_round(rnd, DeedKind.ROUND_STARTED, actor, after={"ends_at": rnd.ends_at.isoformat()})
    return rnd


@transaction.atomic
def call_time(*, round_id: int, actor: Actor) -> Round:
    """Time is called: running games get the extra turns of their mode. It never ends a match by itself."""
    rnd = _locked_round(round_id)
    if rnd.state != RoundState.RUNNING:
        raise RuleBroken(
            "round-not-running", f"Round {rnd.number} is {rnd.state}; time is called while it runs."
        )
    if rnd.time_called_at is not None:
        raise RuleBroken("time-called", f"Time was called in round {rnd.number} already.")
    rnd.time_called_at = now()
    if rnd.left_when_paused is not None:
        rnd.ends_at, rnd.left_when_paused = rnd.time_called_at, None
    rnd.save(update_fields=["time_called_at", "ends_at", "left_when_paused"])
    cancel_steps(rnd, Step.Kind.TIME)
    follow_plan(rnd.stage.tournament)
    record_round(rnd, DeedKind.TIME_CALLED, actor)
    return rnd


@transaction.atomic
def close_round(*, round_id: int, actor: Actor) -> Round:
    """The round is over and its standings are stored; refused while a result is missing, naming the
    tables."""
    rnd = _locked_round(round_id, RoundState.CLOSED)
    matches = locked(Match.objects.filter(round=rnd).exclude(state=MatchState.VOID))
    require_results(rnd, matches)
    Call.objects.filter(match__in=matches, ended_at=None).update(ended_at=now())
    rnd.state = RoundState.CLOSED
    rnd.closed_at = now()
    rnd.save(update_fields=["state", "closed_at"])
    cancel_steps(rnd, Step.Kind.TIME, Step.Kind.PUBLISH)
    version = None
    if not rnd.stage.is_bracket:
        version = take_snapshot(rnd.stage, rnd.number).version
    else:
        settle_slots(rnd)
    follow_plan(rnd.stage.tournament)
    record_round(rnd, DeedKind.ROUND_CLOSED, actor, after={"standings": version})
    return rnd


@transaction.atomic
def reopen_round(*, round_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Round:
    """The last round takes results again; refused once a later round is paired."""
    rnd = _locked_round(round_id, RoundState.RUNNING, only_from=RoundState.CLOSED)
    _is_last(rnd)
    if rnd.stage.state != StageState.RUNNING:
        raise RuleBroken(
            "stage-over", "Undo the cut first; the standings it was made from depend on this round."
        )
    if rnd.stage.is_bracket:
        unsettle_slots(rnd)
    rnd.state = RoundState.RUNNING
    rnd.closed_at = None
    rnd.save(update_fields=["state", "closed_at"])
    follow_plan(rnd.stage.tournament, again=True)
    record_round(rnd, DeedKind.ROUND_REOPENED, actor, reason=reason, undoes=undoes)
    return rnd


@transaction.atomic
def scrap_round(*, round_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Round:
    """The round counts for nothing, as if its teams had not met; refused once a table has a result."""
    rnd = _locked_round(round_id, RoundState.SCRAPPED)
    _is_last(rnd)
    scored = Line.objects.filter(
        result__match__round=rnd, result__is_current=True, result__match__kind=MatchKind.TABLE
    )
    if scored.exists():
        raise RuleBroken(
            "round-has-results", f"Round {rnd.number} has results; it cannot be scrapped any more."
        )
    for later in rnd.stage.rounds.filter(number__gt=rnd.number, state=RoundState.PAIRED):
        later.stage = rnd.stage
        void_round(later)
    void_round(rnd)
    follow_plan(rnd.stage.tournament, again=True)
    record_round(rnd, DeedKind.ROUND_SCRAPPED, actor, reason=reason, undoes=undoes)
    return rnd


def void_round(rnd: Round) -> None:
    """The round is scrapped, its matches are void and its sides not live."""
    Match.objects.filter(round=rnd).update(state=MatchState.VOID)
    Side.objects.filter(round=rnd).update(is_live=False)
    rnd.stage.slots.filter(match__round=rnd).update(match=None)
    cancel_steps(rnd, *Step.Kind.values)
    rnd.state = RoundState.SCRAPPED
    rnd.save(update_fields=["state"])


def require_results(rnd: Round, matches: list[Match]) -> None:
    """Every match is confirmed; otherwise `RuleBroken("results-missing")` names the tables."""
    missing = sorted(match.table or 0 for match in matches if match.state != MatchState.CONFIRMED)
    if not missing:
        return
    named = ", ".join(map(str, missing[:12])) + (
        f" and {len(missing) - 12} more" if len(missing) > 12 else ""
    )
    raise RuleBroken(
        "results-missing",
        f"Round {rnd.number} waits for the result of table{'s' if len(missing) > 1 else ''} {named}.",
        tables=missing,
    )


def current_round(stage: Stage) -> Round | None:
    """The stage's last round that was not scrapped; of a round robin, paired as a whole, the first one that
    is not closed. What it was paired from stays unread until somebody asks."""
    rounds = stage.rounds.exclude(state=RoundState.SCRAPPED).defer("inputs", "output")
    if stage.method == Stage.Method.ROUND_ROBIN:
        waiting = rounds.exclude(state=RoundState.CLOSED).order_by("number", "id").first()
        if waiting is not None:
            return waiting
    return rounds.order_by("-number", "-id").first()


def current_among(stage: Stage | None, rounds: Iterable[Round]) -> Round | None:
    """What `current_round` finds, out of rounds that are read already."""
    own = [rnd for rnd in rounds if stage is not None and rnd.stage_id == stage.pk]
    own = sorted((r for r in own if r.state != RoundState.SCRAPPED), key=lambda r: (r.number, r.pk))
    if stage is not None and stage.method == Stage.Method.ROUND_ROBIN:
        own = [rnd for rnd in own if rnd.state != RoundState.CLOSED][:1] or own
    return own[-1] if own else None


def _locked_round(round_id: int, to: RoundState | None = None, only_from: RoundState | None = None) -> Round:
    rnd = lock_round_in_play(round_id)
    if to is not None:
        check_move(f"Round {rnd.number}", RoundState(rnd.state), to)
    if only_from is not None and rnd.state != only_from:
        check_move(f"Round {rnd.number}", RoundState.SCRAPPED, to or only_from)
    return rnd


def _is_next(rnd: Round) -> None:
    """Only the drafts of a round robin can be there before their time."""
    waiting = current_round(rnd.stage)
    if waiting is not None and waiting.pk != rnd.pk:
        raise RuleBroken(
            "round-still-open",
            f"Round {waiting.number} is {waiting.state}; close it before you publish round {rnd.number}.",
        )


def _is_last(rnd: Round) -> None:
    """No later round depends on this one; the drafts of a round robin do not."""
    follows = rnd.stage.rounds.filter(number__gt=rnd.number).exclude(state=RoundState.SCRAPPED)
    if rnd.stage.method == Stage.Method.ROUND_ROBIN:
        follows = follows.exclude(state=RoundState.PAIRED)
    later = follows.first()
    if later is not None:
        raise RuleBroken("later-round", f"Round {later.number} is paired already; scrap it first.")
