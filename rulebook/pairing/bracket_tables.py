"""Every kind of bracket as one table: where each side of a match comes from, in which wave it is played,
and which place is left to those who go out in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rulebook.errors import RuleBroken
from rulebook.pairing.double import FINAL, LOSERS, WINNERS, double_nodes
from rulebook.pairing.elimination import (
    DRAFT_ORDER,
    Node,
    Source,
    SourceKind,
    nodes,
    round_name,
    rounds_of,
)
from rulebook.pairing.playoff_pods import POD, first_round, pods_by_round

PODS, THIRD = "pods", "third"


class BracketKind(StrEnum):
    """How an elimination is played."""

    SINGLE = "single"
    THIRD_PLACE = "third-place"
    DRAFT = "draft"
    DOUBLE = "double"
    PODS = "pods"


@dataclass(frozen=True, slots=True)
class Spot:
    """One match of a bracket, or one lone seed that waits.

    `wave` is the round of the stage it is played in. `out` is the best place of those who go out here; `top`
    is the place of the winner when nothing follows. A loser `goes_on` when a later spot waits for him.
    """

    key: str
    wave: int
    sources: tuple[Source, ...]
    label: str
    bracket: str
    out: int
    top: int | None = None
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class BracketTable:
    """The spots, first wave first; `waves` are their names. The last wave of a double elimination, the reset
    of its final, is played only when the undefeated side loses the final."""

    spots: tuple[Spot, ...]
    waves: tuple[str, ...]
    has_reset: bool = False

    @property
    def planned(self) -> int:
        """How many waves are played at least."""
        return len(self.waves) - self.has_reset


@lru_cache(maxsize=64)
def bracket_table(kind: BracketKind | str, entrants: int) -> BracketTable:
    """The whole bracket for so many seeds; RuleBroken when that kind cannot be played by so many."""
    chosen = BracketKind(kind)
    if chosen is BracketKind.PODS:
        return _pods(entrants)
    if chosen is BracketKind.DOUBLE:
        return _double(entrants)
    if chosen is BracketKind.DRAFT and entrants != len(DRAFT_ORDER):
        raise RuleBroken(
            "wrong-cut", f"A draft playoff is played by {len(DRAFT_ORDER)} teams, not by {entrants}."
        )
    order = DRAFT_ORDER if chosen is BracketKind.DRAFT else None
    return _single(entrants, chosen is BracketKind.THIRD_PLACE, order)


def _single(entrants: int, third_place: bool, order: Sequence[int] | None) -> BracketTable:
    rounds = rounds_of(entrants)
    table = nodes(entrants, third_place=third_place, order=order)
    waited = _waited_for(table)
    spots = [
        Spot(
            key=node.key,
            wave=node.round,
            sources=node.sources,
            label="Third place" if node.bracket == THIRD else match_name(node.round, node.number, rounds),
            bracket=node.bracket,
            out=4 if node.bracket == THIRD else 2 ** (rounds - node.round) + 1,
            top={rounds: 3 if node.bracket == THIRD else 1}.get(node.round),
            goes_on=node.key in waited,
        )
        for node in table
    ]
    return BracketTable(tuple(spots), tuple(round_name(number, rounds) for number in range(1, rounds + 1)))


def match_name(number: int, match: int, rounds: int) -> str:
    """Semifinal 1, or Round of 16, match 3; the final needs no number."""
    name = round_name(number, rounds)
    if name == "Final":
        return name
    return f"{name[:-1]} {match}" if name.endswith("s") else f"{name}, match {match}"


def _double(entrants: int) -> BracketTable:
    table = double_nodes(entrants)
    waves = _waves(table)
    outs = _double_outs(table)
    last = {bracket: max((n.round for n in table if n.bracket == bracket), default=0) for bracket in _NAMES}
    spots = [
        Spot(
            key=node.key,
            wave=waves[node.key],
            sources=node.sources,
            label=_double_label(node, last[node.bracket]),
            bracket=node.bracket,
            out=outs[node.key],
            top=1 if node.bracket == FINAL else None,
            goes_on=node.bracket == WINNERS or node.key == "final",
        )
        for node in table
    ]
    names = []
    for wave in range(1, max(waves.values()) + 1):
        rounds = {(n.bracket, n.round): None for n in table if waves[n.key] == wave}
        parts = [_double_round(bracket, number, last[bracket]) for bracket, number in rounds]
        names.append(" and ".join([parts[0], *(part[0].lower() + part[1:] for part in parts[1:])]))
    return BracketTable(tuple(spots), tuple(names), has_reset=True)


_NAMES = {WINNERS: "Winners", LOSERS: "Losers", FINAL: "Grand final"}


def _double_round(bracket: str, number: int, last: int) -> str:
    if bracket == FINAL:
        return "Grand final" if number == 1 else "Grand final, second match"
    return f"{_NAMES[bracket]} final" if number == last else f"{_NAMES[bracket]} round {number}"


def _double_label(node: Node, last: int) -> str:
    name = _double_round(node.bracket, node.round, last)
    return name if node.bracket == FINAL or node.round == last else f"{name}, match {node.number}"


def _waves(table: Sequence[Node]) -> dict[str, int]:
    """Each match as early as its sides can be known."""
    waves: dict[str, int] = {}
    for node in table:
        waves[node.key] = 1 + max(waves.get(source.node or "", 0) for source in node.sources)
    return waves


def _double_outs(table: Sequence[Node]) -> dict[str, int]:
    """A place in the losers' bracket lies under all who go out later; who leaves the winners' bracket for
    good has the place of those who lose where he was waited for."""
    lower = [node for node in table if node.bracket == LOSERS]
    outs = {node.key: 2 for node in table if node.bracket == FINAL}
    for node in lower:
        outs[node.key] = 3 + sum(not other.has_bye for other in lower if other.round > node.round)
    waited = _waited_for(table)
    return outs | {node.key: outs.get(waited.get(node.key, ""), 3) for node in table if node.key not in outs}


def _waited_for(table: Sequence[Node]) -> dict[str, str]:
    """By node, the later one that waits for its loser."""
    return {
        source.node: node.key
        for node in table
        for source in node.sources
        if source.kind is SourceKind.LOSER and source.node
    }


def _pods(entrants: int) -> BracketTable:
    """Pods of seeds, then of winners in the order of their seeds; who waits is alone in the first wave."""
    first = first_round(entrants)
    counts = pods_by_round(entrants)
    names = [f"Top {size} pods" for size in (entrants, *(POD * count for count in counts[1:]))]
    names[-1] = "Final pod"
    groups = [*first.pods, *((seed,) for seed in first.waiting)]
    spots = []
    for at, group in enumerate(groups, 1):
        sources = tuple(Source(SourceKind.SEED, seed=seed) for seed in group)
        is_pod = len(group) > 1
        label = _pod_label(names[0], at, counts[0]) if is_pod else f"Seed {group[0]} waits"
        spots.append(_pod_spot(f"r1m{at}", 1, sources, label, counts))
    for wave, count in enumerate(counts[1:], 2):
        sources = (Source(SourceKind.WINNER),) * POD
        spots += [
            _pod_spot(f"r{wave}m{at}", wave, sources, _pod_label(names[wave - 1], at, count), counts)
            for at in range(1, count + 1)
        ]
    return BracketTable(tuple(spots), tuple(names))


def _pod_spot(key: str, wave: int, sources: tuple[Source, ...], label: str, counts: Sequence[int]) -> Spot:
    is_last = wave == len(counts)
    out = 2 if is_last else POD * counts[wave] + 1
    return Spot(key, wave, sources, label, PODS, out, top=1 if is_last else None)


def _pod_label(name: str, at: int, count: int) -> str:
    return name if count == 1 else f"{name}, pod {at}"
