"""Tell whoever listens that a tournament has a new version. What nobody hears, the next tick finds."""

import logging
from collections.abc import Callable
from functools import lru_cache

import redis
from django.conf import settings

log = logging.getLogger(__name__)

CHANNEL = "tandem:wake"
TABLES = "tandem:table"
Listener = Callable[[int, int, str], None]
TableListener = Callable[[int, int], None]
_listeners: list[Listener] = []
_at_tables: list[TableListener] = []


def listen(listener: Listener) -> None:
    """`listener(tournament_id, number, subject)` is called in this process after each commit of a deed;
    the subject is empty where the deed is not about one match, team or seat alone."""
    _listeners.append(listener)


def stop_listening(listener: Listener) -> None:
    """`listener` is called no more."""
    _listeners.remove(listener)


def wake(tournament_id: int, number: int, subject: str = "") -> None:
    """Listeners of this process, and with Redis those of all processes, know the new version; failures are
    logged."""
    for listener in tuple(_listeners):
        listener(tournament_id, number, subject)
    _publish(CHANNEL, f"{tournament_id}:{number}:{subject}")


def listen_tables(listener: TableListener) -> None:
    """`listener(match_id, taps)` is called in this process after each commit of a tap at a table."""
    _at_tables.append(listener)


def stop_listening_tables(listener: TableListener) -> None:
    """`listener` is called no more."""
    _at_tables.remove(listener)


def wake_table(match_id: int, taps: int) -> None:
    """As `wake`, for those who watch this one table only: a tap on its tracker is no deed."""
    for listener in tuple(_at_tables):
        listener(match_id, taps)
    _publish(TABLES, f"{match_id}:{taps}")


def _publish(channel: str, told: str) -> None:
    if not settings.REDIS_URL:
        return
    try:
        _redis().publish(channel, told)
    except redis.RedisError as error:
        log.warning("nobody was woken on %s for %s: %s", channel, told, type(error).__name__)


@lru_cache(maxsize=1)
def _redis() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1, retry=None)
