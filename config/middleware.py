"""Small additions to Django's own middleware."""

import logging
import re
from collections.abc import Callable

from csp.constants import NONE, SELF
from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware

# The admin theme ships Alpine, which evaluates expressions, and inline styles; no other page loads them.
ADMIN_POLICY = {
    "script-src": [SELF, "'unsafe-eval'"],
    "style-src": [SELF, "'unsafe-inline'"],
    "img-src": [SELF, "data:"],
    "object-src": [NONE],
}
DOCS_POLICY = {"style-src": [SELF, "'unsafe-inline'"], "img-src": [SELF, "data:"]}
POLICIES = {"/admin/": ADMIN_POLICY, "/api/docs": DOCS_POLICY}


TOKEN_IN_PATH = re.compile(r"^(/me/|/join/)[^/?]+")


def without_token(path: str) -> str:
    """The path as a log may keep it: a personal link or an invitation without its token."""
    return TOKEN_IN_PATH.sub(r"\1...", path)


TOKEN_IN_LINE = re.compile(r"(/me/|/join/)[^/?\s'\"]+")


class WithoutTokens(logging.Filter):
    """No line of any logger tells a personal link, whoever wrote it."""

    def filter(self, record: logging.LogRecord) -> bool:
        line = record.getMessage()
        if "/me/" in line or "/join/" in line:
            record.msg, record.args = TOKEN_IN_LINE.sub(r"\1...", line), ()
        return True


class RequestLog(RequestMiddleware):
    """Requests are logged, personal tokens are not."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {without_token(request.get_full_path())}"


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
