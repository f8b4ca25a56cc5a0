"""What the clock does: the database says what is due, a periodic task asks and calls the same services as
the desk.

Catching up after an outage: late steps are done once, in the order of their times, and what they do has the
time at which it is done; what is older than its grace is missed and told, not done. Nothing is done twice:
a step is claimed in the transaction of its deed. Ticks of several workers share the work: a tournament in
which somebody does something just now is left to the next look at it.
"""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from journal.actors import CLOCK, Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_if_free, lock_one
from journal.models import Deed, Head
from journal.recording import record, version_of
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState, RoundState
from tournaments.clock_deeds import (
    call_table_time,
    close_sign_up,
    end_check_in,
    note_overdue,
    warn_of_end,
)
from tournaments.cutting import finish_tournament, make_cut
from tournaments.day_plan import plan_of
from tournaments.models import Step, Tournament
from tournaments.one_round import OPEN_STEPS, PLAYS, lock_round, record_round
from tournaments.pairing import pair_round
from tournaments.rounds import call_time, close_round, publish_round, start_round
from tournaments.setting_up import open_registration, start_tournament

log = logging.getLogger(__name__)

Kind, State = Step.Kind, Step.State
# One service for each kind, the same as the desk's button calls; what it is called with follows from whom
# the step is about.
SERVICES: Mapping[str, Callable[..., Any]] = {
    Kind.OPEN_REGISTRATION: open_registration,
    Kind.CLOSE_REGISTRATION: close_sign_up,
    Kind.END_CHECK_IN: end_check_in,
    Kind.START_TOURNAMENT: start_tournament,
    Kind.PAIR: pair_round,
    Kind.PUBLISH: publish_round,
    Kind.START: start_round,
    Kind.WARN: warn_of_end,
    Kind.TIME: call_time,
    Kind.TABLE_TIME: call_table_time,
    Kind.OVERDUE: note_overdue,
    Kind.CLOSE: close_round,
    Kind.MAKE_CUT: make_cut,
    Kind.FINISH: finish_tournament,
}
ORDER = {kind: place for place, kind in enumerate(SERVICES)}
OF_TOURNAMENT = frozenset(
    {
        *(Kind.OPEN_REGISTRATION, Kind.CLOSE_REGISTRATION, Kind.END_CHECK_IN, Kind.START_TOURNAMENT),
        *(Kind.PAIR, Kind.MAKE_CUT, Kind.FINISH),
    }
)
# A pass may make the next step due at once: pair, publish, start. More than this is for the next tick.
MOST_PASSES = 6
# A tick ends long before the time limit of its task would cut it off; the next one goes on.
LONGEST_TICK_S = 15.0
DOABLE = (*OPEN_STEPS, State.MISSED)


@transaction.atomic
def schedule_publish(*, round_id: int, at: datetime, actor: Actor) -> Step:
    """The clock will publish the paired round at the moment `at`; a new time replaces the old one."""
    rnd = lock_round(round_id)
    if rnd.state != RoundState.PAIRED:
        raise RuleBroken("wrong-state", f"Round {rnd.number} is {rnd.state}; only a draft can be published.")
    if at < now() - timedelta(minutes=1):
        raise RuleBroken("time-is-past", "That time is past; publish the round now or choose a later time.")
    own = {"own_time": True, "own_mode": True, "mode": Step.Mode.AUTOMATIC, "state": State.WAITING}
    step, _ = Step.objects.update_or_create(
        tournament_id=rnd.stage.tournament_id,
        key=f"publish:{rnd.pk}",
        defaults={"round": rnd, "kind": Kind.PUBLISH, "due_at": at, "deed": None, "blocked_why": "", **own},
    )
    record_round(rnd, DeedKind.ROUND_SCHEDULED, actor, after={"publish_at": at.isoformat()})
    return step


def due(moment: datetime, steps: Iterable[Step], versions: Mapping[int, int]) -> list[Step]:
    """The steps to do at `moment`, oldest first: automatic, due, not older than their grace.

    A blocked step is due again only when its tournament has a newer version than the one that refused it.
    """
    ready = []
    for step in steps:
        late = moment - step.due_at
        if step.mode != Step.Mode.AUTOMATIC or late < timedelta(0) or _is_past(step, moment):
            continue
        if step.state == State.WAITING or (
            step.state == State.BLOCKED and versions[step.tournament_id] > (step.blocked_version or 0)
        ):
            ready.append(step)
    return sorted(ready, key=lambda step: (step.due_at, ORDER[step.kind], step.pk))


def missed(moment: datetime, steps: Iterable[Step]) -> list[Step]:
    """The steps that the clock should have done and does not do any more: older than their grace."""
    return [
        step
        for step in steps
        if step.state in OPEN_STEPS and step.mode == Step.Mode.AUTOMATIC and _is_past(step, moment)
    ]


def open_at(moment: datetime) -> "QuerySet[Step]":
    """What can be due at `moment`, in one query: of a tournament whose clock is not held; a round is closed
    when its results are in, overdue while one is missing, a table's time matters while it plays, and the
    start waits until somebody or the clock has ended check-in."""
    lacks = Exists(
        Match.objects.filter(round=OuterRef("round")).exclude(
            state__in=[MatchState.CONFIRMED, MatchState.VOID]
        )
    )
    checks_in = Exists(
        Step.objects.filter(
            tournament=OuterRef("tournament"), kind=Kind.END_CHECK_IN, state__in=(*OPEN_STEPS, State.MISSED)
        )
    )
    steps = Step.objects.filter(
        state__in=OPEN_STEPS, due_at__lte=moment, mode=Step.Mode.AUTOMATIC, tournament__held_at=None
    )
    return (
        steps.exclude(Q(kind=Kind.CLOSE) & lacks)
        .exclude(Q(kind=Kind.OVERDUE) & ~lacks)
        .exclude(Q(kind=Kind.START_TOURNAMENT) & checks_in)
        .exclude(Q(kind=Kind.TABLE_TIME) & ~Q(match__state__in=PLAYS))
    )


