"""Playoffs in pods of four that end in one final pod."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rulebook.errors import RuleBroken

POD = 4


class PodDraw(StrEnum):
    """How seeds are spread over the pods of a round; both are in use."""

    STRIDE = "stride"  # 1 5 9 13 / 2 6 10 14 / ...
    SNAKE = "snake"  # 1 8 9 16 / 2 7 10 15 / ...


@dataclass(frozen=True, slots=True)
class PodRound:
    """One round of pods of seeds in seat order, and the seeds that wait for the next round."""

    pods: tuple[tuple[int, ...], ...]
    waiting: tuple[int, ...] = ()


def playoff_byes(size: int) -> int:
    """How many top seeds wait in the first round: 16 none, 13 one, 10 two, 7 three, 40 eight."""
    if size == POD:
        return 0
    target = POD
    while size > POD * target:
        target *= POD
    byes, rest = divmod(POD * target - size, POD - 1)
    if rest or byes >= target or size < 7:
        raise RuleBroken(
            "pod-cut-size",
            f"A cut to {size} does not end in one pod of four; 4, 7, 10, 13, 16 and 40 do.",
            size=size,
        )
    return byes


def first_round(size: int, draw: PodDraw = PodDraw.STRIDE) -> PodRound:
    """The first round of a cut to so many; pods play in seat order of their seeds."""
    byes = playoff_byes(size)
    waiting = tuple(range(1, byes + 1))
    return PodRound(_spread(tuple(range(byes + 1, size + 1)), draw), waiting)


def next_round(advancing: Sequence[int], waiting: Sequence[int], draw: PodDraw = PodDraw.STRIDE) -> PodRound:
    """The next round of the winners (by their seeds) with those who waited, ordered by seed."""
    seeds = tuple(sorted((*advancing, *waiting)))
    if len(seeds) % POD:
        raise RuleBroken(
            "pod-winners-missing",
            f"{len(seeds)} seeds do not fill pods of four; enter the winner of every pod first.",
            seeds=list(seeds),
        )
    return PodRound(_spread(seeds, draw))


def pods_by_round(size: int) -> tuple[int, ...]:
    """How many pods each round of the cut has: two and one for a cut to ten."""
    waiting = playoff_byes(size)
    counts = [(size - waiting) // POD]
    left = counts[0] + waiting
    while left > 1:
        counts.append(left // POD)
        left = counts[-1]
    return tuple(counts)


def seats_of(advancing: Sequence[int], pods: int) -> tuple[tuple[int | None, ...], ...]:
    """The seeds that go on, spread over so many pods as if all were full; None for a seat left empty."""
    seeds = sorted(advancing)
    seats: list[int | None] = [*seeds, *[None] * (POD * pods - len(seeds))]
    return tuple(tuple(seats[pod::pods]) for pod in range(pods))


def _spread(seeds: tuple[int, ...], draw: PodDraw) -> tuple[tuple[int, ...], ...]:
    count = len(seeds) // POD
    pods: list[list[int]] = [[] for _ in range(count)]
    for at, seed in enumerate(seeds):
        row, column = divmod(at, count)
        turned = draw is PodDraw.SNAKE and row % 2 == 1
        pods[count - 1 - column if turned else column].append(seed)
    return tuple(tuple(pod) for pod in pods)
