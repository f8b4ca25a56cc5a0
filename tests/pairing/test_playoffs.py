"""Cuts and brackets in play: places, walkovers, double elimination, playoff pods."""

from collections.abc import Mapping
from itertools import permutations
from random import Random

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.bracket import Decision, NodeState, Place, bracket_of, final_places
from rulebook.pairing.cuts import Ranked, seeds_of_cut
from rulebook.pairing.double import double_nodes, needs_reset
from rulebook.pairing.elimination import DRAFT_ORDER, Node, nodes
from rulebook.pairing.playoff_pods import PodDraw, first_round, next_round

Seeds = Mapping[int, int | None]


def seeded(size: int) -> dict[int, int | None]:
    """Seed n is entrant 100 + n."""
    return {seed: 100 + seed for seed in range(1, size + 1)}


def played(table: tuple[Node, ...], seeds: Seeds, *, rng: Random | None = None) -> dict[str, Place]:
    """The bracket played to its end; the better seed wins unless a random source is given."""
    decisions: dict[str, Decision] = {}
    while True:
        places = bracket_of(table, seeds, decisions)
        ready = [place for place in places.values() if place.state is NodeState.READY]
        if not ready:
            return places
        for place in ready:
            sides = [slot.entrant for slot in place.slots]
            decisions[place.node.key] = Decision(rng.choice(sides) if rng else sides[0])


@pytest.mark.parametrize("case", ["case-068"])
def test_the_cut_is_filled_with_those_who_stayed(case: str) -> None:
    standing = [Ranked(entrant, entrant, is_active=entrant > 3) for entrant in range(1, 21)]
    seeds = seeds_of_cut(standing, 8)
    assert list(seeds.values()) == [4, 5, 6, 7, 8, 9, 10, 11]
    places = final_places(played(nodes(8), dict(seeds)), dict(seeds))
    assert [(first, last) for _, first, last in places] == [(1, 1), (2, 2), *[(3, 4)] * 2, *[(5, 8)] * 4]


@pytest.mark.parametrize("case", ["case-073"])
def test_a_final_both_did_not_play_has_two_first_places(case: str) -> None:
    seeds = seeded(2)
    places = bracket_of(nodes(2), seeds, {"r1m1": Decision(None)})
    assert places["r1m1"].state is NodeState.DECIDED
    assert final_places(places, seeds) == ((101, 1, 2), (102, 1, 2))


@pytest.mark.parametrize("case", ["case-074"])
def test_after_a_double_loss_the_neighbour_advances_alone(case: str) -> None:
    seeds = seeded(8)
    lost = bracket_of(nodes(8), seeds, {"r1m1": Decision(None), "r1m2": Decision(104)})
    semifinal = lost["r2m1"]
    assert (semifinal.state, semifinal.winner) == (NodeState.WALKOVER, 104)
    assert {row for row in final_places(lost, seeds) if row[0] in (101, 108)} == {(101, 5, 8), (108, 5, 8)}


def test_a_slot_to_come_is_not_a_bye() -> None:
    places = bracket_of(nodes(8), seeded(8), {"r1m1": Decision(101)})
    assert places["r2m1"].state is NodeState.WAITING
    assert places["r2m1"].winner is None


@pytest.mark.parametrize("case", ["case-076"])
def test_a_cut_of_four_after_an_undone_cut_of_eight_has_three_matches(case: str) -> None:
    table = nodes(4)
    places = played(table, seeded(4))
    assert len(table) == 3
    assert [slot.entrant for slot in places["r2m1"].slots] == [101, 102]


@pytest.mark.parametrize("case", ["case-075"])
def test_a_cut_started_again_has_the_same_seeds(case: str) -> None:
    standing = [Ranked(entrant, rank) for rank, entrant in enumerate((9, 4, 7, 1, 3), start=1)]
    assert seeds_of_cut(standing, 4) == seeds_of_cut(standing[::-1], 4) == {1: 9, 2: 4, 3: 7, 4: 1}


@pytest.mark.parametrize("case", ["case-078"])
def test_places_of_a_bracket_do_not_ask_the_swiss_points(case: str) -> None:
    places = final_places(played(nodes(4), seeded(4)), seeded(4))
    assert places == ((101, 1, 1), (102, 2, 2), (103, 3, 4), (104, 3, 4))


@pytest.mark.parametrize("case", ["case-079"])
def test_seeds_are_frozen_in_the_bracket_they_were_given_to(case: str) -> None:
    seeds = seeded(4)
    before = bracket_of(nodes(4), seeds, {})
    decided = bracket_of(nodes(4), seeds, {"r1m1": Decision(104), "r1m2": Decision(103)})
    assert [before[key].slots for key in ("r1m1", "r1m2")] == [decided[key].slots for key in ("r1m1", "r1m2")]


@pytest.mark.parametrize("case", ["case-012"])
def test_the_first_side_of_the_final_does_not_depend_on_who_reported_first(case: str) -> None:
    reports = {"r1m1": Decision(104), "r1m2": Decision(102)}
    finals = {
        bracket_of(nodes(4), seeded(4), {key: reports[key] for key in order})["r2m1"].slots
        for order in permutations(reports)
    }
    assert [slot.entrant for slot in finals.pop()] == [102, 104]
    assert not finals


