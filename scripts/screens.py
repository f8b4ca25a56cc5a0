"""A picture of every page at phone and desktop width, in var/screens: `python -m scripts.screens [name ...]`.

It fills a database of its own with tournaments of every state, so that nobody's data is shown or touched.
Names choose the pictures whose name holds one of them; --dark takes them on dark paper.
"""

# The settings are chosen before Django is read.
# ruff: noqa: E402

import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from importlib import import_module
from pathlib import Path

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
os.environ.pop("TEST_DATABASE_URL", None)

import django

django.setup()

import logging

import structlog
from django.conf import settings
from django.test import Client
from django.test.utils import setup_databases, setup_test_environment, teardown_databases
from playwright.sync_api import Page as Browsed
from playwright.sync_api import sync_playwright
from pytest_django.live_server_helper import LiveServer

from integrations.keys import issue_key, rotate_key
from integrations.prizes import Share, award_prizes, pay_prize, set_payouts
from journal.actors import COMMAND
from journal.clock import now
from matches.boards import enter_board
from matches.games import choose_first, record_game
from matches.models import Match
from matches.results import enter_result
from matches.tracking import note_tap
from rulebook.tracker import Tap
from scripts import system
from teams.links import make_link
from teams.models import Seat
from teams.people import add_player
from tournaments.day_plan import DayPlan
from tournaments.handing_in import hand_in_decklist
from tournaments.invitations import invite_staff, token_of
from tournaments.large_imports import ask_tournament, tell
from tournaments.models import Tournament, Upload
from tournaments.planning import change_plan
from tournaments.signing_up import CONFIRM, INVITE, Person, sign_up
from tournaments.signing_up import token_of as sign_up_token
from tournaments.team_import import ENTERED, keep_file
from tournaments.tournament_file import export_tournament, file_name
from tournaments.withdrawals import drop_team

# Not imported by name: the types of the tests are no matter of the scripts.
BROWSER_SWITCHES = import_module("tests.conftest").BROWSER_SWITCHES
halls = import_module("tests.pages.halls")
OUT = Path(settings.VAR_DIR) / "screens"
IMPORTED = (
    "Team;Player A;Player B;E-mail A\n"
    "Über den Wolken;Anna Weiß;Ben Groß;anna@example.org\n"
    ";Ana Beatriz Carvalho;Jan Novák;\n"
    "Halbe Sache;Carla Brandt;;\n"
    "Donau Dragons;Ida Holm;Per Holm;\n"
)
DECK = """4 Blazing Scorcher
36 Other Card
Legend:
1 Somebody
Battlefields:
1 Here
1 There
"""
WIDTHS = {"phone": (390, 844), "desk": (1280, 900)}
Page = tuple[str, str, bool]


