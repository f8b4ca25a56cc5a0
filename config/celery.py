"""The Celery application: `celery -A config worker`, `celery -A config beat`, or both inside `manage.py
rundemo`."""

import logging
import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tandem")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["tournaments.pages"], related_name="bundles")


class InOneLine(logging.Filter):
    """While the broker is gone beat tells each message it cannot send in a line, not with its whole stack."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info:
            record.msg, record.args = str(record.exc_info[1]), ()
            record.exc_info = record.exc_text = None
        return True


logging.getLogger("celery.beat").addFilter(InOneLine())
