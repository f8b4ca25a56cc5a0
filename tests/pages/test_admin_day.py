"""A day run from the admin pages in a real browser, as a stranger would, with nothing in the console."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from teams.models import Store, Team, User
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

TEAMS = (
    ("Foxes", "Aiko Tanaka", "Björn Åström"),
    ("Owls", "Chidi Okonkwo", "Dolores Fuentes"),
    ("Otters", "Émile Lefèvre", "藤原 さくら"),
    ("Hares", "Gwen Parry", "Hakan Öz"),
)


@pytest.fixture
def keeper(transactional_db: Any) -> User:
    user = User.objects.create_user("keeper", "keeper@example.org", "a long enough secret", is_staff=True)
    Store.objects.create(name="Corner Store", slug="corner", zone="Europe/Berlin").keepers.add(user)
    return user


@pytest.fixture
def admin_page(keeper: User, browser_as: Any) -> Any:
    """A page of the keeper's browser; the test fails if the console told of an error or a refused script."""
    page = browser_as(keeper, viewport={"width": 1280, "height": 900})
    told: list[str] = []
    page.on(
        "console",
        lambda message: (
            told.append(f"{message.text} {message.location}") if message.type == "error" else None
        ),
    )
    page.on("pageerror", lambda error: told.append(str(error)))
    yield page
    assert told == []


def press(page: Page, label: str) -> None:
    page.get_by_role("list", name="Deeds").get_by_text(label, exact=True).click()


def create_tournament(page: Page) -> None:
    page.goto("/admin/")
    page.get_by_role("link", name="Create a tournament").click()
    page.get_by_label("Name", exact=False).first.fill("Magma Friday")
    page.get_by_label("Mode").select_option("riftbound-2v2")
    page.get_by_label("Swiss rounds").fill("3")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was added successfully")).to_be_visible()


def register(page: Page, name: str, first: str, second: str) -> None:
    page.get_by_label("Seat A").fill(first)
    page.get_by_label("Seat B").fill(second)
    page.get_by_label("Name", exact=False).first.fill(name)
    page.get_by_role("button", name="Save and add another").click()
    expect(page.get_by_text(f"({first} & {second}) is registered")).to_be_visible()


def enter_result(page: Page, table: int, counts: tuple[int, int]) -> None:
    page.get_by_role("link", name=f"table {table}", exact=True).click()
    press(page, "Enter the result")
    fields = page.get_by_label("Games won by")
    fields.nth(0).fill(str(counts[0]))
    fields.nth(1).fill(str(counts[1]))
    page.get_by_role("button", name="Enter the result").click()
    expect(page.get_by_text(f"{counts[0]}-{counts[1]} is confirmed")).to_be_visible()


@pytest.mark.long
def test_four_teams_are_registered_play_and_one_is_gone_after_a_drop(admin_page):
    page = admin_page
    create_tournament(page)
    tournament = Tournament.objects.get()
    home = f"/admin/tournaments/tournament/{tournament.pk}/change/"
    page.goto(home)
    press(page, "Open registration")
    expect(page.get_by_text("Teams may register now.")).to_be_visible()
    page.get_by_role("link", name="register a team").click()
    for team in TEAMS:
        register(page, *team)
    page.goto(home)
    press(page, "Start the tournament")
    press(page, "Pair round 1")
    press(page, "Publish round 1")
    press(page, "Start round 1")
    for table in (1, 2):
        page.goto(home)
        enter_result(page, table, (1, 0))
    page.goto(home)
    press(page, "Close round 1")
    drop(page, "Otters", "藤原 さくら")
    page.goto(home)
    press(page, "Pair round 2")
    page.get_by_role("link", name="2", exact=True).click()
    tables = page.locator(".td-table")
    for name in ("Foxes", "Owls", "Hares"):
        expect(tables.get_by_text(name)).to_be_visible()
    expect(tables.get_by_text("Otters")).to_have_count(0)
    paired = set(Round.objects.get(number=2).matches.values_list("sides__team__name", flat=True))
    assert paired == {"Foxes", "Owls", "Hares"}
    assert Team.objects.get(name="Otters").state == "dropped"


def drop(page: Page, team: str, player: str) -> None:
    page.get_by_role("link", name="teams", exact=True).click()
    page.get_by_role("link", name=team).first.click()
    press(page, "Drop a player")
    page.get_by_label("Player").select_option(label=f"B: {player}")
    page.get_by_label("Reason").fill("the last train")
    page.get_by_role("button", name="Drop a player").click()
    expect(page.get_by_text("has dropped.")).to_be_visible()


def test_known_players_are_offered_while_one_types(admin_page):
    page = admin_page
    create_tournament(page)
    tournament = Tournament.objects.get()
    page.goto(f"/admin/tournaments/tournament/{tournament.pk}/change/")
    press(page, "Open registration")
    page.get_by_role("link", name="register a team").click()
    register(page, *TEAMS[0])
    page.get_by_label("Seat A").press_sequentially("björn")
    expect(page.locator("datalist#names-A option")).to_have_attribute("value", "Björn Åström")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_admin_page_scrolls_sideways_or_refuses_a_script(admin_page, keeper, width):
    page = admin_page
    page.set_viewport_size({"width": width, "height": 844})
    create_tournament(page)
    tournament = Tournament.objects.get()
    for address in (
        "/admin/",
        "/admin/tournaments/tournament/",
        f"/admin/tournaments/tournament/{tournament.pk}/change/",
        f"/admin/tournaments/tournament/{tournament.pk}/deed/cancel/",
        "/admin/teams/team/",
        "/admin/teams/player/add/",
        "/admin/journal/deed/",
    ):
        page.goto(address)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{address} is {wide} px too wide at {width}"
