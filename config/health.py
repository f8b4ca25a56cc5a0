"""/healthz: the process answers. /readyz: it can do its work."""

from collections.abc import Callable
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.celery import app as celery_app
from journal.clock import now
from tournaments.heartbeat import last_tick, stale_after_s

WAIT_S = 1


class NotReady(Exception):
    """A part does not do its work; the message says which and what it is about."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Every part that is configured does its work; otherwise 503, naming the part that does not."""
    parts = {name: _state(check) for name, check in CHECKS.items()}
    is_ready = all(part["ok"] for part in parts.values())
    return JsonResponse({"ready": is_ready, "parts": parts}, status=200 if is_ready else 503)


def database() -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return {"engine": connection.vendor}


def cache() -> dict[str, Any]:
    if not settings.REDIS_URL:
        return {"engine": "memory"}
    with redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=WAIT_S, socket_connect_timeout=WAIT_S, retry=None
    ) as client:
        client.ping()
    return {"engine": "redis"}


def broker() -> dict[str, Any]:
    """The broker named by the settings answers; inside one process there is nothing to ask."""
    with celery_app.connection_for_read(connect_timeout=WAIT_S) as broker_connection:
        kind = str(broker_connection.transport.driver_type)
        if kind != "memory":
            broker_connection.ensure_connection(max_retries=0, timeout=WAIT_S)
    return {"engine": kind}


def clock() -> dict[str, Any]:
    at = last_tick()
    if at is None:
        raise NotReady(f"no tick for {stale_after_s():.0f} s; is a worker with beat running?")
    return {"last_tick": at.isoformat(), "age_s": round(max(0.0, (now() - at).total_seconds()), 1)}


CHECKS: dict[str, Callable[[], dict[str, Any]]] = {
    "database": database,
    "cache": cache,
    "broker": broker,
    "clock": clock,
}


def _state(check: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return {"ok": True, **check()}
    except NotReady as missing:
        return {"ok": False, "why": str(missing)}
    except Exception as error:
        # Whatever a part fails with, the answer names it; addresses and passwords stay inside.
        return {"ok": False, "why": type(error).__name__}


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
]
