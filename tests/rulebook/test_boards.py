"""Three boards give one team result."""

import pytest

from rulebook.boards import board_wins_needed, team_lines
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.scoring import Line, Outcome, ResultKind, lines_for
from rulebook.terms import terms_for

TRIOS = terms_for(mode_of("magic-trios"))
FIRST, SECOND, DRAWN = (2, 1), (0, 2), (1, 1)


def played(**boards: tuple[int, int]) -> dict[str, tuple[Line, ...]]:
    return {
        board: lines_for(TRIOS.on_board(board), ResultKind.PLAYED, wins=wins)
        for board, wins in boards.items()
    }


@pytest.mark.parametrize(
    ("boards", "outcomes", "counts"),
    [
        ({"A": FIRST, "B": FIRST, "C": SECOND}, ("win", "loss"), [(2, 0), (1, 0)]),
        ({"A": FIRST, "B": DRAWN, "C": DRAWN}, ("win", "loss"), [(1, 2), (0, 2)]),
        ({"A": FIRST, "B": SECOND, "C": DRAWN}, ("draw", "draw"), [(1, 1), (1, 1)]),
        ({"A": DRAWN, "B": DRAWN, "C": DRAWN}, ("draw", "draw"), [(0, 3), (0, 3)]),
        ({"A": SECOND, "C": SECOND}, ("loss", "win"), [(0, 0), (2, 0)]),
    ],
    ids=["two of three", "one and two draws", "one each", "all drawn", "third board not needed"],
)
def test_the_team_that_wins_more_boards_wins(
    boards: dict[str, tuple[int, int]], outcomes: tuple[str, str], counts: list[tuple[int, int]]
) -> None:
    lines = team_lines(TRIOS, played(**boards))
    assert tuple(line.outcome for line in lines) == tuple(Outcome(one) for one in outcomes)
    assert [(line.wins, line.draws) for line in lines] == counts


@pytest.mark.parametrize("second", [SECOND, DRAWN], ids=["one each", "one and a draw"])
def test_a_board_that_still_matters_is_waited_for(second: tuple[int, int]) -> None:
    with pytest.raises(RuleBroken) as refused:
        team_lines(TRIOS, played(A=FIRST, B=second))
    assert refused.value.code == "boards-missing"
    assert "board C" in refused.value.sentence
    assert team_lines(TRIOS, played(A=FIRST), unfinished_ok=True)[0].outcome is Outcome.WIN


def test_a_board_the_match_does_not_have_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        team_lines(TRIOS, {"D": played(A=FIRST)["A"]})
    assert refused.value.code == "unknown-board"


def test_an_elimination_match_of_boards_needs_a_winner() -> None:
    cut = terms_for(mode_of("magic-trios"), elimination=True)
    with pytest.raises(RuleBroken) as refused:
        team_lines(cut, played(A=FIRST, B=SECOND, C=DRAWN))
    assert refused.value.code == "draw-in-elimination"


def test_two_of_three_boards_are_enough() -> None:
    assert board_wins_needed(TRIOS) == 2
