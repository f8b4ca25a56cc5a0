"""A published round is mended with the fewest changed tables."""

from collections.abc import Collection
from dataclasses import replace
from random import Random

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.manual import cautions_of, swapped
from rulebook.pairing.repair import Published, plan_repair
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import SwissInput
from tests.pairing.fields import Event, entrants_of
from tests.pairing.oracle import every_pairing, have_met


def published(pairs: list[tuple[int, ...]], locked: Collection[int] = ()) -> list[Published]:
    """Matches 1, 2, ... at tables 1, 2, ...; one side is a bye."""
    return [
        Published(number, number if len(sides) == 2 else None, sides, number in locked)
        for number, sides in enumerate(pairs, start=1)
    ]


def test_nothing_wrong_changes_nothing() -> None:
    swiss = SwissInput(entrants_of({1: 3, 2: 3, 3: 0, 4: 0}), 1, 0)
    plan = plan_repair(swiss, published([(1, 2), (3, 4)]))
    assert (plan.kept, plan.voided, plan.made, plan.changed_tables) == ((1, 2), (), (), 0)


def test_a_late_team_meets_whoever_had_the_bye() -> None:
    swiss = SwissInput(entrants_of({1: 3, 2: 3, 3: 0, 4: 0}), 1, 0)
    plan = plan_repair(swiss, published([(1, 2), (3,)]))
    assert (plan.kept, plan.voided, plan.changed_tables) == ((1,), (2,), 1)
    assert set(plan.made[0].sides) == {3, 4}
    assert plan.made[0].reason.startswith("One side had no match in this round yet")


def test_a_late_team_in_an_even_field_gets_the_bye() -> None:
    swiss = SwissInput(entrants_of({1: 3, 2: 3, 3: 0}), 1, 0)
    plan = plan_repair(swiss, published([(1, 2)]))
    assert [made.sides for made in plan.made] == [(3,)]


def test_the_opponent_of_a_team_that_left_meets_whoever_had_the_bye() -> None:
    swiss = SwissInput(entrants_of({1: 3, 3: 3, 4: 0, 5: 0}), 1, 0)
    plan = plan_repair(swiss, published([(1, 2), (3, 4), (5,)]))
    assert (plan.kept, plan.voided) == ((2,), (1, 3))
    assert [(set(made.sides), made.table) for made in plan.made] == [({1, 5}, 1)]
    assert plan.made[0].reason.startswith("The opponent of one side has left")


def test_two_whose_points_were_exchanged_change_places() -> None:
    # Published when 4 had been given the win over 3: now 3 has 6 points and 4 has 3.
    swiss = SwissInput(entrants_of({1: 6, 2: 6, 3: 6, 5: 6, 4: 3, 6: 3}, met=[(3, 4)]), 1, 0)
    plan = plan_repair(swiss, published([(1, 2), (4, 5), (3, 6)]), corrected=(3, 4))
    assert (plan.kept, plan.voided, plan.changed_tables) == ((1,), (2, 3), 2)
    assert [set(made.sides) for made in plan.made] == [{3, 5}, {4, 6}]
    assert plan.made[0].reason.startswith("The points of one side were corrected")


def test_a_match_by_hand_comes_with_its_cautions() -> None:
    entrants = entrants_of(
        {1: 6, 2: 3, 3: 3, 4: 0}, met=[(1, 2)], byes={2: 1}, groups={3: "Cellar", 4: "Cellar"}
    )
    swiss = SwissInput(entrants, 1, 0, forbidden=((4, 1),))
    said = {
        sides: [caution.code for caution in cautions_of(swiss, sides)] for sides in ((1, 2), (3, 4), (4, 1))
    }
    assert said == {(1, 2): ["rematch", "gap"], (3, 4): ["group", "gap"], (4, 1): ["forbidden", "gap"]}
    assert [caution.code for caution in cautions_of(swiss, (2,))] == ["bye-again", "bye"]
    assert cautions_of(swiss, (4,)) == ()


def test_two_change_places_by_hand() -> None:
    assert swapped([(1, 2), (3, 4), (5,)], 2, 5) == ((1, 5), (3, 4), (2,))
    with pytest.raises(RuleBroken) as refused:
        swapped([(1, 2)], 1, 9)
    assert refused.value.code == "cannot-swap"


def test_started_matches_are_locked() -> None:
    swiss = SwissInput(entrants_of({1: 3, 2: 3, 3: 3, 4: 3, 5: 0}), 1, 0)
    plan = plan_repair(swiss, published([(1, 2), (3, 4)], locked={1, 2}))
    assert (plan.kept, [made.sides for made in plan.made]) == ((1, 2), [(5,)])


def test_a_rematch_is_avoided_even_if_more_tables_change() -> None:
    swiss = SwissInput(entrants_of({1: 3, 2: 3, 3: 3, 4: 3}, met=[(3, 4)]), 1, 0)
    plan = plan_repair(swiss, published([(1, 2), (3,)]))
    assert (plan.rematches, plan.changed_tables, plan.voided) == (0, 2, (1, 2))


def test_a_match_with_the_same_sides_keeps_its_id() -> None:
    swiss = SwissInput(entrants_of({1: 9, 2: 9, 3: 6, 4: 6, 5: 3, 6: 0}), 1, 0)
    plan = plan_repair(swiss, published([(2, 1), (4, 3), (5,)]))
    assert plan.kept == (1, 2)


def test_a_team_in_two_matches_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        plan_repair(SwissInput(entrants_of({1: 0, 2: 0}), 1, 0), published([(1, 2), (2,)]))
    assert refused.value.code == "paired-twice"


@pytest.mark.parametrize("seed", range(25))
def test_no_plan_without_a_rematch_changes_fewer_tables(seed: int) -> None:
    rng = Random(seed)
    *_, (swiss, pairing) = Event(rng.randint(5, 9), 3, seed).play()
    rows = published([*pairing.pairs, *((bye,) for bye in pairing.byes)])
    gone = rng.choice(swiss.entrants).id
    left = replace(swiss, entrants=tuple(e for e in swiss.entrants if e.id != gone))
    plan = plan_repair(left, rows)
    known = {entrant.id: entrant for entrant in left.entrants}
    whole = {frozenset(row.sides) for row in rows if gone not in row.sides}
    costs = []
    for pairs, bye in every_pairing(left.entrants):
        sides = [frozenset(pair) for pair in pairs] + ([frozenset((bye,))] if bye is not None else [])
        rematches = sum(have_met(known[one], known[two]) for one, two in pairs)
        costs.append((rematches, sum(side not in whole for side in sides)))
    assert (plan.rematches, plan.changed_tables) == min(costs)


def test_a_large_round_is_repaired_near_the_hole() -> None:
    *_, (swiss, pairing) = Event(2001, 5, seed=2).play()
    rows = published([*pairing.pairs, *((bye,) for bye in pairing.byes)])
    gone = pairing.pairs[300][0]
    left = replace(swiss, entrants=tuple(e for e in swiss.entrants if e.id != gone))
    plan = plan_repair(left, rows)
    assert (plan.rematches, plan.changed_tables) == (0, 1)
    assert pair_swiss(left).report.rematches == 0
