"""Who rests: awarded byes, the pairing bye, and how byes are spread."""

from collections import Counter

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.check import check_pairing
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import SwissInput
from tests.pairing.fields import Event, entrants_of
from tests.pairing.oracle import every_pairing, have_met

GRID = [(entrants, awarded) for entrants in range(1, 10) for awarded in range(entrants + 1)]


@pytest.mark.parametrize("entrants, awarded", GRID)
def test_any_number_of_awarded_byes_leaves_a_complete_round(entrants: int, awarded: int) -> None:
    swiss = SwissInput(
        entrants_of(dict.fromkeys(range(entrants), 0)),
        seed=7,
        rounds_left=4,
        fixed_byes=tuple(range(awarded)),
    )
    if entrants == 1:
        with pytest.raises(RuleBroken) as refused:
            pair_swiss(swiss)
        assert refused.value.code == "not-enough-entrants"
        return
    pairing = pair_swiss(swiss)
    odd = (entrants - awarded) % 2
    assert (len(pairing.pairs), len(pairing.byes)) == ((entrants - awarded) // 2, awarded + odd)
    assert pairing.byes[:awarded] == tuple(range(awarded))
    assert check_pairing(swiss, pairing) == ()


@pytest.mark.parametrize(
    "entrants, awarded, matches, byes",
    [
        pytest.param(5, 1, 2, 1, id="case-019-one-of-five"),
        pytest.param(5, 4, 0, 5, id="case-019-four-of-five"),
        pytest.param(5, 5, 0, 5, id="case-019-all-of-five"),
        pytest.param(6, 1, 2, 2, id="case-019-one-of-six"),
    ],
)
def test_awarded_byes_do_not_stop_round_one(entrants: int, awarded: int, matches: int, byes: int) -> None:
    field = entrants_of(dict.fromkeys(range(entrants), 0))
    pairing = pair_swiss(SwissInput(field, 1, rounds_left=3, fixed_byes=tuple(range(awarded))))
    assert (len(pairing.pairs), len(pairing.byes)) == (matches, byes)


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"case-015-seed-{seed}") for seed in range(10)])
def test_the_lowest_without_a_bye_gets_it(seed: int) -> None:
    points = dict.fromkeys(range(1, 14), 6) | {14: 4, 15: 4, 16: 4, 17: 2}
    met = [(17, 14), (17, 15), (17, 16)]
    entrants = entrants_of(points, met=met, byes={14: 1})
    assert pair_swiss(SwissInput(entrants, seed, rounds_left=0)).byes == (17,)


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"case-017-seed-{seed}") for seed in range(8)])
def test_byes_are_spread_from_the_bottom(seed: int) -> None:
    for swiss, pairing in Event(11, 11, seed).play():
        (resting,) = [entrant for entrant in swiss.entrants if entrant.id == pairing.byes[0]]
        fewest = min(entrant.byes for entrant in swiss.entrants)
        deserving = [entrant for entrant in swiss.entrants if entrant.byes == fewest]
        assert resting.byes == fewest
        leader = min(swiss.entrants, key=lambda entrant: entrant.rank)
        assert resting is not leader or len(deserving) == 1
        if resting.points > min(entrant.points for entrant in deserving):
            assert pairing.report.looked_ahead or _lower_byes_force_rematches(swiss, resting.rank)


def _lower_byes_force_rematches(swiss: SwissInput, rank: int) -> bool:
    """No complete pairing without a rematch gives the bye to a lower one with as few byes."""
    known = {entrant.id: entrant for entrant in swiss.entrants}
    fewest = min(entrant.byes for entrant in swiss.entrants)
    return not any(
        bye is not None
        and known[bye].rank > rank
        and known[bye].byes == fewest
        and not any(have_met(known[one], known[other]) for one, other in pairs)
        for pairs, bye in every_pairing(swiss.entrants)
    )


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"case-020-seed-{seed}") for seed in range(10)])
def test_everybody_rests_equally_often_when_rounds_outnumber_teams(seed: int) -> None:
    rested: Counter[int] = Counter()
    last = None
    for number, (_, pairing) in enumerate(Event(5, 9, seed).play(), start=1):
        (resting,) = pairing.byes
        assert resting != last
        last = resting
        rested[resting] += 1
        if number % 5 == 0:
            assert set(rested.values()) == {number // 5}
    assert max(rested.values()) == 2


@pytest.mark.parametrize("case", ["case-005"])
def test_bye_holders_meet_each_other_as_often_as_chance_has_it(case: str) -> None:
    """A bye is an ordinary win, so chance alone brings its holders together."""
    points = {entrant: 3 if entrant <= 23 else 0 for entrant in range(1, 41)}
    winners, losers = list(range(7, 24)), list(range(24, 41))
    field = entrants_of(
        points, met=list(zip(winners, losers, strict=True)), byes=dict.fromkeys(range(1, 7), 1)
    )
    seeds = 500
    inside = 0
    for seed in range(seeds):
        pairing = pair_swiss(SwissInput(field, seed, rounds_left=4))
        inside += sum(one <= 6 and other <= 6 for one, other in pairing.pairs)
    # One of 23 plays down, so each two of the group meet with probability 1/23: 15/23 pairs in the mean.
    assert 0.85 * 15 / 23 < inside / seeds < 1.15 * 15 / 23


def test_a_fixed_bye_survives_when_the_round_is_paired_again() -> None:
    field = entrants_of(dict.fromkeys(range(1, 9), 0))
    for seed in range(20):
        assert pair_swiss(SwissInput(field, seed, 3, fixed_byes=(4,))).byes[0] == 4


def test_a_bye_for_somebody_who_left_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        pair_swiss(SwissInput(entrants_of({1: 0, 2: 0}), 1, 3, fixed_byes=(9,)))
    assert refused.value.code == "unknown-entrant"
