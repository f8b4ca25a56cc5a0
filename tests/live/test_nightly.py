"""What the clock does for the site as a whole, by the tasks that beat asks for."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as of_the_run

from config import tasks
from config.celery import app
from journal.actors import CLOCK
from journal.clock import now


def test_every_task_that_beat_asks_for_is_known_to_the_worker() -> None:
    app.loader.import_default_modules()
    asked = {entry["task"] for entry in of_the_run.CELERY_BEAT_SCHEDULE.values()}
    assert asked - set(app.tasks) == set()


@pytest.mark.parametrize("days, gone", [(365, 3), (0, 0)])
def test_the_clean_up_takes_what_is_older_than_the_setting(
    monkeypatch: pytest.MonkeyPatch, settings: Any, days: int, gone: int
) -> None:
    asked: list[Any] = []

    def forget(**told: Any) -> dict[str, int]:
        asked.append(told)
        return {"links": 3}

    monkeypatch.setattr(tasks, "forget_before", forget)
    settings.CLOCK_ADJUSTABLE, settings.RETENTION_DAYS = False, days
    assert tasks.clean_up() == gone
    if days:
        assert asked[0]["actor"] == CLOCK
        assert abs(now() - timedelta(days=days) - asked[0]["moment"]) < timedelta(minutes=1)
    else:
        assert asked == []


def test_a_backup_that_failed_is_logged_and_not_tried_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[int] = []

    def broken() -> None:
        tries.append(1)
        raise OSError("the disk is full")

    monkeypatch.setattr(tasks, "backup_if_due", broken)
    tasks.cache.delete(tasks.FAILED)
    try:
        assert tasks.backups() == tasks.backups() == ""
    finally:
        tasks.cache.delete(tasks.FAILED)
    assert len(tries) == 1
    assert "no backup was made" in caplog.text
