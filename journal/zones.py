"""The names of time zones."""

from functools import cache
from zoneinfo import available_timezones


@cache
def known_zones() -> frozenset[str]:
    """Every name that there is; the folders of the system are searched for them once in a process."""
    return frozenset(available_timezones())
