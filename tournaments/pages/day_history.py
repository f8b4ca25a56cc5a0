"""What happened of the day so far: done by the clock or by hand, refused, missed, held; the newest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from journal.kinds import DeedKind
from journal.models import Deed
from tournaments.models import Step, Tournament
from tournaments.pages.clock_lines import lines_of
from tournaments.pages.scenes import Scene
from tournaments.pages.words import told

MOST = 200
# What is done a minute after its time has its time beside it.
LATE = timedelta(minutes=1)
OF_THE_DAY = (
    *(DeedKind.REGISTRATION_OPENED, DeedKind.REGISTRATION_REOPENED, DeedKind.CHECK_IN_ENDED),
    *(DeedKind.TOURNAMENT_STARTED, DeedKind.ROUND_PAIRED, DeedKind.ROUND_PUBLISHED, DeedKind.ROUND_STARTED),
    *(DeedKind.TIME_WARNED, DeedKind.TIME_CALLED, DeedKind.TABLE_TIME_CALLED, DeedKind.ROUND_OVERDUE),
    *(DeedKind.ROUND_CLOSED, DeedKind.CUT_MADE, DeedKind.STANDINGS_FINAL, DeedKind.TOURNAMENT_CANCELLED),
    *(DeedKind.ROUND_REOPENED, DeedKind.ROUND_SCRAPPED, DeedKind.PUBLISH_TAKEN_BACK),
    *(DeedKind.START_TAKEN_BACK, DeedKind.CUT_UNDONE, DeedKind.TOURNAMENT_REOPENED, DeedKind.PLAN_CHANGED),
    *(DeedKind.CLOCK_HELD, DeedKind.CLOCK_RELEASED, DeedKind.CLOCK_PAUSED, DeedKind.CLOCK_RESUMED),
)
SAYS: Mapping[str, str] = {
    DeedKind.STEP_BLOCKED: "The clock could not {does}",
    DeedKind.STEP_MISSED: "The clock missed its time to {does}",
    DeedKind.STEP_CANCELLED: "Cancelled: {does}",
}
WRONG = (DeedKind.STEP_BLOCKED, DeedKind.STEP_MISSED, DeedKind.ROUND_OVERDUE)


@dataclass(frozen=True, slots=True)
class Happened:
    """One line: `planned` is the time of the step where it was done later."""

    at: datetime
    sentence: str
    who: str
    by_hand: bool
    planned: datetime | None = None
    why: str = ""
    is_wrong: bool = False


def happened(tournament: Tournament, scene: Scene) -> list[Happened]:
    """The deeds of the day, whoever did them, at the moments at which they were done."""
    steps = list(Step.objects.filter(tournament=tournament).select_related("match", "deed"))
    by_deed = {step.deed_id: step for step in steps if step.deed_id and step.state == Step.State.DONE}
    wanted = Q(kind__in=(*OF_THE_DAY, *SAYS)) | Q(pk__in=list(by_deed))
    deeds = list(Deed.objects.filter(wanted, tournament=tournament).order_by("-number")[:MOST])
    named = _named(scene, steps, deeds)
    lines = []
    for deed, words in zip(deeds, told(tournament, deeds, scene.labels), strict=True):
        about, does = named.get(deed.subject, (None, ""))
        lines.append(
            Happened(
                at=deed.at,
                sentence=SAYS[deed.kind].format(does=does) if deed.kind in SAYS and does else words.sentence,
                who=words.who,
                by_hand=deed.actor.startswith("user:"),
                planned=_planned(by_deed.get(deed.pk), deed.at),
                why=about.blocked_why if about and deed.kind == DeedKind.STEP_BLOCKED else words.reason,
                is_wrong=deed.kind in WRONG,
            )
        )
    return lines


def _named(scene: Scene, steps: Sequence[Step], deeds: Sequence[Deed]) -> dict[str, tuple[Step, str]]:
    """The steps that deeds are about, by subject, each with what it does."""
    subjects = {deed.subject for deed in deeds if deed.kind in SAYS}
    asked = [step for step in steps if f"step:{step.pk}" in subjects]
    return {
        f"step:{step.pk}": (step, line.does) for step, line in zip(asked, lines_of(scene, asked), strict=True)
    }


def _planned(step: Step | None, at: datetime) -> datetime | None:
    """The time of the step, unless it was kept or waited for the results."""
    if step is None or step.kind == Step.Kind.CLOSE or at - step.due_at < LATE:
        return None
    return step.due_at
