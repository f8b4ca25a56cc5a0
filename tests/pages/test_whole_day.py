"""A whole day of 16 teams, from opening registration to the winner, played at the desk in a browser."""

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page, expect

from journal.actors import COMMAND
from teams.people import add_player
from tests.pages import halls
from tournaments.models import Tournament
from tournaments.registration import register_teams

KNOWN = [f"Crew {number:02}" for number in range(1, 15)]
BY_FORM, LATE = "Form Finches", "Late Larks"
STRENGTH = {name: place for place, name in enumerate([*KNOWN, BY_FORM, LATE])}
Pair = tuple[str, str]


@dataclass
class Day:
    """What a scorekeeper does at the desk; the stronger team wins unless told otherwise."""

    page: Page
    slug: str
    met: Counter[frozenset[str]] = field(default_factory=Counter)

    def go(self, tail: str = "") -> None:
        self.page.goto(f"/desk/{self.slug}/{tail}")

    def step(self, label: str) -> None:
        """The one filled button says this, and it is pressed."""
        button = self.page.locator(".thumb button.primary")
        expect(button).to_have_text(label)
        button.click()

    def begin(self, name: str) -> None:
        for deed in ("Pair", "Publish", "Start"):
            self.step(f"{deed} {name}")

    def tables(self) -> dict[int, Pair]:
        """Table by number with its upper and lower team, as the cards show them."""
        told = self.page.locator("#tables .table-card").evaluate_all(
            "cards => cards.map(card => [card.querySelector('.table-number').lastChild.textContent,"
            " ...[...card.querySelectorAll('ul > li:not(.quiet) > span:first-child')]"
            ".map(one => one.textContent)])"
        )
        return {int(number): (upper, lower) for number, upper, lower, *_ in told}

    def table_of(self, name: str) -> int:
        return next(number for number, pair in self.tables().items() if name in pair)

    def line(self, text: str, *, says: str = "") -> None:
        """The line is typed, read as it is shown, and entered by keyboard alone."""
        field = self.page.get_by_label("Result line")
        expect(field).to_be_focused()
        self.page.keyboard.type(text)
        number = text.split()[0]
        expect(self.page.locator(".line-shown")).to_contain_text(
            re.compile(rf"Table {number}\b.*{says}", re.S)
        )
        expect(self.page.locator("#line-says [name=seen]")).to_have_value(text)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("status").filter(has_text=f"Table {number}")).to_be_visible()

    def play(
        self,
        *,
        lines: int = 1,
        upsets: Collection[str] = (),
        lost_a_game: Collection[str] = (),
        leaves: str = "",
    ) -> None:
        """So many tables, and those with something special, by a line; the others at once."""
        tables = self.tables()
        self.met.update(frozenset(pair) for pair in tables.values())
        special = {*upsets, *lost_a_game, leaves}
        open_tables = self.page.locator("#tables .table-card.is-open .table-number").all_inner_texts()
        numbers = [int(text.split()[-1]) for text in open_tables]
        for place, number in enumerate(numbers):
            pair = tables[number]
            if place >= lines and not special.intersection(pair):
                continue
            winner = strong(pair, but=upsets)
            games = [2 if name == winner else int(winner in lost_a_game) for name in pair]
            drop = f" drop {'AB'[pair.index(leaves)]}" if leaves in pair else ""
            self.line(f"{number} {games[0]}-{games[1]}{drop}", says=f"{winner} wins")
        self.settle(tables)

    def settle(self, tables: dict[int, Pair]) -> None:
        """The tables still open, resolved in one deed: the weaker team gives up."""
        link = self.page.get_by_role("link", name="Resolve the remaining tables")
        if not link.count():
            return
        link.click()
        rows = self.page.locator(".resolving > li")
        for row in rows.all():
            pair = tables[int(row.locator(".table-number").inner_text().split()[-1])]
            loser = 1 - pair.index(strong(pair))
            row.locator("select").select_option(f"concession:{loser}")
        self.page.get_by_role("button", name="Settle these tables").click()
        expect(self.page.get_by_role("status").filter(has_text="settled")).to_be_visible()


def strong(pair: Pair, *, but: Collection[str] = ()) -> str:
    """Who wins: the stronger team, unless this one is said to lose."""
    first, second = sorted(pair, key=STRENGTH.__getitem__)
    return second if first in but else first


@pytest.fixture
def announced(transactional_db: None) -> Tournament:
    """A draft of five rounds and a top 4, nothing more."""
    return halls.draft(name="A Whole Day", planned_rounds=5, cut=4, seed=11)


def register_crews(tournament: Tournament) -> None:
    members = [
        {label: add_player(store_id=tournament.store_id, name=f"{name} {label}").pk for label in "AB"}
        for name in KNOWN
    ]
    register_teams(tournament_id=tournament.pk, members=members, names=KNOWN, actor=COMMAND)


def add_team(day: Day, name: str) -> None:
    day.go("teams/")
    for label in "AB":
        day.page.get_by_label(f"Player {label}").fill(f"{name} {label}")
    day.page.get_by_label("Team name").fill(name)
    day.page.keyboard.press("Enter")
    expect(day.page.locator("#teams")).to_contain_text(name)


def make_cut(day: Day) -> None:
    """The top four go on; where chance has left two teams equal on the fourth place, the lot decides."""
    day.step("Make the cut to the top 4")
    if day.page.locator(".thumb button.primary").inner_text().startswith("Make the cut"):
        day.page.get_by_text("Decide a tie on the last place").click()
        day.page.get_by_label("How it was decided").fill("by lot")
        day.page.get_by_role("button", name="Make the cut", exact=True).click()


