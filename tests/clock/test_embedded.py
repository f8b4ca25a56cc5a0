"""The threads of the embedded clock keep running."""

import threading
from typing import Any

import pytest
from celery import Celery

from config import embedded
from config.embedded import EmbeddedClock


class Fragile:
    """A service that fails at its first start and runs at its second."""

    starts = 0

    def __init__(self) -> None:
        self.ended = threading.Event()

    def start(self) -> None:
        Fragile.starts += 1
        if Fragile.starts == 1:
            raise ConnectionError("the broker coughed")
        running.set()
        self.ended.wait(30)

    def stop(self) -> None:
        self.ended.set()


running = threading.Event()


def test_a_part_of_the_clock_that_fails_is_started_again_and_stops_when_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded, "RESTART_S", 0.01)
    monkeypatch.setattr(EmbeddedClock, "_worker", lambda self: Fragile())
    idle: Any = type("Idle", (), {"start": lambda self: None, "stop": lambda self: None})
    monkeypatch.setattr(EmbeddedClock, "_beat", lambda self: idle())
    clock = EmbeddedClock(Celery("embedded-test"))
    clock.start()
    assert running.wait(30)
    clock.stop(within_s=30)
    assert not any(thread.is_alive() for thread in clock.threads)
    assert caplog.text.count("celery-worker failed and is started again") == 1
