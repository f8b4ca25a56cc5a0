"""Recommended rounds and cuts, table numbers, round robins, drafting groups, late entry."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.byes import LateEntry, last_entry_before, missed_rounds
from rulebook.pairing.drafting import drafting_groups, first_pairs, group_sizes, pair_inside
from rulebook.pairing.round_robin import Removal, after_leaving, round_robin
from rulebook.pairing.rounds import RoundTable, Step, recommended
from rulebook.pairing.tables import Hall, table_numbers
from rulebook.pairing.values import SwissInput
from tests.pairing.fields import entrants_of


@pytest.mark.parametrize(
    "table, teams, rounds, cut",
    [
        pytest.param("riftbound", 32, 5, 8, id="we-070-32"),
        pytest.param("riftbound", 64, 6, 8, id="we-070-64"),
        pytest.param("doubling", 8, 3, 0, id="we-095-8"),
        pytest.param("doubling", 16, 4, 0, id="we-095-16"),
        pytest.param("doubling", 32, 5, 0, id="we-095-32"),
        pytest.param("doubling", 64, 6, 0, id="we-095-64"),
        pytest.param("doubling", 128, 7, 0, id="we-095-128"),
        pytest.param("magic", 4, 0, 4, id="magic-4"),
        pytest.param("magic", 8, 0, 8, id="magic-8"),
        pytest.param("magic", 9, 5, 4, id="magic-9"),
        pytest.param("magic-draft-playoff", 16, 4, 8, id="magic-draft-16"),
        pytest.param("magic", 17, 5, 8, id="magic-17"),
        pytest.param("magic", 226, 8, 8, id="magic-226"),
        pytest.param("magic", 227, 9, 8, id="magic-227"),
        pytest.param("magic", 410, 10, 8, id="magic-410"),
        pytest.param("topdeck-pods", 64, 4, 10, id="pods-64"),
    ],
)
def test_a_table_recommends_rounds_and_cut(table: str, teams: int, rounds: int, cut: int) -> None:
    found = recommended(teams, table)
    assert (found.rounds, found.cut) == (rounds, cut)


def test_what_no_rules_document_says_is_marked_unverified() -> None:
    assert recommended(32, "magic").is_verified
    assert not recommended(32, "riftbound").is_verified
    assert recommended(32, "riftbound").is_cut_optional


def test_awarded_byes_count_as_players_beaten() -> None:
    assert recommended(30, "magic").rounds == 5
    found = recommended(30, "magic", awarded_byes=[1, 2])
    assert (found.counted, found.rounds) == (34, 6)


def test_an_organizer_may_have_his_own_table() -> None:
    own = RoundTable("ours", "Ours", (Step(4, 3, 0), Step(20, 4, 4, 2)), "house rule")
    assert recommended(12, own).rounds == 3
    with pytest.raises(RuleBroken) as refused:
        recommended(3, own)
    assert refused.value.code == "not-enough-entrants"


@pytest.mark.parametrize("case", ["we-093"])
def test_half_of_twelve_rounds_must_be_left_for_a_late_entrant(case: str) -> None:
    assert last_entry_before(12) == 7


@pytest.mark.parametrize("case", ["we-094"])
def test_one_half_point_stands_for_all_missed_rounds(case: str) -> None:
    missed = missed_rounds(LateEntry.HALF_BYE, 5)
    assert len(missed) == 5
    assert sum(Fraction(one.half_points or 0, 2) for one in missed) == Fraction(1, 2)


@pytest.mark.parametrize(
    "policy, kinds",
    [
        (LateEntry.LOSS, ["assigned-loss"] * 3),
        pytest.param(LateEntry.BYE, [None, None, "bye"], id="case-041"),
        (LateEntry.HALF_BYE, [None, None, "bye"]),
        (LateEntry.NOTHING, [None] * 3),
    ],
)
def test_missed_rounds_follow_the_policy(policy: LateEntry, kinds: list[str | None]) -> None:
    assert [one.kind for one in missed_rounds(policy, 3)] == kinds
    assert missed_rounds(policy, 0) == ()


def test_a_fixed_table_holds_and_the_number_it_left_stays_empty() -> None:
    matches = [(1, 2), (3, 4), (5, 6), (7, 8)]
    assert table_numbers(matches) == (1, 2, 3, 4)
    assert table_numbers(matches, fixed={4: 30}) == (1, 30, 3, 4)


def test_a_fixed_number_is_given_to_nobody_else_even_while_its_owner_rests() -> None:
    assert table_numbers([(1, 2), (3, 4), (5, 6)], fixed={99: 2}) == (1, 3, 4)
    assert table_numbers([(1, 2), (3, 4), (5, 6)], fixed={6: 1}) == (2, 3, 1)


def test_tables_come_from_the_ranges_of_the_hall() -> None:
    hall = Hall(((1, 2), (10, 20)), closed=frozenset({10}))
    assert table_numbers([(1, 2), (3, 4), (5, 6)], hall=hall) == (1, 2, 11)
    with pytest.raises(RuleBroken) as refused:
        table_numbers([(1, 2), (3, 4)], hall=Hall(((1, 1),)))
    assert refused.value.code == "not-enough-tables"


def test_the_feature_match_leaves_its_number_empty() -> None:
    assert table_numbers([(1, 2), (3, 4)], featured={0: 500}) == (500, 2)


def test_a_fixed_table_used_twice_is_refused() -> None:
    with pytest.raises(RuleBroken, match="Table 5 is fixed for two matches") as refused:
        table_numbers([(1, 2), (3, 4)], fixed={1: 5, 3: 5})
    assert refused.value.code == "table-used-twice"


@pytest.mark.parametrize("entrants", range(2, 21))
def test_in_a_round_robin_each_two_meet_once_and_odd_fields_rest_once(entrants: int) -> None:
    rounds = round_robin(range(entrants), seed=entrants)
    met = Counter(frozenset(pair) for one in rounds for pair in one.pairs)
    assert met == Counter(frozenset(pair) for pair in combinations(range(entrants), 2))
    resting = [one.bye for one in rounds if one.bye is not None]
    assert sorted(resting) == (list(range(entrants)) if entrants % 2 else [])
    first = Counter(pair[0] for one in rounds for pair in one.pairs)
    assert max(first.values()) - min(first[entrant] for entrant in range(entrants)) <= 2


def test_the_second_cycle_turns_the_sides() -> None:
    rounds = round_robin((1, 2, 3, 4), seed=1, cycles=2)
    assert len(rounds) == 6
    assert rounds[3].pairs == tuple((b, a) for a, b in rounds[0].pairs)


@pytest.mark.parametrize(
    "played, expected",
    [
        (0, Removal.REMOVE_ALL),
        (3, Removal.REMOVE_ALL),
        (4, Removal.LOSE_THE_REST),
        (7, Removal.LOSE_THE_REST),
    ],
)
def test_results_of_a_leaver_are_removed_before_half_of_the_matches(played: int, expected: Removal) -> None:
    assert after_leaving(played, 8) is expected
    assert after_leaving(played, 8, always_keep=True) is Removal.LOSE_THE_REST


def test_drafting_groups_hold_about_eight_and_at_most_one_is_odd() -> None:
    for entrants in range(2, 200):
        sizes = group_sizes(entrants)
        assert sum(sizes) == entrants
        assert sum(size % 2 for size in sizes) == entrants % 2
        assert entrants < 20 or set(sizes) <= {6, 7, 8, 9, 10}


def test_a_drafting_group_is_paired_across_the_table_and_then_inside_itself() -> None:
    groups = drafting_groups(range(16), seed=9)
    assert [len(group) for group in groups] == [8, 8]
    assert first_pairs(groups[0])[0] == (groups[0][0], groups[0][4])
    swiss = SwissInput(entrants_of(dict.fromkeys(range(16), 0)), 5, 2)
    for group, pairing in zip(groups, pair_inside(swiss, groups), strict=True):
        assert {side for pair in pairing.pairs for side in pair} == set(group)
