"""What is due at a moment: a pure question, no database."""

from datetime import UTC, datetime, timedelta

import pytest

from tournaments.models import Step
from tournaments.schedule import due

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
WAITING, BLOCKED, DONE, CANCELLED = (
    Step.State.WAITING,
    Step.State.BLOCKED,
    Step.State.DONE,
    Step.State.CANCELLED,
)


def step(pk: int = 1, *, late_s: float = 0, state: str = WAITING, **more: object) -> Step:
    return Step(
        pk=pk,
        tournament_id=7,
        kind=Step.Kind.PUBLISH,
        due_at=NOON - timedelta(seconds=late_s),
        state=state,
        **more,
    )


@pytest.mark.parametrize(
    "given, is_due",
    [
        pytest.param(step(late_s=-0.001), False, id="not a millisecond early"),
        pytest.param(step(late_s=0), True, id="at its moment"),
        pytest.param(step(late_s=3600), True, id="an hour late"),
        pytest.param(step(late_s=6 * 3600), True, id="at the end of the usual grace"),
        pytest.param(step(late_s=6 * 3600 + 1), False, id="past the usual grace"),
        pytest.param(step(late_s=60, grace_s=60), True, id="at the end of its own grace"),
        pytest.param(step(late_s=61, grace_s=60), False, id="past its own grace"),
        pytest.param(step(mode=Step.Mode.ASKED), False, id="the desk is asked"),
        pytest.param(step(mode=Step.Mode.MANUAL), False, id="by hand"),
        pytest.param(step(state=DONE), False, id="done"),
        pytest.param(step(state=CANCELLED), False, id="cancelled"),
        pytest.param(step(state=BLOCKED, blocked_version=40), False, id="blocked, nothing has changed"),
        pytest.param(step(state=BLOCKED, blocked_version=39), True, id="blocked, something has changed"),
        pytest.param(
            step(late_s=61, grace_s=60, state=BLOCKED, blocked_version=39), False, id="blocked past its grace"
        ),
    ],
)
def test_a_step_is_due_at_its_time_until_its_grace_is_over(given: Step, is_due: bool) -> None:
    assert bool(due(NOON, [given], {7: 40})) is is_due


def test_late_steps_come_in_the_order_of_their_times_and_then_of_their_making() -> None:
    steps = [step(1, late_s=5), step(2, late_s=60), step(4, late_s=30), step(3, late_s=30)]
    assert [found.pk for found in due(NOON, steps, {7: 0})] == [2, 3, 4, 1]
