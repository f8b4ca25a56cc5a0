"""The entrants of one round as the engine sees them: places, whole-number scores, meetings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random

from rulebook.pairing.values import Entrant, SwissInput

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Field:
    """Those to be paired, by ascending id; `scores` are points (or places) times `unit`, whole."""

    entrants: Sequence[Entrant]
    scores: Sequence[int]
    unit: int
    forbidden: frozenset[Pair]
    bye_order: Sequence[int]
    fixed: tuple[int, ...]

    def has_met(self, first: int, second: int) -> bool:
        """The two have played each other, whichever of them remembers it."""
        one, other = self.entrants[first], self.entrants[second]
        return other.id in one.met or one.id in other.met

    def are_grouped(self, first: int, second: int) -> bool:
        """The two belong to the same restricted group."""
        group = self.entrants[first].group
        return group is not None and group == self.entrants[second].group

    def is_barred(self, first: int, second: int) -> bool:
        """An organizer has forbidden that the two meet."""
        if not self.forbidden:
            return False
        one, other = self.entrants[first].id, self.entrants[second].id
        return (min(one, other), max(one, other)) in self.forbidden

    def is_legal(self, first: int, second: int) -> bool:
        """No rematch, no restricted group and no bar stands between the two."""
        one, other = self.entrants[first], self.entrants[second]
        if other.id in one.met or one.id in other.met:
            return False
        if one.group is not None and one.group == other.group:
            return False
        return not self.is_barred(first, second)

    def gap(self, first: int, second: int) -> int:
        """The squared difference of the scores, in units squared."""
        return (self.scores[first] - self.scores[second]) ** 2


def field_of(swiss: SwissInput, rng: Random) -> Field:
    """The field without its fixed byes, with the order of preference for the bye when it is odd."""
    away = set(swiss.fixed_byes)
    pool = sorted((entrant for entrant in swiss.entrants if entrant.id not in away), key=lambda e: e.id)
    unit, scores = places(pool, rng) if swiss.by_standing else whole_points(pool)
    barred = frozenset((min(pair), max(pair)) for pair in swiss.forbidden)
    order = bye_order(pool, rng) if len(pool) % 2 else ()
    return Field(pool, scores, unit, barred, order, tuple(sorted(away)))


def whole_points(pool: Sequence[Entrant]) -> tuple[int, list[int]]:
    """The points over their common denominator, and that denominator."""
    unit = lcm(*{entrant.points.denominator for entrant in pool})
    if unit == 1:
        return 1, [entrant.points.numerator for entrant in pool]
    return unit, [int(entrant.points * unit) for entrant in pool]


def places(pool: Sequence[Entrant], rng: Random) -> tuple[int, list[int]]:
    """A score that falls by one with each place of the standings; equal ranks are ordered by chance."""
    by_rank = sorted(range(len(pool)), key=lambda place: (pool[place].rank, rng.random()))
    scores = [0] * len(pool)
    for position, place in enumerate(by_rank):
        scores[place] = len(pool) - position
    return 1, scores


def bye_order(pool: Sequence[Entrant], rng: Random) -> list[int]:
    """Places by their claim to the bye: fewest byes, not last round's, lowest standing, chance."""

    def claim(place: int) -> tuple[int, bool, int, float]:
        entrant = pool[place]
        return entrant.byes, entrant.bye_last, -entrant.rank, rng.random()

    return sorted(range(len(pool)), key=claim)


def squared_gap(field: Field, pairs: Iterable[Pair]) -> int:
    """The sum of squared gaps of the pairs, in units squared."""
    scores = field.scores
    return sum((scores[first] - scores[second]) ** 2 for first, second in pairs)


def neighbour_bound(field: Field, bye: int | None) -> int:
    """The least sum of squared gaps if nobody had ever met: sorted neighbours."""
    ordered = sorted(score for place, score in enumerate(field.scores) if place != bye)
    return sum((ordered[i] - ordered[i + 1]) ** 2 for i in range(0, len(ordered) - 1, 2))


def as_fraction(units_squared: int, unit: int) -> Fraction:
    """Squared units as squared match points."""
    return Fraction(units_squared, unit * unit)
