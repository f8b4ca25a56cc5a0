"""Public pages change only when the journal does: its version is their ETag, an unchanged page one query."""

import hashlib
import time
from collections.abc import Callable
from functools import lru_cache, partial, wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language

from journal.clock import now
from tournaments.pages.kept import Kept, may_keep
from tournaments.pages.kept_pages import kept_page, version_shown
from tournaments.pages.own_version import Door

View = Callable[..., HttpResponse]
# So long a version is news: a reader who comes later than this after a deed sees what it did.
CROWD_S = 0.05
_versions: Kept[str, tuple[float, tuple[int, int]]] = Kept(200)


def by_version(view: View) -> View:
    """`view(request, slug, version, ...)` runs once for all readers who have no page of this version."""

    @wraps(view)
    def answer(request: HttpRequest, slug: str, **more: Any) -> HttpResponse:
        found = _public_version(slug)
        if found is None:
            raise Http404
        newest, shared = found
        version = version_shown(request, newest, shared)
        etag = _etag(str(version))
        render = partial(view, request, slug, version, **more)
        page = partial(kept_page, request, etag, (version, shared), render)
        return _answered(request, lambda: etag, page, public=True)

    return answer


def own_page(request: HttpRequest, door: Door, page: Callable[[], HttpResponse]) -> HttpResponse:
    """A player's own page is made again only when something that concerns his seat happened, or within a
    minute, since windows open and defaults come by the clock alone."""
    if request.method not in ("GET", "HEAD") or len(get_messages(request)):
        return page()
    minute = int(now().timestamp() // 60)

    def etag() -> str:
        # The page's forms are signed for one cookie, which it may set: with another it is another page.
        told = f"{door.version} {minute} {door.seat_id} {request.META.get('CSRF_COOKIE', '')}"
        return _etag(hashlib.sha256(told.encode()).hexdigest()[:16])

    return _answered(request, etag, page, private=True)


def _public_version(slug: str) -> tuple[int, int] | None:
    """The newest deed of a tournament that is no draft, and the newest that is not about one match, team or
    seat alone. Every reader asks this, so it is one statement, and in a crowd of them one for all."""
    seen = _versions.get(slug) if may_keep() else None
    if seen is not None and time.monotonic() < seen[0]:
        return seen[1]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT head.last, head.shared FROM journal_head head"
            " JOIN tournaments_tournament tournament ON tournament.id = head.tournament_id"
            " WHERE tournament.slug = %s AND tournament.announced_at IS NOT NULL",
            [slug],
        )
        found = cursor.fetchone()
    if found is None:
        return None
    if may_keep():
        _versions.put(slug, (time.monotonic() + CROWD_S, (found[0], found[1])))
    return found[0], found[1]


def _etag(version: str) -> str:
    return f'W/"{build()}-{version}-{get_language()}"'


def _answered(
    request: HttpRequest, etag: Callable[[], str], page: Callable[[], HttpResponse], **kept_by: bool
) -> HttpResponse:
    """The page with its ETag, or that the reader has it; `etag` is asked again once the page is made."""
    response = get_conditional_response(request, etag=etag()) or page()
    response["ETag"] = etag()
    patch_cache_control(response, no_cache=True, **kept_by)
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


@lru_cache(maxsize=1)
def build() -> str:
    """A short word for the templates, styles and views this process serves."""
    root = Path(settings.BASE_DIR)
    parts = ("templates", "static", "tournaments/pages", "locale")
    files = [path for part in parts for path in (root / part).rglob("*.*")]
    told = hashlib.sha256()
    for path in sorted(p for p in files if p.suffix in {".html", ".css", ".js", ".py", ".mo"}):
        told.update(f"{path.relative_to(root)}:{path.stat().st_size}:{int(path.stat().st_mtime)}".encode())
    return told.hexdigest()[:10]
