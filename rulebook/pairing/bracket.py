"""A bracket in play: who is in which node, who passes without a match, who finished where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rulebook.pairing.elimination import Node, Source, SourceKind


class NodeState(StrEnum):
    """How far a node is: a slot to come is not a bye."""

    WAITING = "waiting"  # a side is not known yet
    READY = "ready"  # both sides are known: a match
    WALKOVER = "walkover"  # one side is nobody, for good
    EMPTY = "empty"  # nobody comes out of it, for good
    DECIDED = "decided"
    UNNEEDED = "unneeded"  # a reset of the grand final that is not played


@dataclass(frozen=True, slots=True)
class Decision:
    """What happened in a node: the winner, or None when both sides lost."""

    winner: int | None


@dataclass(frozen=True, slots=True)
class Slot:
    """One side of a node: known (with its entrant, None for nobody) or still to come."""

    is_known: bool
    entrant: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A node with its sides; in each known pair the better seed is first."""

    node: Node
    slots: tuple[Slot, Slot]
    state: NodeState
    winner: int | None = None
    loser: int | None = None


TO_COME = Slot(False)
NOBODY = Slot(True)


def bracket_of(
    table: Sequence[Node], seeds: Mapping[int, int | None], decisions: Mapping[str, Decision]
) -> dict[str, Place]:
    """Every node with who is in it, by key.

    `seeds` is frozen at the cut: seed to entrant, None for one who left (his opponent passes).
    The outcome does not depend on the order in which results came in.
    """
    places: dict[str, Place] = {}
    order = {entrant: seed for seed, entrant in seeds.items() if entrant is not None}
    for node in table:
        slots = tuple(_slot(source, seeds, places) for source in node.sources)
        places[node.key] = _place(node, _by_seed(slots, order, node), decisions.get(node.key), places)
    return places


def _slot(source: Source, seeds: Mapping[int, int | None], places: Mapping[str, Place]) -> Slot:
    if source.kind is SourceKind.BYE:
        return NOBODY
    if source.kind is SourceKind.SEED:
        return Slot(True, seeds.get(source.seed or 0))
    before = places[source.node or ""]
    if before.state in (NodeState.WAITING, NodeState.READY):
        return TO_COME
    return Slot(True, before.winner if source.kind is SourceKind.WINNER else before.loser)


def _by_seed(slots: tuple[Slot, ...], order: Mapping[int, int], node: Node) -> tuple[Slot, Slot]:
    """The better seed is the first side, except in the grand final, where the undefeated one is."""
    first, second = slots
    if node.bracket == "final" or first.entrant is None or second.entrant is None:
        return first, second
    return (first, second) if order[first.entrant] < order[second.entrant] else (second, first)


def _place(
    node: Node, slots: tuple[Slot, Slot], decision: Decision | None, places: Mapping[str, Place]
) -> Place:
    first, second = slots
    if node.key == "reset" and not _is_needed(places["final"]):
        is_open = places["final"].state in (NodeState.WAITING, NodeState.READY)
        state = NodeState.WAITING if is_open else NodeState.UNNEEDED
        return Place(node, slots, state, places["final"].winner, places["final"].loser)
    if not (first.is_known and second.is_known):
        return Place(node, slots, NodeState.WAITING)
    if first.entrant is None or second.entrant is None:
        alone = first.entrant if second.entrant is None else second.entrant
        state = NodeState.EMPTY if alone is None else NodeState.WALKOVER
        return Place(node, slots, state, alone)
    if decision is None:
        return Place(node, slots, NodeState.READY)
    if decision.winner is None:
        return Place(node, slots, NodeState.DECIDED)
    loser = second.entrant if decision.winner == first.entrant else first.entrant
    return Place(node, slots, NodeState.DECIDED, decision.winner, loser)


def _is_needed(final: Place) -> bool:
    """The side from the losers' bracket won the grand final."""
    return final.state is NodeState.DECIDED and final.winner == final.slots[1].entrant


