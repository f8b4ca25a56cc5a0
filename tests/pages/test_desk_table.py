"""One table at the desk: games taken back, and the three boards of trios."""

import re
from typing import Any

import pytest

from matches.models import Match
from tests.pages import halls
from tests.pages.test_desk import do
from tests.pages.test_public import text_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def at_table(tournament: Tournament) -> tuple[Match, str]:
    match = halls.tables(halls.started(tournament))[0]
    return match, f"/desk/{tournament.slug}/tables/{match.pk}/"


def test_the_last_game_is_taken_back_step_by_step(at_desk: Any) -> None:
    tournament = halls.running(4)
    match, address = at_table(tournament)
    client = at_desk(tournament)
    assert "Undo the last entry" not in text_of(client.get(address))
    do(client, tournament, "choose-first", match=match.pk, game=1, chooser="1", option="2B")
    do(client, tournament, "record-game", match=match.pk, winner="0")
    assert "Game 1 is open again" in do(client, tournament, "undo-game", match=match.pk, back=address)
    assert "The last entry is taken back" in do(client, tournament, "undo-game", match=match.pk, back=address)
    assert "No game is recorded" in do(client, tournament, "undo-game", match=match.pk, back=address)
    assert "game 1 taken back" in text_of(client.get(f"/desk/{tournament.slug}/journal/"))


def test_a_table_links_to_its_public_page_with_the_set_up_sheet(at_desk: Any) -> None:
    tournament = halls.running(4)
    match, address = at_table(tournament)
    client = at_desk(tournament)
    link = f"/t/{tournament.slug}/tables/{match.pk}/"
    assert f'href="{link}"' in client.get(address).content.decode()
    do(client, tournament, "choose-first", match=match.pk, game=1, chooser="0")
    assert "Set up game 1" in text_of(client.get(link))


def test_each_board_of_a_trio_has_its_own_entry_and_the_boards_decide_the_match(at_desk: Any) -> None:
    tournament = halls.running(4, mode="magic-trios")
    match, address = at_table(tournament)
    client = at_desk(tournament, "scorekeeper")
    words = text_of(client.get(address))
    assert all(f"Result of board {label}" in words for label in "ABC")
    for card in halls.cards_of(match):
        assert all(member.name in words for member in card.members)
    said = do(client, tournament, "enter-board", match=match.pk, board="A", wins_0=2, wins_1=0, kind="played")
    assert "board A is in" in said
    assert "decided" not in said
    said = do(client, tournament, "enter-board", match=match.pk, board="C", wins_0=2, wins_1=1, kind="played")
    assert "The match is decided" in said
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert "2–0" in text_of(client.get(f"/desk/{tournament.slug}/tables/{match.pk}/"))


def test_a_board_is_entered_again_while_the_match_is_open(at_desk: Any) -> None:
    tournament = halls.running(4, mode="magic-trios")
    match, address = at_table(tournament)
    client = at_desk(tournament)
    for wins in ((2, 0), (0, 2)):
        do(client, tournament, "enter-board", match=match.pk, board="B", wins_0=wins[0], wins_1=wins[1])
    assert "Enter board B again" in text_of(client.get(address))
    current = match.results.get(is_current=True, board_label="B")
    assert [line.wins for line in current.lines.order_by("side__index")] == [0, 2]


def test_games_and_openings_are_recorded_on_their_own_board(at_desk: Any) -> None:
    tournament = halls.running(4, mode="magic-trios")
    match, address = at_table(tournament)
    client = at_desk(tournament)
    do(client, tournament, "choose-first", match=match.pk, board="B", game=1, chooser="1", option="first")
    do(client, tournament, "record-game", match=match.pk, board="B", winner="0")
    words = text_of(client.get(address))
    assert re.search(r"Game 1 : .{0,20}2B ?, 1B", words)
    assert match.boards.get(label="B").games.count() == 1
    assert "has no board" in do(client, tournament, "choose-first", match=match.pk, game=1)


def test_a_trio_that_did_not_come_loses_the_whole_match(at_desk: Any) -> None:
    tournament = halls.running(4, mode="magic-trios")
    match, address = at_table(tournament)
    client = at_desk(tournament)
    refused = client.post(address, {"kind": "played"})
    assert refused.status_code == 409
    assert "Enter the result of each board" in text_of(refused)
    assert client.post(address, {"kind": "no-show:1"}).status_code == 302
    match.refresh_from_db()
    assert match.state == "confirmed"


def test_a_game_is_restarted_and_a_subgame_played_at_the_desk_and_both_are_undone(at_desk: Any) -> None:
    tournament = halls.running(4, mode="magic-1v1", best_of=3)
    match, address = at_table(tournament)
    client = at_desk(tournament, "scorekeeper")
    do(client, tournament, "choose-first", match=match.pk, game=1, chooser="0")
    said = do(client, tournament, "restart-game", match=match.pk, starter="2A", back=address)
    assert "The game begins anew: 2A, 1A" in said
    assert "restarted" in said
    assert "subgame runs" in do(client, tournament, "begin-subgame", match=match.pk, back=address)
    assert "main game goes on" in do(client, tournament, "end-subgame", match=match.pk, winner="draw")
    for _ in range(3):
        do(client, tournament, "undo-game", match=match.pk)
    assert "first turn for" in text_of(client.get(address))
    assert "restarted: 2A 1A in turn order" in text_of(client.get(f"/desk/{tournament.slug}/journal/"))


def test_a_game_lost_before_it_began_lets_the_penalised_choose(at_desk: Any) -> None:
    tournament = halls.running(4, mode="magic-1v1", best_of=3)
    match, address = at_table(tournament)
    client = at_desk(tournament)
    said = do(client, tournament, "lose-game", match=match.pk, winner="1", back=address)
    assert "lost by penalty before it began" in said
    assert f"{halls.cards_of(match)[1].shown_name} (by a ruling)" in said
    assert "Say which side" in do(client, tournament, "lose-game", match=match.pk, winner="?", back=address)


def test_the_table_says_what_follows_when_time_is_called_and_enters_it(at_desk: Any) -> None:
    tournament = halls.running(4)
    match, address = at_table(tournament)
    client = at_desk(tournament)
    first, second = (card.shown_name for card in halls.cards_of(match))
    ask = {"time": "1", "w0": "0", "w1": "0", "s0": "7", "s1": "9"}
    assert "play 3 more turns" in text_of(client.get(address, {**ask, "moment": "runs"}))
    assert "The running game is drawn" in text_of(client.get(address, {**ask, "s1": "8", "moment": "over"}))
    page = client.get(address, {**ask, "moment": "over"})
    assert f"{second} wins the match." in text_of(page)
    assert "408.2-408.4" in text_of(page)
    fields = dict(
        re.findall(r'type="hidden" name="(wins_\d|draws|winner|kind)" value="([^"]*)"', page.content.decode())
    )
    assert fields == {"wins_0": "0", "wins_1": "1", "draws": "0", "winner": "1", "kind": "played"}
    client.post(address, fields)
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert "what now" not in text_of(client.get(address))
    assert first != second


def test_a_score_that_is_missing_is_asked_for(at_desk: Any) -> None:
    tournament = halls.running(4, mode="magic-trios")
    _, address = at_table(tournament)
    client = at_desk(tournament)
    said = {"time": "B", "moment": "over", "w0": "1", "w1": "0", "s0": "-2"}
    assert "Write the points or life of" in text_of(client.get(address, said))
    assert "Enter 1–1" in text_of(client.get(address, {**said, "s1": "3"}))
