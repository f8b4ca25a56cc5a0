"""Who may act for a team: playing in the open main phase, friendly units, attacks and blocks of a team.

Riftbound Core Rules 316.5.b.1, 491.8.a, 491.8.c, 740.1.a (text 003); Magic 606.7b, 606.7c (text 000).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulebook.leaving import allies
from rulebook.modes import mode_of
from rulebook.terms import Terms
from rulebook.turns import check_seat


@dataclass(frozen=True)
class Ruling:
    is_allowed: bool
    reason: str


def may_play(
    terms: Terms, player: str, *, turn_player: str, priority: str, invited_by: str | None = None
) -> Ruling:
    """May `player` play a spell without speed of its own in the open main phase of `turn_player`."""
    for position in (player, turn_player, priority):
        check_seat(terms, position)
    if player == turn_player:
        allowed = priority == player
        return Ruling(allowed, "It is your turn." if allowed else "Wait until you have priority.")
    if not mode_of(terms.mode).communication.may_act_when_invited:
        return Ruling(False, "Only the player whose turn it is may play it now.")
    if player not in allies(terms, turn_player):
        return Ruling(False, "Opponents cannot play it now.")
    if invited_by is None:
        return Ruling(False, "A teammate has to be invited first.")
    if invited_by != turn_player or priority != turn_player:
        return Ruling(False, "Only the player whose turn it is invites, with the own priority.")
    return Ruling(True, "Your teammate has invited you.")


def is_friendly(terms: Terms, player: str, other: str) -> bool:
    """What `other` controls is friendly to `player`: the own and what teammates control."""
    check_seat(terms, other)
    return other in allies(terms, player)


def controls_for(terms: Terms, player: str, owner: str) -> bool:
    """`player` may hide at, move or otherwise use what `owner` controls: control is never shared."""
    check_seat(terms, player)
    check_seat(terms, owner)
    return player == owner


def can_attack_team(may_attack: Mapping[str, bool]) -> bool:
    """A creature attacks a team only if it may attack each of the defending players."""
    return all(may_attack.values())


def walks_past(land: str, lands: Mapping[str, Iterable[str]]) -> bool:
    """A creature that walks past `land` cannot be blocked when any defending player controls one."""
    return any(land in controlled for controlled in lands.values())
