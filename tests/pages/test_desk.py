"""The desk: who may open it, and that each of its forms calls the service behind it."""

import re
from typing import Any

import pytest

from journal.models import Deed
from journal.recording import version_of
from matches.models import Match
from teams.models import Player, Team
from tests.pages import halls
from tests.pages.test_public import text_of
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.django_db


def do(client: Any, tournament: Tournament, deed: str, **data: Any) -> str:
    """The deed is posted; returns the words of the page that follows."""
    response = client.post(f"/desk/{tournament.slug}/do/{deed}/", data, follow=True)
    assert response.status_code == 200, (deed, response.status_code)
    return text_of(response)


def enter(client: Any, tournament: Tournament, line: str, **more: Any) -> Any:
    """The line is entered as somebody does who has seen what it means."""
    return client.post(f"/desk/{tournament.slug}/", {"line": line, "seen": line, **more})


def addresses(tournament: Tournament) -> list[str]:
    team = Team.objects.filter(tournament=tournament).first()
    seat = team.seats.first() if team else None
    base = f"/desk/{tournament.slug}/"
    pages = [base, f"{base}teams/", f"{base}journal/", f"{base}settings/"]
    if team and seat:
        pages += [f"{base}teams/{team.pk}/", f"{base}teams/{team.pk}/drop/{seat.player_id}/"]
    pages += [f"{base}rounds/{rnd.pk}/" for rnd in Round.objects.filter(stage__tournament=tournament)]
    pages += [f"{base}tables/{m.pk}/" for m in Match.objects.filter(tournament=tournament)[:3]]
    return pages


def test_every_page_of_the_desk_opens_for_its_organizer(at_desk: Any) -> None:
    tournament = halls.running(9, 1)
    halls.busy(halls.started(tournament))
    client = at_desk(tournament)
    for address in (*addresses(tournament), "/desk/"):
        assert client.get(address).status_code == 200, address


def test_a_stranger_is_sent_to_the_login_and_other_staff_find_nothing(client: Any, signed_in: Any) -> None:
    tournament, other = halls.running(4, 1), halls.draft(name="Elsewhere")
    foreign = signed_in(halls.person("neighbour", "organizer", other))
    for address in addresses(tournament):
        assert client.get(address).status_code == 302, address
        assert foreign.get(address).status_code == 404, address
    assert foreign.post(f"/desk/{tournament.slug}/do/pair/").status_code == 404
    assert client.post(f"/desk/{tournament.slug}/do/pair/").status_code == 302
    assert not Round.objects.filter(stage__tournament=tournament, number=2).exists()


@pytest.mark.parametrize(
    ("role", "deed", "status"),
    [
        ("viewer", "pair", 403),
        ("viewer", "confirm", 403),
        ("judge", "pair", 403),
        ("judge", "open-registration", 403),
        ("scorekeeper", "pair", 302),
        ("scorekeeper", "cancel", 403),
        ("head-judge", "cancel", 403),
        ("organizer", "cancel", 302),
        ("organizer", "no-such-deed", 404),
    ],
)
def test_a_role_does_its_own_deeds_and_no_others(at_desk: Any, role: str, deed: str, status: int) -> None:
    tournament = halls.running(4)
    before = Deed.objects.filter(tournament=tournament).count()
    assert at_desk(tournament, role).post(f"/desk/{tournament.slug}/do/{deed}/").status_code == status
    assert (Deed.objects.filter(tournament=tournament).count() > before) == (status == 302)


def test_settings_are_for_the_organizer(at_desk: Any) -> None:
    tournament = halls.draft()
    assert at_desk(tournament, "judge").get(f"/desk/{tournament.slug}/settings/").status_code == 403


