"""The Celery application: `celery -A config worker`, `celery -A config beat`, or both inside `manage.py
rundemo`."""

import logging
import os
from typing import Any

from celery import Celery
from celery.beat import SchedulingError
from celery.signals import celeryd_init, task_prerun
from django.db import OperationalError, close_old_connections, connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tandem")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["tournaments.pages"], related_name="bundles")


LOST = (SchedulingError, ConnectionError, OperationalError)


class InOneLine(logging.Filter):
    """Of a lost broker or database each message and task tells in a line, not with its whole stack."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], LOST):
            record.msg, record.args = str(record.exc_info[1]).partition("\n")[0], ()
            record.exc_info = record.exc_text = None
        return True


for name in ("celery.beat", "celery.app.trace"):
    logging.getLogger(name).addFilter(InOneLine())


@celeryd_init.connect
def keep_one_connection(**told: Any) -> None:
    """A worker's process does one task at a time and keeps one connection, which is looked at before each.

    The pool that serves pages was filled anew and emptied for every tick: a fifth of a core for nothing."""
    for own in connections.settings.values():
        own.get("OPTIONS", {}).pop("pool", None)
        own.update(CONN_MAX_AGE=600, CONN_HEALTH_CHECKS=True)
    app.conf.update(CELERY_DB_REUSE_MAX=10**9)  # otherwise Celery closes it after each task
    task_prerun.connect(_look_at_connections)


def _look_at_connections(**told: Any) -> None:
    close_old_connections()
