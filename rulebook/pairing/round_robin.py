"""Everybody meets everybody: the circle method, all rounds at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from rulebook.errors import RuleBroken


@dataclass(frozen=True, slots=True)
class RobinRound:
    """One round: pairs in side order and whoever rests (odd fields only)."""

    number: int
    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


class Removal(StrEnum):
    """What the results of somebody who left are worth."""

    REMOVE_ALL = "remove-all"
    LOSE_THE_REST = "lose-the-rest"


def round_robin(entrants: Sequence[int], seed: int, *, cycles: int = 1) -> tuple[RobinRound, ...]:
    """All rounds: each two meet once a cycle, sides change from cycle to cycle, odd fields rest once each."""
    if len(entrants) < 2 or len(set(entrants)) != len(entrants):
        raise RuleBroken(
            "not-enough-entrants", "A round robin needs at least two different teams.", entrants=len(entrants)
        )
    drawn = sorted(entrants)
    Random(seed).shuffle(drawn)
    first = _cycle(drawn)
    rounds: list[RobinRound] = []
    for cycle in range(cycles):
        for one in first:
            pairs = tuple((b, a) for a, b in one.pairs) if cycle % 2 else one.pairs
            rounds.append(RobinRound(len(rounds) + 1, pairs, one.bye))
    return tuple(rounds)


def _cycle(drawn: Sequence[int]) -> list[RobinRound]:
    circle: list[int | None] = [*drawn, None] if len(drawn) % 2 else [*drawn]
    half = len(circle) // 2
    rounds: list[RobinRound] = []
    for number in range(1, len(circle)):
        pairs: list[tuple[int, int]] = []
        bye: int | None = None
        for table, (one, other) in enumerate(zip(circle[:half], reversed(circle[half:]), strict=True)):
            if one is None or other is None:
                bye = other if one is None else one
                continue
            # The fixed one changes sides each round, the others by their distance on the circle.
            turned = number % 2 == 0 if table == 0 else table % 2 == 1
            pairs.append((other, one) if turned else (one, other))
        rounds.append(RobinRound(number, tuple(pairs), bye))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def after_leaving(played: int, matches: int, *, always_keep: bool = False) -> Removal:
    """Before half of his matches all results of a leaver are removed, afterwards the rest are losses."""
    if always_keep or 2 * played >= matches:
        return Removal.LOSE_THE_REST
    return Removal.REMOVE_ALL
