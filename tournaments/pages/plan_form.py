"""The form of the plan of a day: times as the venue's clock shows them."""

from dataclasses import replace
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from rulebook.errors import RuleBroken
from tournaments.day_plan import MOMENTS, WALL_TIMES, DayPlan
from tournaments.models import Step, Tournament
from tournaments.pages.forms import AT_VENUE
from tournaments.venue_time import comes_twice, moment_at

ASKED = [
    (Step.Mode.AUTOMATIC, "the clock does it"),
    (Step.Mode.ASKED, "the clock asks the desk"),
    (Step.Mode.MANUAL, "the desk, by hand"),
]
KINDS = {
    Step.Kind.OPEN_REGISTRATION: "Open registration",
    Step.Kind.CLOSE_REGISTRATION: "Close the public sign-up",
    Step.Kind.END_CHECK_IN: "End check-in",
    Step.Kind.START_TOURNAMENT: "Start the tournament",
    Step.Kind.PAIR: "Pair a round",
    Step.Kind.PUBLISH: "Publish a round",
    Step.Kind.START: "Start a round",
    Step.Kind.WARN: "Warn before the end",
    Step.Kind.TIME: "Call time",
    Step.Kind.TABLE_TIME: "End a table's extra time",
    Step.Kind.OVERDUE: "Name tables that are late",
    Step.Kind.CLOSE: "Close a round",
    Step.Kind.MAKE_CUT: "Make the cut",
    Step.Kind.FINISH: "Publish the final ranking",
}


def _moment(label: str, helps: str = "") -> forms.DateTimeField:
    return forms.DateTimeField(
        required=False,
        label=label,
        help_text=helps,
        input_formats=[AT_VENUE, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AT_VENUE),
    )


def _minutes(label: str, helps: str = "") -> forms.IntegerField:
    return forms.IntegerField(min_value=0, max_value=600, label=label, help_text=helps)


def _wall(label: str, helps: str = "") -> forms.TimeField:
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    return forms.TimeField(required=False, label=label, help_text=helps, widget=widget)


class PlanForm(forms.Form):
    """What an organizer plans; `plan` is the plan once the form is valid."""

    opens_at = _moment("Registration opens")
    closes_at = _moment("Public sign-up closes", "the desk can still register teams")
    check_in_from = _moment("Players check in from", "by their phones; empty: three hours before it ends")
    check_in_until = _moment("Check-in ends", "then the tournament starts")
    drops_no_shows = forms.BooleanField(
        required=False, label="Withdraw teams that are not checked in when check-in ends"
    )
    look_minutes = _minutes("From pairing to publishing", "minutes in which the desk can look at the draft")
    walk_minutes = _minutes("From publishing to the start", "minutes to find the table")
    break_minutes = _minutes("Break after a round", "minutes before the next one is paired")
    lunch_from = _wall("Lunch from", "the first break that reaches this time is lunch")
    lunch_minutes = _minutes("Minutes of lunch", "0: none")
    last_start = _wall("No round starts after", "the desk is asked then; empty: no limit")
    warnings = forms.CharField(
        required=False, label="Warn so many minutes before the end", help_text="like 10, 5; empty: never"
    )
    overdue_minutes = _minutes("Late after time is called", "minutes for the extra turns")
    cut_by_lot = forms.BooleanField(
        required=False, label="Give the last place of the cut by lot when teams are equal in everything"
    )

    def __init__(self, given: Any = None, *, tournament: Tournament, plan: DayPlan) -> None:
        self.zone, self.before, self.twice = tournament.zone, plan, list[str]()
        super().__init__(given, initial=_initial(plan, tournament.zone))
        for kind, label in KINDS.items():
            self.fields[f"mode_{kind}"] = forms.ChoiceField(
                label=label, choices=ASKED, required=False, initial=plan.mode_of(kind)
            )

    @property
    def modes(self) -> list[Any]:
        return [self[f"mode_{kind}"] for kind in KINDS]

    def clean_warnings(self) -> tuple[int, ...]:
        """Whole minutes, the longest first."""
        typed = self.cleaned_data["warnings"].replace(",", " ").split()
        if not all(word.isascii() and word.isdecimal() and len(word) < 4 for word in typed):
            raise forms.ValidationError("Write minutes like 10, 5.")
        return tuple(sorted({int(word) for word in typed}, reverse=True))

    def clean(self) -> dict[str, Any]:
        """Moments are judged on the clock of the venue; one that it skips that night is refused."""
        given: dict[str, Any] = super().clean() or {}
        for name in MOMENTS:
            wall = given.get(name)
            if isinstance(wall, datetime):
                given[name] = self._moment(name, wall)
        return given

    def _moment(self, name: str, wall: datetime) -> datetime | None:
        try:
            moment = moment_at(wall.replace(tzinfo=None), self.zone)
        except RuleBroken as broken:
            self.add_error(name, broken.sentence)
            return None
        if comes_twice(moment):
            self.twice.append(
                f"The clocks of {self.zone} go back that night: {moment:%H:%M} comes twice. "
                f"The first one is meant ({moment:%Z})."
            )
        return moment

    @property
    def plan(self) -> DayPlan:
        given = self.cleaned_data
        walls: dict[str, Any] = {name: _text(given.get(name)) for name in WALL_TIMES}
        named = {
            name: given[name]
            for name in given
            if name in DayPlan.__dataclass_fields__ and name not in WALL_TIMES
        }
        everything = self.data.get("all", "")
        modes = {kind: everything or given[f"mode_{kind}"] or self.before.mode_of(kind) for kind in KINDS}
        return replace(
            self.before, **named, **walls, modes={str(kind): str(mode) for kind, mode in modes.items()}
        )

    def refuse(self, broken: RuleBroken) -> None:
        """The sentence stands at the field it is about, or above the form."""
        field = broken.facts.get("field")
        self.add_error(str(field) if field in self.fields else None, broken.sentence)


def _initial(plan: DayPlan, zone: str) -> dict[str, Any]:
    told: dict[str, Any] = plan.as_dict()
    for name in MOMENTS:
        moment = getattr(plan, name)
        told[name] = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) if moment else None
    return {**told, "warnings": ", ".join(map(str, plan.warnings))}


def _text(wall: time | None) -> str:
    return wall.strftime("%H:%M") if wall is not None else ""
