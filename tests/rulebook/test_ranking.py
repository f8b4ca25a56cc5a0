"""Who stands where: shared ranks, the lot, corrections, and those who left."""

import random
from fractions import Fraction

import pytest

from rulebook.contests import Contest, Entered
from rulebook.policies import policy_of
from rulebook.scoring import ResultKind
from rulebook.standings import standings, tied_across
from tests.rulebook.fields import (
    FIVE,
    bye,
    duel,
    field,
    figure,
    lone_loss,
    one,
    order,
    ranks,
    row,
    stands_for,
    table,
)

MAGIC = policy_of("magic")
FLOOR = Fraction(33, 100)


def after(contests: list[Contest], number: int) -> list[Contest]:
    return [contest for contest in contests if contest.round <= number]


@stands_for("case-053")
def test_equals_share_a_rank_and_the_next_one_skips() -> None:
    better = [bye(1, chr(200 + number), half_points=20) for number in range(38)]
    equal = [bye(1, letter, half_points=6) for letter in "ABCD"]
    rows = table([*better, *equal, bye(1, "Z", half_points=1)], MAGIC)
    assert [standing.rank for standing in rows] == [1] * 38 + [39] * 4 + [43]


@stands_for("case-056")
def test_every_reader_gets_the_same_table_in_whatever_order_the_rows_come() -> None:
    entered = field(FIVE)
    expected = standings(entered, FIVE, MAGIC)
    for seed in range(20):
        rng = random.Random(seed)
        shuffled = rng.sample(FIVE, len(FIVE))
        assert standings(rng.sample(entered, len(entered)), iter(shuffled), MAGIC) == expected, f"seed {seed}"


@stands_for("case-058")
def test_a_half_finished_round_gives_no_impossible_numbers() -> None:
    rows = table([*FIVE, duel(4, "CB")], MAGIC)
    shares = [value for standing in rows for _, value in standing.figures]
    assert all(FLOOR <= value <= 1 for value in shares)
    assert figure(rows, "C", "gw") == Fraction(16 + 6, 3 * 10)


@stands_for("case-059")
def test_the_stored_lot_decides_last_and_always_the_same() -> None:
    contests = [bye(1, "A"), bye(1, "B")]
    for lots, letters in (((9, 4), "BA"), ((4, 9), "AB")):
        entered = [Entered(one("A"), lots[0]), Entered(one("B"), lots[1])]
        tables = {standings(random.Random(seed).sample(entered, 2), contests, MAGIC) for seed in range(100)}
        assert [order(rows) for rows in tables] == [letters]
        assert set(ranks(tables.pop()).values()) == {1}


@stands_for("case-061")
def test_a_correction_changes_every_later_table() -> None:
    contests = [
        *FIVE,
        duel(4, "CB"),
        duel(4, "AD", (2, 1)),
        bye(4, "E"),
        duel(5, "CE"),
        duel(5, "DB"),
        bye(5, "A"),
    ]
    fixed = [duel(2, "EB", (1, 2)) if contest == duel(2, "EB") else contest for contest in contests]
    for number in range(1, 6):
        before, now = (
            table(after(contests, number), MAGIC, extra="ABCDE"),
            table(after(fixed, number), MAGIC, extra="ABCDE"),
        )
        assert (before == now) is (number < 2)
        if number >= 2:
            assert row(now, "B").points == row(before, "B").points + 3


@stands_for("case-062")
def test_a_tie_on_the_last_place_of_the_cut_is_named() -> None:
    rows = table(FIVE, MAGIC)
    assert order(tied_across(rows, 3)) == "DE"
    assert tied_across(rows, 2) == tied_across(rows, 4) == tied_across(rows, 5) == ()


@stands_for("case-046")
def test_a_loss_to_someone_disqualified_later_stands() -> None:
    contests = [duel(1, "AX", (0, 2)), duel(2, "XB"), duel(3, "CX", kind=ResultKind.MATCH_LOSS)]
    rows = table(contests, MAGIC, {"X": "disqualified"})
    assert (row(rows, "A").points, row(rows, "A").losses) == (0, 1)
    assert figure(rows, "A", "omw") == Fraction(6, 9)


@pytest.mark.parametrize(
    ("lost_round", "share"),
    [
        pytest.param(False, Fraction(6, 9), id="case-049"),
        pytest.param(True, Fraction(6, 12), id="case-049-lost"),
    ],
)
def test_who_is_disqualified_has_no_row_and_still_is_an_opponent(lost_round: bool, share: Fraction) -> None:
    contests = [duel(1, "XB"), duel(2, "AX", (0, 2)), duel(3, "XC", (0, 2))]
    if lost_round:
        contests.append(duel(4, "DX", kind=ResultKind.MATCH_LOSS))
    rows = table(contests, MAGIC, {"X": "disqualified"})
    assert "X" not in order(rows)
    assert figure(rows, "A", "omw") == share
    assert row(rows, "A").rank == row(table(contests, MAGIC), "A").rank - 1, "the others move up"


def test_who_drops_keeps_the_row_and_the_rank() -> None:
    assert table(FIVE, MAGIC, {"C": "dropped"}) == table(FIVE, MAGIC)


@stands_for("case-032")
def test_a_leaver_keeps_three_rounds_and_a_newcomer_has_none() -> None:
    contests = [duel(number, pair) for number, pair in enumerate(("MA", "MB", "MC"), 1)]
    missed = [lone_loss(number, "N") for number in (1, 2, 3)]
    rows = table([*contests, *missed], MAGIC, {"M": "dropped"})
    assert (row(rows, "M").played, row(rows, "M").points) == (3, 9)
    assert (row(rows, "N").points, row(rows, "N").losses) == (0, 3)
    absent = table(contests, MAGIC, extra="N")
    assert (row(absent, "N").points, row(absent, "N").played) == (0, 0)


@stands_for("case-036")
def test_groups_with_leavers_are_ranked_in_one_list() -> None:
    first = [duel(1, "ab"), duel(2, "ac"), duel(2, "bd"), duel(3, "bc"), duel(3, "ad")]
    second = [duel(1, "xz"), duel(1, "yw"), duel(2, "xy"), bye(3, "x")]
    rows = table([*first, *second], MAGIC, {"z": "dropped", "w": "dropped"})
    ranked = ranks(rows)
    assert (row(rows, "b").points, row(rows, "y").points) == (6, 3)
    assert ranked["b"] < ranked["y"]
    assert {"z", "w"} <= set(ranked)


@stands_for("case-086")
def test_points_are_compared_as_numbers() -> None:
    contests = [
        bye(1, letter, half_points=2 * points) for letter, points in (("x", 65), ("y", 66), ("z", 10))
    ]
    assert order(table(contests, MAGIC)) == "yxz"
