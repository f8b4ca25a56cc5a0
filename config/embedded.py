"""Celery's worker and beat as two threads of the web process, over a broker that lives in its memory.

Nothing is lost with the process: what is due stands in the database, and the next tick finds it.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any

from celery import Celery
from celery.beat import Scheduler, Service

log = logging.getLogger(__name__)

RESTART_S = 1.0


class EmbeddedClock:
    """A Celery worker and a beat of this process. There may be one per process, and it starts once."""

    def __init__(self, app: Celery) -> None:
        self.app = app
        self.stopping = threading.Event()
        self.running: dict[str, Any] = {}
        self.threads = [
            threading.Thread(target=self._kept_up, args=pair, name=pair[0], daemon=True)
            for pair in (("celery-worker", self._worker), ("celery-beat", self._beat))
        ]

    def start(self) -> None:
        """The clock ticks."""
        self.app.conf.update(
            broker_url="memory://localhost",
            broker_transport_options={"polling_interval": 0.1},
            worker_soft_shutdown_timeout=0,
        )
        for thread in self.threads:
            thread.start()

    def stop(self, within_s: float = 1.0) -> None:
        """The clock ticks no more; a thread that needs longer ends with the process, its deed rolled back."""
        self.stopping.set()
        for service in tuple(self.running.values()):
            service.stop()
        for thread in self.threads:
            thread.join(within_s / len(self.threads))

    def _kept_up(self, name: str, make: Callable[[], Any]) -> None:
        """The service runs until the clock is stopped; one that fails is made anew."""
        while not self.stopping.is_set():
            try:
                self.running[name] = service = make()
                service.start()
            except Exception:
                log.exception("%s failed and is started again", name)
            self.stopping.wait(RESTART_S)

    def _worker(self) -> Any:
        # WorkController installs no signal handlers: those belong to the web server.
        return self.app.WorkController(
            pool="threads",
            concurrency=2,
            hostname="tandem@embedded",
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )

    def _beat(self) -> Any:
        return Service(self.app, max_interval=1, scheduler_cls=Scheduler)
