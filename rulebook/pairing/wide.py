"""Stage 4: fields too large for one exact matching, where the cheaper stages found no legal round.

That happens when one restricted group holds about half of the field, and in large rounds by standing. What
comes out is good but not proved to be the best, and the report says so.
"""

from rulebook.errors import RuleBroken
from rulebook.pairing.brackets import Line
from rulebook.pairing.field import Field

REACHES = (6, 40, 1 << 40)


def mended_widely(line: Line) -> list[int]:
    """The row after swaps at growing distances, each with fewer illegal pairs and the least larger gap."""
    for reach in REACHES:
        clashes = line.clashes()
        while clashes:
            left = [at for at in clashes if line.is_clash(at) and not _swap_best(line, at, reach)]
            if len(left) == len(clashes):
                break
            clashes = left
    if any(line.field.is_barred(one, other) for one, other in line.pairs()):
        raise RuleBroken(
            "no-pairing-possible",
            "No complete pairing without a forbidden pair was found; allow at least one of them.",
            entrants=len(line.order),
        )
    return line.order


def _swap_best(line: Line, at: int, reach: int) -> bool:
    """Swap one of the pair for the best within reach; False when no swap has fewer illegal pairs."""
    order, field = line.order, line.field
    best: tuple[int, int, int, int] | None = None
    for position in (at, at + 1):
        for other in range(max(at - reach, 0), min(at + 2 + reach, len(order))):
            if other in (at, at + 1):
                continue
            one, two = order[position], order[position ^ 1]
            three, four = order[other], order[other ^ 1]
            before = _faults(field, one, two) + _faults(field, three, four)
            after = _faults(field, three, two) + _faults(field, one, four)
            if after < before:
                farther = field.gap(three, two) + field.gap(one, four) - field.gap(three, four)
                found = (after - before, farther, position, other)
                best = found if best is None else min(best, found)
    if best is None:
        return False
    line.swap(best[2], best[3])
    return True


def _faults(field: Field, one: int, other: int) -> int:
    """Bars, rematches and group pairs of one pair, the graver ones weighing more than all lighter ones."""
    if field.is_legal(one, other):
        return 0
    bars, met, grouped = field.is_barred(one, other), field.has_met(one, other), field.are_grouped(one, other)
    return bars * 10_000 + met * 100 + grouped
