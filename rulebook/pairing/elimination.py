"""Single elimination as a declarative table: who meets whom is named by seeds and by earlier nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rulebook.errors import RuleBroken


class SourceKind(StrEnum):
    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class Source:
    """Where one side of a node comes from: a seed, the winner or loser of a node, or nobody (a bye)."""

    kind: SourceKind
    seed: int | None = None
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One place for a match in a bracket, known by its key before anybody is in it."""

    key: str
    round: int
    sources: tuple[Source, Source]
    bracket: str = "main"
    number: int = 1

    @property
    def has_bye(self) -> bool:
        """One side is nobody, so the other one passes without a match."""
        return any(source.kind is SourceKind.BYE for source in self.sources)


BYE = Source(SourceKind.BYE)


def seed_order(size: int) -> tuple[int, ...]:
    """Seeds from the top of the bracket to its bottom, so that 1 and 2 meet only in the final (MTR 10.4)."""
    if size < 2 or size & (size - 1):
        raise RuleBroken("bracket-size", f"A bracket has 2, 4, 8, 16, ... places, not {size}.", size=size)
    order = [1]
    while len(order) < size:
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    return tuple(order)


# Draft playoff by the seats of the draft: 1-5, 3-7, 2-6, 4-8, and the winners of neighbours meet (MTR 10.4).
DRAFT_ORDER: tuple[int, ...] = (1, 5, 3, 7, 2, 6, 4, 8)


def bracket_size(entrants: int) -> int:
    """The smallest full bracket that holds so many entrants."""
    if entrants < 2:
        raise RuleBroken("not-enough-entrants", "A bracket needs at least two teams.", entrants=entrants)
    return 1 << (entrants - 1).bit_length()


def nodes(
    entrants: int, *, third_place: bool = False, order: Sequence[int] | None = None
) -> tuple[Node, ...]:
    """Every node of a single-elimination bracket, first round first; the top seeds meet the byes."""
    size = bracket_size(entrants)
    places = tuple(order) if order is not None else seed_order(size)
    if sorted(places) != list(range(1, size + 1)):
        raise RuleBroken("seed-order", f"The order must name each of the seeds 1 to {size} once.", size=size)
    table = list(_first_round(places, entrants))
    last = table
    while len(last) > 1:
        last = list(_next_round(last))
        table += last
    if third_place and entrants > 3:
        table.append(_third_place(table))
    return tuple(table)


def round_name(round_number: int, rounds: int) -> str:
    """The name of a round of so many: Final, Semifinals, Quarterfinals, Round of 16, ..."""
    left = rounds - round_number
    named = {0: "Final", 1: "Semifinals", 2: "Quarterfinals"}
    return named.get(left, f"Round of {2 ** (left + 1)}")


def rounds_of(entrants: int) -> int:
    """How many rounds a single-elimination bracket of so many entrants takes."""
    return bracket_size(entrants).bit_length() - 1


def _first_round(places: Sequence[int], entrants: int) -> list[Node]:
    sources = [Source(SourceKind.SEED, seed=seed) if seed <= entrants else BYE for seed in places]
    return [
        Node(f"r1m{number}", 1, (sources[2 * number - 2], sources[2 * number - 1]), number=number)
        for number in range(1, len(places) // 2 + 1)
    ]


def _next_round(last: Sequence[Node]) -> list[Node]:
    number_of_round = last[0].round + 1
    return [
        Node(
            f"r{number_of_round}m{index // 2 + 1}",
            number_of_round,
            (_passing(last[index]), _passing(last[index + 1])),
            number=index // 2 + 1,
        )
        for index in range(0, len(last), 2)
    ]


def _passing(node: Node) -> Source:
    return Source(SourceKind.WINNER, node=node.key)


def _third_place(table: Sequence[Node]) -> Node:
    final = table[-1]
    first, second = (Source(SourceKind.LOSER, node=source.node) for source in final.sources)
    return Node("third", final.round, (first, second), bracket="third", number=2)
