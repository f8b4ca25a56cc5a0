"""Who chooses, what may be chosen and the turn order that follows."""

from itertools import pairwise
from random import Random

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes import MODES, mode_of
from rulebook.terms import Terms, terms_for
from rulebook.turns import (
    GameEnd,
    Opening,
    OpeningBy,
    PlayedGame,
    Right,
    chair_codes,
    chooser_after,
    first_chooser,
    opening_for,
    options_of,
    side_of,
)

RIFT = terms_for(mode_of("riftbound-2v2"), best_of=3)
DUEL = terms_for(mode_of("riftbound-match"))
POD = terms_for(mode_of("riftbound-ffa4"))
MAGIC = terms_for(mode_of("magic-1v1"))
GIANT = terms_for(mode_of("magic-2hg"))
STARTS = ("1A", "2A", "1B", "2B")


def opened(option: str | None, *, chooser: int = 0) -> Opening:
    return opening_for(RIFT, chooser=chooser, by=OpeningBy.AGREED, option=option)


def ended(
    chooser: int, *, winner: int | None, by: GameEnd = GameEnd.PLAYED, terms: Terms = RIFT
) -> PlayedGame:
    opening = opening_for(terms, chooser=chooser, by=OpeningBy.RANDOM)
    return PlayedGame(opening, winner, is_draw=winner is None, ended_by=by)


@pytest.mark.parametrize(
    ("start", "order"),
    [
        pytest.param("2A", ("2A", "1B", "2B", "1A"), id="we-061"),
        pytest.param("1B", ("1B", "2B", "1A", "2A"), id="we-062"),
        pytest.param("2B", ("2B", "1A", "2A", "1B"), id="we-063"),
        pytest.param("1A", ("1A", "2A", "1B", "2B"), id="case-088"),
    ],
)
def test_the_choosing_team_names_a_point_of_the_fixed_cycle(start: str, order: tuple[str, ...]) -> None:
    assert opened(start).order == order
    assert opened(start, chooser=1).order == order


@pytest.mark.parametrize("claimed", [pytest.param(("1A", "1B", "2A", "2B"), id="we-067")])
def test_no_choice_gives_teammates_two_turns_in_a_row(claimed: tuple[str, ...]) -> None:
    orders = {opened(option.key).order for option in options_of(RIFT, 0)}
    assert len(orders) == 4
    assert claimed not in orders


@pytest.mark.parametrize("start", STARTS)
def test_a_2v2_order_alternates_sides_and_ends_with_an_opponent_of_the_starter(start: str) -> None:
    order = opened(start).order
    sides = [side_of(position) for position in order]
    assert sorted(order) == sorted(STARTS)
    assert all(one != two for one, two in pairwise(sides))
    assert sides[0] != sides[-1]


@pytest.mark.parametrize("chooser", [pytest.param(1, id="we-065")])
def test_the_team_that_lost_game_one_chooses_game_two(chooser: int) -> None:
    assert chooser_after(RIFT, ended(0, winner=0)) == Right(chooser, OpeningBy.LOSER)
    assert chooser_after(RIFT, ended(0, winner=1)) == Right(0, OpeningBy.LOSER)


@pytest.mark.parametrize("order", [pytest.param(("1A", "2A", "1B", "2B"), id="we-066")])
def test_after_a_drawn_riftbound_game_nobody_chooses_and_the_order_is_kept(order: tuple[str, ...]) -> None:
    right = chooser_after(RIFT, ended(0, winner=None))
    assert right == Right(None, OpeningBy.KEPT, order)
    again = opening_for(RIFT, chooser=right.chooser, by=right.by, order=right.order)
    assert again == Opening(None, OpeningBy.KEPT, None, order, is_default=False)


def test_an_order_is_kept_through_two_draws_and_then_the_loser_chooses() -> None:
    first = PlayedGame(opened("2B"), None, is_draw=True)
    right = chooser_after(RIFT, first)
    second = PlayedGame(opening_for(RIFT, chooser=None, by=right.by, order=right.order), None, is_draw=True)
    assert chooser_after(RIFT, second).order == ("2B", "1A", "2A", "1B")
    third = PlayedGame(second.opening, 1, is_draw=False)
    assert chooser_after(RIFT, third) == Right(0, OpeningBy.LOSER)


@pytest.mark.parametrize("loser", [pytest.param(1, id="we-089")])
def test_the_loser_of_a_magic_game_chooses(loser: int) -> None:
    assert chooser_after(MAGIC, ended(0, winner=1 - loser, terms=MAGIC)) == Right(loser, OpeningBy.LOSER)


@pytest.mark.parametrize("chooser", [pytest.param(1, id="we-090")])
def test_after_a_drawn_magic_game_the_previous_chooser_chooses_again(chooser: int) -> None:
    drawn = ended(chooser, winner=None, terms=MAGIC)
    assert chooser_after(MAGIC, drawn) == Right(chooser, OpeningBy.PREVIOUS)


@pytest.mark.parametrize("seeds", [pytest.param((2, 7), id="we-091")])
def test_the_better_seed_chooses_game_one_of_a_magic_playoff(seeds: tuple[int, int]) -> None:
    terms = terms_for(mode_of("magic-1v1"), elimination=True)
    better = seeds.index(min(seeds))
    assert first_chooser(terms, rng=Random(1), higher_seed=better) == (better, OpeningBy.SEED)


def test_the_better_seed_has_no_say_in_a_swiss_round() -> None:
    assert first_chooser(MAGIC, entered=1, higher_seed=0) == (1, OpeningBy.AGREED)


def test_who_won_a_roll_at_the_table_may_be_entered() -> None:
    assert first_chooser(RIFT, rng=Random(1), entered=1) == (1, OpeningBy.AGREED)


