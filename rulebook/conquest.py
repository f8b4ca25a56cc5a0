"""Riftbound points: what a battlefield scores, and what the last point needs.

Riftbound Core Rules 466 (edition 1.3) and, for teams, 491.8.b and 491.8.g.1 (text 003).
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from rulebook.errors import RuleBroken


class How(StrEnum):
    HOLD = "hold"
    CONQUER = "conquer"


class Gain(StrEnum):
    POINT = "point"
    CARD = "card"
    NOTHING = "nothing"


@dataclass(frozen=True)
class ScoringTurn:
    """One turn of one side: what is in play, what an ally held at its scoring step, what it has scored."""

    points: int
    goal: int
    in_play: frozenset[str]
    held_by_ally: frozenset[str] = frozenset()
    scored: frozenset[str] = frozenset()


def score(turn: ScoringTurn, battlefield: str, how: How) -> tuple[ScoringTurn, Gain]:
    """What scoring `battlefield` gives, and the turn after it.

    Once a turn per side, never where a teammate held it. The last point by conquering needs every other
    battlefield scored this turn but those an ally held; else a card is drawn. Holding may always be last.
    """
    if battlefield not in turn.in_play:
        raise RuleBroken("unknown-battlefield", f"{battlefield} is not in play.", battlefield=battlefield)
    if battlefield in turn.scored | turn.held_by_ally:
        return turn, Gain.NOTHING
    after = replace(turn, scored=turn.scored | {battlefield})
    is_last = turn.points + 1 >= turn.goal
    if how is How.CONQUER and is_last and turn.in_play - turn.held_by_ally - after.scored:
        return after, Gain.CARD
    return replace(after, points=turn.points + 1), Gain.POINT
