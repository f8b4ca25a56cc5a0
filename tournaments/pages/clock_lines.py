"""The steps of the clock in words: what it will do, asks for, was refused, missed and did."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from journal.clock import now
from rulebook.lifecycle import OVER, RoundState
from tournaments.clock_deeds import overdue_tables
from tournaments.models import Round, Stage, Step, Tournament
from tournaments.pages.scenes import Scene, name_of
from tournaments.planning import NEEDS

Kind, State, Mode = Step.Kind, Step.State, Step.Mode
SHOWN = (State.WAITING, State.BLOCKED, State.MISSED)
# The desk's one filled button does these; they need no second one beside it.
HAS_BUTTON = frozenset(
    {
        *(Kind.OPEN_REGISTRATION, Kind.START_TOURNAMENT, Kind.PAIR, Kind.PUBLISH, Kind.START, Kind.CLOSE),
        *(Kind.MAKE_CUT, Kind.FINISH),
    }
)


@dataclass(frozen=True, slots=True)
class ClockLine:
    """One step as a line: `does` is "publish Round 3", `at` when it is due or was done; what it `waits_for`
    is told in place of its time."""

    step_id: int
    kind: str
    does: str
    at: datetime
    mode: str
    state: str
    why: str = ""
    can: str = ""
    waits_for: str = ""

    @property
    def has_button(self) -> bool:
        return self.kind in HAS_BUTTON

    @property
    def is_asked(self) -> bool:
        return self.mode == Mode.ASKED and self.state != State.MISSED


@dataclass(frozen=True, slots=True)
class ClockSays:
    """What the desk has to know of the clock now: the nearest steps, and the tables that are overdue."""

    lines: tuple[ClockLine, ...] = ()
    overdue: tuple[int, ...] = ()

    @property
    def people(self) -> list[ClockLine]:
        """What waits for somebody: asked, refused or missed."""
        return [line for line in self.lines if line.is_asked or line.state != State.WAITING]

    @property
    def alone(self) -> list[ClockLine]:
        """What the clock will do by itself."""
        waits = (line for line in self.lines if line.state == State.WAITING)
        return [line for line in waits if line.mode == Mode.AUTOMATIC]


def clock_says(scene: Scene) -> ClockSays:
    """One query for a tournament with a plan or a draft, none for any other; one more where it is overdue."""
    rnd = scene.last_round
    if not scene.tournament.plan and (rnd is None or rnd.state != RoundState.PAIRED):
        return ClockSays()
    late = Q(kind=Kind.OVERDUE, state=State.DONE, round=rnd) if rnd is not None else Q(pk=None)
    steps = list(
        Step.objects.filter(tournament=scene.tournament)
        .filter(Q(state__in=SHOWN) | late)
        .select_related("match", "deed")
        .order_by("due_at", "pk")
    )
    noted = [step for step in steps if step.state == State.DONE]
    coming = [step for step in steps if step.state != State.DONE and step.kind != Kind.TABLE_TIME]
    is_late = rnd is not None and rnd.state == RoundState.RUNNING and bool(noted)
    return ClockSays(
        tuple(lines_of(scene, coming)),
        tuple(overdue_tables(rnd)) if is_late and rnd is not None else (),
    )


def lines_of(scene: Scene, steps: Iterable[Step]) -> list[ClockLine]:
    """The steps in words, in the order given."""
    steps, rounds = list(steps), {rnd.pk: rnd for rnd in scene.rounds}
    late = any(step.kind == Kind.END_CHECK_IN and _is_open_late(step) for step in steps)
    waits = {Kind.CLOSE: "when every result is in"}
    if late:
        waits[Kind.START_TOURNAMENT] = "when check-in is ended"
    return [
        ClockLine(
            step.pk,
            step.kind,
            _does(scene, step, rounds),
            step.deed.at if step.state == State.DONE and step.deed is not None else step.due_at,
            step.mode,
            step.state,
            step.blocked_why,
            NEEDS[step.kind].value,
            waits.get(Kind(step.kind), ""),
        )
        for step in steps
    ]


def coming_of(tournament: Tournament, scene: Scene, most: int = 200) -> list[ClockLine]:
    """What is to come, soonest first."""
    if tournament.state in OVER:
        return []
    steps = Step.objects.filter(tournament=tournament, state__in=SHOWN).select_related("match", "deed")
    return lines_of(scene, steps.order_by("due_at", "pk")[:most])


def _is_open_late(step: Step) -> bool:
    return step.state in SHOWN and step.due_at <= now()


def _does(scene: Scene, step: Step, rounds: Mapping[int, Round]) -> str:
    rnd = rounds.get(step.round_id or 0)
    name = name_of(rnd) if rnd is not None else "a scrapped round"
    left = "1 minute is left" if step.minutes == 1 else f"{step.minutes} minutes are left"
    table = step.match.table if step.match is not None else ""
    words: Mapping[str, str] = {
        Kind.OPEN_REGISTRATION: "open registration",
        Kind.CLOSE_REGISTRATION: "close the public sign-up",
        Kind.END_CHECK_IN: "end check-in and withdraw who is not there",
        Kind.START_TOURNAMENT: "start the tournament",
        Kind.PUBLISH: f"publish {name}",
        Kind.START: f"start {name}",
        Kind.WARN: f"say in {name} that {left}",
        Kind.TIME: f"call time in {name}",
        Kind.TABLE_TIME: f"end the extra time of table {table}",
        Kind.OVERDUE: f"name the tables of {name} that are late",
        Kind.CLOSE: f"close {name}",
        Kind.MAKE_CUT: f"make the cut to the top {scene.tournament.cut}",
        Kind.FINISH: "publish the final ranking",
    }
    return words.get(step.kind) or f"pair {_next_name(scene.stages, step)}"


def _next_name(stages: Sequence[Stage], step: Step) -> str:
    """What the round is called that the step pairs; its key says which."""
    _, stage_number, number = step.key.split(":")
    stage = next((one for one in stages if one.number == int(stage_number)), None)
    return name_of(Round(stage=stage, number=int(number))) if stage is not None else f"Round {number}"