def test_a_whole_tournament_is_run_by_its_next_step(at_desk: Any, signed_in: Any) -> None:
    boss = halls.person("boss")
    halls.store().keepers.add(boss)
    client = signed_in(boss)
    made = client.post(
        "/desk/new",
        {
            "store": halls.store().pk,
            "name": "Abendturnier Süd",
            "mode": "riftbound-2v2",
            "planned_rounds": 2,
            "cut": 2,
            "round_minutes": 40,
            "best_of": 3,
            "starts_at": "2026-12-01T18:30",
        },
    )
    tournament = Tournament.objects.get(name="Abendturnier Süd")
    assert made.status_code == 302
    assert tournament.starts_at.isoformat() == "2026-12-01T17:30:00+00:00"
    done = []
    for _ in range(40):
        page = client.get(f"/desk/{tournament.slug}/")
        filled = re.findall(r'<button class="primary"[^>]*>', page.content.decode())
        tournament.refresh_from_db()
        if tournament.state == "finished":
            break
        assert len(filled) == 1
        found = re.search(r'action="/desk/[\w-]+/do/([\w-]+)/" class="thumb"', page.content.decode())
        rnd = re.search(r'name="round" value="(\d+)"', page.content.decode())
        if "disabled" in filled[0]:
            _fill(client, tournament)
            continue
        done.append(found.group(1))
        more = {"round": rnd.group(1)} if rnd else {}
        if found.group(1) == "make-cut":
            more["tie_decision"] = "by lot"
        do(client, tournament, found.group(1), **more)
    rounds = ["pair", "publish", "start-round", "close"]
    assert done == ["open-registration", "start", *rounds, *rounds, "make-cut", *rounds, "finish"]


def _fill(client: Any, tournament: Tournament) -> None:
    """What the filled button waits for: two teams, or the results."""
    if tournament.state == "registration":
        for a, b in (("佐藤 陽菜", "鈴木 蓮"), ("Jörg Müller", "Zoë van den Heuvel"), ("Ben Li", "Ana Sá")):
            client.post(f"/desk/{tournament.slug}/teams/", {"seat_A": a, "seat_B": b})
        return
    rnd = Round.objects.filter(stage__tournament=tournament, state="running").last()
    for match in halls.tables(rnd):
        assert enter(client, tournament, f"{match.table} 2-1").status_code == 302


@pytest.mark.parametrize(
    ("line", "kind", "counts"),
    [
        ("1 2-1", "played", [(2, 0), (1, 0)]),
        ("1 1-1-1", "played", [(1, 1), (1, 1)]),
        ("1 id", "intentional-draw", [(0, 3), (0, 3)]),
        ("1 noshow 1", "no-show", [(0, 0), (2, 0)]),
        ("1 conc 2", "concession", [(2, 0), (0, 0)]),
        ("1 dl", "double-loss", [(0, 0), (0, 0)]),
    ],
)
def test_a_result_line_is_entered(at_desk: Any, line: str, kind: str, counts: list[Any]) -> None:
    tournament = halls.running(4)
    rnd = halls.started(tournament)
    response = at_desk(tournament, "scorekeeper").post(
        f"/desk/{tournament.slug}/", {"line": line, "seen": line}, follow=True
    )
    result = halls.tables(rnd)[0].results.get(is_current=True)
    assert result.kind == kind
    assert [(one.wins, one.draws) for one in result.lines.order_by("side__index")] == counts
    assert "Table 1:" in text_of(response)


@pytest.mark.parametrize("line", ["1 3-0", "9 2-0", "hello", "1 2-2", "1"])
def test_a_refused_result_line_keeps_what_was_typed_and_says_why(at_desk: Any, line: str) -> None:
    tournament = halls.running(4)
    halls.started(tournament)
    response = at_desk(tournament).post(f"/desk/{tournament.slug}/", {"line": line, "seen": line})
    assert response.status_code == 409
    assert f'value="{line}"' in response.content.decode()
    assert 'role="alert"' in response.content.decode()
    assert not Match.objects.filter(tournament=tournament, state="confirmed").exists()


