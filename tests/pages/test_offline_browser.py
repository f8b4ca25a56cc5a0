"""A phone that loses its network and finds it again, in a real browser with the service worker."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from journal.actors import COMMAND
from matches.models import Report
from matches.results import enter_result
from teams.links import make_link, revoke_links
from teams.models import Seat
from tests.pages import halls

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = """async (path) => {
    await navigator.serviceWorker.ready;
    for (let tries = 0; tries < 100; tries += 1) {
        if (await caches.match(path, { ignoreVary: true })) return true;
        await new Promise((done) => setTimeout(done, 50));
    }
    return false;
}"""
OWN_PAGES = """async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname);
    return found.filter((path) => path.startsWith("/me/"));
}"""


SHOWN = """async () => {
    const worker = await navigator.serviceWorker.ready;
    for (let tries = 0; tries < 100; tries += 1) {
        const shown = await worker.getNotifications();
        if (shown.length) return shown.map((one) => [one.title, one.data.url]);
        await new Promise((done) => setTimeout(done, 50));
    }
    return [];
}"""


def hear_push(window: BrowserContext, page: Page, origin: str, told: dict[str, str]) -> None:
    """The browser gets a push message as its push service would hand it over."""
    window.grant_permissions(["notifications"], origin=origin)
    found: list[dict[str, Any]] = []
    devtools = window.new_cdp_session(page)
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.wait_for_timeout(100)
    message = {"origin": origin, "registrationId": found[0]["registrationId"], "data": json.dumps(told)}
    devtools.send("ServiceWorker.deliverPushMessage", message)
    devtools.detach()


def report(page: Page, ours: int, theirs: int) -> None:
    fold = page.get_by_text("Report ", exact=False).locator("visible=true").locator("xpath=self::summary")
    if not page.get_by_label("Games we won").is_visible():
        fold.first.click()
    page.get_by_label("Games we won").fill(str(ours))
    page.get_by_label("Games they won").fill(str(theirs))
    page.get_by_role("button", name="Report for").click()


def test_the_last_pages_open_without_a_network_and_a_report_arrives_once(
    live_server: Any, new_context: Callable[..., Any]
) -> None:
    tournament = halls.running(4)
    match = halls.tables(halls.started(tournament))[1]
    seat = Seat.objects.filter(team=match.sides.get(index=0).team).order_by("label")[0]
    mine, pairings = f"/me/{seat.pk}", f"/t/{tournament.slug}/pairings/"
    phone = new_context(base_url=live_server.url, viewport={"width": 320, "height": 640})
    page: Page = phone.new_page()
    page.goto(f"/me/{make_link(seat_id=seat.pk)}")
    assert page.url == live_server.url + mine
    assert page.evaluate(KEPT, mine), "the first page is kept although the worker came after it"
    expect(page.locator("link[rel=manifest]")).to_have_count(1)
    page.goto(pairings)
    assert page.evaluate(KEPT, pairings)
    hear_push(
        phone, page, live_server.url, {"title": "Round 1: table 2", "url": pairings, "tag": "1-1-table"}
    )
    assert page.evaluate(SHOWN) == [["Round 1: table 2", pairings]]

    phone.set_offline(True)
    page.goto(f"/t/{tournament.slug}/standings/")
    expect(page.locator("main")).to_contain_text("This page was not opened on this device before")
    page.get_by_role("link", name="Pairings").click()
    expect(page.locator("#network")).to_contain_text("no network")
    expect(page.locator("#list .pairing")).to_have_count(2)
    page.goto(mine)
    expect(page.locator("#network")).to_contain_text("As of ")
    expect(page.locator("h1.table-number")).to_have_text("2")
    report(page, 2, 1)
    expect(page.locator("#network")).to_contain_text("Your report 2–1 is kept on this phone")
    page.goto(mine)
    expect(page.locator("#network")).to_contain_text("It will be sent when there is a network")
    assert not Report.objects.exists()

    phone.set_offline(False)
    expect(page.locator("#network")).to_contain_text("Your report 2–1 is sent")
    expect(page.locator("main")).to_contain_text("Waiting for the other team to confirm")
    expect(page.locator("[data-age-line]")).to_be_hidden()
    assert Report.objects.get().body["wins"] == {
        str(side.team_id): 2 - side.index for side in match.sides.order_by("index")
    }

    phone.set_offline(True)
    report(page, 1, 2)
    expect(page.locator("#network")).to_contain_text("Your report 1–2 is kept")
    enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 1))
    phone.set_offline(False)
    expect(page.locator("#network")).to_contain_text(
        "Your report 1–2 does not count: Table 2 has a confirmed"
    )
    assert Report.objects.count() == 1

    revoke_links(seat_id=seat.pk)
    page.evaluate("document.dispatchEvent(new Event('tandem:ask'))")
    expect(page.locator("h1")).to_have_text("This link does not open anything")
    assert page.evaluate(OWN_PAGES) == []
