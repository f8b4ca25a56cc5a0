"""How often somebody did something lately: counted in the cache, and not at all while that is gone."""

from django.core.cache import cache


def counted(name: str, window_s: int) -> int:
    """How often `name` was counted since its window began, this time included; 0 without a cache.

    A brake, no quota: the window begins with the first count and is forgotten `window_s` later."""
    cache.add(name, 0, window_s)
    try:
        return int(cache.incr(name) or 0)
    except (TypeError, ValueError):
        return 0  # forgotten in between, or no cache
