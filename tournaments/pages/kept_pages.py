"""Pages that everybody reads are rendered once: by the first reader of a version, kept for the others, in the
cache for all processes and in the memory of each that has sent it."""

import gzip
import hashlib
import re
import time
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from tournaments.pages.kept import Kept

KEPT_S = 600
RENDERING_S = 10  # after so long whoever renders is taken for dead
LOOK_AGAIN_S = 0.03
# The page of some 150 tables. While results come in, such a page is drawn every two seconds and not for each.
LARGE, SPARED_S = 100_000, 2.0
ANYBODYS = re.compile(r"(by=name|after=\d{0,3})?")  # what somebody typed is rendered for him alone

Page = tuple[bytes, bytes, str]  # as it is, packed, its content type
_pages: Kept[str, Page] = Kept(24)
# Version, newest deed that concerns all, and until when it is shown, of each address whose page is large.
_shown: Kept[str, tuple[int, int, float]] = Kept(200)


def kept_page(
    request: HttpRequest, etag: str, of: tuple[int, int], render: Callable[[], HttpResponse]
) -> HttpResponse:
    """The page of this version, from the cache or rendered now; among many readers at once one renders. `of`
    are its version and the newest deed that was about all, as `version_shown` had them.

    Without a cache, or when the one who renders takes too long, each reader gets its own rendering.
    """
    asked = request.META.get("QUERY_STRING", "")
    if not ANYBODYS.fullmatch(asked):
        return render()
    told = f"{_place(request)} {etag}"
    key = f"page:{hashlib.sha256(told.encode()).hexdigest()}"
    kept = _pages.get(key) or cache.get(key) or _awaited(key)
    if kept is None:
        try:
            response = render()
            if not _is_for_everybody(request, response):
                return response
            body = response.content
            kept = (body, gzip.compress(body, 6, mtime=0), response["Content-Type"])
            cache.set(key, kept, KEPT_S)
        finally:
            cache.delete(f"{key}:rendering")
    _spare(request, of, _pages.put(key, kept))
    return _answer(request, kept)


def _awaited(key: str) -> Page | None:
    """What another reader is rendering, once it is there; nothing when it is ours to render."""
    last = time.monotonic() + RENDERING_S
    while time.monotonic() < last:
        if cache.add(f"{key}:rendering", True, RENDERING_S) is not False:  # None: the cache is gone
            return None
        time.sleep(LOOK_AGAIN_S)
        kept: Page | None = cache.get(key)
        if kept is not None:
            return kept
    return None


def version_shown(request: HttpRequest, version: int, shared: int) -> int:
    """The version whose page is shown: the newest, or one that was the newest two seconds ago where the page
    is large and only single tables have changed since."""
    seen = _shown.get(_place(request))
    is_fresh = seen is not None and seen[1] == shared and seen[0] <= version and time.monotonic() < seen[2]
    return seen[0] if seen is not None and is_fresh else version


def _spare(request: HttpRequest, of: tuple[int, int], page: Page) -> None:
    """The page is sent; if it is large, it will do for a moment."""
    place = _place(request)
    seen = _shown.get(place)
    if len(page[0]) >= LARGE and (seen is None or seen[:2] != of):
        _shown.put(place, (*of, time.monotonic() + SPARED_S))


def _place(request: HttpRequest) -> str:
    return f"{request.get_host()} {request.get_full_path()} {get_language()}"


def _is_for_everybody(request: HttpRequest, response: HttpResponse) -> bool:
    """Nothing in the answer belongs to this reader: no cookie is set, no form was signed for him."""
    own = bool(response.cookies) or request.META.get("CSRF_COOKIE_NEEDS_UPDATE", False)
    return response.status_code == 200 and not response.streaming and not own


def _answer(request: HttpRequest, kept: Page) -> HttpResponse:
    body, packed, content_type = kept
    takes_gzip = bool(re.search(r"\bgzip\b", request.headers.get("Accept-Encoding", "")))
    response = HttpResponse(packed if takes_gzip else body, content_type=content_type)
    if takes_gzip:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
