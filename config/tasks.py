"""What Celery runs for the site as a whole."""

import logging

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from config.backups import backup_if_due
from config.forgetting import forget_before
from journal.actors import CLOCK
from tournaments.retention import moment_before

log = logging.getLogger(__name__)

FAILED = "tandem:backup-failed"
AGAIN_S = 600


@shared_task(name="config.backups", acks_late=True, ignore_result=True, soft_time_limit=1500, time_limit=1800)
def backups() -> str:
    """A backup that is due is made; one that failed is tried again after ten minutes."""
    if cache.get(FAILED):
        return ""
    try:
        return str(backup_if_due() or "")
    except Exception:
        cache.set(FAILED, True, AGAIN_S)
        log.exception("no backup was made; the next try is in %s s", AGAIN_S)
        return ""


@shared_task(name="config.clean_up", acks_late=True, ignore_result=True, soft_time_limit=600, time_limit=660)
def clean_up() -> int:
    """Contacts, links, uploads and dead keys of long ago are gone, 0 days keep all; returns how many."""
    if not settings.RETENTION_DAYS:
        return 0
    return sum(forget_before(moment=moment_before(settings.RETENTION_DAYS), actor=CLOCK).values())
