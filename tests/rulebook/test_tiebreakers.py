"""What separates equals, one rule at a time."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rulebook.contests import Contest
from rulebook.errors import RuleBroken
from rulebook.ledger import Column
from rulebook.policies import StandingsPolicy, policy_of
from rulebook.scoring import ResultKind
from rulebook.strengths import thousandths, trimmed_sum
from rulebook.tiebreakers import TIEBREAKERS, choices, tiebreaker_of
from tests.rulebook.fields import bye, duel, figure, lone_loss, met, order, ranks, table

FIDE = policy_of("fide-buchholz")
DIRECT = replace(policy_of("magic"), tiebreakers=("head-to-head",))


def by(*keys: str, policy: StandingsPolicy = FIDE) -> StandingsPolicy:
    return replace(policy, tiebreakers=keys)


def test_every_tiebreaker_has_a_label_a_sentence_and_one_way_to_compute_it() -> None:
    for key, tiebreaker in TIEBREAKERS.items():
        assert tiebreaker.key == key
        assert tiebreaker.label
        assert tiebreaker.explanation.endswith(".")
        assert (tiebreaker.compute is None) != (tiebreaker.among is None)
    assert choices() == [(key, tiebreaker.label) for key, tiebreaker in TIEBREAKERS.items()]


def test_an_unknown_tiebreaker_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RuleBroken) as broken:
        tiebreaker_of("age")
    assert broken.value.code == "unknown-tiebreaker"
    assert "omw" in broken.value.sentence


@pytest.mark.parametrize(
    ("scores", "median"),
    [
        pytest.param([4, 2, 3, 4, 5, 6], 16, id="we-033"),
        pytest.param([4, 5, 2, 6, 4, 5], 18, id="we-034"),
    ],
)
def test_the_median_drops_the_lowest_and_the_highest_opponent(scores: list[int], median: int) -> None:
    letters = "BCDEFG"
    contests = met("A", {x: f"{wins}-0" for x, wins in zip(letters, scores, strict=True)}, rest_from=1)
    assert figure(table(contests, by("buchholz-median")), "A", "buchholz-median") == median


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("buchholz", "17.5"),
        ("buchholz-cut-1", "15.5"),
        ("buchholz-cut-2", "12.5"),
        ("buchholz-median", "10.5"),
        ("buchholz-median-2", "3.5"),
    ],
)
def test_buchholz_of_five_opponents(key: str, value: str) -> None:
    records = {"B": "2-0", "C": "3-0", "D": "3-0-1", "E": "4-0", "F": "5-0"}
    rows = table(met("A", records, rest_from=1), by(key))
    assert figure(rows, "A", key) == Fraction(value)


def test_dropping_more_scores_than_there_are_leaves_nothing() -> None:
    assert trimmed_sum([3], 1, 1) == trimmed_sum([], 1) == 0
    assert trimmed_sum([3, 5], 1, 1) == 0
    assert trimmed_sum([3, 5, 9], 1, 1) == 5


@pytest.mark.parametrize(
    "unplayed",
    [
        pytest.param([bye(3, "A")], id="bye"),
        pytest.param([], id="absence"),
        pytest.param([duel(3, "AD", kind=ResultKind.NO_SHOW)], id="forfeit"),
    ],
)
def test_an_unplayed_round_is_an_opponent_with_the_own_score(unplayed: list[Contest]) -> None:
    contests = [duel(1, "AB"), duel(2, "AC"), duel(3, "BC"), duel(1, "DE"), *unplayed]
    own = 3 if unplayed else 2
    assert figure(table(contests, by("buchholz")), "A", "buchholz") == 1 + 0 + own


def test_sonneborn_berger_adds_the_beaten_and_half_of_the_drawn() -> None:
    contests = [
        *met("A", {"B": "0-1", "C": "0-0-1", "D": "9-0"}),
        *[bye(number, "B", half_points=1) for number in range(10, 20)],
        *[bye(number, "C", half_points=1) for number in range(10, 17)],
    ]
    assert figure(table(contests, by("sonneborn-berger")), "A", "sonneborn-berger") == 7


def test_sonneborn_berger_counts_a_half_point_bye_as_half_the_own_score() -> None:
    contests = [bye(1, "A", half_points=1), bye(2, "A"), lone_loss(3, "A")]
    assert figure(table(contests, by("sonneborn-berger")), "A", "sonneborn-berger") == Fraction(9, 4)


def test_the_direct_match_decides_between_two_equals() -> None:
    contests = [duel(1, "BA"), duel(2, "AC"), duel(2, "DB")]
    rows = table(contests, DIRECT)
    assert order(rows) == "ABDC"
    assert ranks(rows) == {"A": 1, "B": 1, "D": 1, "C": 4}, "three are equal and have not all met"
    two = table([duel(1, "BA"), duel(2, "AC"), lone_loss(2, "B")], DIRECT)
    assert (order(two), ranks(two)["B"], ranks(two)["A"]) == ("BAC", 1, 2)


def test_direct_matches_count_only_inside_the_tied_group() -> None:
    contests = [duel(1, "AB"), duel(2, "AC"), duel(1, "CX"), duel(2, "BY")]
    rows = table(contests, DIRECT)
    assert figure(rows, "A", "head-to-head") == 0, "alone on six points"
    assert [ranks(rows)[x] for x in "ABC"] == [1, 2, 2], "B and C have not met"


def test_three_who_beat_each_other_in_a_circle_stay_equal() -> None:
    rows = table([duel(1, "AB"), duel(2, "BC"), duel(3, "CA")], DIRECT)
    assert [figure(rows, x, "head-to-head") for x in "ABC"] == [3, 3, 3]
    assert ranks(rows) == {"A": 1, "B": 1, "C": 1}


def test_three_who_all_met_are_ranked_by_their_own_matches() -> None:
    contests = [
        duel(1, "CA"),
        duel(2, "CB"),
        duel(3, "BA"),
        duel(4, "AX"),
        duel(5, "AY"),
        duel(4, "BZ"),
        duel(6, "UC"),
    ]
    rows = table(contests, DIRECT)
    assert [letter for letter in order(rows) if letter in "ABC"] == ["C", "B", "A"]


def test_who_is_disqualified_is_not_in_the_tied_group() -> None:
    rows = table([duel(1, "BA"), duel(2, "AC"), duel(2, "DB")], DIRECT, {"D": "disqualified"})
    assert ranks(rows) == {"B": 1, "A": 2, "C": 3}


def test_direct_matches_come_after_the_figures_before_them() -> None:
    policy = by("gw", "head-to-head", policy=policy_of("magic"))
    contests = [duel(1, "BA", (2, 1)), duel(2, "AC"), duel(2, "DB")]
    rows = table(contests, policy)
    assert ranks(rows)["A"] < ranks(rows)["B"]


def test_fewer_lost_matches_is_better_and_the_figure_keeps_its_sign() -> None:
    contests = [duel(1, "AX"), duel(2, "AY", (1, 1)), duel(1, "BZ"), duel(2, "BW", (0, 2))]
    rows = table(contests, by("pml", policy=policy_of("fab")))
    assert (figure(rows, "A", "pml"), figure(rows, "B", "pml")) == (0, Fraction(1, 2))
    assert ranks(rows)["A"] < ranks(rows)["B"]


def test_opponents_losses_and_cumulative_scores_are_means() -> None:
    contests = [duel(1, "AB"), duel(2, "AC"), duel(3, "BC")]
    rows = table(contests, by("oml", "octb", policy=policy_of("fab")))
    assert figure(rows, "A", "oml") == (Fraction(1, 2) + 1) / 2
    assert figure(rows, "A", "octb") == Fraction(1, 2), "B has 0, 0, 1 and C nothing"


def test_thousandths_are_cut_and_stay_three_digits() -> None:
    column = Column([726_999, 1_000_000, 0], 1_000_000)
    assert [thousandths(column, index) for index in range(3)] == [726, 999, 0]


def test_the_cumulative_score_of_a_leaver_stops_with_the_last_round_played() -> None:
    contests = [duel(1, "AB"), duel(2, "BC"), duel(3, "BC")]
    rows = table(contests, by("ctb", policy=policy_of("fab")), {"A": "dropped"})
    assert (figure(rows, "A", "ctb"), figure(rows, "B", "ctb")) == (1, Fraction(9, 4))
