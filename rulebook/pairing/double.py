"""Double elimination as a declarative table: a second loss is out, the grand final may be played again."""

from collections.abc import Sequence

from rulebook.pairing.elimination import BYE, Node, Source, SourceKind, bracket_size, nodes

WINNERS, LOSERS, FINAL = "winners", "losers", "final"


def double_nodes(entrants: int, *, has_reset: bool = True) -> tuple[Node, ...]:
    """Winners' bracket, losers' bracket, grand final, and its reset when the undefeated side loses it.

    The node "reset" is played only if the second side of "final" (from the losers' bracket) won.
    """
    upper = [_in_winners(node) for node in nodes(entrants)]
    rounds = bracket_size(entrants).bit_length() - 1
    lower = _losers(upper, rounds)
    champion = Source(SourceKind.WINNER, node=upper[-1].key)
    challenger = _challenger(upper, lower)
    final = Node("final", 1, (champion, challenger), FINAL)
    table = [*upper, *lower, final]
    if has_reset:
        again = (Source(SourceKind.LOSER, node="final"), Source(SourceKind.WINNER, node="final"))
        table.append(Node("reset", 2, again, FINAL))
    return tuple(table)


def needs_reset(final_winner_side: int) -> bool:
    """The undefeated side (index 0) lost the grand final, so both have lost once."""
    return final_winner_side == 1


def _in_winners(node: Node) -> Node:
    sources = tuple(
        Source(source.kind, source.seed, f"w{source.node[1:]}" if source.node else None)
        for source in node.sources
    )
    return Node(f"w{node.key[1:]}", node.round, (sources[0], sources[1]), WINNERS, node.number)


def _challenger(upper: Sequence[Node], lower: Sequence[Node]) -> Source:
    if lower:
        return Source(SourceKind.WINNER, node=lower[-1].key)
    return Source(SourceKind.LOSER, node=upper[-1].key)


def _losers(upper: Sequence[Node], rounds: int) -> list[Node]:
    """Each loser of the winners' bracket drops in, turned round so that old opponents meet late."""
    if rounds < 2:
        return []
    waiting = [_loser(node) for node in upper if node.round == 1]
    table: list[Node] = []
    number = 0
    for upper_round in range(2, rounds + 1):
        number += 1
        waiting = _play(table, number, list(zip(waiting[::2], waiting[1::2], strict=True)))
        dropping = [_loser(node) for node in upper if node.round == upper_round]
        number += 1
        waiting = _play(table, number, list(zip(_turned(dropping, upper_round), waiting, strict=True)))
    return table


def _turned(dropping: list[Source], upper_round: int) -> list[Source]:
    if upper_round % 2 == 0:
        return dropping[::-1]
    half = len(dropping) // 2
    return dropping[half:] + dropping[:half]


def _loser(node: Node) -> Source:
    """A match that is a bye has no loser, so its place below is a bye as well."""
    return BYE if node.has_bye else Source(SourceKind.LOSER, node=node.key)


def _play(table: list[Node], number: int, pairs: list[tuple[Source, Source]]) -> list[Source]:
    """The nodes of one losers' round are added; two byes make no node and pass on as a bye."""
    passing: list[Source] = []
    for at, pair in enumerate(pairs, start=1):
        if pair[0] == pair[1] == BYE:
            passing.append(BYE)
            continue
        node = Node(f"l{number}m{at}", number, pair, LOSERS, at)
        table.append(node)
        passing.append(Source(SourceKind.WINNER, node=node.key))
    return passing
