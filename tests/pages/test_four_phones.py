"""Four phones at one table, each its own browser: open, choose, three games with a draw, report, dispute,
resolve."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from teams.links import make_link
from teams.models import Seat
from tests.pages import halls

pytestmark = pytest.mark.django_db(transaction=True)


def says(page: Page, words: str) -> None:
    """The phone shows the words once it has looked again, as it does by itself when the stream tells it."""
    page.reload()
    expect(page.locator("main")).to_contain_text(words)


@pytest.mark.long
def test_four_players_run_their_match_and_a_judge_ends_their_dispute(
    live_server: Any, new_context: Callable[..., Any], signed_in: Callable[..., Any]
) -> None:
    match = halls.tables(halls.started(halls.running(2, planned_rounds=1)))[0]
    phones: dict[tuple[int, str], Page] = {}
    for seat in Seat.objects.filter(tournament=match.tournament_id).select_related("team"):
        side = match.sides.get(team=seat.team).index
        page = new_context(base_url=live_server.url, viewport={"width": 320, "height": 640}).new_page()
        page.goto(f"/me/{make_link(seat_id=seat.pk)}")
        expect(page.locator(".table-number")).to_have_text("1")
        expect(page.locator(".chair.me")).to_contain_text(f"{side + 1}{seat.label}")
        phones[side, seat.label] = page
    assert len(phones) == 4
    everybody = phones.values()

    chooser = next(side for side in (0, 1) if phones[side, "A"].locator("#choice").count())
    phones[chooser, "B"].get_by_role("button", name="(2B) starts").click()
    for page in everybody:
        says(page, "Turn order in game 1: 2B, 1A, 2A, 1B")

    phones[1, "B"].get_by_role("link", name="Track the points").click()
    phones[1, "B"].get_by_role("button", name="Hold 1").click()
    expect(phones[1, "B"].locator("output").nth(1)).to_contain_text("1")
    expect(phones[1, "B"].get_by_role("button", name="Conquer 1")).to_be_disabled()
    phones[0, "A"].get_by_role("link", name="Track the points").click()
    expect(phones[0, "A"].locator("output").nth(1)).to_contain_text("1")
    phones[0, "A"].get_by_role("button", name="Take back").click()
    expect(phones[0, "A"].locator("output").nth(1)).to_contain_text("0")
    phones[0, "A"].get_by_role("link", name="My table").click()

    end_game(phones[0, "A"], 1, "It was drawn")
    says(phones[0, "B"], "Begin game 2")
    phones[0, "B"].get_by_role("button", name="Begin game 2").click()
    end_game(phones[0, "B"], 2, "We won it")
    says(phones[1, "A"], "Your team chooses who starts")
    phones[1, "A"].get_by_role("button", name="(1A) starts").click()
    says(phones[0, "A"], "Turn order in game 3")
    end_game(phones[0, "A"], 3, "We won it")

    phones[0, "A"].get_by_role("button", name="Report 2–0–1").click()
    expect(phones[0, "A"].locator("main")).to_contain_text("Waiting for the other team to confirm")
    says(phones[0, "B"], "Your team reported 2–0–1")
    says(phones[1, "B"], "They report 0–2–1")
    phones[1, "B"].get_by_role("button", name="That is wrong").click()
    for page in everybody:
        page.goto(page.url.removesuffix("/track"))
        says(page, "Your result is disputed")

    desk = signed_in(halls.person("judge", "judge", match.tournament))
    address = f"/desk/{match.tournament.slug}/tables/{match.pk}/"
    desk.post(address, {"kind": "played", "wins_0": "1", "wins_1": "1", "draws": "1"})
    assert Match.objects.get(pk=match.pk).state == "confirmed"
    for page in everybody:
        says(page, "This match is drawn")


def end_game(page: Page, number: int, words: str) -> None:
    page.get_by_text(f"Game {number} is over").click()
    page.get_by_role("button", name=words).click()
    expect(page.locator("main")).to_contain_text(f"Game {number} is noted")
