"""A Celery beat on a machine whose clock is 90 s behind: `python -m tests.clock.slow_beat`."""

import sys
from datetime import UTC, datetime, timedelta
from typing import Any

from celery import Celery
from celery.__main__ import main as celery_main

BEHIND = timedelta(seconds=90)


def behind(app: Any) -> datetime:
    """What beat takes for the present, and counts the expiry of its messages from."""
    return (datetime.now(UTC) - BEHIND).astimezone(app.timezone)


if __name__ == "__main__":
    Celery.now = behind  # type: ignore[method-assign, assignment]
    words = "-A config --quiet beat --scheduler celery.beat:Scheduler --loglevel WARNING"
    sys.argv = ["celery", *words.split()]
    celery_main()
