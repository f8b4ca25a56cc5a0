"""What a phone in a bad network has to load: each page with all it brings, and nothing from elsewhere."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from teams.links import make_link
from teams.models import Seat
from tests.pages import halls
from tournaments.pages.offline import FILES, WORKER

pytestmark = pytest.mark.django_db

MOST_BYTES = 50_000
REFERRED = re.compile(r"""(?:<script[^>]*\ssrc|<link[^>]*\shref|<img[^>]*\ssrc)="([^"]+)\"""")
ELSEWHERE = re.compile(
    r"""(?:src|srcset|poster|data)=["']?(?:https?:)?//|url\(["']?(?:https?:)?//|@import|"""
    r"""<link[^>]*href=["']?(?:https?:)?//|(?:fetch|import|importScripts|EventSource)\(["'`]http"""
)


def packed(text: bytes) -> int:
    return len(gzip.compress(text, 6))


def file_bytes(address: str) -> int:
    found = finders.find(address.removeprefix(settings.STATIC_URL).removeprefix("/static/"))
    assert found, address
    return packed(Path(str(found)).read_bytes())


def test_a_first_view_is_at_most_fifty_kilobytes_and_all_of_it_from_here(client: Any) -> None:
    tournament = halls.running(64, 1)
    halls.started(tournament)
    seat = Seat.objects.filter(tournament=tournament).order_by("id")[0]
    site = f"/t/{tournament.slug}"
    # What the worker brings once, whatever the page.
    worker = client.get("/sw.js").content
    brought = {f"/static/{name}" for name in (*FILES, *WORKER)}
    extra = packed(worker) + packed(client.get("/offline/").content)
    weights = {}
    for address in (f"/me/{make_link(seat_id=seat.pk)}", f"{site}/pairings/", f"{site}/standings/"):
        page = client.get(address).content
        text = page.decode().replace("http://testserver", "")  # as the code for embedding names it
        files = set(REFERRED.findall(text)) | brought
        assert all(name.startswith("/static/") for name in files), files
        assert not ELSEWHERE.search(text), address
        weights[address] = packed(page) + extra + sum(map(file_bytes, files))
    assert max(weights.values()) <= MOST_BYTES, weights


def test_no_style_script_or_template_names_another_host() -> None:
    root = Path(settings.BASE_DIR)
    files = [path for part in ("static", "templates") for path in (root / part).rglob("*.*")]
    files = [path for path in files if path.suffix in {".html", ".css", ".js"}]
    assert len(files) > 50
    assert [str(path) for path in files if ELSEWHERE.search(path.read_text())] == []
