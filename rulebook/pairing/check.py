"""A second opinion on any Swiss round. It shares no code with the engine and never calls it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rulebook.pairing.values import Entrant, Pairing, SwissInput

# Fields up to this size are judged against every complete pairing there is.
EVERY_PAIRING_UP_TO = 10


def check_pairing(swiss: SwissInput, pairing: Pairing) -> tuple[str, ...]:
    """One sentence for every fault found; an empty tuple means that the round may be published."""
    known = {entrant.id: entrant for entrant in swiss.entrants}
    faults = list(_misplaced(known, pairing)) + list(_wrong_byes(swiss, pairing))
    if faults:
        return tuple(faults)
    faults += _forbidden(swiss, pairing)
    faults += _miscounted(swiss, known, pairing)
    faults += _avoidable(swiss, known, pairing)
    return tuple(faults)


def _misplaced(known: dict[int, Entrant], pairing: Pairing) -> Iterator[str]:
    seen = Counter(side for pair in pairing.pairs for side in pair)
    seen.update(pairing.byes)
    for strange in sorted(set(seen) - set(known)):
        yield f"Entrant {strange} is paired but not active."
    for missing in sorted(set(known) - set(seen)):
        yield f"Entrant {missing} has neither a match nor a bye."
    for doubled in sorted(entrant for entrant, times in seen.items() if times > 1):
        yield f"Entrant {doubled} is placed {seen[doubled]} times."


def _wrong_byes(swiss: SwissInput, pairing: Pairing) -> Iterator[str]:
    fixed = set(swiss.fixed_byes)
    for lost in sorted(fixed - set(pairing.byes)):
        yield f"Entrant {lost} should have a fixed bye."
    free = len(pairing.byes) - len(fixed & set(pairing.byes))
    odd = (len(swiss.entrants) - len(fixed)) % 2
    if free != odd:
        yield f"{free} pairing byes were given; {odd} would do."


def _forbidden(swiss: SwissInput, pairing: Pairing) -> list[str]:
    barred = {frozenset(pair) for pair in swiss.forbidden}
    return [
        f"Entrants {one} and {other} must not meet."
        for one, other in pairing.pairs
        if frozenset((one, other)) in barred
    ]


def _met(one: Entrant, other: Entrant) -> bool:
    return other.id in one.met or one.id in other.met


def _together(one: Entrant, other: Entrant) -> bool:
    return one.group is not None and one.group == other.group


def _miscounted(swiss: SwissInput, known: dict[int, Entrant], pairing: Pairing) -> list[str]:
    sides = [(known[one], known[other]) for one, other in pairing.pairs]
    fixed = set(swiss.fixed_byes)
    truth: dict[str, object] = {
        "rematches": sum(_met(*pair) for pair in sides),
        "group_pairs": sum(_together(*pair) for pair in sides),
        "pair_downs": sum(one.points != other.points for one, other in sides),
        "second_byes": sum(known[bye].byes > 0 for bye in pairing.byes if bye not in fixed),
    }
    if not swiss.by_standing:
        truth["squared_gap"] = sum(((one.points - other.points) ** 2 for one, other in sides), Fraction(0))
    said = {key: getattr(pairing.report, key) for key in truth}
    return [
        f"The report says {said[key]} for {key.replace('_', ' ')}; it is {value}."
        for key, value in truth.items()
        if said[key] != value
    ]


def _avoidable(swiss: SwissInput, known: dict[int, Entrant], pairing: Pairing) -> list[str]:
    fixed = set(swiss.fixed_byes)
    pool = [known[entrant] for entrant in sorted(set(known) - fixed)]
    barred = {frozenset(pair) for pair in swiss.forbidden}
    if len(pool) <= EVERY_PAIRING_UP_TO:
        return _worse_than_best(pool, barred, known, pairing)
    truth = sum(_met(known[one], known[other]) for one, other in pairing.pairs)
    if truth and _has_complete(_friends(pool, barred)):
        return [f"{truth} rematches, although a complete pairing without one exists."]
    return []


def _worse_than_best(
    pool: Sequence[Entrant], barred: set[frozenset[int]], known: dict[int, Entrant], pairing: Pairing
) -> list[str]:
    sides = [(known[one], known[other]) for one, other in pairing.pairs]
    got = (sum(_met(*pair) for pair in sides), sum(_together(*pair) for pair in sides))
    best = min(_totals(list(pool), barred), default=got)
    if best < got:
        return [
            f"{got[0]} rematches and {got[1]} group pairs, although {best[0]} and {best[1]} are possible."
        ]
    return []


def _totals(left: list[Entrant], barred: set[frozenset[int]]) -> Iterator[tuple[int, int]]:
    if len(left) < 2:
        yield 0, 0
        return
    if len(left) % 2:
        for rest in range(len(left)):
            yield from _totals(left[:rest] + left[rest + 1 :], barred)
        return
    one = left[0]
    for at in range(1, len(left)):
        other = left[at]
        if frozenset((one.id, other.id)) in barred:
            continue
        for rematches, groups in _totals(left[1:at] + left[at + 1 :], barred):
            yield rematches + _met(one, other), groups + _together(one, other)


def _friends(pool: Sequence[Entrant], barred: set[frozenset[int]]) -> list[list[int]]:
    """For each of the pool whom it may newly meet; an odd pool gets the bye as one more vertex."""
    friends = [
        [
            at
            for at, other in enumerate(pool)
            if other.id != one.id and not _met(one, other) and frozenset((one.id, other.id)) not in barred
        ]
        for one in pool
    ]
    if len(pool) % 2:
        for row in friends:
            row.append(len(pool))
        friends.append(list(range(len(pool))))
    return friends


def _has_complete(friends: list[list[int]]) -> bool:
    """Edmonds' blossoms: every vertex can be matched."""
    mate = [-1] * len(friends)
    for vertex in range(len(friends)):
        if mate[vertex] < 0 and not _augment(friends, mate, vertex):
            return False
    return True


