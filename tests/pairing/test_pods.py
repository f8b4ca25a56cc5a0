"""Pods: sizes by policy, new opponents, fair seats."""

import json
import os
import subprocess
import sys

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.pod_designs import DESIGNS
from rulebook.pairing.pod_sizes import pod_sizes
from rulebook.pairing.pod_values import PodsInput
from rulebook.pairing.pods import pair_pods
from rulebook.pairing.values import canonical
from tests.pairing.pod_events import PodEvent


@pytest.mark.parametrize(
    "players, pods, byes",
    [
        pytest.param(1, (), 1, id="case-093-one"),
        pytest.param(2, (), 2, id="case-093-two"),
        pytest.param(3, (3,), 0, id="case-093-three"),
        pytest.param(5, (4,), 1, id="case-093-five-and-we-055"),
        pytest.param(6, (3, 3), 0, id="case-093-six"),
        pytest.param(7, (4, 3), 0, id="case-093-seven"),
        pytest.param(9, (3, 3, 3), 0, id="case-093-nine"),
        pytest.param(11, (4, 4, 3), 0, id="eleven"),
    ],
)
def test_small_fields_fill_pods_of_four_and_three(players: int, pods: tuple[int, ...], byes: int) -> None:
    sizes = pod_sizes(players)
    assert (sizes.pods, sizes.byes) == (pods, byes)
    pairing = next(iter(PodEvent(players, 1, seed=1).play()))[1]
    assert tuple(map(len, pairing.pods)) == pods
    assert len(pairing.byes) == byes


@pytest.mark.parametrize(
    "policy, pods, byes",
    [
        pytest.param("byes", (4, 4), 2, id="case-094-byes"),
        pytest.param("short-low", (4, 3, 3), 0, id="case-094-short-pods-low"),
        pytest.param("short-high", (3, 3, 4), 0, id="case-094-short-pods-high"),
        pytest.param("five-low", (5, 5), 0, id="five-low"),
        pytest.param("vekn", (5, 5), 0, id="vekn"),
        pytest.param("threes", (3, 3, 3), 1, id="threes"),
    ],
)
def test_ten_players_are_cut_by_the_named_policy(policy: str, pods: tuple[int, ...], byes: int) -> None:
    sizes = pod_sizes(10, policy)
    assert (sizes.pods, sizes.byes) == (pods, byes)


@pytest.mark.parametrize("policy", ["byes", "short-low", "short-high", "five-low", "vekn", "threes"])
def test_every_policy_places_everybody(policy: str) -> None:
    for players in range(130):
        sizes = pod_sizes(players, policy)
        assert sum(sizes.pods) + sizes.byes == players


@pytest.mark.parametrize("players, byes", [(6, 1), (7, 2), (11, 1), (12, 0)])
def test_vekn_fields_that_do_not_divide_sit_somebody_out(players: int, byes: int) -> None:
    assert pod_sizes(players, "vekn").byes == byes


@pytest.mark.parametrize("case", ["case-090"])
def test_twenty_four_players_meet_nobody_twice_in_three_rounds(case: str) -> None:
    """200 seeds."""
    for seed in range(200):
        for _, pairing in PodEvent(24, 3, seed).play():
            assert (pairing.report.repeats, pairing.report.met_twice) == (0, 0)


@pytest.mark.parametrize("players", [*range(28, 41), 64, 127])
def test_five_rounds_bring_no_opponent_twice_and_no_seat_three_times(players: int) -> None:
    event = PodEvent(players, 5, seed=players)
    for _, pairing in event.play():
        assert pairing.report.repeats == 0
        assert pairing.report.third_seats == 0
        seated = sorted([*pairing.byes, *(one for pod in pairing.pods for one in pod)])
        assert seated == sorted(event.points)
    assert max(seats.count(seat) for seats in event.seats.values() for seat in range(4)) <= 2


@pytest.mark.parametrize("players", range(15, 25))
def test_small_fields_keep_to_a_design_without_repeats(players: int) -> None:
    played = [pairing.report for _, pairing in PodEvent(players, 5, seed=players).play()]
    assert [report.stage for report in played[:4]] == ["design"] * 4
    assert sum(report.repeats for report in played) == 0
    assert sum(report.third_seats for report in played) == 0


@pytest.mark.parametrize("players", sorted(DESIGNS))
def test_a_design_seats_everybody_in_each_round(players: int) -> None:
    for drawn in DESIGNS[players]:
        assert sorted(int(label, 36) for pod in drawn.split() for label in pod) == list(range(players))


def test_a_design_is_left_when_somebody_drops() -> None:
    event = PodEvent(20, 5, seed=3)
    rounds = event.play()
    next(rounds)
    _, pairing = next(rounds)
    event.score(pairing)
    del event.points[7]
    report = pair_pods(event.input(3, design_seed=1)).report
    assert (report.stage, report.repeats) == ("points", 0)


def test_nobody_sits_in_a_short_pod_twice_while_that_can_be_avoided() -> None:
    event = PodEvent(31, 5, seed=4)
    for _, pairing in event.play():
        assert len(pairing.pods[-1]) == 3
        assert pairing.report.short_again == 0
    assert max(event.short.values()) == 1


def test_byes_of_pods_are_spread() -> None:
    event = PodEvent(30, 5, seed=4, policy="byes")
    for _, pairing in event.play():
        assert len(pairing.byes) == 2
        assert pairing.report.second_byes == 0


def test_everybody_reads_why_he_sits_where_he_sits() -> None:
    for pods, pairing in PodEvent(26, 3, seed=1).play():
        assert set(pairing.reasons) == {entrant.id for entrant in pods.entrants}
    assert pairing.reasons[pairing.pods[-1][0]].endswith("; nobody has met before.")


def test_an_empty_field_and_a_doubled_player_are_refused() -> None:
    pods, _ = next(iter(PodEvent(8, 1, seed=1).play()))
    for entrants, code in (((), "not-enough-entrants"), (pods.entrants * 2, "doubled-entrant")):
        with pytest.raises(RuleBroken) as refused:
            pair_pods(PodsInput(entrants, 1, 1, 3))
        assert refused.value.code == code


REPLAY = """
import json, sys
from rulebook.pairing.pod_values import PodsInput
from rulebook.pairing.pods import pair_pods
from rulebook.pairing.values import canonical
for line in sys.stdin:
    print(canonical(pair_pods(PodsInput.from_dict(json.loads(line))).as_dict()).decode())
"""


def test_another_process_seats_the_same_pods() -> None:
    rounds = [pods for players in (18, 29, 40) for pods, _ in PodEvent(players, 5, seed=2).play()]
    here = [canonical(pair_pods(pods).as_dict()) for pods in rounds]
    there = subprocess.run(
        [sys.executable, "-c", REPLAY],
        input=b"\n".join(canonical(pods.as_dict()) for pods in rounds),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "77"},
    )
    assert there.stdout.split() == here
    assert json.loads(here[0])["report"]["engine"] == "pods-1"