def pages() -> Iterator[Page]:
    """Name, address and whether staff see it."""
    organizer = halls.person("organizer")
    for account in (organizer,):
        account.is_superuser = account.is_staff = True
        account.set_password("a-long-password")
        account.save()
    coming = halls.registering(9, name="Winter Warm-up", capacity=16)
    lone = halls.lone_member(coming)
    going = halls.running(13, 2, name="Autumn Team Open", planned_rounds=5, cut=4)
    drafted = halls.running(13, 1, name="Tuesday Team League", planned_rounds=4)
    halls.paired(drafted)
    rnd = halls.started(going)
    halls.busy(rnd)
    cut = halls.in_cut(12, bracket_rounds=1)
    halls.started(cut)
    over = halls.in_cut(16, bracket_rounds=3, finish=True)
    halls.draft(name="Spring Preview")
    yield from _many_sides()
    yield from _phones()
    yield from _repair()
    yield "front", "/", False
    yield "login", "/accounts/login/", False
    yield "not-found", "/no/such/page", False
    for name, one in (("coming", coming), ("going", going), ("over", over)):
        yield f"public-overview-{name}", f"/t/{one.slug}/", False
    yield "public-pairings", f"/t/{going.slug}/pairings/", False
    yield "public-pairings-by-name", f"/t/{going.slug}/pairings/?by=name", False
    yield "public-standings", f"/t/{going.slug}/standings/", False
    yield "public-standings-final", f"/t/{over.slug}/standings/", False
    yield "public-team", f"/t/{going.slug}/standings/{going.teams.first().pk}/", False
    yield "public-table", f"/t/{going.slug}/tables/{halls.tables(rnd)[3].pk}/", False
    yield "rules", "/rules/", False
    yield "public-bracket", f"/t/{cut.slug}/bracket/", False
    yield "public-bracket-over", f"/t/{over.slug}/bracket/", False
    yield "public-rounds", f"/t/{going.slug}/rounds/", False
    yield "public-deeds", f"/t/{going.slug}/deeds/", False
    yield "public-map", f"/t/{going.slug}/map/?table=3", False
    yield "public-screen", f"/t/{going.slug}/screen/", False
    set_payouts(
        tournament_id=over.pk,
        rows=[
            Share(1, 1, 20_001, "EUR"),
            Share(2, 2, 10_000, "EUR"),
            Share(3, 4, what="24 boosters"),
        ],
        actor=COMMAND,
    )
    set_payouts(tournament_id=going.pk, rows=[Share(1, 1, 20_001, "EUR", "a cup")], actor=COMMAND)
    for prize in award_prizes(tournament_id=over.pk, actor=COMMAND)[:2]:
        pay_prize(prize_id=prize.pk, external_ref=f"credit-{prize.pk}", actor=COMMAND)
    yield "desk-prizes", f"/desk/{over.slug}/prizes/", True
    yield "desk-prizes-table", f"/desk/{going.slug}/prizes/", True
    yield "desk-list", "/desk/", True
    yield "desk-create", "/desk/new", True
    yield "desk-create-form", "/desk/new?mode=riftbound-2v2", True
    yield "desk-copy", f"/desk/{over.slug}/copy/", True
    yield from _staff(going)
    yield from _paper(going, over)
    yield from _registration(coming)
    yield from _sign_up()
    yield "desk-registration", f"/desk/{coming.slug}/", True
    yield "desk-draft", f"/desk/{drafted.slug}/", True
    yield "desk-running", f"/desk/{going.slug}/", True
    yield "desk-over", f"/desk/{over.slug}/", True
    yield "desk-resolve", f"/desk/{going.slug}/resolve/", True
    change_plan(tournament_id=drafted.pk, plan=DayPlan(modes={"publish": "automatic"}), actor=COMMAND)
    yield "desk-plan", f"/desk/{drafted.slug}/plan/", True
    yield "desk-plan-new", f"/desk/{coming.slug}/plan/", True
    yield "desk-penalties", f"/desk/{going.slug}/penalties/", True
    yield "desk-penalty", f"/desk/{going.slug}/tables/{halls.tables(rnd)[3].pk}/penalty", True
    yield "desk-teams", f"/desk/{coming.slug}/teams/", True
    yield "desk-team", f"/desk/{going.slug}/teams/{going.teams.first().pk}/", True
    yield "desk-team-incomplete", f"/desk/{coming.slug}/teams/{lone.pk}/", True
    first, second, third, fourth, *_ = halls.tables(rnd)
    for name, match in (("confirmed", first), ("reported", second), ("disputed", third), ("opened", fourth)):
        yield f"desk-table-{name}", f"/desk/{going.slug}/tables/{match.pk}/", True
    yield from _correction(going, drafted)
    seat = Seat.objects.filter(team=first.sides.first().team)[0]
    yield "desk-drop", f"/desk/{going.slug}/teams/{seat.team_id}/drop/{seat.player_id}/", True
    yield "desk-journal", f"/desk/{going.slug}/journal/", True
    yield "desk-standings", f"/desk/{going.slug}/standings/", True
    yield "desk-map", f"/desk/{going.slug}/map/", True
    yield "desk-settings", f"/desk/{going.slug}/settings/", True
    yield "account-two-factor", "/accounts/2fa/", True
    yield "account-password", "/accounts/password/change/", True
    tables = halls.tables(rnd)
    for name, match, side in (
        ("confirmed", first, 0),
        ("reported-by-us", second, 0),
        ("reported-by-them", second, 1),
        ("disputed", third, 0),
        ("opened", fourth, 1),
        ("choice", tables[-1], 0),
        ("other-choice", tables[-1], 1),
    ):
        yield f"me-{name}", _personal(match.sides.order_by("index")[side].team_id), False
    yield "de-me-reported", _personal(second.sides.order_by("index")[1].team_id), False
    yield "ja-public-pairings", f"/t/{going.slug}/pairings/", False
    bye = rnd.matches.get(kind="bye")
    yield "me-bye", _personal(bye.sides.get().team_id), False
    yield "me-finished", _personal(over.teams.first().pk), False
    yield "me-before", _personal(coming.teams.first().pk), False
    yield "me-dead-link", "/me/0123456789abcdef", False
    yield "me-unknown-browser", f"/me/{seat.pk}", False
    yield "offline-pairings", f"/t/{going.slug}/pairings/", False
    yield "offline-report", _personal(tables[-1].sides.get(index=0).team_id), False
    yield "offline-instead", "/", False


