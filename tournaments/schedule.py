"""What the clock does: the database says what is due, a periodic task asks and calls the same services as
the desk."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from journal.actors import CLOCK, Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Head
from journal.recording import record, version_of
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState
from tournaments.models import Step, Tournament
from tournaments.one_round import OPEN_STEPS, lock_round, record_round
from tournaments.rounds import call_time, publish_round

log = logging.getLogger(__name__)

SERVICES = {Step.Kind.PUBLISH: publish_round, Step.Kind.TIME: call_time}


@transaction.atomic
def schedule_publish(*, round_id: int, at: datetime, actor: Actor) -> Step:
    """The clock will publish the paired round at the moment `at`; a new time replaces the old one."""
    rnd = lock_round(round_id)
    if rnd.state != RoundState.PAIRED:
        raise RuleBroken("wrong-state", f"Round {rnd.number} is {rnd.state}; only a draft can be published.")
    if at < now() - timedelta(minutes=1):
        raise RuleBroken("time-is-past", "That time is past; publish the round now or choose a later time.")
    step, _ = Step.objects.update_or_create(
        tournament_id=rnd.stage.tournament_id,
        key=f"publish:{rnd.pk}",
        defaults={"round": rnd, "kind": Step.Kind.PUBLISH, "due_at": at, "state": Step.State.WAITING},
    )
    record_round(rnd, DeedKind.ROUND_SCHEDULED, actor, after={"publish_at": at.isoformat()})
    return step


def due(moment: datetime, steps: Iterable[Step], versions: dict[int, int]) -> list[Step]:
    """The steps to do at `moment`, oldest first: automatic, due, not older than their grace.

    A blocked step is due again only when its tournament has a newer version than the one that refused it.
    """
    ready = []
    for step in steps:
        late = moment - step.due_at
        if step.mode != Step.Mode.AUTOMATIC or late < timedelta(0) or late > timedelta(seconds=step.grace_s):
            continue
        if step.state == Step.State.WAITING or (
            step.state == Step.State.BLOCKED and versions[step.tournament_id] > (step.blocked_version or 0)
        ):
            ready.append(step)
    return sorted(ready, key=lambda step: (step.due_at, step.pk))


def tick() -> list[int]:
    """Every due step is done once, in order, or blocked with its reason; returns the ids done. Two queries
    when idle."""
    moment = now()
    waiting = list(Step.objects.filter(state__in=OPEN_STEPS, due_at__lte=moment, mode=Step.Mode.AUTOMATIC))
    if not waiting:
        return []
    heads = Head.objects.filter(tournament_id__in={step.tournament_id for step in waiting})
    versions = dict(heads.values_list("tournament_id", "last"))
    return [step.pk for step in due(moment, waiting, versions) if _tried(step)]


def do_step(step_id: int) -> bool:
    """The step is done, claim and deed in one transaction, and True; False when another worker did it or a
    rule forbids it."""
    try:
        with transaction.atomic():
            return _claimed(step_id)
    except RuleBroken as refused:
        _block(step_id, refused)
        return False


def _tried(step: Step) -> bool:
    """As `do_step`; a defect that one step meets is logged loudly and stops no other tournament's clock."""
    try:
        return do_step(step.pk)
    except Exception:
        log.exception("step %s of tournament %s failed and is tried again", step.pk, step.tournament_id)
        return False


def _claimed(step_id: int) -> bool:
    step = Step.objects.filter(pk=step_id).first()
    if step is None or step.round_id is None:
        return False
    lock_one(Tournament, step.tournament_id)
    claimed = Step.objects.filter(pk=step_id, state__in=OPEN_STEPS).update(
        state=Step.State.DONE, blocked_why=""
    )
    if not claimed:
        return False
    SERVICES[Step.Kind(step.kind)](round_id=step.round_id, actor=CLOCK)
    return True


@transaction.atomic
def _block(step_id: int, refused: RuleBroken) -> None:
    """The step waits for a change of the tournament, with its reason for the desk.

    The journal hears of each reason once: two steps that wait would otherwise wake each other for ever.
    """
    lock_one(Tournament, Step.objects.values_list("tournament_id", flat=True).get(pk=step_id))
    step = Step.objects.filter(pk=step_id, state__in=OPEN_STEPS).first()
    if step is None:
        return
    is_news = step.state != Step.State.BLOCKED or step.blocked_why != refused.sentence[:300]
    step.state = Step.State.BLOCKED
    step.blocked_why = refused.sentence[:300]
    step.blocked_version = version_of(step.tournament_id) + is_news
    step.save(update_fields=["state", "blocked_why", "blocked_version"])
    if is_news:
        record(
            tournament_id=step.tournament_id,
            kind=DeedKind.STEP_BLOCKED,
            actor=CLOCK,
            subject=f"step:{step.pk}",
            after={"code": refused.code},
        )
