"""What the clock plans of a day: a pure question, from the first opening to the final ranking."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from rulebook.errors import RuleBroken
from tournaments.day_ahead import rounds_ahead
from tournaments.day_plan import DayPlan, check_plan
from tournaments.day_steps import Planned, RoundSeen, Situation, steps_for
from tournaments.models import Step
from tournaments.schedule import due, missed

Kind, Mode = Step.Kind, Step.Mode
ALL_BY_CLOCK = dict.fromkeys(Kind.values, Mode.AUTOMATIC)
PLAN = DayPlan(
    look_minutes=2,
    walk_minutes=5,
    break_minutes=10,
    lunch_from="12:30",
    lunch_minutes=40,
    warnings=(10, 5),
    overdue_minutes=10,
    modes=ALL_BY_CLOCK,
)


def at(wall: str, zone: str = "UTC", fold: int = 0) -> datetime:
    """The moment at which the venue's clock shows the wall time."""
    return datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def shown(steps: tuple[Planned, ...], zone: str) -> list[tuple[str, str]]:
    """Each step with its time on the venue's wall, in order."""
    ordered = sorted(steps, key=lambda step: step.due_at or datetime.max.replace(tzinfo=UTC))
    return [
        (step.kind, step.due_at.astimezone(ZoneInfo(zone)).strftime("%H:%M") if step.due_at else "now")
        for step in ordered
    ]


class Hall:
    """A tournament that does at once whatever is due, with results `plays` minutes after each start."""

    def __init__(
        self, plan: DayPlan, zone: str, starts_at: datetime, *, rounds: int = 3, cut: int = 0
    ) -> None:
        self.plan, self.plays = plan, 45
        self.log: list[tuple[str, str]] = []
        self.seen = Situation(
            now=starts_at - timedelta(hours=3), state="draft", zone=zone, starts_at=starts_at,
            planned_rounds=rounds, cut=cut,
        )  # fmt: skip

    def run(self) -> list[tuple[str, str]]:
        """The whole day; every step with the venue's time at which it was done."""
        done: set[tuple[str, datetime | None]] = set()
        for _ in range(500):
            if self.seen.state == "finished":
                return self.log
            steps = [one for one in steps_for(self.plan, self.seen) if (one.key, one.due_at) not in done]
            first = min(steps, key=self.moment)
            self.seen = replace(self.seen, now=max(self.seen.now, self.moment(first)))
            done.add((first.key, first.due_at))
            wall = self.seen.now.astimezone(ZoneInfo(self.seen.zone))
            self.log.append((first.kind, wall.strftime("%H:%M")))
            self.do(first)
        raise AssertionError("the day has no end")

    def moment(self, step: Planned) -> datetime:
        if step.kind == Kind.CLOSE:
            assert step.due_at is not None
            return step.due_at + timedelta(minutes=self.plays)
        return step.due_at or self.seen.now

    def do(self, step: Planned) -> None:
        seen, rnd = self.seen, self.seen.current
        now = seen.now
        match step.kind:
            case Kind.OPEN_REGISTRATION:
                self.seen = replace(seen, state="registration")
            case Kind.START_TOURNAMENT:
                self.seen = replace(seen, state="running", stage=1)
            case Kind.PAIR:
                number = rnd.number + 1 if rnd else 1
                self.turn(RoundSeen(len(seen.rounds) + 1, seen.stage, number, "paired", now))
            case Kind.MAKE_CUT:
                self.seen = replace(seen, stage=2, is_bracket=True, planned_rounds=1, current=None)
            case Kind.FINISH:
                self.seen = replace(seen, state="finished")
            case Kind.PUBLISH if rnd:
                self.turn(replace(rnd, state="published", published_at=now))
            case Kind.START if rnd:
                ends = now + timedelta(minutes=50)
                self.turn(replace(rnd, state="running", started_at=now, ends_at=ends))
            case Kind.TIME if rnd:
                self.turn(replace(rnd, time_called_at=now))
            case Kind.CLOSE if rnd:
                self.turn(replace(rnd, state="closed", closed_at=now))

    def turn(self, rnd: RoundSeen) -> None:
        others = tuple(one for one in self.seen.rounds if one.id != rnd.id)
        self.seen = replace(self.seen, current=rnd, rounds=(*others, rnd))


