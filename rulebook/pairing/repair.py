"""Mending a published round with the fewest changed tables: wrong result, drop by mistake, late team."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from rulebook.errors import RuleBroken
from rulebook.pairing.exact import Weights
from rulebook.pairing.field import Field, field_of
from rulebook.pairing.matching import Edge, cheapest_perfect_matching
from rulebook.pairing.values import SwissInput

# A published pair that no longer fits may be replaced by at most so many changed tables.
BROKEN_IS_WORTH = 3
# In a larger field only the nearest pairs by points may be changed.
NEAREST = 60


class Cause(StrEnum):
    """Why somebody gets another table, as a sentence about one side."""

    UNPAIRED = "one side had no match in this round yet"
    OPPONENT_LEFT = "the opponent of one side has left"
    CORRECTED = "the points of one side were corrected"
    MOVED = "one side changes its table so that another one can be paired"


@dataclass(frozen=True, slots=True)
class Published:
    """A match of the published round: one side is a bye; a locked one has started or finished."""

    match: int
    table: int | None
    sides: tuple[int, ...]
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """A match to be made: two sides, or one with a bye; its table if one became free; why."""

    sides: tuple[int, ...]
    table: int | None
    reason: str


@dataclass(frozen=True)
class RepairPlan:
    """What would change: matches keep their id while their sides stay the same, whatever their table."""

    kept: tuple[int, ...]
    voided: tuple[int, ...]
    made: tuple[Made, ...]
    rematches: int
    changed_tables: int
    causes: Mapping[int, Cause] = field(default_factory=dict)


def plan_repair(
    swiss: SwissInput, published: Sequence[Published], corrected: Collection[int] = ()
) -> RepairPlan:
    """The plan with the fewest rematches, group pairs and changed tables, in this order.

    `swiss` holds those active now with their right points; `corrected` names those whose points were wrong
    when the round was published. Locked matches stay. Raises RuleBroken when a team stands in two matches.
    """
    _check(published)
    active = {entrant.id for entrant in swiss.entrants}
    held = {side for match in published if match.is_locked for side in match.sides}
    free = [match for match in published if not match.is_locked]
    causes = _causes(swiss, free, active - held, corrected)
    whole = [match for match in free if set(match.sides) <= active]
    chosen = _near(swiss, whole, causes, active - held)
    pool = _only(swiss, chosen)
    pairs, resting = _rearranged(pool, [m for m in whole if set(m.sides) <= chosen], corrected)
    wanted = {frozenset(pair) for pair in pairs} | {frozenset((one,)) for one in resting}
    kept = [m for m in whole if frozenset(m.sides) in wanted or not set(m.sides) <= chosen]
    locked = [match.match for match in published if match.is_locked]
    return _plan(swiss, free, kept, locked, pairs, resting, causes)


def _check(published: Sequence[Published]) -> None:
    sides = [side for match in published for side in match.sides]
    if len(set(sides)) != len(sides):
        raise RuleBroken(
            "paired-twice", "A team stands in two matches of this round; void one of them first."
        )


def _causes(
    swiss: SwissInput, free: Sequence[Published], movable: set[int], corrected: Collection[int]
) -> dict[int, Cause]:
    """Those who cannot simply stay where they are, with the reason."""
    causes = dict.fromkeys(sorted(movable), Cause.UNPAIRED)
    for match in free:
        for side in match.sides:
            if side not in movable:
                continue
            if not set(match.sides) <= movable:
                causes[side] = Cause.OPPONENT_LEFT
            elif side in corrected:
                causes[side] = Cause.CORRECTED
            else:
                causes[side] = Cause.MOVED
    return causes


def _near(
    swiss: SwissInput, whole: Sequence[Published], causes: Mapping[int, Cause], movable: set[int]
) -> set[int]:
    """Those who may be moved: everybody in a small field, the disturbed and their neighbours else."""
    points = {entrant.id: entrant.points for entrant in swiss.entrants}
    disturbed = {one for one, cause in causes.items() if cause is not Cause.MOVED}
    if not disturbed:
        return set()
    if len(whole) <= 2 * NEAREST:
        return set(movable)
    at_stake = {points[one] for one in disturbed}

    def distance(match: Published) -> tuple[bool, object, int]:
        gaps = [abs(points[side] - stake) for side in match.sides for stake in at_stake]
        return len(match.sides) == 2 and not disturbed & set(match.sides), min(gaps), match.match

    near = sorted(whole, key=distance)[:NEAREST]
    return disturbed | {side for match in near for side in match.sides}


def _only(swiss: SwissInput, ids: Iterable[int]) -> SwissInput:
    chosen = set(ids)
    entrants = tuple(entrant for entrant in swiss.entrants if entrant.id in chosen)
    fixed = tuple(one for one in swiss.fixed_byes if one in chosen)
    return SwissInput(entrants, swiss.seed, 0, fixed, forbidden=swiss.forbidden)


def _rearranged(
    pool: SwissInput, whole: Sequence[Published], corrected: Collection[int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Pairs and byes (ids) of those who may be moved."""
    rng = Random(pool.seed)
    if not pool.entrants:
        return [], []
    seen = field_of(pool, rng)
    fixed = list(seen.fixed)
    if len(seen.ids) == 1:
        return [], [*fixed, seen.ids[0]]
    edges, bye = _edges(seen, whole, corrected)
    found = cheapest_perfect_matching(len(seen.ids) + len(seen.ids) % 2, edges)
    if found is None:
        raise RuleBroken(
            "no-pairing-possible", "The forbidden pairs leave no way to repair this round; allow one of them."
        )
    pairs = [(seen.ids[i], seen.ids[j]) for i, j in found if bye not in (i, j)]
    return pairs, [*fixed, *(seen.ids[min(pair)] for pair in found if bye in pair)]


