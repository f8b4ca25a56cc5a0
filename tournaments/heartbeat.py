"""Whether the clock ticks: the last tick's moment in the cache, not a row written every second."""

from datetime import datetime

from django.conf import settings
from django.core.cache import cache

from journal.clock import now

KEY = "tandem:last-tick"
STALE_TICKS = 15


def stale_after_s() -> float:
    """Real seconds after which a clock that has not ticked stands still."""
    return max(10.0, STALE_TICKS * settings.TICK_SECONDS)


def note_tick() -> None:
    """The clock has ticked now; the note is gone once it is stale, however fast the shown time runs."""
    cache.set(KEY, now(), timeout=stale_after_s())


def last_tick() -> datetime | None:
    """When the clock last ticked; None when that is too long ago."""
    found: datetime | None = cache.get(KEY)
    return found
