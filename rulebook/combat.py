"""Riftbound combat is between exactly two players: who may move or play a unit where.

Riftbound Core Rules 464 and 449.2.b (text 003).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulebook.errors import RuleBroken
from rulebook.terms import Terms
from rulebook.turns import chair_codes, check_seat, side_of


@dataclass(frozen=True)
class Field:
    """One battlefield: who has units there, and between whom a combat is staged or fought."""

    units: frozenset[str] = frozenset()
    combat: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Board:
    terms: Terms
    fields: Mapping[str, Field] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """`instead` is where a unit that may not be played there goes."""

    is_allowed: bool
    reason: str = ""
    instead: str | None = None


def may_enter(board: Board, player: str, battlefield: str, *, by_playing: bool = False) -> Answer:
    """May units of `player` move to `battlefield`, or be played there."""
    check_seat(board.terms, player)
    if battlefield not in board.fields:
        raise RuleBroken("unknown-battlefield", f"{battlefield} is not in play.", battlefield=battlefield)
    there = board.fields[battlefield]
    for position in there.units | there.combat:
        check_seat(board.terms, position)
    reason = _reason(board, player, there, by_playing=by_playing)
    if not reason:
        return Answer(True)
    return Answer(False, reason, "base" if by_playing else None)


def _reason(board: Board, player: str, there: Field, *, by_playing: bool) -> str:
    others = there.units - {player}
    crowded = len(chair_codes(board.terms)) > 2
    if crowded and there.combat and player not in there.combat | there.units:
        return "A combat of two others is staged or fought there."
    if not by_playing and any(side_of(other) == side_of(player) for other in others):
        return "A teammate holds it."
    meets_opponents = any(side_of(other) != side_of(player) for other in others)
    if meets_opponents and len(others) > 1:
        return "A combat of more than two players would follow."
    return ""