def test_a_random_chooser_is_any_side_and_the_same_for_the_same_seed() -> None:
    picks = [first_chooser(POD, rng=Random(seed)) for seed in range(40)]
    assert picks == [first_chooser(POD, rng=Random(seed)) for seed in range(40)]
    assert {side for side, _ in picks} == {0, 1, 2, 3}
    assert {by for _, by in picks} == {OpeningBy.RANDOM}


def test_without_random_source_and_entry_nobody_is_invented() -> None:
    with pytest.raises(RuleBroken) as refused:
        first_chooser(RIFT)
    assert refused.value.code == "no-chooser"


def test_a_chooser_who_does_not_choose_goes_first() -> None:
    assert opened(None, chooser=1) == Opening(
        1, OpeningBy.AGREED, None, ("2A", "1B", "2B", "1A"), is_default=True
    )
    duel = opening_for(DUEL, chooser=1, by=OpeningBy.LOSER)
    assert (duel.order, duel.is_default) == (("2A", "1A"), True)


@pytest.mark.parametrize(
    ("terms", "chooser", "option", "order"),
    [
        (DUEL, 0, "first", ("1A", "2A")),
        (DUEL, 0, "last", ("2A", "1A")),
        (POD, 1, "first", ("2A", "3A", "4A", "1A")),
        (POD, 1, "last", ("3A", "4A", "1A", "2A")),
        (POD, 3, "last", ("1A", "2A", "3A", "4A")),
        (GIANT, 1, "1", ("1A", "1B", "2A", "2B")),
        (GIANT, 0, "2", ("2A", "2B", "1A", "1B")),
    ],
)
def test_an_option_gives_an_order(terms: Terms, chooser: int, option: str, order: tuple[str, ...]) -> None:
    opening = opening_for(terms, chooser=chooser, by=OpeningBy.LOSER, option=option)
    assert opening.order == order


@pytest.mark.parametrize("key", list(MODES))
def test_every_option_of_every_mode_gives_every_position_once(key: str) -> None:
    mode = mode_of(key)
    terms = terms_for(mode).on_board(mode.boards[-1])
    for chooser in range(terms.sides):
        for option in options_of(terms, chooser):
            opening = opening_for(terms, chooser=chooser, by=OpeningBy.AGREED, option=option.key)
            assert sorted(opening.order) == sorted(chair_codes(terms))


@pytest.mark.parametrize(
    ("terms", "option"), [(DUEL, "2B"), (RIFT, "first"), (RIFT, "3A"), (GIANT, "3"), (POD, "")]
)
def test_a_choice_outside_the_options_is_refused(terms: Terms, option: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        opening_for(terms, chooser=0, by=OpeningBy.AGREED, option=option)
    assert refused.value.code == "unknown-option"
    assert options_of(terms, 0)[0].key in refused.value.sentence


@pytest.mark.parametrize("side", [-1, 2])
def test_a_side_that_is_not_there_cannot_choose(side: int) -> None:
    for deed in (
        lambda: options_of(RIFT, side),
        lambda: first_chooser(RIFT, entered=side),
        lambda: opening_for(RIFT, chooser=side, by=OpeningBy.AGREED),
    ):
        with pytest.raises(RuleBroken) as refused:
            deed()
        assert refused.value.code == "unknown-side"


def test_a_match_of_several_boards_opens_each_of_them_by_itself() -> None:
    with pytest.raises(RuleBroken) as refused:
        opening_for(terms_for(mode_of("magic-trios")), chooser=0, by=OpeningBy.AGREED)
    assert refused.value.code == "board-missing"


def test_a_kept_order_must_name_every_position() -> None:
    with pytest.raises(RuleBroken) as refused:
        opening_for(RIFT, chooser=None, by=OpeningBy.KEPT, order=("1A", "2A"))
    assert refused.value.code == "wrong-order"


def test_the_penalised_side_chooses_after_a_game_loss() -> None:
    lost = ended(0, winner=1, by=GameEnd.PENALTY, terms=MAGIC)
    assert chooser_after(MAGIC, lost) == Right(0, OpeningBy.PENALTY)


def test_after_a_pod_game_a_new_random_side_chooses() -> None:
    assert chooser_after(POD, ended(0, winner=2, terms=POD)) == Right(None, OpeningBy.RANDOM)


def test_after_a_drawn_game_that_nobody_chose_a_new_random_side_chooses() -> None:
    unopened = Opening(None, OpeningBy.PENALTY, None, (), is_default=False)
    assert chooser_after(MAGIC, PlayedGame(unopened, None, is_draw=True)) == Right(None, OpeningBy.RANDOM)


def test_a_game_without_an_end_says_nothing_about_the_next_one() -> None:
    with pytest.raises(RuleBroken) as refused:
        chooser_after(RIFT, PlayedGame(opened("1A"), None, is_draw=False))
    assert refused.value.code == "game-not-ended"


def test_nobody_chooses_where_the_first_side_starts() -> None:
    villain = terms_for(mode_of("magic-archenemy"))
    assert first_chooser(villain, rng=Random(1)) == (None, OpeningBy.FIXED)
    assert options_of(villain, 0) == ()
    opening = opening_for(villain, chooser=None, by=OpeningBy.FIXED)
    drawn = PlayedGame(opening, None, is_draw=True)
    assert chooser_after(villain, drawn) == Right(None, OpeningBy.FIXED, ("1A", "2A", "3A", "4A"))


def test_an_opening_without_chooser_is_refused_where_somebody_chooses() -> None:
    with pytest.raises(RuleBroken) as refused:
        opening_for(RIFT, chooser=None, by=OpeningBy.RANDOM)
    assert refused.value.code == "no-chooser"
