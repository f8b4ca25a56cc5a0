"""Every complete pairing of a small field, best first: what the look-ahead chooses from."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from rulebook.pairing.exact import Weights
from rulebook.pairing.field import Field


@dataclass(frozen=True, slots=True)
class Candidate:
    """One complete pairing: `illegal` counts rematches and group pairs, `cost` bye and gaps."""

    illegal: int
    cost: int
    chance: float
    row: tuple[int, ...]
    bye: int | None


def candidates(field: Field, rng: Random) -> list[Candidate]:
    """The complete pairings with the fewest rematches and group pairs, by bye, gap and chance."""
    weights = Weights(field)
    found: list[Candidate] = []
    least = None
    for cost, row, bye in _all(field, weights):
        illegal, rest = divmod(cost, weights.one_group)
        if least is None or illegal < least:
            least, found = illegal, []
        if illegal == least:
            found.append(Candidate(illegal, rest, rng.random(), row, bye))
    return sorted(found, key=lambda candidate: (candidate.cost, candidate.chance))


def _all(field: Field, weights: Weights) -> Iterator[tuple[int, tuple[int, ...], int | None]]:
    places = list(range(len(field.entrants)))
    if len(places) % 2 == 0:
        for cost, row in _complete(weights, places, 0, ()):
            yield cost, row, None
        return
    for claim, bye in enumerate(field.claims):
        rest = [place for place in places if place != bye]
        for cost, row in _complete(weights, rest, weights.bye(claim), ()):
            yield cost, row, bye


def _complete(
    weights: Weights, places: list[int], cost: int, row: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    if not places:
        yield cost, row
        return
    one = places[0]
    for index in range(1, len(places)):
        other = places[index]
        if weights.field.is_barred(one, other):
            continue
        rest = places[1:index] + places[index + 1 :]
        yield from _complete(weights, rest, cost + weights.pair(one, other), (*row, one, other))
