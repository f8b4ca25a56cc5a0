"""Rounds inside drafting groups, and the tables of a hall."""

from fractions import Fraction

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.drafting import check_drafts, drafting_groups, first_pairs, pair_drafts
from rulebook.pairing.tables import Hall, featured_index, place_of, rows_of_tables, table_numbers
from rulebook.pairing.values import Entrant, Pairing, SwissInput, canonical

GONE = 3


def played_out(count: int, seed: int, *, leaves: int | None = None) -> list[tuple[SwissInput, Pairing]]:
    """Three rounds inside the groups; the better seat wins, one may leave after the first round."""
    groups = drafting_groups(range(count), seed)
    met: dict[int, list[int]] = {one: [] for one in range(count)}
    points, byes = dict.fromkeys(range(count), 0), dict.fromkeys(range(count), 0)
    here, told = set(range(count)), []
    for number in (1, 2, 3):
        if number == 2 and leaves is not None:
            here.discard(leaves)
        entrants = tuple(
            Entrant(one, Fraction(points[one]), at, byes=byes[one], met=tuple(met[one]))
            for at, one in enumerate(sorted(here, key=lambda one: -points[one]), 1)
        )
        swiss = SwissInput(entrants, seed + number, 4 - number)
        pairing = pair_drafts(swiss, groups)
        assert check_drafts(swiss, groups, pairing) == ()
        assert canonical(pair_drafts(swiss, groups).as_dict()) == canonical(pairing.as_dict())
        told.append((swiss, pairing))
        for one, other in pairing.pairs:
            met[one].append(other)
            met[other].append(one)
            points[min(one, other)] += 3
        for one in pairing.byes:
            byes[one] += 1
            points[one] += 3
    return told


@pytest.mark.parametrize("count", [2, 5, 6, 7, 8, 9, 15, 16, 17, 24, 33])
def test_nobody_leaves_the_group_or_meets_anybody_twice_while_it_can_be_avoided(count: int) -> None:
    for seed in range(10):
        groups = drafting_groups(range(count), seed)
        rounds = played_out(count, seed)
        for _, pairing in rounds:
            for one, other in pairing.pairs:
                assert any(one in group and other in group for group in groups)
        if count > 5:
            assert sum(pairing.report.rematches for _, pairing in rounds) == 0


def test_the_first_round_is_across_the_table_and_says_so() -> None:
    groups = drafting_groups(range(16), 4)
    (_, pairing), *_ = played_out(16, 4)
    assert set(pairing.pairs) == {pair for group in groups for pair in first_pairs(group)}
    assert pairing.reasons[groups[1][0]] == (
        "Drafting group 2. Seat 1 meets seat 5, on the other side of the draft's table."
    )


def test_a_team_that_left_makes_a_bye_in_its_own_group_alone() -> None:
    groups = drafting_groups(range(16), 8)
    _, (_, second), _ = played_out(16, 8, leaves=GONE)
    own = next(group for group in groups if GONE in group)
    assert len(second.byes) == 1
    assert second.byes[0] in own


def test_who_is_alone_in_a_group_has_a_bye_and_a_stranger_is_refused() -> None:
    lone = Entrant(1, Fraction(0), 1)
    assert pair_drafts(SwissInput((lone,), 1, 3), [(1, 2), (3, 4)]).byes == (1,)
    with pytest.raises(RuleBroken, match="exactly one drafting group"):
        pair_drafts(SwissInput((lone, Entrant(9, Fraction(0), 2)), 1, 3), [(1, 2)])


def test_the_checker_finds_a_pair_of_two_groups_and_an_avoidable_rematch() -> None:
    four = tuple(Entrant(one, Fraction(0), one, met=(one ^ 1,)) for one in range(4))
    swiss = SwissInput(four, 1, 2)
    good = pair_drafts(swiss, [(0, 1, 2, 3)])
    assert check_drafts(swiss, [(0, 2), (1, 3)], Pairing(((0, 1), (2, 3)), (), good.report)) == (
        "Entrants 0 and 1 are of different drafting groups.",
        "Entrants 2 and 3 are of different drafting groups.",
    )
    faults = check_drafts(swiss, [(0, 1, 2, 3)], Pairing(((0, 1), (2, 3)), (), good.report))
    assert len(faults) == 1
    assert "although" in faults[0]


def test_the_best_match_without_a_fixed_table_plays_at_the_feature_table() -> None:
    matches, ranks = [(1, 8), (2, 7), (3, 6)], [1, 2, 3]
    at = featured_index(ranks, matches, {}, 50)
    assert at == 0
    assert table_numbers(matches, featured={0: 50}, kept=(50,)) == (50, 2, 3)
    assert featured_index(ranks, matches, {8: 4}, 50) == 1
    assert featured_index(ranks, matches, {6: 50}, 50) is None
    assert featured_index([3, 1, 2], matches, {}, 50) == 1
    # Nobody else gets its number, also when nobody is featured.
    assert table_numbers(matches, hall=Hall(((1, 9),)), kept=(2,)) == (1, 3, 4)


def test_the_rows_of_a_hall_begin_anew_with_each_range_and_end_with_the_tables_in_use() -> None:
    assert rows_of_tables([1, 2, 3, 10], 4) == ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10))
    hall = Hall(((1, 6), (31, 40), (90, 99)))
    assert rows_of_tables([1, 33], 4, hall) == ((1, 2, 3, 4), (5, 6), (31, 32, 33, 34), (35, 36))
    assert rows_of_tables([77], 4, Hall(((1, 2),))) == ((1, 2), (77,))
    rows = rows_of_tables([1, 23], 8)
    assert place_of(23, rows) == (3, 7)
    assert place_of(99, rows) is None