# Both changes of the clocks in two zones, a zone without any, and the night itself.
DAYS = [
    pytest.param("Europe/Berlin", "2026-05-02T10:00", id="berlin"),
    pytest.param("Europe/Berlin", "2026-03-29T10:00", id="berlin-forward"),
    pytest.param("Europe/Berlin", "2026-10-25T10:00", id="berlin-back"),
    pytest.param("America/Toronto", "2026-03-08T10:00", id="toronto-forward"),
    pytest.param("America/Toronto", "2026-11-01T10:00", id="toronto-back"),
    pytest.param("Australia/Lord_Howe", "2026-10-04T10:00", id="lord-howe-half-an-hour"),
    pytest.param("Asia/Tokyo", "2026-03-29T10:00", id="tokyo"),
]


@pytest.mark.parametrize("zone, begins", DAYS)
def test_a_whole_day_runs_by_the_clock_of_the_venue(zone: str, begins: str) -> None:
    """Registration opens the evening before, on the other side of the change."""
    starts = at(begins, zone)
    opens = at((datetime.fromisoformat(begins) - timedelta(hours=14)).isoformat(), zone)
    plan = replace(PLAN, opens_at=opens, closes_at=starts - timedelta(minutes=30))
    hall = Hall(plan, zone, starts, rounds=3, cut=8)
    hall.seen = replace(hall.seen, now=opens - timedelta(hours=1))
    told = hall.run()
    assert told[:6] == [
        ("open-registration", "20:00"), ("close-registration", "09:30"), ("start-tournament", "09:53"),
        ("pair", "09:53"), ("publish", "09:55"), ("start", "10:00"),
    ]  # fmt: skip
    assert told[6:9] == [("warn", "10:40"), ("close", "10:45"), ("pair", "10:55")]
    pairs = [wall for kind, wall in told if kind == "pair"]
    # Round 3 ends at 12:49: the pause after it is lunch and lasts until 13:29.
    assert pairs == ["09:53", "10:55", "11:57", "13:29"]
    assert [wall for kind, wall in told if kind in ("make-cut", "finish")] == ["13:29", "14:31"]


@pytest.mark.parametrize(
    "zone, night, hours", [("Europe/Berlin", "2026-03-28T23:30", 3), ("Europe/Berlin", "2026-10-24T23:30", 3)]
)
def test_a_night_across_the_change_has_rounds_of_the_same_length(zone: str, night: str, hours: int) -> None:
    hall = Hall(PLAN, zone, at(night, zone), rounds=hours)
    hall.plays = 60
    hall.run()
    for rnd in hall.seen.rounds:
        assert rnd.started_at is not None
        assert rnd.closed_at is not None
        assert rnd.time_called_at == rnd.ends_at
        assert rnd.closed_at - rnd.started_at == timedelta(minutes=60)
    gaps = zip(hall.seen.rounds, hall.seen.rounds[1:], strict=False)
    assert {after.started_at - before.closed_at for before, after in gaps} == {timedelta(minutes=17)}  # type: ignore[operator]


RUNNING = RoundSeen(5, 1, 2, "running", at("2026-05-02T09:00"), at("2026-05-02T09:02"),
                    at("2026-05-02T10:00"), at("2026-05-02T10:50"))  # fmt: skip
SEEN = Situation(at("2026-05-02T10:01"), "running", "UTC", None, 1, False, 5, 8, RUNNING, (RUNNING,))


