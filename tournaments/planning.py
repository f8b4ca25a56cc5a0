"""What a person says to the clock: the plan of the day, hold on, go on, and who does a single step."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.lifecycle import OVER
from tournaments.day_plan import SAYS, DayPlan, check_plan
from tournaments.following import end_following, follow_plan
from tournaments.models import Step, Tournament
from tournaments.one_round import OPEN_STEPS
from tournaments.staff import Can

State, Kind, Mode = Step.State, Step.Kind, Step.Mode
# Whoever may press the desk's button for it may do, change or cancel the step.
NEEDS: Mapping[str, Can] = {
    **dict.fromkeys(Kind.values, Can.RUN_CLOCK),
    **dict.fromkeys(
        (Kind.OPEN_REGISTRATION, Kind.CLOSE_REGISTRATION, Kind.START_TOURNAMENT, Kind.FINISH), Can.SETTINGS
    ),
    Kind.END_CHECK_IN: Can.REGISTER,
    **dict.fromkeys((Kind.PAIR, Kind.PUBLISH, Kind.MAKE_CUT), Can.PAIR),
}


@transaction.atomic
def change_plan(*, tournament_id: int, plan: DayPlan | None, actor: Actor) -> Tournament:
    """The clock follows this plan from now on; None: it calls time and does nothing else."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state in OVER:
        raise RuleBroken("tournament-over", f"{tournament.name} is {tournament.state}; its day is over.")
    if plan is not None:
        check_plan(plan)
    before = tournament.plan
    tournament.plan = plan.as_dict() if plan is not None else {}
    if tournament.plan == before:
        return tournament
    tournament.save(update_fields=["plan"])
    if plan is None:
        end_following(tournament_id)
    follow_plan(tournament)
    changed = sorted(
        key for key in {**before, **tournament.plan} if before.get(key) != tournament.plan.get(key)
    )
    _record(tournament_id, DeedKind.PLAN_CHANGED, actor, before=before, after={"fields": changed})
    return tournament


@transaction.atomic
def hold_clock(*, tournament_id: int, actor: Actor, reason: str = "") -> Tournament:
    """The clock does no step of the tournament until it is released. The clock of a running round shows its
    time as before; pause it as well where play stops."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.held_at is not None:
        raise RuleBroken("clock-held", "The clock is held already.")
    if tournament.state in OVER:
        raise RuleBroken("tournament-over", f"{tournament.name} is {tournament.state}; nothing is due.")
    tournament.held_at = now()
    tournament.save(update_fields=["held_at"])
    _record(tournament_id, DeedKind.CLOCK_HELD, actor, reason=reason)
    return tournament


@transaction.atomic
def release_clock(*, tournament_id: int, actor: Actor, shifts: bool = True) -> Tournament:
    """The clock goes on, and the timers of players start anew. With `shifts` every waiting step that was
    still to come when the clock was held is due later by the time it was held; without, what is late by now
    is done at once, in order.

    Warnings, time and overdue are bound to the clock of the round and are not shifted."""
    tournament = lock_one(Tournament, tournament_id)
    held_at = tournament.held_at
    if held_at is None:
        raise RuleBroken("clock-not-held", "The clock is not held.")
    held = now() - held_at
    tournament.held_at, tournament.released_at = None, now()
    tournament.save(update_fields=["held_at", "released_at"])
    if shifts:
        waiting = Step.objects.filter(tournament=tournament, state__in=OPEN_STEPS, due_at__gte=held_at)
        waiting.exclude(kind__in=[*SAYS, Kind.CLOSE]).update(due_at=F("due_at") + held, own_time=True)
    seconds = round(held.total_seconds())
    after = {"held_s": seconds, "held_minutes": round(seconds / 60), "shifts": shifts}
    _record(tournament_id, DeedKind.CLOCK_RELEASED, actor, after=after)
    return tournament


@transaction.atomic
def set_step(*, step_id: int, actor: Actor, mode: str = "", due_at: datetime | None = None) -> Step:
    """This one step has another mode or time, whatever the plan says; what is None or empty stays."""
    step = _lock_step(step_id)
    if step.state not in OPEN_STEPS:
        raise RuleBroken("step-over", f"This step is {step.state}; nothing of it can be changed.")
    if mode and mode not in Mode.values:
        raise RuleBroken("unknown-mode-of-step", "A step is automatic, asked or manual.")
    if due_at is not None and due_at < now() - timedelta(minutes=1):
        raise RuleBroken("time-is-past", "That time is past; do it now or choose a later time.")
    before = {"mode": step.mode, "due_at": step.due_at.isoformat()}
    if mode:
        step.mode, step.own_mode = mode, True
    if due_at is not None:
        step.due_at, step.own_time = due_at, True
    step.save(update_fields=["mode", "own_mode", "due_at", "own_time"])
    after = {"mode": step.mode, "due_at": step.due_at.isoformat(), "kind": step.get_kind_display()}
    _record(step.tournament_id, DeedKind.STEP_CHANGED, actor, step=step, before=before, after=after)
    return step


@transaction.atomic
def cancel_step(*, step_id: int, actor: Actor, reason: str = "") -> Step:
    """The clock does not do this step; the desk still can do what it would have done."""
    step = _lock_step(step_id)
    if step.state not in (*OPEN_STEPS, State.MISSED):
        raise RuleBroken("step-over", f"This step is {step.state}; there is nothing to cancel.")
    step.state, step.own_mode = State.CANCELLED, True
    step.save(update_fields=["state", "own_mode"])
    after = {"kind": step.get_kind_display()}
    _record(step.tournament_id, DeedKind.STEP_CANCELLED, actor, step=step, after=after, reason=reason)
    return step


def _lock_step(step_id: int) -> Step:
    """The step as it is under the lock of its tournament."""
    found = Step.objects.filter(pk=step_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such step any more; reload the page.")
    lock_one(Tournament, found)
    return Step.objects.get(pk=step_id)


def _record(
    tournament_id: int, kind: DeedKind, actor: Actor, *, step: Step | None = None, **more: object
) -> None:
    subject = f"step:{step.pk}" if step else f"tournament:{tournament_id}"
    record(tournament_id=tournament_id, kind=kind, actor=actor, subject=subject, **more)  # type: ignore[arg-type]
