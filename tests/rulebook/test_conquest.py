"""Riftbound points: what a battlefield scores, and the last point."""

import pytest

from rulebook.conquest import Gain, How, ScoringTurn, score
from rulebook.errors import RuleBroken

FIELDS = frozenset({"Forge", "Grove", "Reef"})


def turn(points: int = 0, *, ally: set[str] | None = None, scored: set[str] | None = None) -> ScoringTurn:
    return ScoringTurn(points, 11, FIELDS, frozenset(ally or ()), frozenset(scored or ()))


@pytest.mark.parametrize("how", list(How))
def test_a_battlefield_scores_once_per_team_and_turn(how: How) -> None:
    after, gain = score(turn(), "Forge", how)
    assert (after.points, gain) == (1, Gain.POINT)
    again, gain = score(after, "Forge", How.CONQUER)
    assert (again.points, gain) == (1, Gain.NOTHING)


def test_a_battlefield_a_teammate_held_at_the_scoring_step_scores_nothing() -> None:
    assert score(turn(ally={"Forge"}), "Forge", How.CONQUER)[1] is Gain.NOTHING


@pytest.mark.parametrize(
    ("ally", "scored", "gain"),
    [
        (set(), {"Grove"}, Gain.CARD),
        (set(), {"Grove", "Reef"}, Gain.POINT),
        ({"Reef"}, {"Grove"}, Gain.POINT),
        ({"Reef", "Grove"}, set(), Gain.POINT),
        ({"Reef"}, set(), Gain.CARD),
    ],
    ids=["one missing", "all scored", "the ally held it", "the ally held both", "one missing still"],
)
def test_the_last_point_by_conquering_needs_every_battlefield_the_ally_did_not_hold(
    ally: set[str], scored: set[str], gain: Gain
) -> None:
    after, found = score(turn(10, ally=ally, scored=scored), "Forge", How.CONQUER)
    assert found is gain
    assert after.points == (11 if gain is Gain.POINT else 10)


def test_the_last_point_by_holding_is_always_allowed() -> None:
    assert score(turn(10), "Forge", How.HOLD)[1] is Gain.POINT


def test_a_battlefield_that_is_not_in_play_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        score(turn(), "Void", How.HOLD)
    assert refused.value.code == "unknown-battlefield"
