"""Openings of a board, game after game."""

from collections.abc import Callable
from random import Random

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.openings import (
    Openings,
    Stage,
    begin,
    card_names_starter,
    choose,
    end_game,
    forfeit,
    keeps_battlefields,
    may_sideboard,
    name_chooser,
    restart,
    subgame,
    wins,
)
from rulebook.terms import Terms, terms_for
from rulebook.turns import GameEnd, OpeningBy

RIFT = terms_for(mode_of("riftbound-2v2"), best_of=3)
MATCH = terms_for(mode_of("riftbound-match"))
MAGIC = terms_for(mode_of("magic-1v1"))
POD = terms_for(mode_of("magic-ffa"))
ARCHENEMY = terms_for(mode_of("magic-archenemy"), best_of=3)
GIANT = terms_for(mode_of("magic-2hg"), best_of=3)


def playing(terms: Terms = MAGIC, option: str | None = None, *, chooser: int = 0) -> Openings:
    return choose(name_chooser(begin(terms), entered=chooser), option)


def test_a_board_waits_for_chooser_choice_and_end_in_turn() -> None:
    board = begin(RIFT)
    assert (board.stage, board.game) == (Stage.WHO_CHOOSES, 1)
    board = name_chooser(board, rng=Random(7))
    assert board.stage is Stage.CHOICE
    board = choose(board, "2B")
    assert (board.stage, board.order) == (Stage.GAME, ("2B", "1A", "2A", "1B"))
    board = end_game(board, winner=0)
    assert (board.stage, board.game) == (Stage.CHOICE, 2)
    board = end_game(choose(board, "2A"), winner=0)
    assert (board.stage, board.game, wins(board)) == (Stage.OVER, 2, (2, 0))


def test_a_riftbound_draw_opens_the_next_game_in_the_same_order_on_the_same_battlefields() -> None:
    board = end_game(playing(RIFT, "1B"), winner=None)
    assert (board.stage, board.game, board.order) == (Stage.GAME, 2, ("1B", "2B", "1A", "2A"))
    assert board.opening is not None
    assert board.opening.by is OpeningBy.KEPT
    assert keeps_battlefields(board)
    assert not may_sideboard(board)


def test_after_a_magic_draw_the_previous_chooser_chooses_and_sideboards() -> None:
    board = end_game(playing(chooser=1), winner=None)
    assert board.stage is Stage.CHOICE
    assert board.right is not None
    assert (board.right.chooser, board.right.by) == (1, OpeningBy.PREVIOUS)
    assert not keeps_battlefields(board)
    assert may_sideboard(board)


@pytest.mark.parametrize("terms", [MATCH, MAGIC], ids=["riftbound", "magic"])
def test_a_forfeited_game_one_lets_the_penalised_choose_and_nobody_sideboard(terms: Terms) -> None:
    board = forfeit(begin(terms), loser=1)
    assert wins(board) == (1, 0)
    assert board.right is not None
    assert (board.right.chooser, board.right.by) == (1, OpeningBy.PENALTY)
    assert not may_sideboard(board)
    assert may_sideboard(end_game(choose(board), winner=1))


def test_a_later_game_lost_before_it_began_leaves_the_sideboards_open() -> None:
    board = forfeit(end_game(playing(), winner=0), loser=0)
    assert wins(board) == (1, 1)
    assert may_sideboard(board)


def test_a_game_lost_by_penalty_while_it_runs_lets_the_penalised_choose_and_sideboard() -> None:
    board = end_game(playing(), winner=0, ended_by=GameEnd.PENALTY)
    assert board.right is not None
    assert (board.right.chooser, board.right.by) == (1, OpeningBy.PENALTY)
    assert may_sideboard(board)


def test_a_running_game_cannot_be_forfeited_as_one_that_never_began() -> None:
    with pytest.raises(RuleBroken) as refused:
        forfeit(playing(), loser=0)
    assert refused.value.code == "game-has-begun"


def test_a_forfeit_names_a_side_of_the_match() -> None:
    with pytest.raises(RuleBroken) as refused:
        forfeit(begin(MAGIC), loser=2)
    assert refused.value.code == "unknown-side"


def test_nobody_forfeits_a_pod_to_one_of_the_others() -> None:
    with pytest.raises(RuleBroken) as refused:
        forfeit(begin(POD), loser=1)
    assert refused.value.code == "wrong-number-of-sides"


@pytest.mark.parametrize("terms", [MAGIC, ARCHENEMY], ids=["one against one", "nobody chooses"])
@pytest.mark.parametrize("winner", [-1, 4])
def test_the_winner_of_a_game_is_a_side_of_the_match(terms: Terms, winner: int) -> None:
    board = begin(terms) if terms is ARCHENEMY else playing(terms)
    with pytest.raises(RuleBroken) as refused:
        end_game(board, winner=winner)
    assert refused.value.code == "unknown-side"


def test_the_better_seed_chooses_game_one_of_a_playoff_and_the_loser_afterwards() -> None:
    terms = terms_for(mode_of("magic-1v1"), elimination=True)
    board = name_chooser(begin(terms), rng=Random(3), higher_seed=1)
    assert board.right is not None
    assert (board.right.chooser, board.right.by) == (1, OpeningBy.SEED)
    board = end_game(choose(board, "last"), winner=1)
    assert board.right is not None
    assert (board.right.chooser, board.right.by) == (0, OpeningBy.LOSER)


