"""Openings and games of a match through the services."""

import pytest

from journal.actors import COMMAND
from matches.games import choose_first, games_of, next_right, record_game, undo_game
from matches.models import Game, Match, Opening
from matches.results import enter_result
from rulebook.errors import RuleBroken
from rulebook.turns import OpeningBy
from tests.day import Day, new_day

pytestmark = pytest.mark.django_db


def table_one(mode: str = "riftbound-2v2", **announced: object) -> tuple[Day, Match]:
    day = new_day(4, mode=mode, **announced)  # type: ignore[arg-type]
    return day, day.run().matches.get(table=1)


def opened(match: Match, **given: object) -> Opening:
    return choose_first(match_id=match.pk, actor=COMMAND, **given)  # type: ignore[arg-type]


def ended(match: Match, winner: int | None) -> Game:
    return record_game(match_id=match.pk, actor=COMMAND, winner=winner)


def test_game_one_draws_the_choosing_team_from_the_given_seed() -> None:
    _, match = table_one()
    opening = opened(match, seed=11, option="2B")
    assert opening.by == OpeningBy.RANDOM
    assert opening.order == ["2B", "1A", "2A", "1B"]
    assert opening.chooser == opened_again(11)


def opened_again(seed: int) -> int | None:
    """The same seed in another tournament draws the same side."""
    _, match = table_one()
    return opened(match, seed=seed, option="2B").chooser


def test_who_won_the_roll_at_the_table_may_be_entered() -> None:
    _, match = table_one()
    opening = opened(match, chooser=1, option="1A")
    assert (opening.chooser, opening.by, opening.order) == (1, "agreed", ["1A", "2A", "1B", "2B"])


def test_the_losing_team_chooses_who_starts_game_two() -> None:
    _, match = table_one()
    opened(match, chooser=0, option="1A")
    ended(match, winner=0)
    opening = opened(match, option="2B")
    assert (opening.chooser, opening.by, opening.order[0]) == (1, "loser", "2B")


def test_a_drawn_riftbound_game_keeps_the_order() -> None:
    _, match = table_one()
    opened(match, chooser=0, option="1B")
    ended(match, winner=None)
    opening = opened(match)
    assert (opening.chooser, opening.by, opening.order) == (None, "kept", ["1B", "2B", "1A", "2A"])


def test_after_a_drawn_magic_game_the_previous_chooser_chooses_again() -> None:
    _, match = table_one("magic-1v1")
    assert opened(match, chooser=1, option="last").order == ["1A", "2A"]
    ended(match, winner=None)
    opening = opened(match, option="first")
    assert (opening.chooser, opening.by, opening.order) == (1, "previous", ["2A", "1A"])


def test_without_a_choice_the_choosing_side_starts() -> None:
    _, match = table_one()
    opening = opened(match, chooser=1)
    assert (opening.is_default, opening.order[0]) == (True, "2A")


def test_a_choice_outside_the_options_is_refused_and_nothing_is_recorded() -> None:
    _, match = table_one()
    for given, code in (({"chooser": 0, "option": "3A"}, "unknown-option"), ({"chooser": 2}, "unknown-side")):
        with pytest.raises(RuleBroken) as error:
            opened(match, **given)
        assert error.value.code == code
    assert not Game.objects.exists()
    assert not Opening.objects.exists()


def test_an_opening_is_chosen_once_per_game() -> None:
    _, match = table_one()
    opened(match, chooser=0)
    with pytest.raises(RuleBroken) as error:
        opened(match, chooser=0)
    assert error.value.code == "opening-known"


def test_recorded_games_and_the_result_agree_or_the_result_is_refused() -> None:
    day, match = table_one()
    for winner in (0, None, 1, 0):
        ended(match, winner)
    with pytest.raises(RuleBroken, match="2-1-1") as error:
        enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 0))
    assert error.value.code == "games-disagree"
    enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 1), draws=1)
    assert {line[0] for line in day.lines(match).values()} == {"win", "loss"}


def test_drawn_games_have_to_agree_too() -> None:
    _, match = table_one()
    for winner in (0, None, 0):
        ended(match, winner)
    with pytest.raises(RuleBroken, match="2-0-1") as error:
        enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 0))
    assert error.value.code == "games-disagree"


def test_no_game_is_recorded_after_the_match_is_won() -> None:
    _, match = table_one()
    ended(match, 0)
    ended(match, 0)
    with pytest.raises(RuleBroken) as error:
        ended(match, 1)
    assert error.value.code == "match-decided"


def test_no_game_is_opened_after_the_match_is_won() -> None:
    _, match = table_one()
    ended(match, 0)
    ended(match, 0)
    with pytest.raises(RuleBroken) as error:
        opened(match, option="1A")
    assert error.value.code == "match-decided"
    assert Game.objects.count() == 2


def test_games_without_openings_still_tell_who_chooses_next() -> None:
    _, match = table_one()
    ended(match, winner=0)
    opening = opened(match, option="1A")
    assert (opening.chooser, opening.by) == (1, "loser")
    assert [game.number for game in games_of(match)] == [1, 2]


def test_the_better_seed_chooses_first_in_a_playoff_at_a_high_level() -> None:
    day = new_day(4, rounds=1, level="competitive")
    day.play()
    day.cut(2)
    final = day.run().matches.get()
    opening = opened(final, seed=3)
    assert (opening.chooser, opening.by) == (0, "seed")


def test_before_game_one_nobody_has_the_right_to_choose_yet() -> None:
    _, match = table_one()
    assert next_right(match) is None


def test_a_game_recorded_wrongly_is_taken_back_step_by_step() -> None:
    day, match = table_one()
    opened(match, chooser=0, option="1A")
    ended(match, winner=0)
    opened(match, option="2A")
    assert undo_game(match_id=match.pk, actor=COMMAND) is None
    reopened = undo_game(match_id=match.pk, actor=COMMAND)
    assert reopened is not None
    assert (reopened.number, reopened.state) == (1, "playing")
    ended(match, winner=1)
    assert opened(match, option="1A").chooser == 0
    ended(match, winner=1)
    enter_result(match_id=match.pk, actor=COMMAND, wins=(0, 2))
    assert day.lines(match)[day.sides(match)[1]] == ("win", 2, 0)


def test_there_is_nothing_to_take_back_on_an_empty_board() -> None:
    _, match = table_one()
    with pytest.raises(RuleBroken) as error:
        undo_game(match_id=match.pk, actor=COMMAND)
    assert error.value.code == "nothing-to-undo"
