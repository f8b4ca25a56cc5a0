"""The event streams for an ASGI server: `uvicorn config.asgi:application --timeout-graceful-shutdown 2`.

Only /live/ belongs here; pages, API and admin are served by WSGI (config/wsgi.py), where a request costs a
tenth.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402

from config.hub import Hub  # noqa: E402
from config.live import Live  # noqa: E402

application = Live(Hub(settings.REDIS_URL))