def final_places(
    places: Mapping[str, Place], seeds: Mapping[int, int | None]
) -> tuple[tuple[int, int, int], ...]:
    """(entrant, first place, last place) of everybody whose place is decided, best first.

    Places come from the bracket alone: those who went out in one round share their places (3-4, 5-8). Two
    finalists who both lost share the first place.
    """
    exits = _exits(places)
    seed_of = {entrant: seed for seed, entrant in seeds.items() if entrant is not None}
    spans = _double_spans(exits, len(seed_of)) if "final" in places else _spans(places, exits, len(seed_of))
    ranked = sorted(spans, key=lambda entrant: (spans[entrant], seed_of[entrant]))
    return tuple((entrant, *spans[entrant]) for entrant in ranked)


def _spans(
    places: Mapping[str, Place], exits: Mapping[int, tuple[int, int]], total: int
) -> dict[int, tuple[int, int]]:
    """Places by the round of the loss: whoever lost a quarterfinal is 5-8, however many did."""
    rounds = max(place.node.round for place in places.values())
    has_winner = any(depth > rounds for depth, _ in exits.values())
    has_third = any(rank for _, rank in exits.values())
    spans: dict[int, tuple[int, int]] = {}
    for entrant, (depth, rank) in exits.items():
        left = 1 << max(rounds - depth, 0)
        first, last = left + 1, min(2 * left, total)
        if depth > rounds or (depth == rounds and not has_winner):
            first, last = 1, 1 if depth > rounds else 2
        elif depth == rounds - 1 and has_third:
            first = last = 3 if rank else 4
        spans[entrant] = (first, last)
    return spans


def _double_spans(exits: Mapping[int, tuple[int, int]], total: int) -> dict[int, tuple[int, int]]:
    """Places counted from the bottom: those who went out in one round share theirs."""
    spans: dict[int, tuple[int, int]] = {}
    worst = total
    for depth in sorted(set(exits.values())):
        group = [entrant for entrant, reached in exits.items() if reached == depth]
        spans.update(dict.fromkeys(group, (worst - len(group) + 1, worst)))
        worst -= len(group)
    return spans


def _exits(places: Mapping[str, Place]) -> dict[int, tuple[int, int]]:
    """How deep each entrant got who plays no more; larger is better, the winner is deepest."""
    main = [place for place in places.values() if place.node.bracket != "third"]
    depth = _depths([place.node for place in main])
    exits: dict[int, tuple[int, int]] = {}
    for place in main:
        has_second_chance = place.node.bracket == "winners" and place.winner is not None
        if place.state is not NodeState.DECIDED or has_second_chance:
            continue
        for slot in place.slots:
            if slot.entrant is not None and slot.entrant != place.winner:
                exits[slot.entrant] = (depth[place.node.key], 0)
    if "reset" in places and places["reset"].state is NodeState.READY:
        for slot in places["reset"].slots:
            exits.pop(slot.entrant or 0, None)
    return _with_podium(places, main, exits, depth)


def _depths(table: Sequence[Node]) -> dict[str, int]:
    """For each node how late a loss in it is, over all brackets."""
    if any(node.bracket == "losers" for node in table):
        order = {"winners": 0, "losers": 1, "final": 1000}
        return {node.key: order[node.bracket] + node.round for node in table}
    return {node.key: node.round for node in table}


def _with_podium(
    places: Mapping[str, Place],
    main: Sequence[Place],
    exits: dict[int, tuple[int, int]],
    depth: Mapping[str, int],
) -> dict[int, tuple[int, int]]:
    last = main[-1]
    over = (NodeState.DECIDED, NodeState.WALKOVER, NodeState.UNNEEDED)
    if last.state in over and last.winner is not None:
        exits[last.winner] = (depth[last.node.key] + 1, 0)
    third = places.get("third")
    if third is not None and third.state in over and third.winner is not None:
        for rank, entrant in ((1, third.winner), (0, third.loser)):
            if entrant is not None and entrant in exits:
                exits[entrant] = (exits[entrant][0], rank)
    return exits