def _correction(*tournaments: Tournament) -> Iterator[Page]:
    """The first result of the first round turned over, with all that it changes."""
    for tournament in tournaments:
        match = halls.tables(tournament.stages.get(number=1).rounds.get(number=1))[0]
        wins = [line.wins for line in match.results.get().lines.order_by("side__index")]
        said = f"kind=played&wins_0={wins[1]}&wins_1={wins[0]}&draws=0&reason=Slip+misread"
        yield (
            f"desk-correction-{tournament.slug}",
            f"/desk/{tournament.slug}/tables/{match.pk}/correction?{said}",
            True,
        )


def _phones() -> Iterator[Page]:
    """A phone in each state of a match that its players run, and what they ask for."""
    soon = now() + timedelta(hours=2)
    coming = halls.registering(3, name="Check-in Cup", starts_at=soon, decklists_until=soon)
    seat = coming.teams.first().seats.order_by("label")[0]
    hand_in_decklist(seat_id=seat.pk, body=DECK, actor=COMMAND)
    here = f"/me/{make_link(seat_id=seat.pk)}"
    yield "me-check-in", here, False
    yield "me-deck", f"{here}/deck", False
    yield "me-messages", f"{here}/notices", False
    yield "me-withdraw", f"{here}/leave", False
    taps = {
        "riftbound-2v2": ("hold|1A|0|1", "conquer|1A|0|2", "score|2A|3|", "ally|1A|0|3"),
        "magic-2hg": ("score|1A|-7|", "pay|2A|4|", "poison|2A|2|"),
        "magic-commander": ("score|2A|-12|", "commander|3A|9|1A"),
    }
    for mode, said in taps.items():
        best = 1 if mode == "magic-commander" else 3
        going = halls.running(
            8, mode=mode, best_of=best, name=f"Tracked {mode}", opening_after_s=240, planned_rounds=2
        )
        first, *others = halls.tables(halls.started(going))
        choose_first(match_id=first.pk, actor=COMMAND, chooser=0)
        for one in said:
            tap, position, amount, source = one.split("|")
            note_tap(
                match_id=first.pk,
                actor=COMMAND,
                tap=Tap(tap),
                position=position,
                amount=int(amount),
                source=source,
            )
        mine = _personal(first.sides.get(index=0).team_id)
        yield f"me-playing-{mode}", mine, False
        yield f"me-track-{mode}", f"{mine}/track", False
        yield f"me-leave-{mode}", f"{mine}/leave", False
        yield f"desk-tracked-{mode}", f"/desk/{going.slug}/tables/{first.pk}/", True
        if best > 1:
            yield from _between(others[0], mode)
            yield f"me-default-{mode}", _personal(others[1].sides.get(index=0).team_id), False


def _between(match: Match, mode: str) -> Iterator[Page]:
    """A match in which two games are over, the second of them drawn, then all."""
    for winner in (0, None, 0):
        choose_first(match_id=match.pk, actor=COMMAND)
        record_game(match_id=match.pk, actor=COMMAND, winner=winner)
    yield f"me-decided-{mode}", _personal(match.sides.get(index=0).team_id), False


def _staff(tournament: Tournament) -> Iterator[Page]:
    """Who serves and how somebody joins, and the pages about one person."""
    halls.person("judge", "judge", tournament)
    invitation = invite_staff(tournament_id=tournament.pk, role="scorekeeper", actor=COMMAND)
    player = Seat.objects.filter(tournament=tournament).order_by("id")[0].player_id
    yield "desk-staff", f"/desk/{tournament.slug}/staff/", True
    key, _ = issue_key(
        store_id=tournament.store_id,
        name="Web shop",
        scopes=["read", "orders:write", "teams:write"],
        created_by=invitation.tournament.staff.order_by("id")[0].user_id,
    )
    rotate_key(key_id=key.pk)
    issue_key(store_id=tournament.store_id, name="Chat bot", scopes=["results:write"])
    yield "store-keys", "/stores/keys/", True
    yield "desk-person", f"/desk/{tournament.slug}/players/{player}/", True
    yield "desk-erase", f"/desk/{tournament.slug}/players/{player}/erase/", True
    yield "join", f"/join/{token_of(invitation)}/", False
    yield "account-sign-up", "/accounts/signup/?next=/join/", False


def _paper(going: Tournament, over: Tournament) -> Iterator[Page]:
    """The page that prints, and every sheet."""
    desk = f"/desk/{going.slug}/print/"
    yield "desk-print", desk, True
    for sheet in ("pairings", "names", "slips", "standings", "sign-up", "tags"):
        yield f"print-{sheet}", f"{desk}{sheet}/", True
    yield "print-bracket", f"/desk/{over.slug}/print/bracket/", True


