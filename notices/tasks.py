"""What Celery runs: the journal is the outbox, read every few seconds."""

from celery import shared_task

from notices.outbox import read_news
from notices.sending import forget_old, send_due


@shared_task(name="notices.send", acks_late=True, ignore_result=True)
def send() -> int:
    """Who is to be told has been told; returns how many notices left."""
    read_news()
    return send_due()


@shared_task(name="notices.forget", acks_late=True, ignore_result=True)
def forget() -> int:
    """Nothing is kept of who was told longer than it is needed."""
    return forget_old()
