"""The plan of a day: when registration opens, how long the pauses are, and who does each kind of step."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, time
from typing import Any

from rulebook.errors import RuleBroken
from tournaments.models import Step

Kind, Mode = Step.Kind, Step.Mode
# What the clock only says, it says by itself; what changes something it asks for, until the plan says more.
SAYS = frozenset({Kind.WARN, Kind.TIME, Kind.TABLE_TIME, Kind.OVERDUE})
MOST_MINUTES = 600
MOMENTS = ("opens_at", "closes_at", "check_in_from", "check_in_until")
MINUTES = ("look_minutes", "walk_minutes", "break_minutes", "lunch_minutes", "overdue_minutes")
WALL_TIMES = ("lunch_from", "last_start")


@dataclass(frozen=True, slots=True)
class DayPlan:
    """What an organizer plans of a day; moments are instants, `lunch_from` and `last_start` HH:MM at the
    venue, `warnings` minutes before the end of a round."""

    opens_at: datetime | None = None
    closes_at: datetime | None = None
    check_in_from: datetime | None = None
    check_in_until: datetime | None = None
    drops_no_shows: bool = False
    look_minutes: int = 2
    walk_minutes: int = 5
    break_minutes: int = 10
    lunch_from: str = ""
    lunch_minutes: int = 0
    last_start: str = ""
    warnings: tuple[int, ...] = (10,)
    overdue_minutes: int = 10
    cut_by_lot: bool = False
    modes: Mapping[str, str] = field(default_factory=dict)

    def mode_of(self, kind: str) -> str:
        """Who does steps of this kind: the clock, the desk when it is asked, or the desk by itself."""
        return self.modes.get(kind) or (Mode.AUTOMATIC if kind in SAYS else Mode.ASKED)

    def as_dict(self) -> dict[str, Any]:
        """The plan as JSON."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        for name in MOMENTS:
            told[name] = told[name].isoformat() if told[name] else None
        return {**told, "warnings": list(self.warnings), "modes": dict(self.modes)}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> "DayPlan":
        """The plan that `as_dict` told; what it does not know of is left out."""
        known = {one.name: told[one.name] for one in fields(cls) if one.name in told}
        for name in MOMENTS:
            if known.get(name):
                known[name] = datetime.fromisoformat(known[name])
        return cls(**{**known, "warnings": tuple(known.get("warnings", (10,)))})


def plan_of(stored: Mapping[str, Any]) -> DayPlan | None:
    """The plan a tournament keeps; None where it has none."""
    return DayPlan.from_dict(stored) if stored else None


def without_moments(stored: Mapping[str, Any]) -> DayPlan:
    """The plan for another day: its pauses and who does what, without its dates."""
    return DayPlan.from_dict({**stored, **dict.fromkeys(MOMENTS)})


def check_plan(plan: DayPlan) -> None:
    """A day can be run by the plan; `RuleBroken` says what cannot be."""
    for name in MINUTES:
        if not 0 <= getattr(plan, name) <= MOST_MINUTES:
            raise RuleBroken(
                "wrong-plan-minutes", f"Between 0 and {MOST_MINUTES} minutes are possible.", field=name
            )
    if len(set(plan.warnings)) > 4 or not all(1 <= minutes <= MOST_MINUTES for minutes in plan.warnings):
        raise RuleBroken(
            "wrong-warnings",
            "At most four warnings, each some whole minutes before the end.",
            field="warnings",
        )
    for name in WALL_TIMES:
        if getattr(plan, name):
            wall_time(getattr(plan, name), name)
    if plan.lunch_minutes and not plan.lunch_from:
        raise RuleBroken(
            "lunch-without-time", "Say when lunch begins, or give it 0 minutes.", field="lunch_from"
        )
    unknown = set(plan.modes) - set(Kind.values) or set(plan.modes.values()) - set(Mode.values)
    if unknown:
        raise RuleBroken("unknown-mode-of-step", f"{sorted(unknown)[0]} is no step, or no way to do one.")
    moments = [plan.opens_at, plan.closes_at, plan.check_in_until]
    in_order = [moment for moment in moments if moment is not None]
    if in_order != sorted(in_order):
        raise RuleBroken(
            "plan-out-of-order",
            "Registration opens, then it closes, then check-in ends: put the times in that order.",
            field="check_in_until",
        )
    if plan.check_in_from and plan.check_in_until and plan.check_in_from >= plan.check_in_until:
        raise RuleBroken("plan-out-of-order", "Check-in opens before it ends.", field="check_in_from")


def wall_time(text: str, name: str = "") -> time:
    """HH:MM as a time of day."""
    try:
        return time.fromisoformat(text).replace(second=0, microsecond=0, tzinfo=None)
    except ValueError:
        raise RuleBroken("unreadable-time", "Write a time of day like 12:30.", field=name) from None