def _registration(coming: Tournament) -> Iterator[Page]:
    """Who comes in: by scan, and from a file with a question and a mistake."""
    desk = f"/desk/{coming.slug}/"
    upload = Upload.objects.create(
        tournament=coming,
        user=halls.person("organizer"),
        name="teams.csv",
        body=IMPORTED.encode(),
        choices={},
        made_at=now(),
    )
    yield "desk-check-in", f"{desk}check-in/", True
    yield "desk-import", f"{desk}teams/import/", True
    yield "desk-import-look", f"{desk}teams/import/{upload.pk}/", True
    yield "desk-import-file", "/desk/import", True
    yield from _long_lists(coming)


def _long_lists(coming: Tournament) -> Iterator[Page]:
    """A list for a worker: looked at, waiting, half entered, and done."""
    add_player(store_id=coming.store_id, name="Mia Moser 7", source="league", external_id="100007")
    rows = "".join(f"Riverside {n};Mia Moser {n};Leo Lang {n}\n" for n in range(2, 700))
    body = f"Team;Player A;Player B\n;Nobody;\n{rows}".encode()
    keep = partial(keep_file, tournament_id=coming.pk, user_id=halls.person("organizer").pk, body=body)
    asked = {"asked_at": now(), "asked_by": "user:1", "asked_through": "desk"}
    states = {
        "long": {},
        "waits": asked,
        "begun": {**asked, "claimed_at": now(), "tries": 2},
        "half": {**asked, "claimed_at": now()},
        "done": {**asked, "applied_at": now(), "entered": 698, "waitlisted": 12},
        "refused": {**asked, "error": f"{coming.name} is running, not at registration."},
    }
    for name, values in states.items():
        upload = keep(name=f"league-{name}.csv", choices={})
        Upload.objects.filter(pk=upload.pk).update(**values)
        if name == "half":
            tell(upload.pk, ENTERED, 500, 698)
        yield f"desk-import-{name}", f"/desk/{coming.slug}/teams/import/{upload.pk}/", True
    file = ask_tournament(
        store_id=coming.store_id,
        user_id=halls.person("organizer").pk,
        name=file_name(coming),
        text=export_tournament(coming),
        actor=COMMAND,
    )
    yield "desk-import-file-state", f"/desk/import/{file.pk}/", True
    yield "desk-import-lists", f"/desk/{coming.slug}/teams/import/", True


def _sign_up() -> Iterator[Page]:
    """Who enters by himself: the form, both links, and what of it waits at the desk."""
    one = halls.registering(5, name="Spring Pairs", capacity=8, signs_up=True)
    add_player(store_id=one.store_id, name="Noor Haddad", source="league", external_id="100271")
    enter = partial(sign_up, tournament_id=one.pk)
    invited = enter(people={"B": Person("Mio Sato")}, team_name="Nachteulen")
    pending = enter(
        people={"A": Person("Ida Holm"), "B": Person("Per Holm")}, team_name="North", email="ida@example.org"
    )
    for label, name in (("A", "Noor Haddad"), ("B", "高橋 葵"), ("A", "Jan Novák")):
        enter(people={label: Person(name)}, is_solo=True)
    address = f"/t/{one.slug}/sign-up/"
    yield "sign-up", address, False
    yield "sign-up-invite", f"{address}?how=one", False
    yield "sign-up-solo", f"{address}?how=solo", False
    yield "sign-up-join", f"/sign-up/{sign_up_token(invited, INVITE)}/", False
    yield "sign-up-confirm", f"/sign-up/{sign_up_token(pending, CONFIRM)}/", False
    yield "public-overview-sign-up", f"/t/{one.slug}/", False
    yield "desk-teams-sign-up", f"/desk/{one.slug}/teams/", True
    yield "desk-team-unconfirmed", f"/desk/{one.slug}/teams/{pending.team_id}/", True


