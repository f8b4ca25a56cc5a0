"""Stage 3: one exact matching with every priority in the weight."""

from random import Random

from rulebook.errors import RuleBroken
from rulebook.pairing.field import Field
from rulebook.pairing.matching import Edge, cheapest_perfect_matching

CHANCE = 1 << 8


def exact(field: Field, rng: Random) -> tuple[list[int], int | None]:
    """The row of pairs and the place of the bye that are best by rematch, group, bye and gap."""
    count = len(field.entrants)
    bye = count if count % 2 else None
    places = list(range(count + count % 2))
    rng.shuffle(places)
    edges = _edges(field, places, bye, rng)
    found = cheapest_perfect_matching(len(places), edges)
    if found is None:
        raise RuleBroken(
            "no-pairing-possible",
            "The forbidden pairs leave no complete pairing; allow at least one of them.",
            entrants=count,
        )
    return _named(places, found, bye)


def fewest_illegal(field: Field) -> tuple[int, int]:
    """The least rematches of a complete pairing, and then the least group pairs."""
    if not field.ids:
        return 0, 0
    try:
        row, _ = exact(field, Random(0))
    except RuleBroken:
        return len(field.ids), 0
    pairs = list(zip(row[::2], row[1::2], strict=True))
    return sum(field.has_met(*pair) for pair in pairs), sum(field.are_grouped(*pair) for pair in pairs)


def _edges(field: Field, places: list[int], bye: int | None, rng: Random) -> list[Edge]:
    weigh = Weights(field)
    claims = {place: claim for claim, place in enumerate(field.claims)} if bye is not None else {}
    edges: list[Edge] = []
    for i, one in enumerate(places):
        for j in range(i):
            other = places[j]
            if bye in (one, other):
                edges.append((j, i, weigh.bye(claims[min(one, other)])))
            elif not field.is_barred(one, other):
                edges.append((j, i, weigh.pair(one, other) + rng.randrange(CHANCE)))
    return edges


class Weights:
    """The priorities as one whole number: one of a higher level outweighs any sum of lower ones."""

    def __init__(self, field: Field) -> None:
        count = len(field.entrants) + 1
        span = max(field.scores) - min(field.scores)
        self.field = field
        self.one_gap = CHANCE * count
        self.one_bye = self.one_gap * (span * span * count + 1)
        self.one_group = self.one_bye * (count + 1)
        self.one_rematch = self.one_group * count

    def pair(self, one: int, other: int) -> int:
        """The cost of a pair without its grain of chance."""
        field = self.field
        cost = field.gap(one, other) * self.one_gap
        if field.are_grouped(one, other):
            cost += self.one_group
        if field.has_met(one, other):
            cost += self.one_rematch
        return cost

    def bye(self, claim: int) -> int:
        """The cost of a bye for the one with so many better claims before it."""
        return claim * self.one_bye


def _named(places: list[int], found: list[tuple[int, int]], bye: int | None) -> tuple[list[int], int | None]:
    row: list[int] = []
    rests: int | None = None
    for i, j in found:
        one, other = places[i], places[j]
        if bye in (one, other):
            rests = min(one, other)
        else:
            row += (one, other)
    return row, rests
