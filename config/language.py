"""The language of a page: chosen by a link, else what the browser asks for; staff pages speak English."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import escape_leading_slashes

# These have no other words yet: the desk and what belongs to it, the rules desk, and what programs read.
ENGLISH_ONLY = ("/admin/", "/accounts/", "/api/", "/desk/", "/join/", "/rules/", "/stores/")


class PlayersLanguage(LocaleMiddleware):
    """Pages of players in the language of the cookie or of Accept-Language; `?lang=de` chooses it."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:  # type: ignore[override]
        request.has_languages = not request.path.startswith(ENGLISH_ONLY)  # type: ignore[attr-defined]
        if not request.has_languages:  # type: ignore[attr-defined]
            translation.activate("en")
            request.LANGUAGE_CODE = translation.get_language()
            return None
        chosen = request.GET.get("lang", "")
        if request.method in ("GET", "HEAD") and chosen in dict(settings.LANGUAGES):
            return _chosen(request, chosen)
        super().process_request(request)
        return None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:  # type: ignore[override]
        if not getattr(request, "has_languages", False):
            response.headers.setdefault("Content-Language", "en")
            return response
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", translation.get_language() or "en")
        return response


def _chosen(request: HttpRequest, code: str) -> HttpResponse:
    """The same page without the choice in its address; the browser keeps the choice for a year."""
    asked = request.GET.copy()
    del asked["lang"]
    path = escape_leading_slashes(request.path)
    response = HttpResponseRedirect(f"{path}?{asked.urlencode()}" if asked else path)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    response["Cache-Control"] = "no-store"
    return response
