"""Penalties: when warnings add up, what being late costs, what a penalty does to the match."""

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes.blanks import Game
from rulebook.penalties import UNSPORTING_MINOR, Given, Level, Play, lateness, level_with_history, ruling


def warned(*infractions: str) -> list[Given]:
    return [Given(infraction, Level.WARNING) for infraction in infractions]


@pytest.mark.parametrize(
    ("infraction", "history", "play", "level"),
    [
        ("late", warned(), Play.CASUAL, Level.WARNING),
        ("late", warned("late"), Play.CASUAL, Level.WARNING),
        ("late", warned("late", "late"), Play.CASUAL, Level.GAME_LOSS),
        (UNSPORTING_MINOR, warned(UNSPORTING_MINOR), Play.CASUAL, Level.GAME_LOSS),
        ("f", warned("a", "b", "c", "d", "e"), Play.CASUAL, Level.WARNING),
        ("f", warned("a", "b", "c", "d", "e"), Play.COMPETITIVE, Level.GAME_LOSS),
        ("e", warned("a", "b", "c", "d"), Play.COMPETITIVE, Level.WARNING),
        ("e", warned("a", "b", "c", "d"), Play.PROFESSIONAL, Level.GAME_LOSS),
    ],
)
def test_warnings_add_up(infraction: str, history: list[Given], play: Play, level: Level) -> None:
    assert level_with_history(infraction, Level.WARNING, history, play) is level


def test_a_game_loss_does_not_count_as_a_warning() -> None:
    history = [Given("late", Level.GAME_LOSS), Given("late", Level.GAME_LOSS)]
    assert level_with_history("late", Level.WARNING, history, Play.CASUAL) is Level.WARNING
    assert level_with_history("late", Level.MATCH_LOSS, history, Play.CASUAL) is Level.MATCH_LOSS


@pytest.mark.parametrize(
    ("game", "minutes", "play", "level"),
    [
        (Game.RIFTBOUND, 0, Play.PROFESSIONAL, None),
        (Game.RIFTBOUND, 2, Play.PROFESSIONAL, Level.WARNING),
        (Game.RIFTBOUND, 3, Play.CASUAL, Level.WARNING),
        (Game.RIFTBOUND, 3, Play.COMPETITIVE, Level.GAME_LOSS),
        (Game.RIFTBOUND, 10, Play.CASUAL, Level.WARNING),
        (Game.RIFTBOUND, 11, Play.CASUAL, Level.MATCH_LOSS),
        (Game.MAGIC, 1, Play.COMPETITIVE, Level.GAME_LOSS),
        (Game.MAGIC, 10, Play.COMPETITIVE, Level.MATCH_LOSS),
    ],
)
def test_being_late_costs(game: Game, minutes: int, play: Play, level: Level | None) -> None:
    assert lateness(game, minutes, play).level is level


def test_who_never_comes_is_dropped_unless_reporting() -> None:
    assert lateness(Game.RIFTBOUND, 5, Play.CASUAL, comes=False).drops_unless_reporting
    assert not lateness(Game.RIFTBOUND, 11, Play.CASUAL).drops_unless_reporting


def test_a_negative_lateness_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        lateness(Game.MAGIC, -1, Play.CASUAL)
    assert refused.value.code == "negative-count"


def test_several_game_losses_of_one_side_count_once() -> None:
    found = ruling(2, [(0, Level.GAME_LOSS), (0, Level.GAME_LOSS)], game_runs=True, match_runs=True)
    assert (found.game_lost_by, found.game_is_draw) == ((0,), False)


def test_a_game_loss_of_everybody_is_a_drawn_game() -> None:
    found = ruling(2, [(0, Level.GAME_LOSS), (1, Level.GAME_LOSS)], game_runs=True, match_runs=True)
    assert (found.game_lost_by, found.game_is_draw) == ((), True)


def test_a_loss_that_comes_too_late_hits_the_next_game_or_match() -> None:
    assert ruling(2, [(0, Level.GAME_LOSS)], game_runs=False, match_runs=True).next_game
    assert ruling(2, [(0, Level.MATCH_LOSS)], game_runs=False, match_runs=False).next_match
    assert not ruling(2, [(0, Level.WARNING)], game_runs=False, match_runs=False).next_match


def test_a_disqualification_loses_the_match_and_leaves() -> None:
    found = ruling(2, [(1, Level.DISQUALIFICATION), (1, Level.GAME_LOSS)], game_runs=True, match_runs=True)
    assert (found.match_lost_by, found.leaves, found.game_lost_by) == ((1,), (1,), ())


def test_a_side_that_is_not_there_cannot_be_penalised() -> None:
    with pytest.raises(RuleBroken) as refused:
        ruling(2, [(2, Level.WARNING)], game_runs=True, match_runs=True)
    assert refused.value.code == "unknown-side"
