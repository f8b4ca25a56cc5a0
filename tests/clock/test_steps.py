"""What a tick does: the services of the desk, once, in order, and nothing that a rule forbids."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from journal.actors import CLOCK, COMMAND
from journal.clock import now, reset_clock, set_clock, shift_clock
from journal.kinds import DeedKind
from journal.models import Deed
from journal.recording import version_of
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState
from tests import small_event
from tournaments import schedule
from tournaments.heartbeat import last_tick
from tournaments.models import Round, Step, Tournament
from tournaments.rounds import publish_round, scrap_round, start_round
from tournaments.tasks import tick as tick_task

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def still_clock() -> Iterator[None]:
    """Time stands still unless a test moves it."""
    set_clock(speed=0)
    yield
    reset_clock()


def draft_to_publish_in(seconds: float, tournament: Tournament | None = None) -> Step:
    rnd = small_event.drafted(tournament or small_event.running())
    return schedule.schedule_publish(round_id=rnd.pk, at=now() + timedelta(seconds=seconds), actor=COMMAND)


def deeds(tournament_id: int, kind: DeedKind) -> list[Deed]:
    return list(Deed.objects.filter(tournament_id=tournament_id, kind=kind))


def block(step: Step) -> None:
    """The step's round is gone behind the clock's back, so that publishing it is refused."""
    Round.objects.filter(pk=step.round_id).update(state=RoundState.SCRAPPED)


def test_a_round_is_published_at_its_set_time_and_not_before() -> None:
    step = draft_to_publish_in(60)
    assert schedule.tick() == []
    shift_clock(timedelta(seconds=60))
    assert schedule.tick() == [step.pk]
    rnd = Round.objects.get(pk=step.round_id)
    assert (rnd.state, rnd.published_at) == (RoundState.PUBLISHED, now())
    [deed] = deeds(step.tournament_id, DeedKind.ROUND_PUBLISHED)
    assert (deed.actor, deed.door, deed.subject) == ("clock", "clock", f"round:{rnd.pk}")
    assert schedule.tick() == []


def test_time_is_called_when_the_round_has_lasted_its_minutes() -> None:
    rnd = small_event.started(small_event.running(round_minutes=50))
    shift_clock(timedelta(minutes=49, seconds=59))
    assert schedule.tick() == []
    shift_clock(timedelta(seconds=1))
    assert len(schedule.tick()) == 1
    rnd.refresh_from_db()
    assert (rnd.state, rnd.time_called_at) == (RoundState.RUNNING, now())
    [deed] = deeds(rnd.stage.tournament_id, DeedKind.TIME_CALLED)
    assert deed.actor == CLOCK.who


def test_what_was_done_by_hand_is_not_done_again() -> None:
    step = draft_to_publish_in(60)
    publish_round(round_id=step.round_id, actor=COMMAND)
    shift_clock(timedelta(seconds=61))
    assert schedule.tick() == []
    step.refresh_from_db()
    assert step.state == Step.State.CANCELLED
    assert len(deeds(step.tournament_id, DeedKind.ROUND_PUBLISHED)) == 1


def test_a_scrapped_draft_is_not_published() -> None:
    step = draft_to_publish_in(60)
    scrap_round(round_id=step.round_id, actor=COMMAND)
    shift_clock(timedelta(seconds=61))
    assert schedule.tick() == []
    assert deeds(step.tournament_id, DeedKind.ROUND_PUBLISHED) == []


def test_a_new_time_replaces_the_old_one() -> None:
    first = draft_to_publish_in(60)
    second = schedule.schedule_publish(
        round_id=first.round_id, at=now() + timedelta(seconds=120), actor=COMMAND
    )
    assert second.pk == first.pk
    shift_clock(timedelta(seconds=60))
    assert schedule.tick() == []
    shift_clock(timedelta(seconds=60))
    assert schedule.tick() == [first.pk]


@pytest.mark.parametrize("prepare", [publish_round, scrap_round])
def test_only_a_draft_can_be_scheduled(prepare: Callable[..., Any]) -> None:
    rnd = small_event.drafted(small_event.running())
    prepare(round_id=rnd.pk, actor=COMMAND)
    with pytest.raises(RuleBroken) as refused:
        schedule.schedule_publish(round_id=rnd.pk, at=now() + timedelta(hours=1), actor=COMMAND)
    assert refused.value.code == "wrong-state"
    assert not Step.objects.filter(kind=Step.Kind.PUBLISH).exists()


def test_a_time_that_is_past_is_refused() -> None:
    rnd = small_event.drafted(small_event.running())
    with pytest.raises(RuleBroken) as refused:
        schedule.schedule_publish(round_id=rnd.pk, at=now() - timedelta(hours=1), actor=COMMAND)
    assert refused.value.code == "time-is-past"
    assert not Step.objects.exists()


def test_a_refused_step_is_blocked_with_its_reason() -> None:
    step = draft_to_publish_in(1)
    block(step)
    shift_clock(timedelta(seconds=2))
    assert schedule.tick() == []
    step.refresh_from_db()
    assert step.state == Step.State.BLOCKED
    assert "scrapped" in step.blocked_why
    assert step.blocked_version == version_of(step.tournament_id)
    [deed] = deeds(step.tournament_id, DeedKind.STEP_BLOCKED)
    assert (deed.actor, deed.subject) == ("clock", f"step:{step.pk}")


def test_a_blocked_step_is_tried_again_only_when_the_tournament_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    step = draft_to_publish_in(1)
    block(step)
    shift_clock(timedelta(seconds=2))
    schedule.tick()
    tried: list[int] = []
    real = schedule.do_step
    monkeypatch.setattr(schedule, "do_step", lambda pk, waits: tried.append(pk) or real(pk))
    schedule.tick()
    assert tried == []
    Round.objects.filter(pk=step.round_id).update(state=RoundState.PAIRED)
    schedule.tick()
    assert tried == [], "the journal knows of no change"
    schedule.schedule_publish(
        round_id=step.round_id, at=now() + timedelta(seconds=5), actor=COMMAND
    )  # a deed
    shift_clock(timedelta(seconds=5))
    assert schedule.tick() == tried == [step.pk]


def test_two_blocked_steps_do_not_wake_each_other_for_ever() -> None:
    tournament = small_event.running()
    rnd = small_event.started(tournament)
    shift_clock(timedelta(hours=1))
    Round.objects.filter(pk=rnd.pk).update(time_called_at=now())
    Step.objects.create(
        tournament=tournament, key="publish:again", round=rnd, kind=Step.Kind.PUBLISH, due_at=now()
    )
    for _ in range(5):
        assert schedule.tick() == []
    assert len(deeds(tournament.pk, DeedKind.STEP_BLOCKED)) == 2


def test_a_step_that_was_cancelled_meanwhile_is_not_blocked() -> None:
    step = draft_to_publish_in(1)
    Step.objects.filter(pk=step.pk).update(state=Step.State.CANCELLED)
    schedule._block(step.pk, RuleBroken("wrong-state", "Too late."))
    step.refresh_from_db()
    assert step.state == Step.State.CANCELLED
    assert deeds(step.tournament_id, DeedKind.STEP_BLOCKED) == []


def test_after_an_outage_late_steps_run_once_in_order() -> None:
    slow = draft_to_publish_in(90, small_event.running(slug="slow"))
    fast = draft_to_publish_in(30, small_event.running(slug="fast"))
    shift_clock(timedelta(minutes=20))
    assert schedule.tick() == [fast.pk, slow.pk]
    assert schedule.tick() == []
    for step in (slow, fast):
        assert len(deeds(step.tournament_id, DeedKind.ROUND_PUBLISHED)) == 1


def test_nothing_older_than_its_grace_is_done() -> None:
    step = draft_to_publish_in(30)
    shift_clock(timedelta(seconds=30 + step.grace_s + 1))
    assert schedule.tick() == []
    assert Round.objects.get(pk=step.round_id).state == RoundState.PAIRED
    step.refresh_from_db()
    assert step.state == Step.State.MISSED
    assert len(deeds(step.tournament_id, DeedKind.STEP_MISSED)) == 1


def test_a_defect_in_one_tournament_stops_no_other_clock(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = draft_to_publish_in(1, small_event.running(slug="broken"))
    sound = draft_to_publish_in(2, small_event.running(slug="sound"))
    real = schedule.SERVICES[Step.Kind.PUBLISH]

    def publish(*, round_id: int, actor: Any) -> Round:
        if round_id == broken.round_id:
            raise ZeroDivisionError
        return real(round_id=round_id, actor=actor)

    monkeypatch.setitem(schedule.SERVICES, Step.Kind.PUBLISH, publish)
    shift_clock(timedelta(seconds=5))
    assert schedule.tick() == [sound.pk]
    assert f"step {broken.pk} of tournament {broken.tournament_id} failed" in caplog.text
    broken.refresh_from_db()
    assert broken.state == Step.State.WAITING


@pytest.mark.parametrize("stored", ["nothing", "a step for later"])
def test_an_idle_tick_asks_one_question(stored: str, django_assert_num_queries: Any) -> None:
    if stored != "nothing":
        draft_to_publish_in(60)
    now()  # the clock's setting is read at most twice a second
    with django_assert_num_queries(1):
        assert schedule.tick() == []


def test_the_task_does_what_is_due_and_leaves_a_sign_of_life() -> None:
    step = draft_to_publish_in(60)
    start = Round.objects.get(pk=step.round_id)
    shift_clock(timedelta(seconds=60))
    assert tick_task() == 1
    assert last_tick() == now()
    start_round(round_id=start.pk, actor=COMMAND)
    assert tick_task() == 0