def print_round(day: Day) -> None:
    """Eight tables by number, eight slips in their order, both members on each."""
    for sheet, what in (("Pairings by table", "table tbody tr"), ("Match slips", ".slip")):
        day.go("print/")
        day.page.get_by_role("button", name=sheet).click()
        expect(day.page.locator(what)).to_have_count(8)
        for word in (LATE, f"{LATE} A", f"{LATE} B"):
            expect(day.page.locator(what).filter(has_text=word)).to_have_count(1)


def give_game_loss(day: Day, name: str) -> None:
    """Whoever presented a wrong list loses a game; what it does is read before it is done."""
    page = day.page
    page.locator(f"#tables .table-card:has-text('{name}')").click()
    page.get_by_role("link", name="Penalty at this table").click()
    page.get_by_label(re.compile(f"{name} A")).check()
    page.get_by_label("Infraction").select_option("decklist")
    page.get_by_label("Penalty", exact=True).select_option("game-loss")
    page.get_by_role("button", name="See what it does").click()
    expect(page.get_by_text("What it does:")).to_be_visible()
    page.get_by_role("button", name="Give it").click()
    day.go("penalties/")
    expect(page.get_by_role("main")).to_contain_text(f"{name} A")
    day.go()


def correct_first_round(day: Day, name: str) -> None:
    """The result of the first round is turned over in the third."""
    page = day.page
    page.get_by_text("Earlier rounds").click()
    page.get_by_role("link", name="Round 1").click()
    page.locator(f"#tables .table-card:has-text('{name}')").click()
    pair = page.locator(".side-card")
    expect(pair).to_have_count(2)
    for side in range(2):
        own = name in pair.nth(side).inner_text()
        page.locator(f"#wins_{side}").fill("2" if own else "0")
    page.get_by_label("Reason").fill("The slip was read upside down.")
    page.get_by_role("button", name="See what changes").click()
    changes = page.get_by_role("region", name="What changes")
    expect(changes.locator("tbody tr").filter(has_text=name)).to_contain_text("→")
    expect(changes).to_contain_text("Round 3 is running; its pairings stay as they are.")
    page.get_by_role("button", name="Correct the result").click()
    expect(page.get_by_text(re.compile(r"Table \d is corrected"))).to_be_visible()
    expect(page.locator(f"#tables .table-card:has-text('{name}') .winner")).to_have_text(name)
    day.go()


def disqualify(day: Day, name: str) -> None:
    page = day.page
    day.go("teams/")
    page.get_by_role("link", name=f"Open {name}").click()
    page.get_by_role("link", name="Disqualify").first.click()
    expect(page.get_by_text("What changes:")).to_be_visible()
    page.get_by_label("Reason").fill("Marked cards.")
    page.get_by_role("button", name="Disqualify the team").click()
    expect(page.locator(".state-disqualified").first).to_be_visible()
    day.go()


def journal_numbers(day: Day) -> list[int]:
    """Every number of the journal, from its pages."""
    day.go("journal/")
    found: list[int] = []
    while True:
        found += map(int, day.page.locator("#journal > tr > td:first-child").all_inner_texts())
        older = day.page.get_by_role("link", name="Older")
        if not older.count():
            return found
        older.click()
        day.page.wait_for_url(re.compile(rf"before={found[-1]}"))


@pytest.mark.long
def test_a_day_of_sixteen_teams_is_played_from_the_desk_alone(
    announced: Tournament, browser_as: Callable[..., Page]
) -> None:
    day = Day(browser_as(halls.person("organizer", "organizer", announced)), announced.slug)
    page = day.page
    day.go()
    day.step("Open registration")
    register_crews(announced)
    add_team(day, BY_FORM)
    day.go()
    day.step("Start with 15 teams")

    # Round 1: a team comes after the pairings are up, and the repair gives it the team with the bye.
    day.step("Pair Round 1")
    day.step("Publish Round 1")
    add_team(day, LATE)
    day.go()
    page.get_by_role("link", name="See the repair").click()
    expect(page.locator(".changes.made")).to_contain_text(LATE)
    page.get_by_role("button", name="Apply the repair").click()
    print_round(day)
    day.go()
    assert len(day.tables()) == 8
    day.step("Start Round 1")
    wronged = "Crew 03"
    day.play(lines=4, upsets=[wronged])
    day.step("Close Round 1")

    # Round 2: a game is lost by a penalty, and a team leaves with its result.
    day.begin("Round 2")
    give_game_loss(day, "Crew 05")
    day.play(lost_a_game=["Crew 05"], leaves="Crew 14")
    day.step("Close Round 2")

    # Round 3: the result of round 1 is put right, and a team is disqualified at its table.
    day.begin("Round 3")
    assert "Crew 14" not in sum(day.tables().values(), ())
    correct_first_round(day, wronged)
    disqualify(day, "Crew 02")
    day.play()
    day.step("Close Round 3")

    for name in ("Round 4", "Round 5"):
        day.begin(name)
        assert "Crew 02" not in sum(day.tables().values(), ())
        day.play()
        day.step(f"Close {name}")
    assert max(day.met.values()) == 1, "sixteen teams can play five rounds without meeting twice"

    page.goto(f"/t/{day.slug}/standings/")
    ranked = page.locator("#list .who").all_inner_texts()
    assert len(ranked) == 15
    assert not any("Crew 02" in one for one in ranked)
    expect(page.locator("#list tr").filter(has_text=f"{wronged} A")).to_contain_text("4–1")
    day.go()
    make_cut(day)
    for name in ("Semifinals", "Final"):
        day.begin(name)
        day.play()
        day.step(f"Close {name}")
    day.step("Finish the tournament")
    page.get_by_role("link", name="Final ranking").click()
    expect(page.locator("#list tr").first).to_contain_text("Crew 01")

    numbers = journal_numbers(day)
    assert numbers == list(range(len(numbers), 0, -1))
