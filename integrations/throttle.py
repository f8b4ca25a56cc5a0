"""How often a caller may ask: so many requests in each minute, with headers that say what is left."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle

from integrations.models import ApiKey
from journal.counting import counted

WINDOW_S = 60


class PerMinute(BaseThrottle):
    """Counts by key, by account, or by address for anybody else; a brake, no quota.

    What is left is noted on the request, and `config.middleware.ApiManners` writes it into the headers.
    """

    left_s = 0

    def allow_request(self, request: Request, view: object) -> bool:
        seconds = int(SimpleRateThrottle.timer())  # real time, whatever the tournament's clock shows
        window, self.left_s = seconds // WINDOW_S, WINDOW_S - seconds % WINDOW_S
        who, limit = self._whose(request)
        used = counted(f"rate:{who}:{window}", 2 * WINDOW_S)
        request._request.rate = (limit, max(limit - used, 0), self.left_s)  # type: ignore[attr-defined]
        return used <= limit

    def wait(self) -> float:
        return float(self.left_s)

    def _whose(self, request: Request) -> tuple[str, int]:
        if isinstance(request.auth, ApiKey):
            return f"key:{request.auth.prefix}", settings.API_RATE_PER_KEY
        if request.user and request.user.is_authenticated:
            return f"user:{request.user.pk}", settings.API_RATE_PER_KEY
        return f"ip:{self.get_ident(request)}", settings.API_RATE_ANONYMOUS