class Busy(Exception):
    """Somebody does something in the tournament at this moment."""


def tick() -> list[int]:
    """Every due step is done once, in order, or blocked with its reason; returns the ids done. At most two
    queries when idle."""
    done: list[int] = []
    until = time.monotonic() + LONGEST_TICK_S
    for _ in range(MOST_PASSES):
        now_done = _pass(until)
        done += now_done
        if not now_done:
            break
    return done


def do_step(step_id: int, actor: Actor = CLOCK, *, waits: bool = True) -> bool:
    """The step is done, claim and deed in one transaction, and True; False when another worker did it or a
    rule forbids it. `actor` did it. Without `waits`, `Busy` where somebody is at it."""
    try:
        with transaction.atomic():
            return _claimed(step_id, actor, waits)
    except RuleBroken as refused:
        if actor != CLOCK:
            raise
        _block(step_id, refused)
        return False


def _pass(until: float) -> list[int]:
    """The steps that are due now are done, as far as there is time until then; returns their ids."""
    moment = now()
    waiting = list(open_at(moment))
    if not waiting:
        return []
    heads = Head.objects.filter(tournament_id__in={step.tournament_id for step in waiting})
    versions = dict(heads.values_list("tournament_id", "last"))
    for step in missed(moment, waiting):
        _miss(step.pk)
    done: list[int] = []
    busy: set[int] = set()
    for step in due(moment, waiting, versions):
        if time.monotonic() > until:
            break
        if step.tournament_id in busy:
            continue
        try:
            if _tried(step):
                done.append(step.pk)
        except Busy:
            busy.add(step.tournament_id)
    return done


def _is_past(step: Step, moment: datetime) -> bool:
    return moment - step.due_at > timedelta(seconds=step.grace_s)


def _tried(step: Step) -> bool:
    """As `do_step`, or `Busy` at once; a defect that one step meets is logged loudly and stops no other
    tournament's clock."""
    try:
        return do_step(step.pk, waits=False)
    except Busy:
        raise
    except Exception:
        log.exception("step %s of tournament %s failed and is tried again", step.pk, step.tournament_id)
        return False


def _claimed(step_id: int, actor: Actor, waits: bool) -> bool:
    step = Step.objects.filter(pk=step_id).first()
    if step is None:
        return False
    lock = lock_one if waits else lock_if_free
    tournament = lock(Tournament, step.tournament_id)
    if tournament is None:
        raise Busy
    if actor == CLOCK and tournament.held_at is not None:
        return False
    doable = OPEN_STEPS if actor == CLOCK else DOABLE
    claimed = Step.objects.filter(pk=step_id, state__in=doable).update(state=State.DONE)
    if not claimed:
        return False
    before = version_of(step.tournament_id)
    SERVICES[step.kind](**_about(step, tournament), actor=actor)
    made = Deed.objects.filter(tournament_id=step.tournament_id, number__gt=before).order_by("-number")
    Step.objects.filter(pk=step_id).update(deed=made.values("pk")[:1])
    return True


def _about(step: Step, tournament: Tournament) -> dict[str, Any]:
    """What the service is called with."""
    if step.kind == Kind.MAKE_CUT:
        plan = plan_of(tournament.plan)
        by_lot = plan is not None and plan.cut_by_lot
        return {"tournament_id": tournament.pk, "tie_decision": "by lot, as the plan says" if by_lot else ""}
    if step.kind in OF_TOURNAMENT:
        return {"tournament_id": step.tournament_id}
    if step.kind == Kind.TABLE_TIME:
        return {"match_id": step.match_id}
    more = {"minutes": step.minutes} if step.kind == Kind.WARN else {}
    return {"round_id": step.round_id, **more}


@transaction.atomic
def _block(step_id: int, refused: RuleBroken) -> None:
    """The step waits for a change of the tournament, with its reason for the desk.

    The journal hears of each reason once: two steps that wait would otherwise wake each other for ever.
    """
    lock_one(Tournament, Step.objects.values_list("tournament_id", flat=True).get(pk=step_id))
    step = Step.objects.filter(pk=step_id, state__in=OPEN_STEPS).first()
    if step is None:
        return
    is_news = step.state != State.BLOCKED or step.blocked_why != refused.sentence[:300]
    step.state = State.BLOCKED
    step.blocked_why = refused.sentence[:300]
    step.blocked_version = version_of(step.tournament_id) + is_news
    step.save(update_fields=["state", "blocked_why", "blocked_version"])
    if is_news:
        record(
            tournament_id=step.tournament_id,
            kind=DeedKind.STEP_BLOCKED,
            actor=CLOCK,
            subject=f"step:{step.pk}",
            after={"code": refused.code, "kind": step.get_kind_display()},
        )


@transaction.atomic
def _miss(step_id: int) -> None:
    """The step is too late to be done by the clock; the desk still can do it."""
    lock_one(Tournament, Step.objects.values_list("tournament_id", flat=True).get(pk=step_id))
    step = Step.objects.filter(pk=step_id, state__in=OPEN_STEPS).first()
    if step is None:
        return
    step.state = State.MISSED
    step.save(update_fields=["state"])
    record(
        tournament_id=step.tournament_id,
        kind=DeedKind.STEP_MISSED,
        actor=CLOCK,
        subject=f"step:{step.pk}",
        after={"kind": step.get_kind_display(), "due_at": step.due_at.isoformat()},
    )
