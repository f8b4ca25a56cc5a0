"""Stage 1: a random order inside each score group, neighbours as pairs, and swaps that cost nothing."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain
from operator import contains
from random import Random

from rulebook.pairing.draws import by_score_and_chance
from rulebook.pairing.field import Field

SMALL_BRACKET = 16
RESHUFFLES = 12
WALK_STEPS = 200


class Line:
    """Everybody in a row, best score first; 2k and 2k+1 meet. Swaps inside a score group are free."""

    def __init__(self, field: Field, rng: Random, places: Sequence[int] | None = None) -> None:
        """The places, or else all of the field, are in line: by score, and by chance among equal ones."""
        self.field = field
        self.rng = rng
        self.order = by_score_and_chance(field.scores, rng, places)
        self._ends: dict[int, tuple[int, int]] = {}

    def clashes(self) -> list[int]:
        """The even positions whose pair is not legal."""
        field, order = self.field, self.order
        if not field.is_plain:
            legal = field.is_legal
            pairs = zip(range(0, len(order), 2), order[::2], order[1::2], strict=True)
            return [at for at, one, other in pairs if not legal(one, other)]
        # Both sides of a meeting name each other, so one of them is asked: with cold caches this look is the
        # largest part of a large round.
        met = map(field.met.__getitem__, order[::2])
        found = list(map(contains, met, map(field.ids.__getitem__, order[1::2])))
        return [2 * pair for pair, has_met in enumerate(found) if has_met] if True in found else []

    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of the row."""
        return list(zip(self.order[::2], self.order[1::2], strict=True))

    def brackets(self) -> dict[int, tuple[int, int]]:
        """First and last-plus-one position of each score group, best first."""
        if not self._ends:
            score_of, size = self.field.scores.__getitem__, len(self.order)
            # The row falls by score, so each border is looked up from its end and not counted out.
            rising, left = self.order[::-1], size
            while left:
                score = score_of(rising[left - 1])
                first = bisect_left(rising, score, 0, left, key=score_of)
                self._ends[score] = (size - left, size - first)
                left = first
        return self._ends

    def crossing(self) -> list[tuple[int, int]]:
        """The pairs of two score groups, as long as swaps inside score groups are all that was done."""
        order = self.order
        odd = [end for _, end in self.brackets().values() if end % 2 and end < len(order)]
        return [(order[end - 1], order[end]) for end in odd]

    def bracket(self, position: int) -> tuple[int, int]:
        """First and last-plus-one position of the score group that holds the position."""
        return self.brackets()[self.field.scores[self.order[position]]]

    def is_clash(self, position: int) -> bool:
        """The pair that holds the position is not legal."""
        return not self.field.is_legal(self.order[position], self.order[position ^ 1])

    def swap(self, first: int, second: int) -> None:
        """The two positions have changed their holders."""
        order = self.order
        order[first], order[second] = order[second], order[first]


def free_of_clashes(line: Line) -> bool:
    """True when swaps inside score groups left no illegal pair: then no pairing is cheaper."""
    clashes = line.clashes()
    if not clashes:
        return True
    for at in clashes:
        if line.is_clash(at):
            _mend(line, at)
    # Mending never makes a legal pair illegal.
    return _walk(line, [at for at in clashes if line.is_clash(at)])


def _mend(line: Line, at: int) -> None:
    for position in (at, at + 1):
        start, end = line.bracket(position)
        if end - start <= SMALL_BRACKET and _reshuffle(line, start, end):
            return
    _swap_once(line, at)


def _reshuffle(line: Line, start: int, end: int) -> bool:
    """Draw a small group again until it is legal, which keeps every legal outcome equally likely."""
    order, legal = line.order, line.field.is_legal
    kept = order[start:end]
    first, last = start & ~1, min(end + (end & 1), len(order))
    for _ in range(RESHUFFLES):
        order[start:end] = _drawn(kept, line.rng)
        if all(map(legal, order[first:last:2], order[first + 1 : last : 2])):
            return True
    order[start:end] = kept
    return False


def _drawn(kept: Sequence[int], rng: Random) -> list[int]:
    """The places in random order, as `rng.sample` draws them all, without its questions."""
    bits, pool, drawn = rng.getrandbits, list(kept), []
    for left in range(len(pool), 0, -1):
        width = left.bit_length()
        chosen = bits(width)
        while chosen >= left:
            chosen = bits(width)
        drawn.append(pool[chosen])
        pool[chosen] = pool[left - 1]
    return drawn


def _swap_once(line: Line, at: int) -> bool:
    """Swap one of the pair with somebody of its score group so that both pairs become legal."""
    order, legal = line.order, line.field.is_legal
    sides = (at, at + 1) if line.rng.random() < 0.5 else (at + 1, at)
    for position in sides:
        start, end = line.bracket(position)
        partner, moved = order[position ^ 1], order[position]
        first = start + int(line.rng.random() * (end - start))
        for other in chain(range(first, end), range(start, first)):
            if other ^ 1 == position or other == position:
                continue
            if legal(partner, order[other]) and legal(order[other ^ 1], moved):
                order[position], order[other] = order[other], moved
                return True
    return False


def _walk(line: Line, clashes: list[int]) -> bool:
    """Swaps with a little noise, for knots that one swap cannot undo."""
    rng = line.rng
    for _ in range(WALK_STEPS):
        if not clashes:
            return True
        at = rng.choice(clashes)
        if _swap_once(line, at):
            clashes = [old for old in clashes if line.is_clash(old)]
            continue
        position = at + rng.randrange(2)
        start, end = line.bracket(position)
        other = rng.randrange(start, end)
        line.swap(position, other)
        touched = {at, other & ~1}
        clashes = [old for old in clashes if old not in touched]
        clashes += [now for now in sorted(touched) if line.is_clash(now)]
    return not clashes
