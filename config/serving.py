"""Settings of gunicorn that are functions: `gunicorn --config python:config.serving`."""

import os
from typing import Any

from prometheus_client import multiprocess


def child_exit(server: Any, worker: Any) -> None:
    """The gauges of a worker that has left are gone; its counters stay."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        multiprocess.mark_process_dead(worker.pid)
