"""A player's page: what it shows in every state, and what it lets the player do."""

from typing import Any

import pytest

from journal.actors import COMMAND
from matches.games import choose_first
from matches.models import Match
from matches.results import enter_result
from matches.unusual import begin_subgame, restart_game
from teams.links import make_link, revoke_links
from teams.models import Seat
from tests.pages import halls
from tests.pages.test_public import text_of
from tournaments.registration import withdraw_team
from tournaments.withdrawals import disqualify_player

pytestmark = pytest.mark.django_db


def link_of(match: Match, side: int, label: str = "A") -> str:
    return link(Seat.objects.get(team=match.sides.order_by("index")[side].team, label=label, is_live=True))


def link(seat: Seat) -> str:
    return f"/me/{make_link(seat_id=seat.pk)}"


def post(client: Any, address: str, **data: Any) -> str:
    return text_of(client.post(address, data, follow=True))


def test_my_table_shows_number_seat_and_opponents(client: Any) -> None:
    match = halls.tables(halls.started(halls.running(4)))[1]
    response = client.get(link_of(match, 0, "B"))
    words = text_of(response)
    cards = halls.cards_of(match)
    assert f"table {match.table}" in words
    assert f"1B {cards[0].members[1].name}" in words
    assert all(member.name in words for card in cards for member in card.members)
    assert '<h1 class="table-number">2</h1>' in response.content.decode()


def test_the_link_is_told_to_nobody(client: Any, caplog: Any, capfd: Any) -> None:
    address = link_of(halls.tables(halls.started(halls.running(4)))[0], 0)
    response = client.get(address)
    assert response["Referrer-Policy"] == "same-origin"
    assert "private" in response["Cache-Control"]
    assert response["X-Robots-Tag"] == "noindex"
    client.get(address[:-1] + "x")
    told = caplog.text + "".join(capfd.readouterr())
    assert address.removeprefix("/me/")[:-1] not in told


def test_a_dead_link_is_a_friendly_page(client: Any) -> None:
    seat = Seat.objects.filter(tournament=halls.registering(2)).first()
    address = link(seat)
    revoke_links(seat_id=seat.pk)
    response = client.get(address)
    assert response.status_code == 404
    assert "ask the scorekeeper for a new one" in text_of(response)
    assert seat.player.name not in text_of(response)


def test_a_report_is_confirmed_by_the_other_team_only(client: Any) -> None:
    match = halls.tables(halls.started(halls.running(4)))[0]
    mine, theirs = link_of(match, 0), link_of(match, 1)
    assert "Waiting for the other team" in post(client, f"{mine}/report", ours=2, theirs=1, draws=0)
    assert "the other side confirms it" in post(client, f"{mine}/confirm")
    assert "They report 1–2" in text_of(client.get(theirs))
    assert "The other team won this match" in post(client, f"{theirs}/confirm")
    match.refresh_from_db()
    assert match.state == "confirmed"
    lines = match.results.get(is_current=True).lines.order_by("side__index")
    assert [line.wins for line in lines] == [2, 1]
    assert "call a judge if it is wrong" in post(client, f"{mine}/report", ours=0, theirs=2)
    assert "Call a judge to my table" in text_of(client.get(mine))
    assert "A judge is called" in post(client, f"{mine}/call")


def test_two_reports_that_differ_call_a_judge(client: Any) -> None:
    match = halls.tables(halls.started(halls.running(4)))[0]
    post(client, f"{link_of(match, 0)}/report", ours=2, theirs=1)
    assert "A judge comes" in post(client, f"{link_of(match, 1)}/report", ours=2, theirs=1)
    match.refresh_from_db()
    assert match.state == "disputed"


def test_a_report_is_disputed_by_one_tap(client: Any) -> None:
    match = halls.tables(halls.started(halls.running(4)))[0]
    post(client, f"{link_of(match, 0)}/report", ours=2, theirs=0)
    assert "a judge comes to you" in post(client, f"{link_of(match, 1)}/dispute")


