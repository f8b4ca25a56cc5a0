"""Small additions to Django's own middleware."""

from collections.abc import Callable

from csp.constants import NONE, SELF
from django.http import HttpRequest, HttpResponse

# The admin theme ships Alpine, which evaluates expressions, and inline styles; no other page loads them.
ADMIN_POLICY = {
    "script-src": [SELF, "'unsafe-eval'"],
    "style-src": [SELF, "'unsafe-inline'"],
    "img-src": [SELF, "data:"],
    "object-src": [NONE],
}
DOCS_POLICY = {"style-src": [SELF, "'unsafe-inline'"], "img-src": [SELF, "data:"]}
POLICIES = {"/admin/": ADMIN_POLICY, "/api/docs": DOCS_POLICY}


class AdminContentSecurityPolicy:
    """The admin and the API's browsable page get the content policy their own scripts need."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for prefix, policy in POLICIES.items():
            if request.path.startswith(prefix):
                response._csp_replace = policy  # type: ignore[attr-defined]
        return response
