"""Which steps of the clock follow from where a tournament stands and what its plan says. No database."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState, TournamentState
from tournaments.day_plan import DayPlan, Kind, Mode, wall_time
from tournaments.venue_time import QUARTER, moment_at

# Seconds after which a late step is not done any more.
HOUR = 3600
GRACE_S = {
    Kind.OPEN_REGISTRATION: 48 * HOUR,
    Kind.CLOSE_REGISTRATION: 48 * HOUR,
    Kind.WARN: 60,
    Kind.TABLE_TIME: 600,
    Kind.CLOSE: 24 * HOUR,
}
USUAL_GRACE_S = 6 * HOUR


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """One round as the plan needs to know it."""

    id: int
    stage: int
    number: int
    state: str
    paired_at: datetime
    published_at: datetime | None = None
    started_at: datetime | None = None
    ends_at: datetime | None = None
    time_called_at: datetime | None = None
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a tournament stands: its stage, the round that is played, and the ones before.

    `extended` are tables that play on, with their extra seconds; `rounds` is every round not scrapped."""

    now: datetime
    state: str
    zone: str
    starts_at: datetime | None = None
    stage: int = 0
    is_bracket: bool = False
    planned_rounds: int = 0
    cut: int = 0
    current: RoundSeen | None = None
    rounds: tuple[RoundSeen, ...] = ()
    extended: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A step to come; without `due_at` it is due as soon as it is known."""

    key: str
    kind: str
    due_at: datetime | None
    mode: str
    round_id: int | None = None
    match_id: int | None = None
    minutes: int | None = None

    @property
    def grace_s(self) -> int:
        return GRACE_S.get(Kind(self.kind), USUAL_GRACE_S)


def steps_for(plan: DayPlan, seen: Situation) -> tuple[Planned, ...]:
    """Everything the clock can know now of what comes next, in the order in which it is due."""
    if seen.state in (TournamentState.DRAFT, TournamentState.REGISTRATION):
        return tuple(_before_play(plan, seen))
    if seen.state != TournamentState.RUNNING or not seen.stage:
        return ()
    rnd = seen.current
    if rnd is None or rnd.state == RoundState.CLOSED:
        return tuple(_between(plan, seen))
    if rnd.state == RoundState.PAIRED:
        due = max(rnd.paired_at + _minutes(plan.look_minutes), break_over(plan, seen) or rnd.paired_at)
        return (_of_round(plan, Kind.PUBLISH, rnd, due),)
    if rnd.state == RoundState.PUBLISHED and rnd.published_at is not None:
        due = rnd.published_at + _minutes(plan.walk_minutes)
        is_first = not any(one.started_at for one in seen.rounds)
        if is_first and seen.starts_at is not None:
            due = max(due, seen.starts_at)
        return (_of_round(plan, Kind.START, rnd, due),)
    return tuple(_of_running(plan, seen, rnd))


def _before_play(plan: DayPlan, seen: Situation) -> Iterator[Planned]:
    if seen.state == TournamentState.DRAFT and plan.opens_at is not None:
        yield _of_whole(plan, Kind.OPEN_REGISTRATION, plan.opens_at)
    if plan.closes_at is not None:
        yield _of_whole(plan, Kind.CLOSE_REGISTRATION, plan.closes_at)
    if plan.check_in_until is not None and plan.drops_no_shows:
        yield _of_whole(plan, Kind.END_CHECK_IN, plan.check_in_until)
    starts = start_of(plan, seen.starts_at)
    if starts is not None:
        yield _of_whole(plan, Kind.START_TOURNAMENT, starts)


def start_of(plan: DayPlan, starts_at: datetime | None) -> datetime | None:
    """When the tournament itself starts: at the end of check-in, or so early that everybody can see the
    pairings and walk to the table before round 1."""
    if plan.check_in_until is not None or starts_at is None:
        return plan.check_in_until
    return starts_at - _minutes(plan.look_minutes + plan.walk_minutes)


def _between(plan: DayPlan, seen: Situation) -> Iterator[Planned]:
    """No round is open: the next one, the cut or the end."""
    rnd = seen.current
    played = rnd.number if rnd else 0
    due = break_over(plan, seen) if rnd is not None else None
    if played >= seen.planned_rounds:
        last = Kind.FINISH if seen.is_bracket or not seen.cut else Kind.MAKE_CUT
        yield Planned(f"{last}:{seen.stage}", last, due, plan.mode_of(last))
        return
    if not any(one.started_at for one in seen.rounds) and seen.starts_at is not None:
        due = seen.starts_at - _minutes(plan.look_minutes + plan.walk_minutes)
    step = Planned(f"pair:{seen.stage}:{played + 1}", Kind.PAIR, due, plan.mode_of(Kind.PAIR))
    yield (
        replace(step, mode=Mode.ASKED) if _is_late(plan, seen, due) and step.mode == Mode.AUTOMATIC else step
    )


def _of_running(plan: DayPlan, seen: Situation, rnd: RoundSeen) -> Iterator[Planned]:
    """What the clock of a running round says, and its close as soon as every result is in."""
    yield _of_round(plan, Kind.CLOSE, rnd, rnd.started_at)
    if rnd.ends_at is None:
        return
    if rnd.time_called_at is None:
        for minutes in sorted(set(plan.warnings), reverse=True):
            due = rnd.ends_at - _minutes(minutes)
            if due > seen.now - timedelta(seconds=GRACE_S[Kind.WARN]) and due > (rnd.started_at or due):
                step = _of_round(plan, Kind.WARN, rnd, due)
                yield replace(step, key=f"{step.key}:{minutes}", minutes=minutes)
        yield _of_round(plan, Kind.TIME, rnd, rnd.ends_at)
    for match, seconds in seen.extended:
        due = rnd.ends_at + timedelta(seconds=seconds)
        if due > seen.now - timedelta(seconds=GRACE_S[Kind.TABLE_TIME]):
            mode = plan.mode_of(Kind.TABLE_TIME)
            yield Planned(f"table-time:{match}", Kind.TABLE_TIME, due, mode, rnd.id, match)
    called = rnd.time_called_at or rnd.ends_at
    longest = max((seconds for _, seconds in seen.extended), default=0)
    ends = max(called, rnd.ends_at + timedelta(seconds=longest)) if longest else called
    yield _of_round(plan, Kind.OVERDUE, rnd, ends + _minutes(plan.overdue_minutes))


def break_over(plan: DayPlan, seen: Situation) -> datetime | None:
    """When the pause after the round that was closed last is over; the first pause that reaches lunch time
    lasts until lunch is over."""
    closings = sorted(one.closed_at for one in seen.rounds if one.closed_at is not None)
    if not closings:
        return None
    closed, pause = closings[-1], _minutes(plan.break_minutes)
    if not plan.lunch_from or not plan.lunch_minutes:
        return closed + pause
    day = day_at(closed, seen.zone)
    lunch = venue_moment(day, plan.lunch_from, seen.zone)
    today = [moment for moment in closings[:-1] if day_at(moment, seen.zone) == day]
    begun = [
        one.started_at for one in seen.rounds if one.started_at and day_at(one.started_at, seen.zone) == day
    ]
    is_taken = any(moment + pause >= lunch for moment in today)
    if closed + pause < lunch or is_taken or not begun or min(begun) >= lunch:
        return closed + pause
    return max(closed + pause, max(closed, lunch) + _minutes(plan.lunch_minutes))


def _is_late(plan: DayPlan, seen: Situation, due: datetime | None) -> bool:
    """The round would start after the last time the plan allows: the desk is asked."""
    if not plan.last_start:
        return False
    begins = (due or seen.now) + _minutes(plan.look_minutes + plan.walk_minutes)
    closings = [one.closed_at for one in seen.rounds if one.closed_at is not None]
    day = day_at(max(closings, default=begins), seen.zone)
    return begins > venue_moment(day, plan.last_start, seen.zone)


def venue_moment(day: date, wall: str, zone: str) -> datetime:
    """The moment at which the venue's clock shows `wall` that day; of a time that it skips the next quarter
    of an hour it shows, of one that comes twice the first."""
    shown = datetime.combine(day, wall_time(wall))
    for _ in range(96):
        try:
            return moment_at(shown, zone)
        except RuleBroken:
            shown += QUARTER
    raise ValueError(f"{zone} skips the whole {day}")


def _of_round(plan: DayPlan, kind: str, rnd: RoundSeen, due: datetime | None) -> Planned:
    return Planned(f"{kind}:{rnd.id}", kind, due, plan.mode_of(kind), rnd.id)


def _of_whole(plan: DayPlan, kind: str, due: datetime) -> Planned:
    return Planned(kind, kind, due, plan.mode_of(kind))


def _minutes(count: int) -> timedelta:
    return timedelta(minutes=count)


def day_at(moment: datetime, zone: str) -> date:
    return moment.astimezone(ZoneInfo(zone)).date()