def test_a_second_entry_for_a_table_is_refused_and_the_correction_needs_a_reason(at_desk: Any) -> None:
    tournament = halls.running(4)
    match = halls.tables(halls.started(tournament))[0]
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/tables/{match.pk}/"
    assert client.post(address, {"wins_0": 2, "wins_1": 1, "kind": "played"}).status_code == 302
    asked = enter(client, tournament, "1 0-2")
    assert "This table is in already: 2–1" in text_of(asked)
    assert client.post(address, {"wins_0": 0, "wins_1": 2, "kind": "played"}).status_code == 409
    fixed = {"wins_0": 0, "wins_1": 2, "kind": "played", "reason": "Slip read upside down"}
    assert client.post(address, fixed).status_code == 409, "it goes through its preview"
    assert client.post(f"{address}correction", fixed).status_code == 200
    seen = {**fixed, "version": version_of(tournament.pk)}
    assert client.post(f"{address}correction", seen).status_code == 302
    assert Deed.objects.get(kind="MatchCorrected").reason == "Slip read upside down"
    assert "Slip read upside down" in text_of(client.get(f"/desk/{tournament.slug}/journal/"))


def test_a_report_is_confirmed_by_one_button(at_desk: Any) -> None:
    tournament = halls.running(4)
    match = halls.tables(halls.started(tournament))[0]
    halls.report(match, 0, ours=2, theirs=0)
    client = at_desk(tournament, "scorekeeper")
    assert "has not answered" in text_of(client.get(f"/desk/{tournament.slug}/"))
    do(client, tournament, "confirm", match=match.pk)
    match.refresh_from_db()
    assert match.state == "confirmed"


def test_a_report_is_shown_in_side_order_however_the_database_keeps_it(at_desk: Any) -> None:
    tournament = halls.running(4)
    match = halls.tables(halls.started(tournament))[0]
    halls.report(match, 1, ours=0, theirs=2)
    told = match.reports.get()
    told.body["wins"] = dict(reversed(told.body["wins"].items()))
    told.save()
    assert "reports 2–0" in text_of(at_desk(tournament).get(f"/desk/{tournament.slug}/"))


def test_closing_with_results_missing_names_the_tables(at_desk: Any) -> None:
    tournament = halls.running(4)
    rnd = halls.started(tournament)
    assert "waits for the result of tables 1, 2" in do(at_desk(tournament), tournament, "close", round=rnd.pk)


def test_a_draft_shows_what_the_engine_says_and_why_these_meet(at_desk: Any) -> None:
    tournament = halls.running(5, 1)
    rnd = halls.paired(tournament)
    words = text_of(at_desk(tournament).get(f"/desk/{tournament.slug}/"))
    for told in ("Rematches", "Pair-downs", "Only staff see it", "points"):
        assert told in words
    do(at_desk(tournament), tournament, "scrap", round=rnd.pk, reason="Wrong seed")
    rnd.refresh_from_db()
    assert rnd.state == "scrapped"


def test_a_round_can_be_published_by_the_clock(at_desk: Any) -> None:
    tournament = halls.running(4)
    rnd = halls.paired(tournament)
    words = do(at_desk(tournament), tournament, "schedule", round=rnd.pk, at="2099-05-01T14:40")
    assert "publishes Round 1 at Fri 1 May 2099, 14:40" in words
    assert "Enter the day and time" in do(
        at_desk(tournament), tournament, "schedule", round=rnd.pk, at="soon"
    )


