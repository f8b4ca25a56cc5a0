"""What Celery runs: it asks often, the database knows what is due."""

from celery import shared_task

from tournaments import schedule
from tournaments.heartbeat import note_tick


@shared_task(name="tournaments.tick", acks_late=True, ignore_result=True)
def tick() -> int:
    """Every due step of every tournament is done; returns how many."""
    done = len(schedule.tick())
    note_tick()
    return done
