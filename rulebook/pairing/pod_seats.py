"""Who sits first, second, third: seats even out over the rounds, the rest is chance."""

from collections.abc import Sequence
from itertools import permutations
from operator import getitem
from random import Random

# What it costs to sit in a seat for the second, third, ... time.
AGAIN = (0, 1, 40, 2_000, 100_000)
NEAR = 40
ORDERS = {size: tuple(permutations(range(size))) for size in range(1, 6)}


class Seats:
    """How often each place sat in each seat."""

    def __init__(self, seats: Sequence[Sequence[int]], rng: Random) -> None:
        self.rng = rng
        self.rows = [[0] * 6 for _ in seats]
        for row, past in zip(self.rows, seats, strict=True):
            for seat in past:
                row[min(seat, 5)] += 1
        self.is_fresh = not any(map(any, self.rows))

    def arrange(self, pod: Sequence[int]) -> tuple[int, list[int]]:
        """The pod in its fairest seat order, and what that costs."""
        drawn = self.rng.sample(pod, len(pod))
        if self.is_fresh:
            return 0, drawn
        costs = [[AGAIN[min(times, 4)] for times in self.rows[one]] for one in drawn]
        best, chosen = min([(sum(map(getitem, costs, order)), order) for order in ORDERS[len(pod)]])
        seated = [0] * len(pod)
        for one, seat in zip(drawn, chosen, strict=True):
            seated[seat] = one
        return best, seated


def seated(
    pods: list[list[int]], seats: Seats, scores: Sequence[int], met: Sequence[dict[int, int]]
) -> list[list[int]]:
    """The pods in seat order; where a seat would come a third time, equals of two pods change places."""
    arranged = [seats.arrange(pod) for pod in pods]
    for at, (cost, _) in enumerate(arranged):
        if cost >= AGAIN[2]:
            _exchange(pods, arranged, at, seats, scores, met)
    return [order for _, order in arranged]


def _exchange(
    pods: list[list[int]],
    arranged: list[tuple[int, list[int]]],
    at: int,
    seats: Seats,
    scores: Sequence[int],
    met: Sequence[dict[int, int]],
) -> None:
    near = sorted(range(max(at - NEAR, 0), min(at + NEAR + 1, len(pods))), key=lambda other: abs(other - at))
    for other in near[1:]:
        if len(pods[other]) != len(pods[at]):
            continue
        for one in pods[at]:
            for two in pods[other]:
                if scores[one] != scores[two]:
                    continue
                here = [two if place == one else place for place in pods[at]]
                there = [one if place == two else place for place in pods[other]]
                if _repeats(here, two, met) + _repeats(there, one, met) > (
                    _repeats(pods[at], one, met) + _repeats(pods[other], two, met)
                ):
                    continue
                new_here, new_there = seats.arrange(here), seats.arrange(there)
                if new_here[0] + new_there[0] < arranged[at][0] + arranged[other][0]:
                    pods[at], pods[other] = here, there
                    arranged[at], arranged[other] = new_here, new_there
                    if new_here[0] < AGAIN[2]:
                        return
                    _exchange(pods, arranged, at, seats, scores, met)
                    return


def _repeats(pod: Sequence[int], one: int, met: Sequence[dict[int, int]]) -> int:
    return sum(met[one].get(other, 0) ** 2 for other in pod if other != one)