def test_a_team_is_added_from_known_and_new_players(at_desk: Any) -> None:
    tournament = halls.registering(0)
    known = halls.add_player(store_id=tournament.store_id, name="Chloé Dubois")
    client = at_desk(tournament, "scorekeeper")
    assert "Chloé Dubois" in client.get(f"/desk/{tournament.slug}/players/?q=CHLO").content.decode()
    typed = {"seat_A": "chloé  dubois", "seat_B": "Ole Bjørnstad", "name": "Nordlicht"}
    asked = client.post(f"/desk/{tournament.slug}/teams/", typed)
    assert asked.status_code == 409
    assert "Is this the chloé dubois you know?" in text_of(asked)
    assert re.search(rf'name="who_A" value="{known.pk}" required checked', asked.content.decode())
    assert "autofocus>Add the team" in asked.content.decode()
    client.post(f"/desk/{tournament.slug}/teams/", {**typed, "who_A": known.pk})
    team = Team.objects.get(tournament=tournament)
    assert [(s.label, s.player.name) for s in team.seats.order_by("label")] == [
        ("A", "Chloé Dubois"),
        ("B", "Ole Bjørnstad"),
    ]
    assert team.seats.get(label="A").player_id == known.pk
    assert "Chloé" not in client.get(f"/desk/{tournament.slug}/players/?q=chlo").content.decode()


def test_namesakes_are_asked_about(at_desk: Any) -> None:
    tournament = halls.registering(0)
    one, two = (halls.add_player(store_id=tournament.store_id, name="Ben Li") for _ in range(2))
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/teams/"
    refused = client.post(address, {"seat_A": "Ben Li", "seat_B": "Emre Yılmaz"})
    assert refused.status_code == 409
    assert f"known as #{one.pk}" in text_of(refused)
    assert "checked" not in refused.content.decode()
    assert 'value="Emre Yılmaz"' in refused.content.decode()
    client.post(address, {"seat_A": f"Ben Li #{two.pk}", "seat_B": "Emre Yılmaz"})
    assert Team.objects.get(tournament=tournament).seats.get(label="A").player_id == two.pk
    client.post(address, {"seat_A": "Ben Li", "who_A": "new", "mark_A": "Porto"})
    assert Player.objects.filter(name="Ben Li").count() == 3
    assert "Ben Li (Porto)" in text_of(client.get(address))


def test_one_player_on_two_seats_is_refused_and_nobody_is_made(at_desk: Any) -> None:
    tournament = halls.registering(0)
    client = at_desk(tournament)
    refused = client.post(
        f"/desk/{tournament.slug}/teams/", {"seat_A": "Noor Haddad", "seat_B": "noor haddad"}
    )
    assert refused.status_code == 409
    assert not Team.objects.filter(tournament=tournament).exists()
    assert not Player.objects.filter(name="Noor Haddad").exists()


def test_an_incomplete_team_is_shown_as_such_and_its_seat_is_filled(at_desk: Any) -> None:
    tournament = halls.registering(2)
    team = halls.lone_member(tournament)
    client = at_desk(tournament)
    assert "incomplete" in text_of(client.get(f"/desk/{tournament.slug}/teams/"))
    client.post(f"/desk/{tournament.slug}/teams/{team.pk}/", {"label": "B", "player": "Pavel Dvořák"})
    assert team.seats.get(label="B").player.name == "Pavel Dvořák"


def test_a_team_swaps_checks_in_withdraws_and_comes_back(at_desk: Any) -> None:
    tournament = halls.registering(3)
    team = Team.objects.get(tournament=tournament, number=1)
    client = at_desk(tournament)
    was = team.seats.get(label="A", is_live=True).player_id
    do(client, tournament, "swap", team=team.pk)
    assert team.seats.get(label="B", is_live=True).player_id == was
    for deed, state in (("check-in", "checked-in"), ("withdraw", "withdrawn"), ("readmit", "registered")):
        do(client, tournament, deed, team=team.pk)
        team.refresh_from_db()
        assert team.state == state