def test_a_restarted_game_has_no_result_and_leaves_out_who_had_left() -> None:
    board = restart(playing(POD, "2A"), starter="3A", gone=("1A",))
    assert (board.game, board.played, board.order) == (1, (), ("3A", "4A", "2A"))
    again = restart(board, starter="4A", gone=("2A",))
    assert again.order == ("4A", "3A")


def test_who_has_left_cannot_start_a_restarted_game() -> None:
    with pytest.raises(RuleBroken) as refused:
        restart(playing(POD), starter="2A", gone=("2A",))
    assert refused.value.code == "seat-has-left"


def test_a_subgame_begins_with_a_random_player_still_there_and_leaves_the_board_alone() -> None:
    board = restart(playing(POD), starter="1A", gone=("2A",))
    openings = [subgame(board, Random(seed)) for seed in range(40)]
    assert {opening.order[0] for opening in openings} == {"1A", "3A", "4A"}
    assert {opening.by for opening in openings} == {OpeningBy.RANDOM}
    assert all(sorted(opening.order) == ["1A", "3A", "4A"] for opening in openings)


def test_a_card_that_names_the_starter_overrules_the_choice_but_not_who_chose() -> None:
    board = card_names_starter(playing(option="first", chooser=0), "2A")
    assert board.order == ("2A", "1A")
    assert board.opening is not None
    assert (board.opening.by, board.opening.chooser) == (OpeningBy.CARD, 0)
    drawn = end_game(board, winner=None)
    assert drawn.right is not None
    assert drawn.right.chooser == 0


def test_a_card_of_one_member_makes_the_whole_team_start_where_turns_are_shared() -> None:
    assert card_names_starter(playing(GIANT, "1"), "2B").order == ("2A", "2B", "1A", "1B")


def test_nobody_chooses_in_archenemy() -> None:
    board = begin(ARCHENEMY)
    assert (board.stage, board.order) == (Stage.GAME, ("1A", "2A", "3A", "4A"))
    again = end_game(board, winner=1)
    assert (again.stage, again.game, again.order) == (Stage.GAME, 2, ("1A", "2A", "3A", "4A"))


def test_after_a_free_for_all_game_somebody_new_is_picked() -> None:
    board = end_game(playing(terms_for(mode_of("magic-ffa"), best_of=3)), winner=2)
    assert board.stage is Stage.WHO_CHOOSES
    assert name_chooser(board, entered=3).stage is Stage.CHOICE


def test_a_board_of_trios_has_its_own_two_seats() -> None:
    terms = terms_for(mode_of("magic-trios")).on_board("B")
    assert playing(terms, "last").order == ("2B", "1B")
    with pytest.raises(RuleBroken) as refused:
        terms_for(mode_of("magic-trios")).on_board("D")
    assert refused.value.code == "unknown-board"


@pytest.mark.parametrize(
    "deed",
    [
        lambda: choose(begin(MAGIC)),
        lambda: end_game(begin(MAGIC), winner=0),
        lambda: name_chooser(playing(), entered=0),
        lambda: card_names_starter(begin(MAGIC), "1A"),
        lambda: restart(begin(MAGIC), starter="1A"),
        lambda: choose(playing()),
    ],
    ids=["choose", "end", "name", "card", "restart", "choose twice"],
)
def test_a_deed_at_the_wrong_moment_is_refused(deed: Callable[[], object]) -> None:
    with pytest.raises(RuleBroken) as refused:
        deed()
    assert refused.value.code == "wrong-moment"


def test_a_game_that_is_not_open_has_no_order() -> None:
    with pytest.raises(RuleBroken) as refused:
        _ = begin(MAGIC).order
    assert refused.value.code == "no-opening"


@pytest.mark.parametrize(
    "deed",
    [
        lambda: card_names_starter(playing(), "3A"),
        lambda: restart(playing(), starter="1B"),
        lambda: restart(playing(), starter="1A", gone=("9A",)),
    ],
)
def test_an_unknown_seat_is_refused(deed: Callable[[], object]) -> None:
    with pytest.raises(RuleBroken) as refused:
        deed()
    assert refused.value.code == "unknown-seat"


def test_nobody_sideboards_before_game_one() -> None:
    assert not may_sideboard(begin(MAGIC))
    assert not may_sideboard(playing(MATCH))


@pytest.mark.parametrize(
    ("terms", "gone", "code"),
    [
        (RIFT, ("2B",), "team-left"),
        (RIFT, ("2A", "2B"), "game-ended"),
        (MAGIC, ("2A",), "game-ended"),
        (ARCHENEMY, ("2A", "3A", "4A"), "game-ended"),
    ],
    ids=str,
)
def test_a_game_without_opponents_or_with_half_a_team_is_not_restarted(
    terms: Terms, gone: tuple[str, ...], code: str
) -> None:
    board = begin(terms) if terms is ARCHENEMY else playing(terms)
    with pytest.raises(RuleBroken) as refused:
        restart(board, starter="1A", gone=gone)
    assert refused.value.code == code


def test_no_card_names_a_starter_who_stays_out_of_the_restarted_game() -> None:
    board = restart(playing(POD), starter="1A", gone=("2A",))
    with pytest.raises(RuleBroken) as refused:
        card_names_starter(board, "2A")
    assert refused.value.code == "seat-has-left"