def test_an_impossible_report_is_refused_with_a_sentence(client: Any) -> None:
    match = halls.tables(halls.started(halls.running(4)))[0]
    assert "a best of 3 ends at 2" in post(client, f"{link_of(match, 0)}/report", ours=3, theirs=0)
    assert not match.reports.exists()


def test_only_the_choosing_team_chooses_who_starts(client: Any) -> None:
    match = halls.tables(halls.started(halls.running(4)))[0]
    pages = [text_of(client.get(link_of(match, side))) for side in (0, 1)]
    chooser = next(side for side in (0, 1) if "Your team chooses who starts" in pages[side])
    assert "chooses who starts" in pages[1 - chooser]
    assert "Your team chooses" not in pages[1 - chooser]
    refused = post(client, f"{link_of(match, 1 - chooser)}/choose", option="1A")
    assert "The other team chooses who starts" in refused
    assert not match.boards.exists()
    assert "Turn order in game 1: 2B, 1A, 2A, 1B" in post(
        client, f"{link_of(match, chooser)}/choose", option="2B"
    )
    assert "Turn order in game 1: 2B" in text_of(client.get(link_of(match, 1 - chooser)))


def test_a_restart_and_a_subgame_show_their_order_on_the_phone(client: Any) -> None:
    match = halls.tables(halls.started(halls.running(4)))[0]
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="2B")
    restart_game(match_id=match.pk, starter="1B", actor=COMMAND)
    game = begin_subgame(match_id=match.pk, actor=COMMAND, seed=3)
    words = text_of(client.get(link_of(match, 1)))
    assert "Turn order in game 1: 1B, 2B, 1A, 2A. Restarted;" in words
    assert f"subgame runs: {', '.join(game.subgames[0]['order'])}." in words


def test_every_state_says_what_happens_next(client: Any) -> None:
    coming = halls.registering(2)
    seat = Seat.objects.filter(tournament=coming).first()
    address = link(seat)
    assert "Your table appears here when round 1 is published" in text_of(client.get(address))
    withdraw_team(team_id=seat.team_id, actor=COMMAND)
    assert "Your team is out" in text_of(client.get(address))
    odd = halls.running(5)
    assert "The first pairings follow" in text_of(
        client.get(link(Seat.objects.filter(tournament=odd).first()))
    )
    rnd = halls.started(odd)
    bye = rnd.matches.get(kind="bye").sides.get().team
    assert "You have a bye" in text_of(client.get(link(bye.seats.first())))
    over = halls.in_cut(8, bracket_rounds=3, finish=True)
    winner = over.stages.get(number=2).entries.get(place=1).team
    assert '<h1 class="table-number">1</h1>' in client.get(link(winner.seats.first())).content.decode()


def test_a_draft_round_is_no_table_yet(client: Any) -> None:
    tournament = halls.running(4)
    address = link(Seat.objects.filter(tournament=tournament).first())
    halls.paired(tournament)
    assert "The first pairings follow" in text_of(client.get(address))


def test_a_disqualified_player_reads_the_same_as_one_who_left(client: Any) -> None:
    tournament = halls.running(4, 1)
    seat = Seat.objects.filter(tournament=tournament).first()
    disqualify_player(
        tournament_id=tournament.pk, player_id=seat.player_id, actor=COMMAND, reason="Collusion"
    )
    words = text_of(client.get(link(seat)))
    assert "Your team is out" in words
    assert "disqualified" not in words


def test_my_table_unchanged_is_304_after_few_queries_and_new_when_something_happens(
    client: Any, django_assert_max_num_queries: Any
) -> None:
    match = halls.tables(halls.started(halls.running(4)))[0]
    page = client.get(link_of(match, 0), follow=True)
    address, asked = page.request["PATH_INFO"], {"If-None-Match": page["ETag"]}
    with django_assert_max_num_queries(4):
        again = client.get(address, headers=asked)
    if again.status_code == 200:  # a minute began between the two
        asked = {"If-None-Match": again["ETag"]}
        again = client.get(address, headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    enter_result(match_id=match.pk, wins=(2, 0), actor=COMMAND)
    assert client.get(address, headers=asked).status_code == 200
