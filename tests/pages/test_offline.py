"""What a browser keeps for a hall without a network, as far as the server and the worker's rules say it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from tests.pages import halls
from tournaments.pages.offline import FILES, ICONS, WORKER

pytestmark = pytest.mark.django_db


def test_the_worker_comes_from_the_root_and_is_asked_for_each_time(client: Any) -> None:
    answer = client.get("/sw.js")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-cache")
    assert answer["Content-Type"].startswith("text/javascript")
    first, second = answer.content.decode().splitlines()
    told = json.loads(first.removeprefix("self.tandem = ").removesuffix(";"))
    assert told["version"]
    assert second == 'importScripts("/static/outbox.js", "/static/worker.js");'
    files = (*FILES, *WORKER, *(f"icons/{name}" for name, *_ in ICONS))
    assert [name for name in files if finders.find(name) is None] == []
    assert told["files"] == [f"/static/{name}" for name in FILES]


@pytest.mark.parametrize(
    "at, opens",
    [("/me/12/track", "/me/12"), ("/t/friday/pairings/", "/t/friday/"), ("", "/"), ("//evil.example/", "/")],
)
def test_what_is_installed_opens_where_it_was_installed_and_nowhere_else(
    client: Any, at: str, opens: str
) -> None:
    answer = client.get("/app.webmanifest", {"at": at})
    assert answer["Content-Type"] == "application/manifest+json"
    told = answer.json()
    assert (told["start_url"], told["scope"], told["display"]) == (opens, "/", "standalone")
    assert {"any", "maskable"} == {icon["purpose"] for icon in told["icons"]}


def test_a_page_offers_to_install_only_by_its_script(client: Any) -> None:
    page = client.get(f"/t/{halls.registering(1).slug}/").content.decode()
    assert 'data-manifest="/app.webmanifest"' in page
    assert 'rel="manifest"' not in page
    assert "window.isSecureContext" in (Path(settings.BASE_DIR) / "static/offline.js").read_text()


def test_only_pages_for_everybody_and_my_own_table_are_kept() -> None:
    script = (Path(settings.BASE_DIR) / "static/worker.js").read_text()
    told = re.search(r"const KEPT = \[(.*)\];", script)
    assert told
    kept = [re.compile(one) for one in re.findall(r"/(\^.*?[^\\])/(?=[,\s]|$)", told[1])]
    assert len(kept) == 4

    def is_kept(path: str) -> bool:
        return any(one.search(path) for one in kept)

    for path in ("/", "/t/friday/", "/t/friday/pairings/", "/t/friday/standings/7/", "/me/12", "/rules/"):
        assert is_kept(path), path
    for path in (
        *("/live/friday", "/admin/", "/admin/teams/team/", "/desk/", "/desk/friday/", "/api/v1/tournaments/"),
        *("/accounts/login/", "/now", "/sw.js", "/healthz", "/me/0123456789abcdef0123456789abcdef"),
        *("/me/12/deck", "/me/12/leave", "/join/token/", "/sign-up/token/", "/t/friday/sign-up/"),
        *("/t/friday/screen/", "/t/friday/files/pairings.csv", "/stores/keys/"),
    ):
        assert not is_kept(path), path