def _edges(
    seen: Field, whole: Sequence[Published], corrected: Collection[int]
) -> tuple[list[Edge], int | None]:
    """Rematches and groups first, then changed tables, then bye and gap."""
    weights = Weights(seen)
    count = len(seen.ids)
    # One changed table stands between group pairs and byes: all of the higher level moves up by this factor.
    one_change = weights.one_group
    lift = (BROKEN_IS_WORTH + 1) * (count + 1)
    published = {frozenset(match.sides) for match in whole}
    bye = count if count % 2 else None
    edges: list[Edge] = []
    for i in range(count):
        for j in range(i):
            if seen.is_barred(i, j):
                continue
            graver, lighter = divmod(weights.pair(i, j), weights.one_group)
            sides = frozenset((seen.ids[i], seen.ids[j]))
            change = 1 if sides not in published else BROKEN_IS_WORTH * _is_broken(seen, i, j, corrected)
            edges.append((j, i, (graver * lift + change) * one_change + lighter))
        if bye is not None:
            change = int(frozenset((seen.ids[i],)) not in published)
            edges.append((i, bye, change * one_change + weights.bye(seen.claims.index(i))))
    return edges, bye


def _is_broken(seen: Field, one: int, other: int, corrected: Collection[int]) -> bool:
    """A correction has torn the points of a published pair apart."""
    touched = seen.ids[one] in corrected or seen.ids[other] in corrected
    return touched and seen.gap(one, other) > 0


def _plan(
    swiss: SwissInput,
    free: Sequence[Published],
    kept: Sequence[Published],
    locked: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    resting: Sequence[int],
    causes: Mapping[int, Cause],
) -> RepairPlan:
    known = {entrant.id: entrant for entrant in swiss.entrants}
    staying = {frozenset(match.sides) for match in kept}
    voided = [match for match in free if match not in kept]
    new = [pair for pair in pairs if frozenset(pair) not in staying]
    new.sort(key=lambda pair: sorted((-known[side].points, known[side].rank) for side in pair))
    tables: list[int | None] = [*sorted(match.table for match in voided if match.table is not None)]
    tables += [None] * len(new)
    made = [Made(pair, tables[at], _reason(pair, causes)) for at, pair in enumerate(new)]
    made += [
        Made((one,), None, _reason((one,), causes)) for one in resting if frozenset((one,)) not in staying
    ]
    moved = {side: causes[side] for match in made for side in match.sides if side in causes}
    return RepairPlan(
        kept=tuple(sorted([*locked, *(match.match for match in kept)])),
        voided=tuple(sorted(match.match for match in voided)),
        made=tuple(made),
        rematches=sum(two in known[one].met for one, two in new),
        changed_tables=len(made),
        causes=moved,
    )


def _reason(sides: Sequence[int], causes: Mapping[int, Cause]) -> str:
    found = sorted({causes[side] for side in sides if side in causes}, key=list(Cause).index)
    text = "; ".join(found) if found else "somebody has to rest"
    return f"{text[0].upper()}{text[1:]}."
