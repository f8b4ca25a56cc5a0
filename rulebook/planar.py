"""Planar decks: how many cards, how many of them phenomena, no name twice.

Magic Comprehensive Rules 901 (2026-08-07).
"""

from collections import Counter
from collections.abc import Sequence

from rulebook.errors import RuleBroken

OWN_DECK_AT_LEAST = 10
PHENOMENA_OF_OWN_DECK = 2
COMMON_DECK_AT_MOST = 40


def check_planar_deck(names: Sequence[str], *, phenomena: int, players: int, is_common: bool = False) -> None:
    """The deck of one player, or the common one of the table, has enough different cards."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise RuleBroken("same-card-twice", f"{twice[0]} is in the planar deck twice.", card=twice[0])
    needed = min(COMMON_DECK_AT_MOST, OWN_DECK_AT_LEAST * players) if is_common else OWN_DECK_AT_LEAST
    if len(names) < needed:
        raise RuleBroken("wrong-count", f"The planar deck needs {needed} cards or more.", needed=needed)
    most = PHENOMENA_OF_OWN_DECK * players if is_common else PHENOMENA_OF_OWN_DECK
    if phenomena > most:
        raise RuleBroken("too-many-phenomena", f"The planar deck may hold {most} phenomena.", most=most)
