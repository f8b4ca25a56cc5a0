"""How many event streams are open, in the cache: the process that holds them is not the one that is asked."""

import os
import socket

from django.core.cache import cache

KEY = "tandem:live-streams"
STALE_S = 20
ME = f"{socket.gethostname()}:{os.getpid()}"


def note_streams(count: int) -> None:
    """This process holds so many streams; the note is gone once it is stale."""
    cache.set(f"{KEY}:{ME}", count, STALE_S)
    known = cache.get(KEY) or []
    if ME not in known:
        cache.set(KEY, [*known, ME][-64:], None)


def live_streams() -> int:
    """The streams of all processes that said so lately."""
    found = cache.get_many([f"{KEY}:{name}" for name in cache.get(KEY) or []])
    return sum(found.values())