def test_extensions_and_pauses_move_what_the_clock_of_a_round_says() -> None:
    plain = [
        ("close", "10:00"),
        ("warn", "10:40"),
        ("warn", "10:45"),
        ("time", "10:50"),
        ("overdue", "11:00"),
    ]
    assert shown(steps_for(PLAN, SEEN), "UTC") == plain
    more = replace(RUNNING, ends_at=at("2026-05-02T11:05"))
    moved = [
        ("close", "10:00"),
        ("warn", "10:55"),
        ("warn", "11:00"),
        ("time", "11:05"),
        ("overdue", "11:15"),
    ]
    assert shown(steps_for(PLAN, replace(SEEN, current=more)), "UTC") == moved
    # Two tables have extra time: the round is overdue only after the longer one.
    extended = shown(steps_for(PLAN, replace(SEEN, extended=((31, 300), (32, 1200)))), "UTC")
    assert [row for row in extended if row not in plain] == [
        ("table-time", "10:55"), ("table-time", "11:10"), ("overdue", "11:20"),
    ]  # fmt: skip
    paused = replace(RUNNING, ends_at=None)
    assert shown(steps_for(PLAN, replace(SEEN, current=paused)), "UTC") == [("close", "10:00")]
    # Resumed with four minutes left: no warning that is over already.
    resumed = replace(
        SEEN, now=at("2026-05-02T11:00"), current=replace(RUNNING, ends_at=at("2026-05-02T11:04"))
    )
    assert [kind for kind, _ in shown(steps_for(PLAN, resumed), "UTC")] == ["close", "time", "overdue"]
    early = replace(RUNNING, time_called_at=at("2026-05-02T10:20"))
    assert shown(steps_for(PLAN, replace(SEEN, current=early)), "UTC") == [
        ("close", "10:00"),
        ("overdue", "10:30"),
    ]


def closed(*walls: str) -> Situation:
    """Rounds of 50 minutes, closed at these times of one day."""
    rounds = tuple(
        replace(RUNNING, id=n, number=n, state="closed", started_at=at(wall) - timedelta(minutes=50),
                closed_at=at(wall))
        for n, wall in enumerate((f"2026-05-02T{one}" for one in walls), 1)
    )  # fmt: skip
    return replace(SEEN, now=at(f"2026-05-02T{walls[-1]}"), current=rounds[-1], rounds=rounds)


@pytest.mark.parametrize(
    "walls, changes, pairs_at, mode",
    [
        pytest.param(["11:00"], {}, "11:10", "automatic", id="an ordinary break"),
        pytest.param(["12:19"], {}, "12:29", "automatic", id="a break that ends before lunch"),
        pytest.param(["12:20"], {}, "13:10", "automatic", id="a break that reaches lunch"),
        pytest.param(["12:50"], {}, "13:30", "automatic", id="a round that ran into lunch"),
        pytest.param(["12:20", "14:30"], {}, "14:40", "automatic", id="lunch is taken once"),
        pytest.param(["15:00"], {}, "15:10", "automatic", id="no lunch for who began after it"),
        pytest.param(["12:50"], {"lunch_minutes": 0}, "13:00", "automatic", id="no lunch planned"),
        pytest.param(["18:40"], {"last_start": "19:00"}, "18:50", "automatic", id="before the last start"),
        pytest.param(["18:45"], {"last_start": "19:00"}, "18:55", "asked", id="after the last start: asked"),
        pytest.param(
            ["18:45"], {"last_start": "19:00", "modes": {"pair": "manual"}}, "18:55", "manual", id="by hand"
        ),
    ],
)
def test_the_next_round_is_paired_when_the_pause_is_over(
    walls: list[str], changes: dict[str, object], pairs_at: str, mode: str
) -> None:
    [step] = steps_for(replace(PLAN, **changes), closed(*walls))  # type: ignore[arg-type]
    assert (step.kind, step.due_at, step.mode) == ("pair", at(f"2026-05-02T{pairs_at}"), mode)


