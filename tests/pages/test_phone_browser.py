"""Two phones at one table, in a real browser: what a client in a test does not send, a browser does."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from matches.models import Match
from teams.links import make_link
from teams.models import Seat
from tests.pages import halls

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def phones(live_server: Any, new_context: Callable[..., Any]) -> Callable[..., list[Any]]:
    """One page per side of the match, each opened by a personal link."""

    def open_all(match: Match) -> list[Any]:
        opened = []
        for side in match.sides.order_by("index"):
            seat = Seat.objects.filter(team=side.team, is_live=True).earliest("label")
            page = new_context(base_url=live_server.url, viewport={"width": 390, "height": 844}).new_page()
            page.goto(f"/me/{make_link(seat_id=seat.pk)}")
            opened.append(page)
        return opened

    return open_all


def test_a_team_reports_and_the_other_confirms_by_tapping(phones: Callable[..., list[Any]]) -> None:
    match = halls.tables(halls.started(halls.running(4)))[1]
    first, second = phones(match)
    if not first.get_by_label("Games we won").is_visible():
        first.get_by_text("Report the result", exact=True).click()
    first.get_by_label("Games we won").fill("2")
    first.get_by_label("Games they won").fill("1")
    first.get_by_role("button", name="Report for").click()
    expect(first.locator("main")).to_contain_text("Waiting for the other team")
    match.refresh_from_db()
    assert match.state == "reported"
    second.reload()
    second.get_by_role("button", name="Confirm").click()
    expect(second.get_by_role("button", name="Confirm")).to_have_count(0)
    match.refresh_from_db()
    assert match.state == "confirmed"


def test_the_other_team_disputes_by_tapping(phones: Callable[..., list[Any]]) -> None:
    match = halls.tables(halls.started(halls.running(4)))[1]
    first, second = phones(match)
    if not first.get_by_label("Games we won").is_visible():
        first.get_by_text("Report the result", exact=True).click()
    first.get_by_label("Games we won").fill("2")
    first.get_by_label("Games they won").fill("0")
    first.get_by_role("button", name="Report for").click()
    expect(first.get_by_text("Report something else")).to_be_visible()
    second.reload()
    dispute = second.get_by_role("button", name="That is wrong")
    if not dispute.count():
        dispute = second.get_by_role("button", name="Dispute")
    dispute.first.click()
    expect(second.locator("body")).to_contain_text("judge")
    match.refresh_from_db()
    assert match.state == "disputed"
