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

from tournaments.pages.kept import Kept

KEPT_S = 600
RENDERING_S = 10  # after so long whoever renders is taken for dead
LOOK_AGAIN_S = 0.03
ANYBODYS = re.compile(r"(by=name|after=\d{0,3})?")  # what somebody typed is rendered for him alone

Page = tuple[bytes, bytes, str]  # as it is, packed, its content type
_pages: Kept[str, Page] = Kept(24)


def kept_page(request: HttpRequest, etag: str, render: Callable[[], HttpResponse]) -> HttpResponse:
    """The page of this version, from the cache or rendered now; among many readers at once one renders.

    Without a cache, or when the one who renders takes too long, each reader gets its own rendering.
    """
    asked = request.META.get("QUERY_STRING", "")
    if not ANYBODYS.fullmatch(asked):
        return render()
    told = f"{request.get_host()} {request.path}?{asked} {etag}"
    key = f"page:{hashlib.sha256(told.encode()).hexdigest()}"
    kept = _pages.get(key) or cache.get(key) or _awaited(key)
    if kept is not None:
        return _answer(request, _pages.put(key, kept))
    try:
        response = render()
        if _is_for_everybody(request, response):
            body = response.content
            kept = (body, gzip.compress(body, 6, mtime=0), response["Content-Type"])
            cache.set(key, kept, KEPT_S)
            _pages.put(key, kept)
    finally:
        cache.delete(f"{key}:rendering")
    return response if kept is None else _answer(request, kept)


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