def _many_sides() -> Iterator[Page]:
    """A tournament of pods and one of trios, each in its second round."""
    for mode, name in (("magic-commander", "Commander Night"), ("magic-trios", "Trio Sunday")):
        best = 1 if mode == "magic-commander" else 3
        one = halls.running(11, 0, mode=mode, best_of=best, name=name)
        rnd = halls.started(one)
        first, second, *_ = halls.tables(rnd)
        if mode == "magic-commander":
            enter_result(match_id=first.pk, actor=COMMAND, wins=(0, 0, 1, 0), out_order=(2, 1, None, 3))
        else:
            enter_board(match_id=second.pk, board_label="A", actor=COMMAND, wins=(2, 1))
        board = "" if mode == "magic-commander" else "B"
        choose_first(match_id=second.pk, actor=COMMAND, seed=3, board_label=board)
        yield f"public-pairings-{mode}", f"/t/{one.slug}/pairings/", False
        yield f"public-table-{mode}", f"/t/{one.slug}/tables/{second.pk}/", False
        yield f"desk-running-{mode}", f"/desk/{one.slug}/", True
        yield f"desk-table-{mode}", f"/desk/{one.slug}/tables/{second.pk}/", True
        yield f"me-{mode}", _personal(second.sides.order_by("index")[1].team_id), False
        if mode == "magic-commander":
            yield f"desk-table-in-{mode}", f"/desk/{one.slug}/tables/{first.pk}/", True
            yield f"me-in-{mode}", _personal(first.sides.order_by("index")[0].team_id), False


def _repair() -> Iterator[Page]:
    """A published round that a team has left."""
    one = halls.running(11, 1, name="Harbour Open", planned_rounds=5)
    rnd = halls.published(one)
    first, second, third, *_ = halls.tables(rnd)
    gone, left, right = (match.sides.order_by("index")[0].team_id for match in (first, second, third))
    drop_team(team_id=gone, actor=COMMAND)
    address = f"/desk/{one.slug}/rounds/{rnd.pk}/repair/"
    yield "desk-published", f"/desk/{one.slug}/", True
    yield "desk-repair", f"{address}?one={left}&other={right}", True


def _language(name: str) -> str:
    """A picture called de-... is taken of the German page, any other of the English one."""
    code = name.partition("-")[0]
    return code if code in dict(settings.LANGUAGES) else "en"


def _personal(team_id: int) -> str:
    seat = list(Seat.objects.filter(team_id=team_id).order_by("label")[:2])[-1]
    return f"/me/{make_link(seat_id=seat.pk)}"


def main(wanted: list[str]) -> int:
    dark = "--dark" in wanted
    names = [name for name in wanted if not name.startswith("--")]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    server = LiveServer("127.0.0.1")
    try:
        taken = list(_taken(server.url, names, "dark" if dark else "light"))
    finally:
        server.stop()
        teardown_databases(databases, verbosity=0)
    wide = [name for name, overflow in taken if overflow]
    print(f"{len(taken)} pictures in {OUT.relative_to(settings.BASE_DIR)}")
    if wide:
        print("scrolls sideways: " + ", ".join(wide))
    return 1 if wide else 0


def _taken(address: str, names: list[str], scheme: str) -> Iterator[tuple[str, bool]]:
    OUT.mkdir(parents=True, exist_ok=True)
    shown = [page for page in pages() if not names or any(name in page[0] for name in names)]
    client = Client()
    client.force_login(halls.person("organizer"), backend="django.contrib.auth.backends.ModelBackend")
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system.chromium(), args=list(BROWSER_SWITCHES))
        for width, (across, down) in WIDTHS.items():
            for is_staff in (False, True):
                window = browser.new_context(
                    base_url=address,
                    viewport={"width": across, "height": down},
                    color_scheme=scheme,  # type: ignore[arg-type]
                )
                if is_staff:
                    window.add_cookies([{"name": cookie.key, "value": cookie.value, "url": address}])
                page = window.new_page()
                page.on("console", lambda told: print(told.text) if told.type == "error" else None)
                for name, path, for_staff in shown:
                    if for_staff != is_staff:
                        continue
                    page.set_extra_http_headers({"Accept-Language": _language(name)})
                    page.goto(path, wait_until="load")
                    if name.startswith("offline-"):
                        _without_network(page, name)
                    page.wait_for_timeout(150)
                    overflow = page.evaluate(
                        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
                    )
                    page.screenshot(path=OUT / f"{name}-{width}-{scheme}.png", full_page=True)
                    window.set_offline(False)
                    yield f"{name}-{width}", bool(overflow)
                window.close()
        browser.close()


def _without_network(page: Browsed, name: str) -> None:
    """The page as this browser has kept it, or the one instead; a report is made and waits."""
    page.evaluate("navigator.serviceWorker.ready")
    page.reload(wait_until="load")
    page.wait_for_timeout(1000)
    page.context.set_offline(True)
    if name == "offline-instead":
        page.goto("/rules/never-seen/")
        return
    page.reload(wait_until="load")
    if name == "offline-report":
        page.locator("summary", has_text="Report the result").click()
        page.get_by_label("Games we won").fill("2")
        page.get_by_label("Games they won").fill("1")
        page.get_by_role("button", name="Report for").click()
        page.locator("[data-reports] .notice").wait_for()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
