"""Leaving, winning and losing inside a game."""

from collections.abc import Callable

import pytest

from rulebook.errors import RuleBroken
from rulebook.leaving import (
    Ban,
    Contest,
    affected_by,
    allies,
    ban,
    begin_contest,
    concede,
    lift,
    lose,
    lose_by_penalty,
    next_turn,
    outcomes,
    win,
)
from rulebook.modes import mode_of
from rulebook.terms import terms_for
from rulebook.tracks import beaten, open_sheet, record


def game(key: str) -> Contest:
    return begin_contest(terms_for(mode_of(key)))


@pytest.mark.parametrize("key", ["riftbound-2v2", "magic-2hg", "magic-2hg-2006"])
@pytest.mark.parametrize("deed", [lose, concede, lose_by_penalty])
def test_what_one_member_loses_the_team_loses(key: str, deed: Callable[..., Contest]) -> None:
    ended = deed(game(key), "1B")
    assert ended.winners == ("2A", "2B")
    assert [one.value for one in outcomes(ended)] == ["loss", "win"]


@pytest.mark.parametrize("who", [pytest.param("2A", id="we-087")])
def test_a_member_who_cannot_draw_loses_for_the_team(who: str) -> None:
    assert lose(game("magic-2hg"), who).winners == ("1A", "1B")


@pytest.mark.parametrize("key", ["riftbound-2v2", "magic-2hg"])
def test_what_one_member_wins_the_team_wins(key: str) -> None:
    assert win(game(key), "2B").winners == ("2A", "2B")


def test_a_member_who_cannot_win_keeps_the_team_from_winning() -> None:
    held = ban(game("magic-2hg"), "1A", Ban.CANNOT_WIN)
    assert not win(held, "1B").is_over
    assert win(lift(held, "1A", Ban.CANNOT_WIN), "1B").is_over


@pytest.mark.parametrize("key", ["magic-2hg", "magic-2hg-2006"])
def test_transcendence_keeps_a_team_without_life_in_the_game(key: str) -> None:
    sheet = record(open_sheet(terms_for(mode_of(key))), "1A", -40)
    assert beaten(sheet) == ("1A", "1B")
    held = ban(game(key), "1B", Ban.CANNOT_LOSE)
    assert not lose(held, *beaten(sheet)).is_over
    assert lose(game(key), *beaten(sheet)).winners == ("2A", "2B")


def test_who_cannot_lose_can_still_concede() -> None:
    held = ban(game("magic-2hg"), "1A", Ban.CANNOT_LOSE)
    assert concede(held, "1B").winners == ("2A", "2B")


@pytest.mark.parametrize("deed", [lose, lose_by_penalty])
def test_when_all_lose_at_once_the_game_is_a_draw(deed: Callable[..., Contest]) -> None:
    ended = deed(game("riftbound-2v2"), "1A", "2B")
    assert ended.is_draw
    assert [one.value for one in outcomes(ended)] == ["draw", "draw"]


def test_free_for_all_goes_on_without_the_leaver_and_the_last_one_left_wins() -> None:
    pod = concede(game("riftbound-ffa4"), "2A")
    assert not pod.is_over
    assert pod.in_game == ("1A", "3A", "4A")
    assert next_turn(pod, "1A") == "3A"
    assert next_turn(pod, "2A") == "3A"
    pod = lose(lose(pod, "4A"), "1A")
    assert pod.winners == ("3A",)
    assert pod.out == ("2A", "4A", "1A")


def test_turns_go_round_to_the_first_in_order() -> None:
    assert next_turn(game("riftbound-ffa4"), "4A") == "1A"


def test_alternating_teams_play_on_without_a_member_and_the_dead_win_too() -> None:
    teams = lose(game("magic-alternating-teams"), "1A")
    assert not teams.is_over
    teams = lose(lose(teams, "2A"), "2B")
    assert teams.winners == ("1A", "1B")


def test_the_team_against_an_archenemy_plays_on_until_all_have_lost() -> None:
    villain = game("magic-archenemy")
    assert lose(villain, "1A").winners == ("2A", "3A", "4A")
    two_left = lose(lose(villain, "2A"), "3A")
    assert not two_left.is_over
    assert lose(two_left, "4A").winners == ("1A",)


def test_teammates_concede_with_who_lost_the_game_by_penalty_even_where_they_could_play_on() -> None:
    assert lose_by_penalty(game("magic-alternating-teams"), "1A").winners == ("2A", "2B")


@pytest.mark.parametrize(
    ("key", "who", "whose"),
    [
        ("magic-2hg", "1B", ("1A", "1B")),
        ("magic-2hg-2006", "2A", ("2A", "2B")),
        ("magic-archenemy", "3A", ("2A", "3A", "4A")),
        ("riftbound-2v2", "1B", ("1B",)),
        ("magic-ffa", "2A", ("2A",)),
    ],
)
def test_an_extra_skipped_or_controlled_turn_is_the_teams_where_turns_are_shared(
    key: str, who: str, whose: tuple[str, ...]
) -> None:
    assert affected_by(terms_for(mode_of(key)), who) == whose


def test_who_loses_a_board_of_trios_loses_that_board_alone() -> None:
    board = begin_contest(terms_for(mode_of("magic-trios")).on_board("B"))
    assert lose_by_penalty(board, "1B").winners == ("2B",)


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (lambda: lose(game("riftbound-2v2"), "3A"), "unknown-seat"),
        (lambda: allies(terms_for(mode_of("magic-2hg")), "9Z"), "unknown-seat"),
        (lambda: lose(lose(game("riftbound-2v2"), "1A"), "2A"), "game-ended"),
        (lambda: win(lose(game("magic-ffa"), "1A"), "1A"), "seat-has-left"),
        (lambda: outcomes(game("magic-ffa")), "game-not-ended"),
        (lambda: next_turn(game("magic-ffa"), "9Z"), "unknown-seat"),
        (lambda: game("magic-trios"), "board-missing"),
    ],
    ids=["unknown", "unknown ally", "ended", "left", "still played", "unknown turn", "three boards"],
)
def test_what_cannot_be_is_refused(deed: Callable[[], object], code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        deed()
    assert refused.value.code == code


@pytest.mark.parametrize("order", [("1A", "9A"), ("1A", "2A", "2A")], ids=["unknown seat", "one twice"])
def test_a_game_begins_with_its_own_seats_only(order: tuple[str, ...]) -> None:
    with pytest.raises(RuleBroken) as refused:
        begin_contest(terms_for(mode_of("magic-ffa")), order)
    assert refused.value.code == "wrong-order"
