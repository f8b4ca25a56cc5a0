"""The one source of time: real time, or the shifted and sped-up time of a demo or a test."""

import time
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from journal.models import ClockSetting

_REREAD_S = 0.5
_seen: tuple[float, ClockSetting | None] = (float("-inf"), None)


def now() -> datetime:
    """The present moment, UTC, as every part of Tandem sees it."""
    real = timezone.now()
    if not settings.CLOCK_ADJUSTABLE:
        return real
    setting = _setting()
    return setting.shown(real) if setting else real


def real_now() -> datetime:
    """The time of the world outside, UTC: for what other machines compare with their own clocks, and for
    claims that last as long as a process lives. Never for what happens in a tournament."""
    return timezone.now()


def speed() -> float:
    """How many seconds of `now()` pass in a second of the world outside."""
    setting = _setting() if settings.CLOCK_ADJUSTABLE else None
    return setting.speed if setting else 1.0


def set_clock(shown: datetime | None = None, speed: float = 1.0) -> None:
    """From now on `now()` starts at `shown` (default: the present) and runs `speed` times as fast, in all
    processes within half a second."""
    real = timezone.now()
    ClockSetting.objects.update_or_create(
        pk=1, defaults={"real_at": real, "shown_at": shown or now(), "speed": speed}
    )
    forget_setting()


def shift_clock(by: timedelta) -> None:
    """`now()` has jumped by `by`; the speed stays."""
    setting = ClockSetting.objects.filter(pk=1).first()
    set_clock(now() + by, setting.speed if setting else 1.0)


def reset_clock() -> None:
    """`now()` is real time again."""
    ClockSetting.objects.filter(pk=1).delete()
    forget_setting()


def forget_setting() -> None:
    """The next `now()` of this process reads the setting anew."""
    global _seen
    _seen = (float("-inf"), None)


def _setting() -> ClockSetting | None:
    global _seen
    read_at, setting = _seen
    if time.monotonic() - read_at >= _REREAD_S:
        setting = ClockSetting.objects.filter(pk=1).first()
        _seen = (time.monotonic(), setting)
    return setting