def test_a_side_that_left_gives_its_opponent_a_walkover_and_nobody_is_promoted() -> None:
    seeds = seeded(8) | {1: None}
    places = bracket_of(nodes(8), seeds, {})
    assert (places["r1m1"].state, places["r1m1"].winner) == (NodeState.WALKOVER, 108)


def test_the_third_place_is_played_for() -> None:
    places = final_places(played(nodes(4, third_place=True), seeded(4)), seeded(4))
    assert places == ((101, 1, 1), (102, 2, 2), (103, 3, 3), (104, 4, 4))


def test_a_draft_playoff_is_paired_by_seats() -> None:
    places = bracket_of(nodes(8, order=DRAFT_ORDER), seeded(8), {})
    first = [{slot.entrant for slot in places[f"r1m{at}"].slots} for at in (1, 2, 3, 4)]
    assert first == [{101, 105}, {103, 107}, {102, 106}, {104, 108}]


def test_a_tie_on_the_last_place_of_the_cut_asks_for_a_decision() -> None:
    standing = [Ranked(1, 1), Ranked(2, 2), Ranked(3, 3), Ranked(4, 4), Ranked(5, 4)]
    with pytest.raises(RuleBroken, match="2 teams share the last place") as refused:
        seeds_of_cut(standing, 4)
    assert (refused.value.code, refused.value.facts["entrants"]) == ("cut-tie", [4, 5])
    assert seeds_of_cut(standing, 4, decision=[5, 4])[4] == 5


def test_a_cut_larger_than_the_field_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        seeds_of_cut([Ranked(1, 1), Ranked(2, 2, is_active=False)], 2)
    assert refused.value.code == "cut-too-large"


@pytest.mark.parametrize("entrants", range(2, 34))
def test_in_double_elimination_everybody_but_the_winner_loses_twice(entrants: int) -> None:
    table = double_nodes(entrants)
    seeds = seeded(entrants)
    places = played(table, seeds, rng=Random(entrants))
    losses = dict.fromkeys(seeds.values(), 0)
    for place in places.values():
        if place.state is NodeState.DECIDED:
            losses[place.loser] += 1
    ranking = final_places(places, seeds)
    assert len(ranking) == entrants
    champion = ranking[0][0]
    assert losses.pop(champion) <= 1
    assert set(losses.values()) == {2}


@pytest.mark.parametrize("winner_side, is_played", [(0, False), (1, True)])
def test_the_grand_final_is_reset_only_when_the_undefeated_side_loses_it(
    winner_side: int, is_played: bool
) -> None:
    table, seeds = double_nodes(4), seeded(4)
    decisions = {"w1m1": 101, "w1m2": 102, "w2m1": 101, "l1m1": 103, "l2m1": 102}
    final = 101 if winner_side == 0 else 102
    places = bracket_of(
        table, seeds, {key: Decision(won) for key, won in decisions.items()} | {"final": Decision(final)}
    )
    assert [slot.entrant for slot in places["final"].slots] == [101, 102]
    assert needs_reset(winner_side) is is_played
    assert places["reset"].state is (NodeState.READY if is_played else NodeState.UNNEEDED)
    assert (101, 1, 1) in final_places(places, seeds) or is_played


@pytest.mark.parametrize("case", ["case-096", "we-054"])
def test_top_sixteen_meet_in_four_pods_in_seat_order(case: str) -> None:
    expected = ((1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (4, 8, 12, 16))
    assert first_round(16).pods == expected
    assert next_round((13, 2, 7, 4), ()).pods == ((2, 4, 7, 13),)


@pytest.mark.parametrize("case", ["we-057"])
def test_in_a_cut_to_ten_two_seeds_wait_for_the_final_pod(case: str) -> None:
    start = first_round(10)
    assert start.waiting == (1, 2)
    assert sorted(seed for pod in start.pods for seed in pod) == list(range(3, 11))
    assert next_round((5, 4), start.waiting).pods == ((1, 2, 4, 5),)


@pytest.mark.parametrize("size, waiting", [(4, 0), (7, 3), (10, 2), (13, 1), (16, 0), (40, 8)])
def test_every_pod_cut_ends_in_one_final_pod(size: int, waiting: int) -> None:
    current = first_round(size)
    assert len(current.waiting) == waiting
    while len(current.pods) > 1 or current.waiting:
        current = next_round([pod[0] for pod in current.pods], current.waiting)
    assert len(current.pods[0]) == 4


def test_the_snake_spreads_seeds_evenly() -> None:
    assert first_round(16, PodDraw.SNAKE).pods[0] == (1, 8, 9, 16)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6, 8, 12, 15, 20])
def test_a_pod_cut_that_leaves_no_final_pod_is_refused(size: int) -> None:
    with pytest.raises(RuleBroken) as refused:
        first_round(size)
    assert refused.value.code == "pod-cut-size"
