"""What tests/conftest.py promises: a kind failure without PostgreSQL, real threads that start together."""

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest


def test_a_race_without_postgresql_fails_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    item: Any = SimpleNamespace(get_closest_marker=lambda name: name == "postgres" or None)
    monkeypatch.setenv("TEST_DATABASE_URL", "sqlite:///var/x.sqlite3")
    with pytest.raises(pytest.fail.Exception, match=r"needs PostgreSQL: run it by `make test`"):
        conftest.pytest_runtest_setup(item)
    monkeypatch.setenv("TEST_DATABASE_URL", "postgres://tandem@127.0.0.1/tandem")
    conftest.pytest_runtest_setup(item)


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("longs", [0, 1, 2, 5, 9])
def test_no_test_is_lost_and_each_share_begins_with_long_ones(workers: int, longs: int) -> None:
    items: list[Any] = [
        SimpleNamespace(number=number, get_closest_marker=lambda name, number=number: number >= 9 - longs)
        for number in range(9)
    ]
    dealt = [item.number for item in conftest.long_ones_first(list(items), workers)]
    assert sorted(dealt) == list(range(9))
    if longs <= 9 // workers:
        heads = [dealt[9 * turn // workers] >= 9 - longs for turn in range(workers)]
        assert sum(heads) == min(longs, workers)


def test_threads_start_together_and_an_error_is_a_result(run_threads: Callable[..., list[Any]]) -> None:
    meeting = threading.Barrier(2)

    def fail() -> None:
        meeting.wait(timeout=10)
        raise ValueError("too late")

    met, failed = run_threads(lambda: meeting.wait(timeout=10) >= 0, fail)
    assert met is True
    assert isinstance(failed, ValueError)