def _augment(friends: list[list[int]], mate: list[int], root: int) -> bool:
    parent = [-1] * len(friends)
    base = list(range(len(friends)))
    outer = [False] * len(friends)
    outer[root] = True
    queue = [root]
    for vertex in queue:
        for other in friends[vertex]:
            if base[vertex] == base[other] or mate[vertex] == other:
                continue
            if other == root or (mate[other] >= 0 and parent[mate[other]] >= 0):
                queue += _shrink(vertex, other, mate, parent, base, outer)
            elif parent[other] < 0:
                parent[other] = vertex
                if mate[other] < 0:
                    _flip(other, mate, parent)
                    return True
                outer[mate[other]] = True
                queue.append(mate[other])
    return False


def _flip(end: int, mate: list[int], parent: list[int]) -> None:
    while end >= 0:
        before = parent[end]
        further = mate[before]
        mate[end], mate[before] = before, end
        end = further


def _shrink(
    one: int, other: int, mate: list[int], parent: list[int], base: list[int], outer: list[bool]
) -> list[int]:
    stem = _common_base(one, other, mate, parent, base)
    inside: set[int] = set()
    _mark(one, stem, other, mate, parent, base, inside)
    _mark(other, stem, one, mate, parent, base, inside)
    fresh: list[int] = []
    for vertex in range(len(base)):
        if base[vertex] in inside:
            base[vertex] = stem
            if not outer[vertex]:
                outer[vertex] = True
                fresh.append(vertex)
    return fresh


def _common_base(one: int, other: int, mate: list[int], parent: list[int], base: list[int]) -> int:
    seen: set[int] = set()
    while True:
        one = base[one]
        seen.add(one)
        if mate[one] < 0:
            break
        one = parent[mate[one]]
    while base[other] not in seen:
        other = parent[mate[base[other]]]
    return base[other]


def _mark(
    vertex: int,
    stem: int,
    child: int,
    mate: list[int],
    parent: list[int],
    base: list[int],
    inside: set[int],
) -> None:
    while base[vertex] != stem:
        inside.add(base[vertex])
        inside.add(base[mate[vertex]])
        parent[vertex] = child
        child = mate[vertex]
        vertex = parent[mate[vertex]]
