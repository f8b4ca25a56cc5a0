"""The entrants of one round as the engine sees them: places, whole-number scores, meetings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from operator import attrgetter
from random import Random
from typing import Any

from rulebook.pairing.values import Entrant, SwissInput

Pair = tuple[int, int]


@dataclass(frozen=True)
class Field:
    """Those to be paired, by ascending id; a place is an index into every list here.

    `scores` are points (or standing places) times `unit`, whole numbers; `met` and `ids` hold entrant ids.
    """

    entrants: Sequence[Entrant]
    ids: Sequence[int]
    met: Sequence[tuple[int, ...]]
    groups: Sequence[str | None] | None
    scores: Sequence[int]
    unit: int
    barred: frozenset[Pair]
    fixed: tuple[int, ...]
    leans: Sequence[int] | None
    by_standing: bool
    seed: int

    @cached_property
    def is_plain(self) -> bool:
        """Only earlier meetings make a pair illegal."""
        return self.groups is None and not self.barred

    def has_met(self, one: int, other: int) -> bool:
        """The two have played each other, whichever of them remembers it."""
        return self.ids[other] in self.met[one] or self.ids[one] in self.met[other]

    def are_grouped(self, one: int, other: int) -> bool:
        """The two belong to the same restricted group."""
        if self.groups is None:
            return False
        group = self.groups[one]
        return group is not None and group == self.groups[other]

    def is_barred(self, one: int, other: int) -> bool:
        """An organizer has forbidden that the two meet."""
        if not self.barred:
            return False
        low, high = sorted((self.ids[one], self.ids[other]))
        return (low, high) in self.barred

    @cached_property
    def is_legal(self) -> Callable[[int, int], bool]:
        """Tells of two places that no rematch, no restricted group and no bar stands between them."""
        ids, met = self.ids, self.met

        def is_new(one: int, other: int) -> bool:
            return not (ids[other] in met[one] or ids[one] in met[other])

        def is_allowed(one: int, other: int) -> bool:
            return is_new(one, other) and not (self.are_grouped(one, other) or self.is_barred(one, other))

        return is_new if self.is_plain else is_allowed

    def gap(self, one: int, other: int) -> int:
        """The squared difference of the scores, in units squared."""
        return (self.scores[one] - self.scores[other]) ** 2

    def pair_downs(self, pairs: Sequence[Pair]) -> int:
        """How many of the pairs have unequal match points."""
        points: Sequence[object] = self.scores
        if self.by_standing:
            points = [entrant.points for entrant in self.entrants]
        return sum([points[one] != points[other] for one, other in pairs])

    @cached_property
    def claims(self) -> list[int]:
        """Places by their claim to the bye: fewest byes, not last round's, lowest standing, chance."""
        entrants, chance = self.entrants, self._bye_chances

        def claim(place: int) -> tuple[int, bool, int, float]:
            entrant = entrants[place]
            return entrant.byes, entrant.bye_last, -entrant.rank, chance[place]

        return sorted(range(len(entrants)), key=claim)

    def first_claim(self) -> int | None:
        """The place with the first claim to the bye, None in an even field; the same as `claims[0]`."""
        if len(self.ids) % 2 == 0:
            return None
        byes = [entrant.byes for entrant in self.entrants]
        fewest = min(byes)
        left = [place for place, count in enumerate(byes) if count == fewest]
        rested = [place for place in left if not self.entrants[place].bye_last]
        left = rested or left
        lowest = max(self.entrants[place].rank for place in left)
        left = [place for place in left if self.entrants[place].rank == lowest]
        return left[0] if len(left) == 1 else min(left, key=self._bye_chances.__getitem__)

    @cached_property
    def _bye_chances(self) -> list[float]:
        rng = Random(self.seed ^ 0xB1E)
        return [rng.random() for _ in self.ids]


def by_id(entrants: Iterable[Entrant]) -> tuple[list[int], list[Entrant]]:
    """The ids and the entrants by ascending id, the order of every list of a field."""
    pool = sorted(entrants, key=attrgetter("id"))
    return [entrant.id for entrant in pool], pool


def field_of(swiss: SwissInput, rng: Random) -> Field:
    """The field without its fixed byes."""
    return field_among(swiss, by_id(swiss.entrants), rng)


def field_among(swiss: SwissInput, known: tuple[list[int], list[Entrant]], rng: Random) -> Field:
    """The field of a round whose ids and entrants are sorted already."""
    away = set(swiss.fixed_byes)
    ids, pool = known
    if away:
        ids, pool = by_id(entrant for entrant in pool if entrant.id not in away)
    unit, scores = places(pool, rng) if swiss.by_standing else whole_points(pool)
    # Clubs and leans are rare: one look tells whether anybody has either.
    is_simple = not [True for entrant in pool if entrant.group or entrant.lean]
    groups = [] if is_simple else [entrant.group for entrant in pool]
    leans = [] if is_simple else [entrant.lean for entrant in pool]
    return Field(
        entrants=pool,
        ids=ids,
        met=[entrant.met for entrant in pool],
        groups=groups if any(groups) else None,
        scores=scores,
        unit=unit,
        barred=frozenset([(min(pair), max(pair)) for pair in swiss.forbidden]),
        fixed=tuple(sorted(away)),
        leans=leans if any(leans) else None,
        by_standing=swiss.by_standing,
        seed=swiss.seed,
    )


def whole_points(pool: Sequence[Entrant]) -> tuple[int, list[int]]:
    """The points over their common denominator, and that denominator."""
    # The slots behind `numerator` and `denominator`: those are calls, and this is done for thousands.
    points: list[Any] = [entrant.points for entrant in pool]
    below = {one._denominator for one in points}
    unit = lcm(*below)
    if unit == 1:
        return 1, [one._numerator for one in points]
    return unit, [one._numerator * (unit // one._denominator) for one in points]


def places(pool: Sequence[Entrant], rng: Random) -> tuple[int, list[int]]:
    """A score that falls by one with each place of the standings; equal ranks are ordered by chance."""
    by_rank = sorted(range(len(pool)), key=lambda place: (pool[place].rank, rng.random()))
    scores = [0] * len(pool)
    for position, place in enumerate(by_rank):
        scores[place] = len(pool) - position
    return 1, scores


def squared_gap(scores: Sequence[int], order: Sequence[int]) -> int:
    """The sum of squared gaps of a row in which 2k and 2k+1 meet, in units squared."""
    row = [scores[place] for place in order]
    return sum((high - low) ** 2 for high, low in zip(row[::2], row[1::2], strict=True) if high != low)


def neighbour_bound(field: Field, bye: int | None) -> int:
    """The least sum of squared gaps if nobody had ever met: sorted neighbours."""
    row = sorted((place for place in range(len(field.ids)) if place != bye), key=field.scores.__getitem__)
    return squared_gap(field.scores, row)


def flat(pairs: Iterable[Pair]) -> list[int]:
    """The pairs as one row in which 2k and 2k+1 meet."""
    return [place for pair in pairs for place in pair]
