"""Trios: three boards give one team result."""

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from matches.boards import board_lines, enter_board
from matches.games import record_game
from matches.models import Match
from rulebook.errors import RuleBroken
from teams.people import add_players
from tests.day import Day, new_day
from tournaments.corrections import correct_board
from tournaments.registration import register_team
from tournaments.rounds import close_round
from tournaments.setting_up import start_tournament

pytestmark = pytest.mark.django_db


def trios() -> tuple[Day, Match]:
    day = new_day(0, mode="magic-trios", started=False)
    for n in range(2):
        players = add_players(store_id=day.tournament.store_id, names=[f"T{n}{seat}" for seat in "ABC"])
        members = dict(zip("ABC", [player.pk for player in players], strict=True))
        day.teams.append(register_team(tournament_id=day.tournament.pk, members=members, actor=COMMAND))
        day.players.append(players)
    start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    return day, day.run().matches.get()


def enter(match: Match, label: str, wins: tuple[int, int]) -> Match:
    return enter_board(match_id=match.pk, board_label=label, wins=wins, actor=COMMAND)


def test_two_boards_won_decide_the_match_and_the_third_is_not_needed() -> None:
    day, match = trios()
    assert enter(match, "A", (2, 0)).state == "open"
    assert enter(match, "C", (2, 1)).state == "confirmed"
    first, second = day.sides(match)
    result = match.results.get(board_label="", is_current=True)
    assert [(line.side.team, line.outcome, line.wins) for line in result.lines.order_by("side__index")] == [
        (first, "win", 2),
        (second, "loss", 0),
    ]
    close_round(round_id=match.round_id, actor=COMMAND)
    assert day.points() == {first: 3, second: 0}


def test_one_board_each_and_a_drawn_one_is_a_drawn_match() -> None:
    day, match = trios()
    enter(match, "A", (2, 0))
    enter(match, "B", (0, 2))
    assert enter(match, "C", (1, 1)).state == "confirmed"
    close_round(round_id=match.round_id, actor=COMMAND)
    assert set(day.points().values()) == {1}


def test_games_recorded_on_a_board_and_its_result_agree() -> None:
    _, match = trios()
    for winner in (0, None, 0):
        record_game(match_id=match.pk, actor=COMMAND, winner=winner, board_label="A")
    with pytest.raises(RuleBroken) as error:
        enter(match, "A", (2, 0))
    assert error.value.code == "games-disagree"


def test_a_board_entered_again_replaces_its_result() -> None:
    _, match = trios()
    enter(match, "A", (2, 0))
    enter(match, "A", (0, 2))
    assert [line.wins for line in board_lines(match)["A"]] == [0, 2]


def test_a_board_the_match_does_not_have_is_refused() -> None:
    _, match = trios()
    for label in ("D", ""):
        with pytest.raises(RuleBroken) as error:
            enter(match, label, (2, 0))
        assert error.value.code == "unknown-board"
    assert not match.results.exists()


def test_a_team_of_one_game_has_no_boards_to_report() -> None:
    day = new_day(2)
    match = day.run().matches.get()
    with pytest.raises(RuleBroken) as error:
        enter(match, "A", (2, 0))
    assert error.value.code == "unknown-board"


def test_one_board_of_a_decided_match_is_corrected_and_the_standings_follow() -> None:
    day, match = trios()
    enter(match, "A", (2, 0))
    enter(match, "C", (2, 1))
    close_round(round_id=match.round_id, actor=COMMAND)
    first, second = day.sides(match)

    def correct(label: str, wins: tuple[int, int], reason: str = "misread") -> Match:
        return correct_board(match_id=match.pk, board_label=label, wins=wins, actor=COMMAND, reason=reason)

    with pytest.raises(RuleBroken, match="Write down why"):
        correct("A", (0, 2), " ")
    with pytest.raises(RuleBroken, match="Report board B first"):
        correct("C", (1, 2))
    assert day.points() == {first: 3, second: 0}
    correct("B", (0, 2))
    correct("C", (1, 2))
    assert day.points() == {first: 0, second: 3}
    assert [line.wins for line in board_lines(match)["C"]] == [1, 2]
    deed = Deed.objects.latest("number")
    assert (deed.kind, deed.before) == ("MatchCorrected", {"board": "C", "wins": [2, 1]})
    assert match.results.filter(board_label="C").count() == 2
    with pytest.raises(RuleBroken, match="no board 'D'"):
        correct("D", (2, 0))
