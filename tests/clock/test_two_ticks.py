"""Two workers ask at one moment: each step is done once (real threads, PostgreSQL)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from journal.actors import COMMAND
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed, Head
from rulebook.lifecycle import MatchKind, RoundState
from tests import small_event
from tournaments import schedule
from tournaments.models import Round, Step, Tournament
from tournaments.rounds import publish_round

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TRIES = 15


def due_step(number: int) -> Step:
    """A step that is due now: the draft of a tournament of five teams, one of which has a bye."""
    rnd = small_event.drafted(small_event.running(5, slug=f"race-{number}"))
    return schedule.schedule_publish(round_id=rnd.pk, at=now() - timedelta(seconds=1), actor=COMMAND)


def published_once(step: Step) -> None:
    rnd = Round.objects.get(pk=step.round_id)
    assert rnd.state == RoundState.PUBLISHED
    of_tournament = Deed.objects.filter(tournament_id=step.tournament_id)
    assert of_tournament.filter(kind=DeedKind.ROUND_PUBLISHED).count() == 1
    assert not of_tournament.filter(kind=DeedKind.STEP_BLOCKED).exists()
    numbers = list(of_tournament.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, Head.objects.get(pk=step.tournament_id).last + 1))
    bye = rnd.matches.get(kind=MatchKind.BYE)
    assert bye.results.count() == 1


def test_two_ticks_at_once_publish_a_round_once(run_threads: Callable[..., list[Any]]) -> None:
    for number in range(TRIES):
        step = due_step(number)
        done = run_threads(schedule.tick, schedule.tick, schedule.tick)
        assert sorted(done) == [[], [], [step.pk]]
        step.refresh_from_db()
        assert step.state == Step.State.DONE
        published_once(step)


def test_a_tick_leaves_a_busy_tournament_alone_and_does_the_others_in_order(
    run_threads: Callable[..., list[Any]],
) -> None:
    busy, free = due_step(1), due_step(2)
    with transaction.atomic():
        lock_one(Tournament, busy.tournament_id)
        (ticked,) = run_threads(schedule.tick)
        assert ticked == [free.pk]
    assert schedule.tick() == [busy.pk]
    for step in (busy, free):
        published_once(step)


def test_a_tick_ends_in_time_and_the_next_one_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [due_step(number) for number in range(3)]
    monkeypatch.setattr(schedule, "LONGEST_TICK_S", -1.0)
    assert schedule.tick() == []
    monkeypatch.undo()
    assert sorted(schedule.tick()) == [step.pk for step in steps]


def test_the_clock_and_the_desk_publish_a_round_once(run_threads: Callable[..., list[Any]]) -> None:
    for number in range(TRIES):
        step = due_step(number)
        ticked, published = run_threads(
            schedule.tick, lambda step=step: publish_round(round_id=step.round_id, actor=COMMAND)
        )
        by_clock = ticked == [step.pk]
        assert by_clock or ticked == []
        assert by_clock != isinstance(published, Round)
        assert not by_clock or published.code == "wrong-state"
        step.refresh_from_db()
        assert step.state == (Step.State.DONE if by_clock else Step.State.CANCELLED)
        published_once(step)
