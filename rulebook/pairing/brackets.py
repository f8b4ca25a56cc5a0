"""Stage 1: a random order inside each score group, neighbours as pairs, and swaps that cost nothing."""

from collections.abc import Sequence
from random import Random

from rulebook.pairing.field import Field, Pair

SMALL_BRACKET = 16
RESHUFFLES = 12
WALK_STEPS = 200


class Line:
    """Everybody in a row, best score first; 2k and 2k+1 meet. Swaps inside a score group are free."""

    def __init__(self, field: Field, places: Sequence[int], rng: Random) -> None:
        chance = rng.random
        keyed = [(-field.scores[place], chance(), place) for place in places]
        keyed.sort()
        self.field = field
        self.rng = rng
        self.order = [place for _, _, place in keyed]
        self.ends: dict[int, tuple[int, int]] = {}

    def clashes(self) -> list[int]:
        """The even positions whose pair is not legal."""
        legal, order = self.field.is_legal, self.order
        return [at for at in range(0, len(order) - 1, 2) if not legal(order[at], order[at + 1])]

    def pairs(self) -> list[Pair]:
        """The pairs as places, best scores first."""
        return list(zip(self.order[::2], self.order[1::2], strict=True))

    def bracket(self, position: int) -> tuple[int, int]:
        """First and last-plus-one position of the score group that holds the position."""
        if not self.ends:
            self._measure()
        return self.ends[self.field.scores[self.order[position]]]

    def _measure(self) -> None:
        scores, start = self.field.scores, 0
        for position, place in enumerate(self.order):
            if scores[place] != scores[self.order[start]]:
                start = position
            self.ends[scores[place]] = (start, position + 1)

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
    return not line.clashes() or _walk(line)


def _mend(line: Line, at: int) -> None:
    for position in (at, at + 1):
        start, end = line.bracket(position)
        if end - start <= SMALL_BRACKET and _reshuffle(line, start, end):
            return
    _swap_once(line, at)


def _reshuffle(line: Line, start: int, end: int) -> bool:
    """Draw a small group again until it is legal, which keeps every legal outcome equally likely."""
    kept = line.order[start:end]
    touched = range(start & ~1, min(end + (end & 1), len(line.order)), 2)
    for _ in range(RESHUFFLES):
        drawn = kept[:]
        line.rng.shuffle(drawn)
        line.order[start:end] = drawn
        if not any(line.is_clash(at) for at in touched):
            return True
    line.order[start:end] = kept
    return False


def _swap_once(line: Line, at: int) -> bool:
    """Swap one of the pair with somebody of its score group so that both pairs become legal."""
    sides = [at, at + 1]
    line.rng.shuffle(sides)
    for position in sides:
        start, end = line.bracket(position)
        offset = line.rng.randrange(end - start)
        for step in range(end - start):
            other = start + (offset + step) % (end - start)
            if other ^ 1 == position or other == position:
                continue
            line.swap(position, other)
            if not line.is_clash(position) and not line.is_clash(other):
                return True
            line.swap(position, other)
    return False


def _walk(line: Line) -> bool:
    """Min-conflict steps with a little noise, for knots that one swap cannot undo."""
    rng = line.rng
    for _ in range(WALK_STEPS):
        clashes = line.clashes()
        if not clashes:
            return True
        position = rng.choice(clashes) + rng.randrange(2)
        if _swap_once(line, position & ~1):
            continue
        start, end = line.bracket(position)
        other = rng.randrange(start, end)
        if other != position:
            line.swap(position, other)
    return not line.clashes()
