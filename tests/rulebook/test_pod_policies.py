"""Pods in the standings: survivors, byes, victory points."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook import vekn
from rulebook.errors import RuleBroken
from rulebook.policies import policy_of
from tests.rulebook.fields import (
    bye,
    decimals,
    figure,
    order,
    pod,
    ranks,
    row,
    stands_for,
    table,
)

PODS = policy_of("topdeck-pods")
VEKN = policy_of("vekn")


@stands_for("we-046")
def test_a_pod_win_is_five_points_and_a_draw_one() -> None:
    contests = [pod(1, "ABCD", "A"), pod(2, "AEFG"), pod(3, "AHIJ", "H"), pod(4, "AKLM", "K")]
    mine = row(table(contests, PODS), "A")
    assert (mine.points, mine.wins, mine.draws, mine.losses) == (6, 1, 1, 2)


@stands_for("we-058")
def test_survivors_share_the_draw_of_a_pod_and_the_others_lose() -> None:
    rows = table([pod(1, "abcd", out="cd")], PODS)
    assert {x: (row(rows, x).points, row(rows, x).losses) for x in "abcd"} == {
        "a": (1, 0),
        "b": (1, 0),
        "c": (0, 1),
        "d": (0, 1),
    }


TWO_ROUNDS_OF_PODS = [pod(1, "abcd", "a"), pod(1, "efgh"), pod(2, "aefb", "e"), pod(2, "cdgh", "g")]


@pytest.mark.parametrize(
    ("floor", "printed"),
    [
        pytest.param(
            None,
            {
                "e": "0.233333",
                "g": "0.150000",
                "a": "0.116667",
                "f": "0.400000",
                "h": "0.316667",
                "b": "0.283333",
                "c": "0.200000",
                "d": "0.200000",
            },
            id="no-floor",
        ),
        pytest.param(
            Fraction(1, 5),
            {
                "e": "0.316667",
                "g": "0.266667",
                "a": "0.266667",
                "f": "0.450000",
                "h": "0.400000",
                "b": "0.366667",
                "c": "0.316667",
                "d": "0.316667",
            },
            id="a-fifth",
        ),
    ],
)
def test_opponents_of_two_rounds_of_pods(floor: Fraction | None, printed: dict[str, str]) -> None:
    rows = table(TWO_ROUNDS_OF_PODS, PODS.with_floor(floor))
    assert {x: decimals(figure(rows, x, "omw")) for x in printed} == printed
    assert order(rows) == "".join(printed)
    assert ranks(rows)["c"] == ranks(rows)["d"] == 7


@pytest.mark.parametrize(
    ("rate", "mean"),
    [
        pytest.param(Fraction(1, 5), Fraction(225, 1000), id="now"),
        pytest.param(Fraction(33, 100), Fraction(29, 100), id="older"),
    ],
)
def test_a_bye_in_pods_counts_as_three_weak_opponents(rate: Fraction, mean: Fraction) -> None:
    """Opponents at 1/2, 1/4 and 0: points of 10, 5 and 0 out of 20 over four rounds."""
    halves = {"B": (20, 0), "C": (10, 0), "D": (0, 0)}
    contests = [pod(1, "ABCD", "A", halves=[0, 0, 0, 0]), bye(2, "A")]
    for letter, got in halves.items():
        contests += [bye(number, letter, half_points=half) for number, half in enumerate((*got, 0), 2)]
    policy = replace(PODS.with_floor(None), bye_rate=rate)
    assert figure(table(contests, policy), "A", "omw") == mean


VEKN_TABLES = [
    pytest.param((5, 0, 0, 0, 0), (1, 0, 0, 0, 0), (60, 30, 30, 30, 30), id="we-037"),
    pytest.param((1, 0, 4, 0, 0), (0, 0, 1, 0, 0), (48, 24, 60, 24, 24), id="we-038"),
    pytest.param((3, 0, 0, 0, 2), (1, 0, 0, 0, 0), (60, 24, 24, 24, 48), id="we-039"),
    pytest.param((0.5, 0.5, 0.5, 0.5, 0.5), (0, 0, 0, 0, 0), (36, 36, 36, 36, 36), id="we-041"),
    pytest.param((1.5, 0, 0.5, 0.5, 0.5), (0, 0, 0, 0, 0), (60, 12, 36, 36, 36), id="we-042"),
    pytest.param((1.5, 0, 1.5, 0, 0.5), (0, 0, 0, 0, 0), (54, 18, 54, 18, 36), id="we-043"),
    pytest.param((4, 0, 0, 0), (1, 0, 0, 0), (60, 28, 28, 28), id="we-045"),
    pytest.param((3, 0, 1, 1, 0), (1, 0, 0, 0, 0), (60, 18, 42, 42, 18), id="oracle-3-0-1-1-0"),
    pytest.param((1.5, 0, 2.5, 0, 0), (0, 0, 1, 0, 0), (48, 24, 60, 24, 24), id="oracle-1.5-0-2.5"),
    pytest.param((1.5, 0, 0.5, 0.5), (0, 0, 0, 0), (60, 12, 36, 36), id="oracle-four-1.5"),
    pytest.param((2, 1, 1, 0), (1, 0, 0, 0), (60, 36, 36, 12), id="oracle-four-2-1-1"),
    pytest.param((3, 0, 1, 0), (1, 0, 0, 0), (60, 18, 48, 18), id="oracle-four-3-0-1"),
]


@pytest.mark.parametrize(("points", "game_wins", "places"), VEKN_TABLES)
def test_victory_points_give_game_wins_and_tournament_points(
    points: tuple[float, ...], game_wins: tuple[int, ...], places: tuple[int, ...]
) -> None:
    letters = "ABCDE"[: len(points)]
    rows = table([pod(1, letters, halves=[int(2 * each) for each in points])], VEKN)
    assert tuple(row(rows, x).points for x in letters) == game_wins
    assert tuple(figure(rows, x, "tp") for x in letters) == places
    assert tuple(figure(rows, x, "vp") for x in letters) == points


@given(st.lists(st.integers(0, 10), min_size=4, max_size=5))
def test_the_tournament_points_of_a_table_always_have_one_sum(halves: list[int]) -> None:
    contest = pod(1, "ABCDE"[: len(halves)], halves=halves)
    assert sum(vekn.tournament_points(contest)) == {4: 144, 5: 180}[len(halves)]
    assert sum(vekn.game_wins(contest)) <= 1


def test_vekn_ranks_game_wins_before_victory_points() -> None:
    contests = [
        pod(1, "ABCD", halves=[4, 2, 2, 0]),
        pod(1, "EFGH", halves=[3, 3, 1, 1]),
        pod(2, "EABF", halves=[3, 1, 1, 3]),
    ]
    rows = table(contests, VEKN)
    assert order(rows)[0] == "A", "one game win and 2.5 victory points"
    assert figure(rows, "E", "vp") == 3
    assert order(rows)[1:3] == "EF"


def test_a_vekn_table_of_three_is_refused() -> None:
    with pytest.raises(RuleBroken) as broken:
        table([pod(1, "ABC", halves=[6, 0, 0])], VEKN)
    assert broken.value.code == "wrong-table-size"


@pytest.mark.parametrize(
    ("policy", "places", "points"),
    [
        pytest.param("pods-knock-out", {"A": 1, "B": 2, "C": 3, "D": 4}, (3, 2, 1, 0), id="we-047"),
        pytest.param("pods-knock-out", {"A": 1, "B": 2, "C": 2, "D": 4}, (3, 2, 2, 0), id="we-049"),
        pytest.param("pods-knock-out", {"A": 1, "B": 2, "C": 3}, (3, 2, 1), id="we-050"),
        pytest.param("pods-by-place", {"A": 1, "B": 2, "C": 3}, (5, 3, 2), id="we-053"),
        pytest.param("pods-by-place", {"A": 1, "B": 2, "C": 3, "D": 4}, (5, 3, 2, 1), id="four-by-place"),
        pytest.param("pods-shared-down", {"A": 1, "B": 2, "C": 2, "D": 4}, (4, 2, 2, 1), id="rounded-down"),
        pytest.param(
            "pods-knock-out", {"A": 1, "B": None, "C": None, "D": 4}, (3, 2, 2, 0), id="two-unknown"
        ),
        pytest.param("pods-knock-out", {"A": 1, "B": 2, "C": 2, "D": None}, (3, 2, 2, 0), id="last-unknown"),
        pytest.param("pods-knock-out", dict.fromkeys("ABCD"), (3, 1, 1, 1), id="no-order-known"),
    ],
)
def test_places_in_a_pod_give_points(
    policy: str, places: dict[str, int | None], points: tuple[int, ...]
) -> None:
    contest = pod(1, "".join(places), "A")
    scores = [
        score._replace(place=place) for score, place in zip(contest.scores, places.values(), strict=True)
    ]
    rows = table([contest._replace(scores=tuple(scores))], policy_of(policy))
    assert tuple(row(rows, letter).points for letter in places) == points
    assert figure(rows, "B", "omw") == Fraction(sum(points) - points[1], points[0] * (len(points) - 1))


@stands_for("we-051")
def test_everybody_in_a_drawn_pod_has_one_point() -> None:
    rows = table([pod(1, "ABCD")], policy_of("pods-knock-out"))
    assert [standing.points for standing in rows] == [1, 1, 1, 1]


def test_a_pod_lost_by_all_gives_no_places() -> None:
    rows = table([pod(1, "ABCD", out="ABCD")], policy_of("pods-by-place"))
    assert [standing.points for standing in rows] == [0, 0, 0, 0]


def test_a_pod_of_a_size_without_points_is_refused() -> None:
    with pytest.raises(RuleBroken) as broken:
        table([pod(1, "ABCDE", "A")], policy_of("pods-by-place"))
    assert broken.value.code == "wrong-pod-size"