def test_a_tournament_starts_at_the_end_of_check_in_or_in_time_for_round_one() -> None:
    begins = at("2026-05-02T10:00")
    seen = Situation(begins - timedelta(days=1), "registration", "UTC", begins, planned_rounds=3)
    plan = replace(PLAN, check_in_until=begins - timedelta(minutes=15), drops_no_shows=True)
    both = [("end-check-in", "09:45"), ("start-tournament", "09:45")]
    assert shown(steps_for(plan, seen), "UTC") == both
    assert shown(steps_for(replace(plan, drops_no_shows=False), seen), "UTC") == both[1:]
    assert shown(steps_for(PLAN, seen), "UTC") == [("start-tournament", "09:53")]
    assert steps_for(PLAN, replace(seen, starts_at=None)) == ()


def test_after_an_outage_what_is_older_than_its_grace_is_missed_and_the_rest_is_done_in_order() -> None:
    moment = at("2026-05-02T10:50:30")
    rows = [
        Step(
            pk=n,
            tournament_id=1,
            kind=one.kind,
            due_at=one.due_at or moment,
            mode=one.mode,
            grace_s=one.grace_s,
        )
        for n, one in enumerate(steps_for(PLAN, SEEN))
    ]
    assert [step.kind for step in due(moment, rows, {1: 0})] == ["close", "time"]
    assert [step.kind for step in missed(moment, rows)] == ["warn", "warn"]


@pytest.mark.parametrize(
    "wrong, code",
    [
        ({"break_minutes": -1}, "wrong-plan-minutes"),
        ({"warnings": (0,)}, "wrong-warnings"),
        ({"last_start": "quarter past"}, "unreadable-time"),
        ({"lunch_from": ""}, "lunch-without-time"),
        ({"modes": {"pair": "sometimes"}}, "unknown-mode-of-step"),
        ({"opens_at": at("2026-05-02T10:00"), "closes_at": at("2026-05-01T10:00")}, "plan-out-of-order"),
    ],
)
def test_a_plan_that_no_day_can_follow_is_refused(wrong: dict[str, object], code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        check_plan(replace(PLAN, **wrong))  # type: ignore[arg-type]
    assert refused.value.code == code


def test_a_plan_is_stored_as_json_and_read_back() -> None:
    plan = replace(PLAN, opens_at=at("2026-03-28T20:00", "Europe/Berlin"), last_start="21:30")
    assert DayPlan.from_dict(plan.as_dict()) == plan


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns"])
def test_the_rounds_ahead_are_the_starts_of_a_day_on_which_each_takes_its_whole_time(zone: str) -> None:
    plan = replace(PLAN, last_start="14:00")
    hall = Hall(replace(plan, last_start=""), zone, at("2026-03-29T10:00", zone), rounds=5)
    hall.plays = 50

    def ahead() -> list[tuple[str, bool, bool]]:
        told = rounds_ahead(plan, hall.seen, minutes=50, planned=[5, 2])
        walls = [one.starts.astimezone(ZoneInfo(zone)).strftime("%H:%M") for one in told]
        return [(wall, one.after_lunch, one.is_late) for wall, one in zip(walls, told, strict=True)]

    morning = ahead()
    assert [one[1:] for one in morning] == [
        *[(False, False)] * 3, (True, False), (False, True), (False, True), (False, True),
    ]  # fmt: skip
    assert [wall for wall, *_ in morning[:5]] == [wall for kind, wall in hall.run() if kind == "start"]
    hall.seen = replace(hall.seen, state="running", stage=1)
    assert [wall for wall, *_ in ahead()] == [wall for wall, *_ in morning[5:]]


def test_nothing_is_ahead_while_nobody_knows_when_it_begins() -> None:
    seen = Situation(now=at("2026-05-02T08:00"), state="registration", zone="UTC", planned_rounds=3)
    assert rounds_ahead(PLAN, seen, minutes=50, planned=[3]) == ()
