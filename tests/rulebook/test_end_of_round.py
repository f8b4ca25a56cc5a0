"""Time is called: what is still played, and who has won."""

import pytest

from rulebook.end_of_round import AtTime, Play, end_of_round
from rulebook.errors import RuleBroken
from rulebook.modes import MODES
from rulebook.terms import terms_for

SWISS = {key: terms_for(mode) for key, mode in MODES.items()}
CUT = {key: terms_for(mode, elimination=True) for key, mode in MODES.items()}
OVER = 0


@pytest.mark.parametrize(
    ("key", "turns"),
    [("riftbound-match", 3), ("riftbound-2v2", 3), ("magic-1v1", 5), ("magic-2hg", 3)],
)
def test_after_the_current_turn_extra_turns_are_played(key: str, turns: int) -> None:
    found = end_of_round(SWISS[key], AtTime(wins=(0, 0), scores=(3, 5)))
    assert (found.play, found.turns) == (Play.EXTRA_TURNS, turns)
    later = end_of_round(SWISS[key], AtTime(wins=(0, 0), scores=(3, 5), turns_left=1))
    assert (later.play, later.turns) == (Play.EXTRA_TURNS, 1)


def test_slow_play_adds_to_the_extra_turns() -> None:
    found = end_of_round(SWISS["magic-1v1"], AtTime(wins=(0, 0), scores=(20, 20), slow_play_turns=2))
    assert found.turns == 7


@pytest.mark.parametrize("turns_left", [None, 0], ids=["turns left", "after the extra turns"])
@pytest.mark.parametrize(
    ("key", "wins", "scores", "winner", "play"),
    [
        ("riftbound-2v2", (0, 0), (11, 10), 0, Play.NOTHING),
        ("riftbound-match", (0, 1), (8, 7), None, Play.NOTHING),
        ("magic-1v1", (0, 0), (0, 3), 1, Play.NOTHING),
        ("magic-1v1", (1, 0), (-2, 3), None, Play.NOTHING),
    ],
)
def test_a_game_that_its_score_has_decided_is_no_unfinished_game(
    key: str, wins: tuple[int, ...], scores: tuple[int, ...], winner: int | None, play: Play, turns_left: int
) -> None:
    found = end_of_round(SWISS[key], AtTime(wins, scores, turns_left))
    assert (found.play, found.match_winner, found.match_is_draw) == (play, winner, winner is None)
    assert found.game_winner == (0 if scores[0] > scores[1] else 1)


def test_a_magic_elimination_match_levelled_by_the_last_game_is_played_on() -> None:
    found = end_of_round(CUT["magic-1v1"], AtTime((1, 0), (0, 3), 0))
    assert (found.play, found.game_winner, found.match_winner) == (Play.SUDDEN_DEATH, 1, None)


def test_a_goal_reached_by_two_sides_alike_is_played_on() -> None:
    found = end_of_round(SWISS["riftbound-2v2"], AtTime((0, 0), (11, 11)))
    assert (found.play, found.turns) == (Play.EXTRA_TURNS, 3)


@pytest.mark.parametrize(
    ("key", "scores", "winner"),
    [
        ("riftbound-match", (7, 5), 0),
        ("riftbound-match", (7, 6), None),
        ("riftbound-match", (0, 0), None),
        ("riftbound-2v2", (9, 7), 0),
        ("riftbound-ffa3", (6, 4, 4), 0),
        ("riftbound-ffa3", (6, 5, 2), None),
        ("riftbound-ffa4", (2, 4, 6, 1), 2),
        ("magic-1v1", (20, 1), None),
        ("magic-2hg", (30, 2), None),
    ],
)
def test_an_unfinished_swiss_game_goes_to_a_clear_leader_or_is_drawn(
    key: str, scores: tuple[int, ...], winner: int | None
) -> None:
    wins = (0,) * len(scores)
    found = end_of_round(SWISS[key], AtTime(wins=wins, scores=scores, turns_left=OVER))
    assert found.play is Play.NOTHING
    assert (found.game_winner, found.match_winner) == (winner, winner)
    assert found.game_is_draw is found.match_is_draw is (winner is None)


