"""What Celery runs: it asks often, the database knows what is due."""

import logging
from collections.abc import Callable
from datetime import datetime

from celery import shared_task

from journal.clock import now
from tournaments import patience, schedule
from tournaments.heartbeat import note_tick
from tournaments.large_imports import import_next
from tournaments.signing_up import release_unconfirmed

log = logging.getLogger(__name__)

# What happens when nobody answers, at the moment given: each asks little when idle, does what is due once,
# and leaves a table or team that fails to its next turn.
ERRANDS: tuple[Callable[[datetime], object], ...] = (patience.act_on_silence, release_unconfirmed)


@shared_task(name="tournaments.tick", acks_late=True, ignore_result=True)
def tick() -> int:
    """Every due step of every tournament is done; returns how many."""
    done = len(schedule.tick())
    note_tick()
    return done


@shared_task(name="tournaments.errands", acks_late=True, ignore_result=True)
def errands() -> None:
    """Each of `ERRANDS` has had its turn; one that fails stops no other."""
    for errand in ERRANDS:
        try:
            errand(now())
        except Exception:
            log.exception("%s failed and is tried again", errand.__name__)


@shared_task(
    name="tournaments.imports", acks_late=True, ignore_result=True, soft_time_limit=540, time_limit=600
)
def imports() -> bool:
    """One large list that somebody asked for is entered; whether there was one. It asks the database, so that
    a message that is lost, or comes twice, or a worker that dies changes nothing."""
    return import_next()
