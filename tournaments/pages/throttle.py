"""How often one address may send a public form: counted in the cache, and not at all when that is gone."""

from axes.helpers import get_client_ip_address
from django.http import HttpRequest

from journal.counting import counted

WINDOW_S = 600
# A whole hall may stand behind one address.
BY_ADDRESS, IN_ALL = 40, 400


def is_flood(request: HttpRequest, what: str) -> bool:
    """This address, or everybody together, has sent `what` too often within ten minutes."""
    address = get_client_ip_address(request) or "unknown"
    counts = (counted(f"throttle:{what}:{address}", WINDOW_S), counted(f"throttle:{what}", WINDOW_S))
    return counts[0] > BY_ADDRESS or counts[1] > IN_ALL
