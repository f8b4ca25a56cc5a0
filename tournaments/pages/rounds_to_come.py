"""The rest of the day on the plan: when each round to come begins and ends."""

from dataclasses import dataclass
from datetime import datetime

from rulebook.lifecycle import OVER
from rulebook.pairing.bracket_tables import bracket_table
from tournaments.bracket import method_of
from tournaments.bracket_plan import cut_kind, cuts_of
from tournaments.day_ahead import rounds_ahead
from tournaments.day_plan import plan_of
from tournaments.following import situation_of
from tournaments.models import Round, Stage, Tournament
from tournaments.pages.scenes import Scene, name_of


@dataclass(frozen=True, slots=True)
class ToCome:
    """One round as a line."""

    name: str
    starts: datetime
    ends: datetime
    after_lunch: bool
    is_late: bool


def rounds_to_come(tournament: Tournament, scene: Scene) -> list[ToCome]:
    """Every round that has not begun; none without a plan, and none while their number is not known."""
    plan = plan_of(tournament.plan)
    stages = {stage.number: stage for stage in _stages(tournament, scene)}
    if plan is None or not stages or tournament.state in OVER:
        return []
    ahead = rounds_ahead(
        plan,
        situation_of(tournament.pk),
        minutes=tournament.round_minutes,
        planned=[stages[number].planned_rounds for number in sorted(stages)],
    )
    return [
        ToCome(
            name_of(Round(stage=stages[one.stage], number=one.number)),
            one.starts,
            one.ends,
            one.after_lunch,
            one.is_late,
        )
        for one in ahead
    ]


def _stages(tournament: Tournament, scene: Scene) -> list[Stage]:
    """The stages there are, and those that are announced: the Swiss rounds and the cut."""
    stages = [stage for stage in scene.stages if stage.state != Stage.State.WAITING]
    if not stages and tournament.format == Tournament.Format.SWISS:
        stages = [Stage(number=1, method=Stage.Method.SWISS, planned_rounds=tournament.planned_rounds)]
    if len(stages) == 1 and tournament.cut in cuts_of(tournament) and not stages[0].is_bracket:
        kind = cut_kind(tournament)
        told = {"kind": kind.value, "size": tournament.cut}
        rounds = bracket_table(kind, tournament.cut).planned
        stages.append(Stage(number=2, method=method_of(kind), planned_rounds=rounds, settings=told))
    return stages
