"""The plan of the day at the desk: what the clock will do and when, what it did, and who does each step."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from rulebook.errors import RuleBroken
from tournaments.clockwork import pause_clock, resume_clock
from tournaments.day_plan import DayPlan, plan_of
from tournaments.models import Step
from tournaments.pages.asked import Asked, DeskDeed, number_in
from tournaments.pages.clock_lines import coming_of, lines_of
from tournaments.pages.day_history import happened
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.plan_form import PlanForm
from tournaments.pages.rounds_to_come import rounds_to_come
from tournaments.planning import NEEDS, cancel_step, change_plan, hold_clock, release_clock, set_step
from tournaments.schedule import do_step
from tournaments.staff import Can


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page()
def plan_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The timeline, and the form in which the plan is made or changed."""
    if request.method == "POST":
        desk.require(Can.SETTINGS)
    tournament = desk.tournament
    plan = plan_of(tournament.plan)
    form = PlanForm(request.POST or None, tournament=tournament, plan=plan or DayPlan())
    if request.method == "POST" and form.is_valid():
        try:
            change_plan(tournament_id=tournament.pk, plan=form.plan, actor=desk.actor)
            messages.success(request, "The plan is saved; the clock follows it.")
            for sentence in form.twice:
                messages.warning(request, sentence)
            return redirect("desk-plan", tournament.slug)
        except RuleBroken as broken:
            form.refuse(broken)
    scene = desk.scene()
    rnd = scene.last_round
    return desk_page(
        request,
        "desk/plan.html",
        desk,
        tab="plan",
        status=422 if form.errors else 200,
        scene=scene,
        form=form,
        has_plan=plan is not None,
        coming=[(line, Can(line.can) in desk.powers) for line in coming_of(tournament, scene)],
        done=happened(tournament, scene),
        later=rounds_to_come(tournament, scene),
        rnd=rnd,
        runs=rnd is not None and rnd.state == "running" and rnd.time_called_at is None,
        is_paused=rnd is not None and rnd.left_when_paused is not None,
        modes=Step.Mode.choices,
    )


def own_step(desk: Desk, asked: Asked) -> Step:
    """The step of this tournament the form names, for who may do what it does; 404 for any other."""
    step = get_object_or_404(
        Step.objects.select_related("match", "deed"), tournament=desk.tournament, pk=number_in(asked, "step")
    )
    desk.require(NEEDS[step.kind])
    return step


def _do(desk: Desk, asked: Asked) -> str:
    step = own_step(desk, asked)
    does = _does(desk, step)
    if not do_step(step.pk, desk.actor):
        raise RuleBroken("step-over", "That is done already, or its time is gone; look at the plan again.")
    return f"Done: {does}."


def _set(desk: Desk, asked: Asked) -> str:
    step = set_step(step_id=own_step(desk, asked).pk, mode=asked.get("mode", ""), actor=desk.actor)
    who = {"automatic": "the clock does it", "asked": "the clock asks", "manual": "done by hand"}[step.mode]
    return f"This one step - {_does(desk, step)} - from now on: {who}."


def _cancel(desk: Desk, asked: Asked) -> str:
    step = own_step(desk, asked)
    cancel_step(step_id=step.pk, actor=desk.actor, reason=asked.get("reason", ""))
    return f"The clock will not {_does(desk, step)}. The desk can."


def _hold(desk: Desk, asked: Asked) -> str:
    hold_clock(tournament_id=desk.tournament.pk, actor=desk.actor, reason=asked.get("reason", ""))
    rnd = desk.scene().last_round
    if asked.get("pauses") and rnd is not None and rnd.state == "running":
        pause_clock(round_id=rnd.pk, actor=desk.actor, reason=asked.get("reason", ""))
        return "The clock is held and the round is paused. Nothing happens by itself until you let it go on."
    return "The clock is held. Nothing happens by itself until you let it go on."


def _release(desk: Desk, asked: Asked) -> str:
    rnd = desk.scene().last_round
    if asked.get("resumes") and rnd is not None and rnd.left_when_paused is not None:
        resume_clock(round_id=rnd.pk, actor=desk.actor)
    shifts = asked.get("shifts", "yes") == "yes"
    release_clock(tournament_id=desk.tournament.pk, actor=desk.actor, shifts=shifts)
    return "The clock goes on; the steps to come are later." if shifts else "The clock goes on at once."


def _drop(desk: Desk, asked: Asked) -> str:
    change_plan(tournament_id=desk.tournament.pk, plan=None, actor=desk.actor)
    return "There is no plan any more: the clock calls time and does nothing else."


def _does(desk: Desk, step: Step) -> str:
    [line] = lines_of(desk.scene(), [step])
    return line.does


CLOCK_DEEDS: Mapping[str, DeskDeed] = {
    "do-step": DeskDeed(Can.RUN_CLOCK, _do),
    "set-step": DeskDeed(Can.RUN_CLOCK, _set),
    "cancel-step": DeskDeed(Can.RUN_CLOCK, _cancel),
    "hold-clock": DeskDeed(Can.RUN_CLOCK, _hold),
    "release-clock": DeskDeed(Can.RUN_CLOCK, _release),
    "drop-plan": DeskDeed(Can.SETTINGS, _drop),
}
