"""The only place that knows the matching library: exact minimum-cost perfect matchings of small graphs."""

from collections.abc import Iterable
from typing import Any

import rustworkx

Edge = tuple[int, int, int]


def cheapest_perfect_matching(count: int, edges: Iterable[Edge]) -> list[tuple[int, int]] | None:
    """The perfect matching of nodes 0..count-1 with the least cost, sorted, or None."""
    listed = list(edges)
    if not listed:
        return [] if count == 0 else None
    top = max(cost for _, _, cost in listed)
    graph: Any = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * count)
    # With max_cardinality the number of edges is fixed, so weighing by what is saved is exact.
    graph.add_edges_from([(first, second, top + 1 - cost) for first, second, cost in listed])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < count:
        return None
    # The library returns a set in another order in each process; sorted, it can be replayed.
    return sorted((min(pair), max(pair)) for pair in found)
