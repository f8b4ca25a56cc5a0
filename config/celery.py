"""The Celery application: `celery -A config worker`, `celery -A config beat`, or both inside `manage.py
rundemo`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tandem")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["tournaments.pages"], related_name="bundles")
