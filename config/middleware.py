"""Small additions to Django's own middleware."""

import logging
import re
from collections.abc import Callable
from urllib.parse import unquote

from csp.constants import NONE, SELF
from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware

from config.errors import answer

# The admin theme ships Alpine, which evaluates expressions, and inline styles; no other page loads them.
ADMIN_POLICY = {
    "script-src": [SELF, "'unsafe-eval'"],
    "style-src": [SELF, "'unsafe-inline'"],
    "img-src": [SELF, "data:"],
    "object-src": [NONE],
}
DOCS_POLICY = {"style-src": [SELF, "'unsafe-inline'"], "img-src": [SELF, "data:"]}
POLICIES = {"/admin/": ADMIN_POLICY, "/api/docs": DOCS_POLICY}


TOKEN_IN_PATH = re.compile(r"^(/me/|/join/|/sign-up/)[^/?]+")


def without_token(path: str) -> str:
    """The path as a log may keep it: a personal link or an invitation without its token, no key."""
    return without_keys(TOKEN_IN_PATH.sub(r"\1...", path))


def without_keys(text: str) -> str:
    """The text without the secret part of a key, however its characters are written."""
    plain = unquote(text) if "%" in text else text
    return KEY_IN_LINE.sub(r"\1...", plain) if "tdm_" in plain else text


TOKEN_IN_LINE = re.compile(r"(/me/|/join/|/sign-up/)[^/?\s'\"]+")
KEY_IN_LINE = re.compile(r"(tdm_[a-z0-9]{1,8})[A-Za-z0-9_-]*")


class WithoutTokens(logging.Filter):
    """No line of any logger tells a personal link or a key, whoever wrote it."""

    def filter(self, record: logging.LogRecord) -> bool:
        line = record.getMessage()
        told = without_keys(TOKEN_IN_LINE.sub(r"\1...", line))
        if told != line:
            record.msg, record.args = told, ()
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


class ApiManners:
    """Below /api/ a key in the address is refused, and every answer says how many more may be asked for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/"):
            return self.get_response(request)
        if has_key(request.META.get("QUERY_STRING", "")) or has_key(request.path):
            return refuse_key()
        response = self.get_response(request)
        if response.status_code == 301 and request.method not in ("GET", "HEAD"):
            response = without_slash(request.path)  # followed, the redirect would become a GET
        rate = getattr(request, "rate", None)
        if rate is not None:
            response["RateLimit-Limit"], response["RateLimit-Remaining"], response["RateLimit-Reset"] = map(
                str, rate
            )
        return response


def has_key(text: str) -> bool:
    """The text of an address holds a key, or a name that is meant for one."""
    plain = unquote(text)
    return "tdm_" in plain or any(
        part.split("=")[0].lower() in ("api_key", "apikey", "access_token") for part in plain.split("&")
    )


def without_slash(path: str) -> HttpResponse:
    """404: a deed is not redirected."""
    return answer(404, "client_error", "slash-missing", f"Addresses end with a slash: {path}/ is the one.")


def refuse_key() -> HttpResponse:
    """400: a key in an address stands in every log on the way."""
    return answer(
        400,
        "client_error",
        "key-in-url",
        "Send the key in the Authorization header; one that stood in an address is to be revoked.",
    )