def test_what_leaving_changes_is_said_before_it_happens(at_desk: Any) -> None:
    tournament = halls.running(4, 1)
    match = halls.tables(halls.started(tournament))[0]
    team = match.sides.first().team
    player = team.seats.get(label="B").player
    client = at_desk(tournament)
    address = f"/desk/{tournament.slug}/teams/{team.pk}/drop/{player.pk}/"
    asked = text_of(client.get(address))
    assert "The team concedes; games it has won are kept." in asked
    assert team.name in asked or player.name in asked
    client.post(address, {"wins_0": 1, "wins_1": 1, "reason": "Last train"})
    team.refresh_from_db()
    assert team.state == "dropped"
    counts = match.results.get(is_current=True).lines.order_by("side__index").values_list("wins", flat=True)
    assert list(counts) == [1, 2]
    do(client, tournament, "reinstate", team=team.pk)
    team.refresh_from_db()
    assert team.state == "playing"


def test_a_disqualification_needs_its_reason_and_its_role(at_desk: Any) -> None:
    tournament = halls.running(4, 1)
    team = Team.objects.filter(tournament=tournament).first()
    address = f"/desk/{tournament.slug}/teams/{team.pk}/disqualify/{team.seats.first().player_id}/"
    assert at_desk(tournament, "scorekeeper").get(address).status_code == 403
    assert at_desk(tournament, "head-judge").post(address, {"reason": " "}).status_code == 409
    assert at_desk(tournament, "head-judge").post(address, {"reason": "Bribery"}).status_code == 302
    team.refresh_from_db()
    assert team.state == "disqualified"


def test_the_opening_and_the_games_are_recorded(at_desk: Any) -> None:
    tournament = halls.running(4)
    match = halls.tables(halls.started(tournament))[0]
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/tables/{match.pk}/"
    assert "drawn at random" in text_of(client.get(address))
    do(client, tournament, "choose-first", match=match.pk, game=1, chooser="1", option="2B")
    do(client, tournament, "record-game", match=match.pk, winner="0")
    words = text_of(client.get(address))
    assert "2B , 1A , 2A , 1B" in words.replace(", ", " , ") or "2B, 1A, 2A, 1B" in words
    assert "lost the game before" in words


def test_the_random_chooser_cannot_be_drawn_again(at_desk: Any) -> None:
    tournament = halls.running(4)
    match = halls.tables(halls.started(tournament))[0]
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/tables/{match.pk}/"
    shown = {
        re.search(r"<option value=\"\">([^<]+) \(drawn", client.get(address).content.decode()).group(1)
        for _ in range(3)
    }
    assert len(shown) == 1
    do(client, tournament, "choose-first", match=match.pk, game=1)
    chooser = match.boards.get().games.get().opening.chooser
    assert halls.cards_of(match)[chooser].shown_name == shown.pop().replace("&amp;", "&").replace(
        "&#x27;", "'"
    )


def test_settings_are_changed_and_what_is_frozen_stays(at_desk: Any) -> None:
    tournament = halls.running(4)
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/settings/"
    assert "frozen at the start" in text_of(client.get(address))
    form = {
        "name": "Renamed Open",
        "planned_rounds": 4,
        "cut": 4,
        "round_minutes": 35,
        "zone": "Europe/Berlin",
    }
    assert client.post(address, {**form, "best_of": 1}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.planned_rounds, tournament.best_of) == ("Renamed Open", 4, 3)
    assert client.post(address, {**form, "zone": "Europe/Karlsruhe"}).status_code == 422


def test_a_forged_form_names_no_foreign_row(at_desk: Any) -> None:
    tournament, other = halls.running(4), halls.running(4, name="Elsewhere")
    foreign = halls.tables(halls.started(other))[0]
    client = at_desk(tournament)
    for deed, data in (
        ("confirm", {"match": foreign.pk}),
        ("close", {"round": foreign.round_id}),
        ("swap", {"team": foreign.sides.first().team_id}),
        ("make-link", {"seat": foreign.sides.first().team.seats.first().pk}),
    ):
        assert client.post(f"/desk/{tournament.slug}/do/{deed}/", data).status_code == 404, deed
    away = client.post(f"/desk/{tournament.slug}/do/pair/", {"back": "https://evil.example/"})
    assert away["Location"] == f"/desk/{tournament.slug}/"
