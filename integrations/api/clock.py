"""The plan of the day: what the clock will do and who does each step, the clock held and released."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from integrations.api.fields import Because, Body, Flag, Many, Moment, Number, One
from integrations.api.lists import InTournament
from integrations.api.operations import Answer, Call, Operation
from integrations.api.places import STEP, TOURNAMENT
from integrations.api.reads import Tagged
from integrations.scopes import Scope
from rulebook.errors import RuleBroken
from tournaments.day_plan import MOST_MINUTES, DayPlan, plan_of
from tournaments.models import Step, Tournament
from tournaments.planning import NEEDS, cancel_step, change_plan, hold_clock, release_clock, set_step
from tournaments.schedule import do_step
from tournaments.staff import Can

AT = "tournaments/<slug:slug>"
CLOCK = partial(Operation, scope=Scope.ROUNDS_WRITE, can=Can.RUN_CLOCK)
# What a key needs to do what a step does, as somebody signed in needs the power.
SCOPES: Mapping[Can, Scope] = {
    Can.SETTINGS: Scope.STAFF,
    Can.REGISTER: Scope.TEAMS_WRITE,
    Can.PAIR: Scope.ROUNDS_WRITE,
    Can.RUN_CLOCK: Scope.ROUNDS_WRITE,
}


class WallTime(serializers.RegexField):
    """A time of day at the venue, such as 12:30; empty: none."""

    def __init__(self, **more: Any) -> None:
        super().__init__(r"^(([01][0-9]|2[0-3]):[0-5][0-9])?$", **more)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class ModesBody(Body):
    """Who does each kind of step; left out: what the clock only says it says, the rest it asks for."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {kind: One(choices=Step.Mode.values, required=False) for kind in Step.Kind.values}


def _minutes(default: int) -> Number:
    return Number(max_value=MOST_MINUTES, required=False, default=default)


class PlanBody(Body):
    """The whole plan of the day; what is left out has its default."""

    opens_at = Moment(required=False, allow_null=True, default=None)
    closes_at = Moment(required=False, allow_null=True, default=None)
    check_in_from = Moment(required=False, allow_null=True, default=None)
    check_in_until = Moment(required=False, allow_null=True, default=None)
    drops_no_shows = Flag(required=False, default=False)
    look_minutes = _minutes(2)
    walk_minutes = _minutes(5)
    break_minutes = _minutes(10)
    lunch_from = WallTime(required=False, allow_blank=True, default="")
    lunch_minutes = _minutes(0)
    last_start = WallTime(required=False, allow_blank=True, default="")
    warnings = Many(
        child=Number(min_value=1, max_value=MOST_MINUTES),
        max_length=4,
        required=False,
        default=lambda: [10],
        help_text="minutes before the end of a round",
    )
    overdue_minutes = _minutes(10)
    cut_by_lot = Flag(required=False, default=False)
    modes = ModesBody(required=False, default=dict)


@extend_schema_serializer(many=False)
class PlanSerializer(serializers.Serializer[Any]):
    """The plan as it was made, and since when the clock is held; `plan` is empty where there is none."""

    plan = serializers.DictField()
    held_at = serializers.DateTimeField(allow_null=True)


class StepSerializer(serializers.ModelSerializer[Step]):
    """Something the clock does, asks for or leaves to the desk."""

    class Meta:
        model = Step
        fields = ["id", "kind", "round", "match", "minutes", "due_at", "mode", "state", "blocked_why"]
        read_only_fields = fields


class SetStepBody(Body):
    """Who does this one step, and when, whatever the plan says."""

    mode = One(choices=Step.Mode.values, required=False)
    due_at = Moment(required=False)


class ReleaseBody(Body):
    shifts = Flag(required=False, default=True, help_text="steps to come are later by the time it was held")


def told_plan(tournament: Tournament) -> dict[str, Any]:
    """The plan as it stands now."""
    fresh = Tournament.objects.only("plan", "held_at").get(pk=tournament.pk)
    plan = plan_of(fresh.plan)
    return {"plan": plan.as_dict() if plan else {}, "held_at": fresh.held_at}


PLAN_TOLD = Answer(PlanSerializer, lambda done, call: told_plan(call.row))
STEP_TOLD = Answer(StepSerializer, lambda done, call: Step.objects.get(pk=call.row.pk))


