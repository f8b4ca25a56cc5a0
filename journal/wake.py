"""Tell whoever listens that a tournament has a new version. What nobody hears, the next tick finds."""

import logging
from collections.abc import Callable
from functools import lru_cache

import redis
from django.conf import settings

log = logging.getLogger(__name__)

CHANNEL = "tandem:wake"
Listener = Callable[[int, int], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """`listener(tournament_id, number)` is called in this process after each commit of a deed."""
    _listeners.append(listener)


def stop_listening(listener: Listener) -> None:
    """`listener` is called no more."""
    _listeners.remove(listener)


def wake(tournament_id: int, number: int) -> None:
    """Listeners of this process, and with Redis those of all processes, know the new version; failures are
    logged."""
    for listener in tuple(_listeners):
        listener(tournament_id, number)
    if not settings.REDIS_URL:
        return
    try:
        _redis().publish(CHANNEL, f"{tournament_id}:{number}")
    except redis.RedisError as error:
        log.warning("nobody was woken for tournament %s: %s", tournament_id, type(error).__name__)


@lru_cache(maxsize=1)
def _redis() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1, retry=None)
