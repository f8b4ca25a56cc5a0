"""When the rounds to come begin and end, if each takes its whole time. No database."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from rulebook.lifecycle import RoundState
from tournaments.day_plan import DayPlan
from tournaments.day_steps import RoundSeen, Situation, break_over, day_at, start_of, venue_moment


@dataclass(frozen=True, slots=True)
class Ahead:
    """One round that has not begun; `is_late` is after the last start that the plan allows."""

    stage: int
    number: int
    starts: datetime
    ends: datetime
    after_lunch: bool = False
    is_late: bool = False


def rounds_ahead(
    plan: DayPlan, seen: Situation, *, minutes: int, planned: Sequence[int]
) -> tuple[Ahead, ...]:
    """Every round that has not begun, in order; `planned` says how many each stage has.

    Empty where nobody knows when the first one begins."""
    known = {(one.stage, one.number): one for one in seen.rounds}
    before: list[RoundSeen] = []
    ahead: list[Ahead] = []
    for stage, number in ((stage, n) for stage, count in enumerate(planned, 1) for n in range(1, count + 1)):
        rnd = known.get((stage, number))
        if rnd is None or rnd.closed_at is None:
            starts = rnd.started_at if rnd and rnd.started_at else _start(plan, seen, before, rnd)
            if starts is None:
                return ()
            ends = max((rnd and rnd.ends_at) or starts + timedelta(minutes=minutes), seen.now)
            if rnd is None or rnd.started_at is None:
                ahead.append(_told(plan, seen, before, Ahead(stage, number, starts, ends)))
            rnd = RoundSeen(
                0, stage, number, RoundState.CLOSED, starts, started_at=starts, ends_at=ends, closed_at=ends
            )
        before.append(rnd)
    return tuple(ahead)


def _start(
    plan: DayPlan, seen: Situation, before: Sequence[RoundSeen], rnd: RoundSeen | None
) -> datetime | None:
    """When the round begins, which is not begun; None where nobody knows."""
    look, walk = (timedelta(minutes=count) for count in (plan.look_minutes, plan.walk_minutes))
    paused = break_over(plan, replace(seen, rounds=tuple(before)))
    if rnd is not None and rnd.published_at is not None:
        starts = rnd.published_at + walk
    elif rnd is not None:
        starts = max(rnd.paired_at + look, paused or rnd.paired_at) + walk
    else:
        paired = paused or start_of(plan, seen.starts_at)
        if paired is None:
            return None
        starts = max(paired, seen.now) + look + walk
    if not before and seen.starts_at is not None:
        starts = max(starts, seen.starts_at)
    return max(starts, seen.now)


def _told(plan: DayPlan, seen: Situation, before: Sequence[RoundSeen], one: Ahead) -> Ahead:
    """With what the plan says of its time: lunch just before it, or later than it may start."""
    closed = before[-1].closed_at if before else None
    paused = break_over(plan, replace(seen, rounds=tuple(before)))
    lunch = bool(closed and paused and paused > closed + timedelta(minutes=plan.break_minutes))
    if not plan.last_start:
        return replace(one, after_lunch=lunch)
    last = venue_moment(day_at(closed or one.starts, seen.zone), plan.last_start, seen.zone)
    return replace(one, after_lunch=lunch, is_late=one.starts > last)
