"""What Celery runs for store software: it asks often, the database knows what is due."""

import threading

from celery import shared_task

from integrations.once import forget_answers
from integrations.orders import release_expired
from integrations.webhook_sending import deliver_due
from journal.clock import now

# Slow endpoints must never keep all threads of a worker from the tick.
_delivering = threading.Lock()


@shared_task(name="integrations.webhooks", acks_late=True, ignore_result=True)
def webhooks() -> int:
    """Due messages were posted; returns how many. One process does it once at a time."""
    if not _delivering.acquire(blocking=False):
        return 0
    try:
        return deliver_due()
    finally:
        _delivering.release()


@shared_task(name="integrations.forget", acks_late=True, ignore_result=True)
def forget() -> int:
    """Answers nobody asks for again are gone; returns how many."""
    return forget_answers()


@shared_task(name="integrations.orders", acks_late=True, ignore_result=True)
def orders() -> int:
    """Places that were held and not confirmed in time are free; returns how many."""
    return len(release_expired(moment=now()))
