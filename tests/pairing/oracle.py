"""What is best, found slowly and apart from the engine: dense matching, and every complete pairing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import networkx  # type: ignore[import-untyped]
import rustworkx

from rulebook.pairing.values import Entrant, Pairing, SwissInput

Cost = tuple[int, int, int, Fraction]


def have_met(one: Entrant, other: Entrant) -> bool:
    """The two have played each other."""
    return other.id in one.met


def are_grouped(one: Entrant, other: Entrant) -> bool:
    """The two share a restricted group."""
    return one.group is not None and one.group == other.group


def bye_claims(entrants: Sequence[Entrant]) -> dict[int, int]:
    """How many have a better claim to the bye, by id (ranks must differ)."""
    ordered = sorted(entrants, key=lambda entrant: (entrant.byes, entrant.bye_last, -entrant.rank))
    return {entrant.id: claim for claim, entrant in enumerate(ordered)}


def pool_of(swiss: SwissInput) -> list[Entrant]:
    """Those without a fixed bye."""
    return [entrant for entrant in swiss.entrants if entrant.id not in swiss.fixed_byes]


def cost_of(swiss: SwissInput, pairing: Pairing) -> Cost:
    """Rematches, group pairs, claims passed over for the bye, squared gap."""
    pool = pool_of(swiss)
    known = {entrant.id: entrant for entrant in pool}
    claims = bye_claims(pool)
    pairs = [(known[one], known[other]) for one, other in pairing.pairs]
    resting = [bye for bye in pairing.byes if bye not in swiss.fixed_byes]
    return (
        sum(have_met(*pair) for pair in pairs),
        sum(are_grouped(*pair) for pair in pairs),
        sum(claims[bye] for bye in resting),
        sum(((one.points - other.points) ** 2 for one, other in pairs), Fraction(0)),
    )


def best_cost(swiss: SwissInput, library: str = "rustworkx") -> Cost:
    """The least cost by one dense matching of the whole field."""
    pool = pool_of(swiss)
    claims = bye_claims(pool)
    unit = lcm(*(entrant.points.denominator for entrant in pool))
    count = len(pool) + 1
    span = max(e.points for e in pool) - min(e.points for e in pool)
    gap_level = int((span * unit) ** 2) * count + 1
    group_level = gap_level * (count + 1)
    costs: dict[tuple[int, int], int] = {}
    for at, one in enumerate(pool):
        for before, other in enumerate(pool[:at]):
            cost = int(((one.points - other.points) * unit) ** 2)
            cost += group_level * are_grouped(one, other)
            costs[before, at] = cost + group_level * count * have_met(one, other)
        if len(pool) % 2:
            costs[at, len(pool)] = gap_level * claims[one.id]
    found = LIBRARIES[library](costs)
    total = sum(costs[min(pair), max(pair)] for pair in found)
    rematches, rest = divmod(total, group_level * count)
    groups, rest = divmod(rest, group_level)
    passed, gap = divmod(rest, gap_level)
    return rematches, groups, passed, Fraction(gap, unit * unit)


def by_networkx(costs: Mapping[tuple[int, int], int]) -> Iterable[tuple[int, int]]:
    """The cheapest perfect matching by a library that the engine does not use."""
    graph = networkx.Graph()
    graph.add_weighted_edges_from((*pair, cost) for pair, cost in costs.items())
    matching: Iterable[tuple[int, int]] = networkx.min_weight_matching(graph)
    return matching


def by_rustworkx(costs: Mapping[tuple[int, int], int]) -> Iterable[tuple[int, int]]:
    """The same, thirty times faster."""
    graph: Any = rustworkx.PyGraph()
    graph.add_nodes_from(range(1 + max(pair[1] for pair in costs)))
    graph.add_edges_from([(*pair, -cost) for pair, cost in costs.items()])
    return rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


LIBRARIES: Mapping[str, Callable[[Mapping[tuple[int, int], int]], Iterable[tuple[int, int]]]] = {
    "networkx": by_networkx,
    "rustworkx": by_rustworkx,
}


def every_pairing(entrants: Sequence[Entrant]) -> Iterator[tuple[list[tuple[int, int]], int | None]]:
    """Every complete pairing of the entrants with the bye, if any."""
    if len(entrants) % 2:
        for at, resting in enumerate(entrants):
            for pairs, _ in every_pairing([*entrants[:at], *entrants[at + 1 :]]):
                yield pairs, resting.id
        return
    if not entrants:
        yield [], None
        return
    one = entrants[0]
    for at in range(1, len(entrants)):
        for pairs, bye in every_pairing([*entrants[1:at], *entrants[at + 1 :]]):
            yield [(one.id, entrants[at].id), *pairs], bye


def fewest_rematches(entrants: Sequence[Entrant]) -> int:
    """The least number of rematches over every complete pairing there is."""
    return _fewest(tuple(entrants), {})


def _fewest(left: tuple[Entrant, ...], known: dict[tuple[Entrant, ...], int]) -> int:
    if len(left) < 2:
        return 0
    if left not in known:
        rest = left[1:]
        options = [
            have_met(left[0], other) + _fewest((*rest[:at], *rest[at + 1 :]), known)
            for at, other in enumerate(rest)
        ]
        if len(left) % 2:
            options.append(_fewest(rest, known))
        known[left] = min(options)
    return known[left]