def _plan(call: Call) -> Tournament:
    said = dict(call.data)
    said["warnings"], said["modes"] = tuple(said["warnings"]), dict(said["modes"])
    return change_plan(tournament_id=call.row.pk, plan=DayPlan(**said), actor=call.actor)


def _may_step(call: Call) -> int:
    """The step, for whoever may do what it does."""
    needed = NEEDS[call.row.kind]
    call.require(call.row.tournament_id, SCOPES[needed], needed)
    return int(call.row.pk)


def _do(call: Call) -> bool:
    if not do_step(_may_step(call), call.actor):
        raise RuleBroken("step-over", "That is done already, or its time is gone; look at the plan again.")
    return True


CLOCKWORK = [
    Operation(
        name="plan_set",
        path=f"{AT}/plan/",
        method="PUT",
        scope=Scope.STAFF,
        can=Can.SETTINGS,
        place=TOURNAMENT,
        body=PlanBody,
        run=_plan,
        answer=PLAN_TOLD,
        says="The clock follows this plan.",
        example={
            "break_minutes": 10,
            "lunch_from": "12:30",
            "lunch_minutes": 40,
            "modes": {"pair": "automatic"},
        },
    ),
    Operation(
        name="plan_drop",
        path=f"{AT}/plan/drop/",
        scope=Scope.STAFF,
        can=Can.SETTINGS,
        place=TOURNAMENT,
        run=lambda call: change_plan(tournament_id=call.row.pk, plan=None, actor=call.actor),
        answer=PLAN_TOLD,
        says="There is no plan: the clock calls time and does nothing else.",
    ),
    CLOCK(
        name="clock_hold",
        path=f"{AT}/hold/",
        place=TOURNAMENT,
        body=Because,
        run=lambda call: hold_clock(tournament_id=call.row.pk, actor=call.actor, **call.data),
        answer=PLAN_TOLD,
        says="The clock does no step until it is released; a running round goes on.",
        example={"reason": "the hall is being searched"},
    ),
    CLOCK(
        name="clock_release",
        path=f"{AT}/release/",
        place=TOURNAMENT,
        body=ReleaseBody,
        run=lambda call: release_clock(tournament_id=call.row.pk, actor=call.actor, **call.data),
        answer=PLAN_TOLD,
        says="The clock goes on.",
        example={"shifts": True},
    ),
    CLOCK(
        name="steps_set",
        path="steps/<int:pk>/",
        method="PATCH",
        place=STEP,
        body=SetStepBody,
        run=lambda call: set_step(step_id=_may_step(call), actor=call.actor, **call.data),
        answer=STEP_TOLD,
        says="This one step has another mode or another time.",
        example={"mode": "manual"},
    ),
    CLOCK(
        name="steps_do",
        path="steps/<int:pk>/do/",
        place=STEP,
        run=_do,
        answer=STEP_TOLD,
        says="What the step does is done now.",
    ),
    CLOCK(
        name="steps_cancel",
        path="steps/<int:pk>/cancel/",
        place=STEP,
        body=Because,
        run=lambda call: cancel_step(step_id=_may_step(call), actor=call.actor, **call.data),
        answer=STEP_TOLD,
        says="The clock does not do this step; the desk still can.",
        example={"reason": "we go by hand"},
    ),
]


class StepList(InTournament):
    """Every step of the day by its time: to come, done, missed and cancelled."""

    can = Can.VIEW
    serializer_class = StepSerializer
    queryset = Step.objects.none()

    def get_queryset(self) -> QuerySet[Step]:
        return Step.objects.filter(tournament=self.tournament())


class Plan(InTournament, Tagged, GenericAPIView[Any]):
    """The plan of the day."""

    can = Can.VIEW
    serializer_class = PlanSerializer
    pagination_class = None

    @extend_schema(operation_id="plan_retrieve", responses=PlanSerializer)
    def get(self, request: Request, *args: Any, **words: Any) -> Response:
        return Response(self.get_serializer(told_plan(self.tournament())).data)


CLOCK_READS: dict[str, type[APIView]] = {f"{AT}/plan/": Plan, f"{AT}/steps/": StepList}
