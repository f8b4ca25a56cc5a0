"""How often one address may send a public form: counted in the cache, and not at all when that is gone."""

from axes.helpers import get_client_ip_address
from django.core.cache import cache
from django.http import HttpRequest

WINDOW_S = 600
# A whole hall may stand behind one address.
BY_ADDRESS, IN_ALL = 40, 400


def is_flood(request: HttpRequest, what: str) -> bool:
    """This address, or everybody together, has sent `what` too often within ten minutes."""
    address = get_client_ip_address(request) or "unknown"
    counts = (_counted(f"{what}:{address}"), _counted(what))
    return counts[0] > BY_ADDRESS or counts[1] > IN_ALL


def _counted(key: str) -> int:
    cache.add(f"throttle:{key}", 0, WINDOW_S)
    try:
        return int(cache.incr(f"throttle:{key}") or 0)
    except ValueError:
        return 0  # forgotten in between, or no cache
