"""The pages in a real browser: narrow phones, keyboards, screen readers, and no script at all."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from journal.actors import COMMAND
from journal.clock import now
from matches.models import Match
from matches.results import enter_result
from matches.tracking import note_tap
from rulebook.tracker import Tap
from teams.links import make_link
from teams.models import Seat, User
from tests.pages import halls
from tournaments.drafting import seat_draft
from tournaments.handing_in import hand_in_decklist
from tournaments.invitations import invite_staff, token_of
from tournaments.models import Tournament, Upload
from tournaments.rounds import publish_round, start_round

NARROW = {"width": 320, "height": 640}
# Each width and each scheme once: what stands on a page at both widths has the same colours there.
LOOKS: tuple[tuple[int, int, Literal["light", "dark"]], ...] = ((390, 844, "light"), (1280, 900, "dark"))
IMPORTED = "Team;Player A;Player B\nÜber;Anna Weiß;Ben Groß\n;Ana Beatriz Carvalho;\nÜber;Carla;Anna Weiß\n"


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


def public_pages(tournament: Tournament) -> list[str]:
    public = f"/t/{tournament.slug}/"
    first, second, third, *_, last = halls.tables(tournament.stages.get(number=1).rounds.get(state="running"))
    seats = [
        Seat.objects.filter(team=one.sides.get(index=1).team).first() for one in (first, second, third, last)
    ]
    cut = halls.in_cut(8, bracket_rounds=1)
    drafted = halls.running(8, draft_rounds=3, name="Draft Night")
    seat_draft(tournament_id=drafted.pk, actor=COMMAND)
    coming = halls.registering(4, name="Winter Warm-up")
    invitation = invite_staff(tournament_id=tournament.pk, role="scorekeeper", actor=COMMAND)
    return [
        "/",
        public,
        *(
            f"{public}{tail}"
            for tail in ("pairings/", "pairings/?by=name", "standings/", "rounds/", "rounds/1/1/")
        ),
        *(f"{public}{tail}" for tail in ("map/", "deeds/", "screen/", f"tables/{second.pk}/")),
        *(f"{public}standings/{seat.team_id}/" for seat in seats[:1] if seat),
        *(f"/t/{cut.slug}/{tail}" for tail in ("", "bracket/", "screen/")),
        f"/t/{drafted.slug}/draft/",
        f"/t/{coming.slug}/",
        f"/t/{coming.slug}/screen/",
        "/rules/",
        "/rules/ask/time/",
        *(f"/me/{make_link(seat_id=seat.pk)}" for seat in seats if seat),
        *phone_pages(last),
        f"/join/{token_of(invitation)}/",
        "/accounts/2fa/",
    ]


def phone_pages(match: Match) -> list[str]:
    """A phone at a table whose game runs: the tracker, and what the player may ask for."""
    note_tap(match_id=match.pk, actor=COMMAND, tap=Tap.SCORE, position="1A", amount=2)
    Tournament.objects.filter(pk=match.tournament_id).update(decklists_until=now() + timedelta(hours=1))
    seat = Seat.objects.filter(team=match.sides.get(index=1).team)[0]
    hand_in_decklist(seat_id=seat.pk, body="4 Secret Card", actor=COMMAND)
    mine = f"/me/{make_link(seat_id=seat.pk)}"
    return [f"{mine}{tail}" for tail in ("/track", "/leave", "/deck")]


def desk_pages(tournament: Tournament) -> list[str]:
    desk = f"/desk/{tournament.slug}/"
    User.objects.filter(username="organizer").update(is_superuser=True)
    rnd = tournament.stages.get(number=1).rounds.get(state="running")
    first, _, third, *_ = halls.tables(rnd)
    seat = Seat.objects.filter(team=third.sides.get(index=1).team)[0]
    coming = halls.registering(4, name="Winter Warm-up")
    upload = Upload.objects.create(
        tournament=coming,
        user=halls.person("organizer"),
        name="teams.csv",
        body=IMPORTED.encode(),
        choices={},
        made_at=now(),
    )
    over = halls.in_cut(8, bracket_rounds=3, finish=True)
    return [
        desk,
        "/desk/",
        "/desk/new",
        "/desk/new?mode=riftbound-2v2",
        "/desk/import",
        *(f"{desk}{tail}" for tail in ("resolve/", "penalties/", "map/", "standings/", "teams/", "journal/")),
        *(f"{desk}{tail}" for tail in ("settings/", "copy/", "print/", "staff/")),
        *(f"{desk}rounds/{tail}" for tail in (f"{rnd.pk}/", f"{rnd.pk}/repair/")),
        *(f"{desk}tables/{tail}" for tail in (f"{first.pk}/", f"{third.pk}/", f"{third.pk}/penalty")),
        *(f"{desk}teams/{seat.team_id}/{tail}" for tail in ("", "penalty", f"drop/{seat.player_id}/")),
        *(f"{desk}players/{seat.player_id}/{tail}" for tail in ("", "erase/")),
        *(f"{desk}print/{tail}/" for tail in ("pairings", "names", "slips", "standings", "tags")),
        f"/desk/{over.slug}/",
        f"/desk/{over.slug}/print/bracket/",
        f"/desk/{coming.slug}/",
        f"/desk/{coming.slug}/check-in/",
        f"/desk/{coming.slug}/print/sign-up/",
        f"/desk/{coming.slug}/teams/import/",
        f"/desk/{coming.slug}/teams/import/{upload.pk}/",
    ]


def grave_faults(page: Page) -> list[tuple[str, str]]:
    """What shuts somebody out of the page as it is shown now."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]


@pytest.mark.long
@pytest.mark.parametrize("pages_of", [public_pages, desk_pages], ids=["public and phone", "desk and print"])
def test_no_page_scrolls_sideways_at_320_px_or_shuts_anybody_out(
    hall: Tournament, organizer: Callable[..., Page], pages_of: Callable[[Tournament], list[str]]
) -> None:
    page = organizer(viewport=NARROW)
    faults: list[object] = []
    for turn, address in enumerate(pages_of(hall)):
        page.set_viewport_size(NARROW)
        page.emulate_media(color_scheme="light")
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > NARROW["width"]:
            faults.append(f"{address} is {width} px wide")
        if address.startswith("/me/"):
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            width = page.evaluate("document.documentElement.scrollWidth")
            faults += [f"{address} is {width} px wide in large text"] if width > NARROW["width"] else []
            if address.endswith("/track"):
                faults += [(address, "large text", fault) for fault in grave_faults(page)]
            page.evaluate("document.documentElement.style.fontSize = ''")
        # One look a page, in turns: the parts that pages share are seen in each of them.
        across, down, scheme = LOOKS[turn % len(LOOKS)]
        page.set_viewport_size({"width": across, "height": down})
        page.emulate_media(color_scheme=scheme)
        faults += [(address, across, scheme, fault) for fault in grave_faults(page)]
    assert not faults, "\n".join(map(str, faults))


def test_a_result_is_entered_by_keyboard_alone(hall: Tournament, organizer: Callable[..., Page]) -> None:
    page = organizer()
    page.goto(f"/desk/{hall.slug}/")
    expect(page.get_by_label("Result line")).to_be_focused()
    page.keyboard.type("4 3-0")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("a best of 3 ends at 2")
    expect(page.get_by_label("Result line")).to_have_value("4 3-0")
    page.get_by_label("Result line").fill("4 2-0")
    expect(page.locator(".line-shown")).to_contain_text("2")
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
