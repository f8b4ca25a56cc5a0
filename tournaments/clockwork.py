"""The time of a round: extended for one table or for all, paused and resumed with what was left."""

from datetime import datetime, timedelta

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, RoundState
from tournaments.following import follow_plan
from tournaments.models import Round, Step, Tournament
from tournaments.one_round import PLAYS, call_time_at_end, cancel_steps, lock_round, record_round

MOST_MINUTES = 240


@transaction.atomic
def extend_table(*, match_id: int, minutes: int, actor: Actor, reason: str = "") -> Match:
    """The table has `minutes` more than the round, on top of what it was given before."""
    _check_minutes(minutes)
    tournament = lock_one(Tournament, _tournament_of(match_id))
    match = lock_one(Match, match_id)
    if match.kind != MatchKind.TABLE or match.state not in PLAYS:
        raise RuleBroken("match-over", "This match is over; extra time is for a table that still plays.")
    before = match.extension_s
    give_seconds(match, minutes * 60)
    follow_plan(tournament)
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.EXTENSION_GIVEN,
        actor=actor,
        subject=f"match:{match.pk}",
        before={"extension_s": before},
        after={"extension_s": match.extension_s, "minutes": minutes},
        reason=reason,
    )
    return match


@transaction.atomic
def extend_round(*, round_id: int, minutes: int, actor: Actor, reason: str = "") -> Round:
    """Every table of the running round has `minutes` more: its clock ends later."""
    _check_minutes(minutes)
    rnd = _running(round_id)
    if rnd.time_called_at is not None:
        raise RuleBroken("time-called", "Time is called already; give single tables extra time instead.")
    before = _moments(rnd)
    if rnd.left_when_paused is not None:
        rnd.left_when_paused += minutes * 60
    else:
        rnd.ends_at = (rnd.ends_at or now()) + timedelta(minutes=minutes)
        call_time_at_end(rnd)
    rnd.save(update_fields=["ends_at", "left_when_paused"])
    follow_plan(rnd.stage.tournament)
    after = {**_moments(rnd), "minutes": minutes}
    record_round(rnd, DeedKind.EXTENSION_GIVEN, actor, before=before, after=after, reason=reason)
    return rnd


@transaction.atomic
def pause_clock(*, round_id: int, actor: Actor, reason: str = "") -> Round:
    """The clock of the round stands; the time that is left is kept and nobody calls time meanwhile."""
    rnd = _running(round_id)
    if rnd.left_when_paused is not None:
        raise RuleBroken("clock-paused", "The clock stands already.")
    if rnd.time_called_at is not None or rnd.ends_at is None:
        raise RuleBroken("time-called", "Time is called; there is nothing left to pause.")
    before = _moments(rnd)
    rnd.left_when_paused = max(0, round((rnd.ends_at - now()).total_seconds()))
    rnd.ends_at = None
    rnd.save(update_fields=["ends_at", "left_when_paused"])
    cancel_steps(rnd, Step.Kind.TIME)
    follow_plan(rnd.stage.tournament)
    record_round(rnd, DeedKind.CLOCK_PAUSED, actor, before=before, after=_moments(rnd), reason=reason)
    return rnd


@transaction.atomic
def resume_clock(*, round_id: int, actor: Actor) -> Round:
    """The clock runs again with the time that was left when it was paused."""
    rnd = _running(round_id)
    if rnd.left_when_paused is None:
        raise RuleBroken("clock-runs", "The clock runs already.")
    before = _moments(rnd)
    rnd.ends_at = now() + timedelta(seconds=rnd.left_when_paused)
    rnd.left_when_paused = None
    rnd.save(update_fields=["ends_at", "left_when_paused"])
    call_time_at_end(rnd)
    follow_plan(rnd.stage.tournament)
    record_round(rnd, DeedKind.CLOCK_RESUMED, actor, before=before, after=_moments(rnd))
    return rnd


def give_seconds(match: Match, seconds: int) -> None:
    """The table has so many seconds more. The match is locked."""
    match.extension_s += seconds
    match.save(update_fields=["extension_s"])


def table_ends_at(rnd: Round, extension_s: int) -> datetime | None:
    """When the table's own time is over; None while no clock runs."""
    return rnd.ends_at + timedelta(seconds=extension_s) if rnd.ends_at else None


def has_time_left(rnd: Round, extension_s: int, moment: datetime) -> bool:
    """The table plays on although time was called: its own extra time is not over."""
    ends = table_ends_at(rnd, extension_s)
    return extension_s > 0 and ends is not None and moment < ends


def _running(round_id: int) -> Round:
    rnd = lock_round(round_id)
    if rnd.state != RoundState.RUNNING:
        raise RuleBroken("round-not-running", f"Round {rnd.number} is {rnd.state}; its clock does not run.")
    return rnd


def _tournament_of(match_id: int) -> int:
    found = Match.objects.filter(pk=match_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such match any more; reload the page.")
    return found


def _check_minutes(minutes: int) -> None:
    if not 1 <= minutes <= MOST_MINUTES:
        raise RuleBroken("minutes-missing", f"Say how many minutes, from 1 to {MOST_MINUTES}.")


def _moments(rnd: Round) -> dict[str, object]:
    return {
        "ends_at": rnd.ends_at.isoformat() if rnd.ends_at else None,
        "left_when_paused": rnd.left_when_paused,
    }