@pytest.mark.parametrize(
    ("wins", "winner"), [((1, 0), 0), ((1, 1), None), ((0, 0), None)], ids=["ahead", "level", "nothing"]
)
@pytest.mark.parametrize("key", ["riftbound-match", "magic-1v1"])
def test_between_games_of_a_swiss_match_no_new_game_begins(
    key: str, wins: tuple[int, int], winner: int | None
) -> None:
    found = end_of_round(SWISS[key], AtTime(wins=wins))
    assert (found.play, found.match_winner, found.match_is_draw) == (Play.NOTHING, winner, winner is None)
    assert not found.game_is_draw


def test_a_leader_of_the_last_game_can_level_a_swiss_match() -> None:
    found = end_of_round(SWISS["riftbound-match"], AtTime(wins=(1, 0), scores=(2, 6), turns_left=OVER))
    assert (found.game_winner, found.match_winner, found.match_is_draw) == (1, None, True)


@pytest.mark.parametrize(
    ("wins", "scores", "play", "game", "match"),
    [
        ((0, 0), (7, 6), Play.NOTHING, 0, 0),
        ((1, 0), (6, 6), Play.NOTHING, None, 0),
        ((1, 1), (6, 6), Play.NEXT_POINT, None, None),
        ((0, 0), (0, 0), Play.NEXT_POINT, None, None),
        ((1, 0), (5, 6), Play.TIEBREAK_GAME, 1, None),
        ((1, 0), None, Play.NOTHING, None, 0),
        ((1, 1), None, Play.TIEBREAK_GAME, None, None),
    ],
)
def test_riftbound_elimination_is_decided_by_points_then_games_then_the_next_point(
    wins: tuple[int, int], scores: tuple[int, int] | None, play: Play, game: int | None, match: int | None
) -> None:
    found = end_of_round(CUT["riftbound-match"], AtTime(wins=wins, scores=scores, turns_left=OVER))
    assert (found.play, found.game_winner, found.match_winner) == (play, game, match)
    assert not found.match_is_draw
    assert (found.turns == 5) is (play is Play.TIEBREAK_GAME)


@pytest.mark.parametrize(
    ("wins", "scores", "play", "match"),
    [
        ((1, 0), (3, 20), Play.NOTHING, 0),
        ((1, 1), (3, 20), Play.NOTHING, 1),
        ((1, 1), (20, 20), Play.SUDDEN_DEATH, None),
        ((1, 1), None, Play.SUDDEN_DEATH, None),
        ((0, 1), None, Play.NOTHING, 1),
    ],
)
def test_magic_elimination_is_decided_by_games_then_life_then_sudden_death(
    wins: tuple[int, int], scores: tuple[int, int] | None, play: Play, match: int | None
) -> None:
    found = end_of_round(CUT["magic-1v1"], AtTime(wins=wins, scores=scores, turns_left=OVER))
    assert (found.play, found.match_winner) == (play, match)
    assert not found.match_is_draw


@pytest.mark.parametrize("table", [AtTime(wins=(1,)), AtTime(wins=(1, 0), scores=(1, 2, 3))])
def test_counts_for_another_number_of_sides_are_refused(table: AtTime) -> None:
    with pytest.raises(RuleBroken) as refused:
        end_of_round(SWISS["magic-1v1"], table)
    assert refused.value.code == "wrong-number-of-sides"


@pytest.mark.parametrize(
    ("table", "code"),
    [
        (AtTime(wins=(-1, 0)), "negative-count"),
        (AtTime(wins=(0, 0), scores=(20, 20), turns_left=-1), "negative-count"),
        (AtTime(wins=(0, 0), scores=(20, 20), slow_play_turns=-2), "negative-count"),
        (AtTime(wins=(3, 0)), "too-many-wins"),
        (AtTime(wins=(2, 2)), "too-many-wins"),
    ],
)
def test_counts_that_no_running_match_has_are_refused(table: AtTime, code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        end_of_round(SWISS["magic-1v1"], table)
    assert refused.value.code == code


def test_a_match_that_is_decided_already_needs_no_more_turns() -> None:
    found = end_of_round(SWISS["magic-1v1"], AtTime(wins=(0, 2)))
    assert (found.play, found.match_winner) == (Play.NOTHING, 1)
