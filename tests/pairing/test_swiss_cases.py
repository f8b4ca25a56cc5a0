"""Situations that people who run events reported, each under its id."""

from dataclasses import replace

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.check import check_pairing
from rulebook.pairing.swiss import PRIORITIES, pair_swiss
from rulebook.pairing.values import Entrant, SwissInput
from tests.pairing.fields import as_sets, entrants_of

A, B, C, D, E, F = range(1, 7)
SEEDS = range(40)


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"case-002-seed-{seed}") for seed in SEEDS])
def test_leaders_stay_apart_when_meeting_would_force_a_rematch_below(seed: int) -> None:
    entrants = entrants_of({A: 6, B: 6, C: 3, D: 3}, met=[(C, D)])
    pairing = pair_swiss(SwissInput(entrants, seed, rounds_left=0))
    assert as_sets(pairing.pairs) in (
        {frozenset((A, C)), frozenset((B, D))},
        {frozenset((A, D)), frozenset((B, C))},
    )
    assert pairing.report.rematches == 0


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"case-004-seed-{seed}") for seed in range(20)])
def test_a_side_imbalance_never_brings_a_rematch(seed: int) -> None:
    leaning = {A: 1, B: -1}
    entrants = tuple(
        Entrant(e.id, e.points, e.rank, e.byes, e.bye_last, e.met, e.group, leaning.get(e.id, 0))
        for e in entrants_of(dict.fromkeys((A, B, C, D, E, F), 6), met=[(A, B)])
    )
    pairing = pair_swiss(SwissInput(entrants, seed, rounds_left=0))
    assert frozenset((A, B)) not in as_sets(pairing.pairs)


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"case-011-seed-{seed}") for seed in range(10)])
def test_the_last_three_possible_pairs_are_found(seed: int) -> None:
    people = (A, B, C, D, E, F)
    open_pairs = {frozenset((A, B)), frozenset((C, D)), frozenset((E, F))}
    met = [(p, q) for p in people for q in people if p < q and frozenset((p, q)) not in open_pairs]
    points = {A: 9, B: 0, C: 6, D: 3, E: 3, F: 6}
    pairing = pair_swiss(SwissInput(entrants_of(points, met=met), seed, rounds_left=1))
    assert as_sets(pairing.pairs) == open_pairs
    assert pairing.byes == ()


@pytest.mark.parametrize("active", [pytest.param(0, id="case-013"), pytest.param(1, id="case-013-one-left")])
def test_nobody_is_paired_when_everybody_has_left(active: int) -> None:
    entrants = entrants_of(dict.fromkeys(range(active), 0))
    with pytest.raises(RuleBroken, match="not enough active teams") as refused:
        pair_swiss(SwissInput(entrants, seed=1, rounds_left=3))
    assert refused.value.code == "not-enough-entrants"


def test_the_priorities_are_an_ordered_list_of_eight() -> None:
    assert [key for key, _ in PRIORITIES] == [
        "complete",
        "rematches",
        "groups",
        "planned-rounds",
        "bye",
        "gap",
        "wishes",
        "chance",
    ]


def test_the_checker_finds_each_kind_of_fault() -> None:
    swiss = SwissInput(entrants_of({A: 3, B: 3, C: 0, D: 0}, met=[(A, B), (C, D)]), seed=3, rounds_left=0)
    good = pair_swiss(swiss)
    assert check_pairing(swiss, good) == ()
    again = replace(good, pairs=((A, B), (C, D)))
    assert any("although 0 and 0 are possible" in fault for fault in check_pairing(swiss, again))
    missing = replace(good, pairs=((A, C),))
    assert "Entrant 2 has neither a match nor a bye." in check_pairing(swiss, missing)
    doubled = replace(good, pairs=((A, C), (A, D)))
    assert "Entrant 1 is placed 2 times." in check_pairing(swiss, doubled)
    resting = replace(good, pairs=((A, C),), byes=(B, D))
    assert "2 pairing byes were given; 0 would do." in check_pairing(swiss, resting)
