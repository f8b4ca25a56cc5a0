"""Stage 2: exact matching of the stretches between big score groups, where stage 1 left an illegal pair.

A big score group can always be paired inside itself, whoever leaves it (everybody in it may meet at least
half of it, so Dirac's theorem applies), and no cheapest pairing crosses it (squares are convex). So what
happens above it and below it is independent, and a random sample stands for it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulebook.pairing.brackets import Line, free_of_clashes
from rulebook.pairing.field import flat
from rulebook.pairing.matching import Edge, cheapest_perfect_matching

# How much more than its own conflicts a score group must hold to count as big, tried in this order.
SPARES = (4, 16, 64, 1 << 40)
LARGEST_SEGMENT = 1100
MOST_LEVELS = 420
POOL_DRAWS = 8
CHANCE = 1 << 8


@dataclass(frozen=True, slots=True)
class Stretch:
    """Small groups at positions start..end-1 between two big ones: above..start-1 and end..below-1."""

    above: int
    start: int
    end: int
    below: int


def solved_in_segments(line: Line) -> list[int] | None:
    """A legal row of least gap, or None when none was found this way; positions 2k and 2k+1 meet."""
    conflicts = _most_conflicts(line)
    for spare in SPARES:
        row = _solved(line, conflicts, list(_stretches(line, conflicts, spare)))
        if row is not None:
            return row
    return None


def _solved(line: Line, conflicts: dict[int, int], stretches: Sequence[Stretch]) -> list[int] | None:
    clashing = set(line.clashes())
    row = [
        line.order[side]
        for stretch in stretches
        if not _touched(stretch, clashing)
        for at in _crossing(stretch)
        for side in (at, at + 1)
    ]
    taken = set(row)
    for stretch in stretches:
        if not _touched(stretch, clashing):
            continue
        solved = _Segment(line, stretch, conflicts, taken).solve()
        if solved is None:
            return None
        row += solved
        taken.update(solved)
    return _with_pools(line, row, taken)


def _most_conflicts(line: Line) -> dict[int, int]:
    """For each score group how many of it one entrant at most may not meet."""
    field = line.field
    met = max(len(field.met[place]) for place in line.order)
    barred = Counter(entrant for pair in field.barred for entrant in pair)
    most = met + max(barred.values(), default=0)
    found: dict[int, int] = {}
    for score, (start, end) in line.brackets().items():
        sizes = Counter(field.groups[place] for place in line.order[start:end]) if field.groups else Counter()
        sizes.pop(None, None)
        found[score] = most + max(sizes.values(), default=0)
    return found


def _stretches(line: Line, conflicts: dict[int, int], spare: int) -> Iterator[Stretch]:
    above, start = 0, 0
    for score, (first, last) in line.brackets().items():
        if last - first >= 2 * (conflicts[score] + 1) + 2 * spare:
            yield Stretch(above, start, first, last)
            above, start = first, last
    yield Stretch(above, start, len(line.order), len(line.order))


def _crossing(stretch: Stretch) -> range:
    """The even positions of the pairs that are not inside one big group."""
    return range(stretch.start & ~1, stretch.end + (stretch.end & 1), 2)


def _touched(stretch: Stretch, clashing: set[int]) -> bool:
    return any(at in clashing for at in _crossing(stretch))


class _Segment:
    """One stretch with samples of its big neighbours, to be solved exactly."""

    def __init__(self, line: Line, stretch: Stretch, conflicts: dict[int, int], taken: set[int]) -> None:
        self.line = line
        self.field = line.field
        self.rng = line.rng
        self.stretch = stretch
        self.conflicts = conflicts
        self.taken = taken
        self.small = line.order[stretch.start : stretch.end]
        self.levels = self._levels()
        self.extra: dict[tuple[int, int], int] = {}

    def _levels(self) -> list[tuple[int, int]]:
        """Score and first position of every score group of the stretch, its big neighbours included."""
        stretch = self.stretch
        return [
            (score, max(first, 0))
            for score, (first, last) in self.line.brackets().items()
            if first >= stretch.above and last <= stretch.below
        ]

    def _extras(self) -> dict[tuple[int, int], int]:
        """By how much a pair of two scores must exceed the bound, whatever the others do."""
        extra: dict[tuple[int, int], int] = {}
        for upper, (high, _) in enumerate(self.levels):
            spanned, before = 0, high
            extra[high, high] = 0
            for low, first in self.levels[upper + 1 :]:
                step = (before - low) ** 2
                spanned += step if first % 2 else -step
                before = low
                extra[high, low] = extra[low, high] = (high - low) ** 2 - spanned
        return extra

    def _bound(self) -> int:
        """The least cost of the stretch if everybody might meet."""
        return sum(
            (high - low) ** 2
            for (high, _), (low, first) in zip(self.levels, self.levels[1:], strict=False)
            if first % 2
        )

    def solve(self) -> list[int] | None:
        """The pairs that leave the big groups or never touched them, as a row; None without a legal one."""
        if len(self.small) > LARGEST_SEGMENT or len(self.levels) > MOST_LEVELS:
            return None
        self.extra = self._extras()
        bound, budgets = self._bound(), sorted({0, *self.extra.values()})
        allowance = budgets[min(2, len(budgets) - 1)]
        while True:
            found = self._attempt(allowance)
            if found is not None:
                cost = sum(self.field.gap(one, other) for one, other in found) - bound
                if cost <= allowance:
                    return flat(found)
                allowance = cost
            elif allowance >= budgets[-1]:
                return None
            else:
                allowance = max(4 * allowance, budgets[1])

    def _attempt(self, allowance: int) -> list[tuple[int, int]] | None:
        above = self._sample(self.stretch.above, self.stretch.start, self.stretch.start % 2, allowance)
        below = self._sample(self.stretch.end, self.stretch.below, self.stretch.end % 2, allowance)
        if above is None or below is None:
            return None
        nodes = [*above, *self.small, *below]
        if len(nodes) > LARGEST_SEGMENT:
            return None
        self.rng.shuffle(nodes)
        big = dict.fromkeys(above, 1) | dict.fromkeys(below, 2)
        edges = list(self._edges(nodes, big, allowance))
        found = cheapest_perfect_matching(len(nodes), edges)
        if found is None:
            return None
        pairs = [(nodes[i], nodes[j]) for i, j in found]
        return [(one, other) for one, other in pairs if big.get(one, 0) != big.get(other, -1)]

    def _edges(self, nodes: Sequence[int], big: dict[int, int], allowance: int) -> Iterator[Edge]:
        scores, extra, field = self.field.scores, self.extra, self.field
        grain = CHANCE * len(nodes)
        for i, one in enumerate(nodes):
            for j in range(i):
                other = nodes[j]
                if extra[scores[one], scores[other]] > allowance:
                    continue
                # Two of one sample meet only to say that both stay in their big group.
                if big.get(one, 0) == big.get(other, -1):
                    yield j, i, 0
                elif field.is_legal(one, other):
                    yield j, i, field.gap(one, other) * grain + self.rng.randrange(CHANCE)

    def _sample(self, first: int, last: int, parity: int, allowance: int) -> list[int] | None:
        """Enough of a big group that each who floats to it finds a partner; None when it is too small."""
        if first == last:
            return []
        places = [place for place in self.line.order[first:last] if place not in self.taken]
        score = self.field.scores[self.line.order[first]]
        crossing = self._most_floaters(score, allowance)
        conflicts = self.conflicts[score]
        if last - first < 2 * (conflicts + 1) + 2 * crossing:
            return None
        size = conflicts + crossing + 4
        size += (size - parity) % 2
        if size > len(places):
            return None
        return self.rng.sample(places, size)

    def _most_floaters(self, score: int, allowance: int) -> int:
        """No pairing within the allowance sends more of a big group across its border to this stretch."""
        steps = [abs(score - other) ** 2 for other, _ in self.levels if other != score]
        return 1 + allowance // min(steps) if steps else 0


def _with_pools(line: Line, row: list[int], taken: set[int]) -> list[int] | None:
    """The row with everybody else paired inside his big group, the whole in order of the scores."""
    places = [place for place in line.order if place not in taken]
    for _ in range(POOL_DRAWS):
        pool = Line(line.field, line.rng, places)
        if free_of_clashes(pool):
            return row + pool.order
    return None
