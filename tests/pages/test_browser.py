"""The pages in a real browser: narrow phones, keyboards, screen readers, and no script at all."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from journal.actors import COMMAND
from matches.results import enter_result
from teams.links import make_link
from teams.models import Seat
from tests.pages import halls
from tournaments.models import Tournament
from tournaments.rounds import publish_round, start_round

NARROW = {"width": 320, "height": 640}


@pytest.fixture
def hall(transactional_db: None) -> Tournament:
    """A tournament in its second round, with tables in every state."""
    tournament = halls.running(9, 1, cut=4)
    halls.busy(halls.started(tournament))
    return tournament


@pytest.mark.parametrize("mode", ["magic-commander", "magic-trios"])
def test_pods_and_trios_fit_a_narrow_phone(
    transactional_db: None, browser_as: Callable[..., Page], mode: str
) -> None:
    tournament = halls.running(11, mode=mode, best_of=1 if mode == "magic-commander" else 3)
    first, second, *_ = halls.tables(halls.started(tournament))
    if mode == "magic-commander":
        enter_result(match_id=first.pk, actor=COMMAND, wins=(0, 0, 1, 0), out_order=(2, 1, None, 3))
    seat = Seat.objects.filter(team=second.sides.get(index=1).team).first()
    assert seat is not None
    page = browser_as(halls.person("organizer", "organizer", tournament), viewport=NARROW)
    public, desk = f"/t/{tournament.slug}/", f"/desk/{tournament.slug}/"
    for address in (
        f"{public}pairings/",
        f"{public}tables/{first.pk}/",
        desk,
        f"{desk}tables/{second.pk}/",
        f"/me/{make_link(seat_id=seat.pk)}",
    ):
        page.goto(address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= NARROW["width"], f"{address} is {width} px wide"


@pytest.fixture
def organizer(hall: Tournament, browser_as: Callable[..., Page]) -> Callable[..., Page]:
    user = halls.person("organizer", "organizer", hall)
    return lambda **context: browser_as(user, **context)


def pages_of(tournament: Tournament) -> list[str]:
    public, desk = f"/t/{tournament.slug}/", f"/desk/{tournament.slug}/"
    rnd = tournament.stages.get(number=1).rounds.get(state="running")
    first, second, *_ = halls.tables(rnd)
    seat = Seat.objects.filter(team=second.sides.get(index=1).team).first()
    assert seat is not None
    return [
        "/",
        public,
        f"{public}pairings/",
        f"{public}pairings/?by=name",
        f"{public}standings/",
        f"{public}standings/{seat.team_id}/",
        f"{public}tables/{second.pk}/",
        "/rules/",
        desk,
        "/desk/new",
        f"{desk}rounds/{rnd.pk}/repair/",
        f"{desk}teams/",
        f"{desk}teams/{seat.team_id}/",
        f"{desk}tables/{first.pk}/",
        f"{desk}settings/",
        f"{desk}journal/",
        f"/me/{make_link(seat_id=seat.pk)}",
        "/accounts/2fa/",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_scrolls_sideways_at_320_px_or_shuts_anybody_out(
    hall: Tournament, organizer: Callable[..., Page], scheme: str
) -> None:
    page = organizer(viewport=NARROW, color_scheme=scheme)
    for address in pages_of(hall):
        page.goto(address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= NARROW["width"], f"{address} is {width} px wide"
        found = Axe().run(page).response["violations"]
        grave = [
            (one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")
        ]
        assert not grave, (address, grave)


def test_a_result_is_entered_by_keyboard_alone(hall: Tournament, organizer: Callable[..., Page]) -> None:
    page = organizer()
    page.goto(f"/desk/{hall.slug}/")
    expect(page.get_by_label("Result line")).to_be_focused()
    page.keyboard.type("4 3-0")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("a best of 3 ends at 2")
    expect(page.get_by_label("Result line")).to_have_value("4 3-0")
    page.get_by_label("Result line").fill("4 2-0")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Table 4:")).to_be_visible()
    expect(page.get_by_label("Result line")).to_be_focused()


def test_names_filter_at_once_and_a_new_round_arrives_by_itself(
    hall: Tournament, page: Page, live_server: Any
) -> None:
    page.clock.install()
    page.goto(f"{live_server.url}/t/{hall.slug}/pairings/")
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^(49|50):\d\d$"))
    page.get_by_label("Find a name or table").fill("鈴木")
    expect(page.locator("#list > li:visible")).to_have_count(1)
    page.get_by_label("Find a name or table").fill("nobody of that name")
    expect(page.get_by_text("Nobody here has that name")).to_be_visible()
    page.get_by_label("Find a name or table").fill("")
    rnd = hall.stages.get(number=1).rounds.get(state="running")
    halls.finish(rnd)
    publish_round(round_id=halls.paired(hall).pk, actor=COMMAND)
    page.clock.run_for(25_000)
    expect(page.get_by_role("heading", name="Round 3")).to_be_visible()


def test_everything_works_without_script(hall: Tournament, organizer: Callable[..., Page]) -> None:
    page = organizer(java_script_enabled=False)
    page.goto(f"/t/{hall.slug}/pairings/")
    page.get_by_label("Find a name or table").fill("佐藤")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#list > li:visible")).to_have_count(1)
    rnd = hall.stages.get(number=1).rounds.get(state="running")
    halls.finish(rnd)
    page.goto(f"/desk/{hall.slug}/")
    page.get_by_role("button", name="Pair Round 3").click()
    expect(page.get_by_text("Round 3 is paired")).to_be_visible()
    page.get_by_role("button", name="Publish Round 3").click()
    expect(page.get_by_role("button", name="Start Round 3")).to_be_visible()
    start_round(round_id=hall.stages.get(number=1).rounds.get(number=3).pk, actor=COMMAND)
    page.reload()
    expect(page.get_by_role("button", name="Close Round 3")).to_be_disabled()
