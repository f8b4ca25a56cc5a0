"""Every pairing and every bye says why, in one sentence."""

import pytest

from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import SwissInput
from tests.pairing.fields import Event, entrants_of

A, B, C, D, E = range(1, 6)


def reasons_of(swiss: SwissInput) -> dict[int, str]:
    """The sentences of the round paired from the input."""
    return dict(pair_swiss(swiss).reasons)


def test_equal_points_are_the_reason_of_an_ordinary_pair() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 3, B: 3}), 1, 0))
    assert said == dict.fromkeys((A, B), "Both have 3 points and have not met before.")


@pytest.mark.parametrize("case", ["case-002"])
def test_the_leaders_are_told_why_they_are_apart(case: str) -> None:
    said = reasons_of(SwissInput(entrants_of({A: 6, B: 6, C: 3, D: 3}, met=[(C, D)]), 1, 0))
    why = "the leaders are apart, because their meeting would force a rematch among the others."
    assert said[A] == said[B] == f"6 points against 3 points: {why}"


def test_an_odd_group_is_the_reason_of_a_pair_down() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 6, B: 6, C: 6, D: 3}), 1, 0))
    why = "an odd number has 6 points, so one of them is paired down into the next group."
    assert said[D] == f"6 points against 3 points: {why}"


def test_a_single_leader_is_told_that_nobody_has_as_much() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 9, B: 6}), 1, 0))
    assert said[A].endswith("nobody else has 9 points, so the next group gives the opponent.")


def test_those_who_have_met_are_paired_down_for_that_reason() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 6, B: 6, C: 3, D: 3}, met=[(A, B)]), 1, 0))
    assert said[A].endswith("because those left with 6 points have met already or belong to one group.")


def test_a_forced_rematch_says_that_it_is_forced() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 3, B: 0}, met=[(A, B)]), 1, 0))
    assert said[A] == "A rematch: every complete pairing of this round has at least one rematch."


def test_a_pair_inside_a_group_names_the_group() -> None:
    said = reasons_of(
        SwissInput(entrants_of({A: 3, B: 0}, groups={A: "Card Cellar", B: "Card Cellar"}), 1, 0)
    )
    assert said[B].startswith("Both belong to Card Cellar:")


def test_the_bye_names_the_fewest_byes() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 3, B: 3, C: 0}), 1, 0))
    assert said[C] == "The number is odd; the bye goes to the lowest with the fewest byes (0)."


def test_a_bye_that_passed_somebody_over_says_so() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 6, B: 3, C: 0}, met=[(A, B)]), 1, 0))
    assert said[B].endswith(
        "; one lower team was passed over, because a rematch or second bye would follow in this one."
    )


def test_a_fixed_bye_says_that_it_was_given() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 0, B: 0, C: 0}), 1, 0, fixed_byes=(B,)))
    assert said[B] == "This bye was given before the round was paired."


def test_a_round_by_standing_names_the_places() -> None:
    said = reasons_of(SwissInput(entrants_of({A: 9, B: 6, C: 3, D: 0}), 1, 1, by_standing=True))
    assert said[A] == "Paired by standing: place 1 meets place 2, a new opponent."


def test_everybody_of_a_whole_event_has_a_sentence() -> None:
    for swiss, pairing in Event(23, 9, seed=5, drop_rate=0.05, draw_rate=0.2, groups=4).play():
        assert set(pairing.reasons) == {entrant.id for entrant in swiss.entrants}
        assert all(sentence.endswith(".") for sentence in pairing.reasons.values())
