"""Pairings made by hand: allowed, with warnings."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulebook.errors import RuleBroken
from rulebook.pairing.sentences import points_text
from rulebook.pairing.values import Entrant, SwissInput

Sides = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Caution:
    """What a hand-made match breaks: rematch, group, gap, bye, bye-again or forbidden, and a sentence."""

    code: str
    sentence: str


def swapped(matches: Sequence[Sides], one: int, other: int) -> tuple[Sides, ...]:
    """The matches after two entrants have changed places; a bye is a place too."""
    placed = {side for sides in matches for side in sides}
    if one == other or not {one, other} <= placed:
        raise RuleBroken("cannot-swap", "Choose two different teams that are both in this round.")
    places = {one: other, other: one}
    return tuple(tuple(places.get(side, side) for side in sides) for sides in matches)


def cautions_of(swiss: SwissInput, sides: Sides) -> tuple[Caution, ...]:
    """What a person should know before a match is made by hand: one side is a bye."""
    known = {entrant.id: entrant for entrant in swiss.entrants}
    if len(sides) == 1:
        return _bye_cautions(swiss, known[sides[0]])
    one, other = known[sides[0]], known[sides[1]]
    found: list[Caution] = []
    if {one.id, other.id} in [set(pair) for pair in swiss.forbidden]:
        found.append(Caution("forbidden", "These two must not meet in this tournament."))
    if other.id in one.met or one.id in other.met:
        found.append(Caution("rematch", "These two have met before."))
    if one.group is not None and one.group == other.group:
        found.append(Caution("group", f"Both belong to {one.group}."))
    if one.points != other.points:
        apart = points_text(abs(one.points - other.points))
        found.append(Caution("gap", f"They are {apart} apart."))
    return tuple(found)


def _bye_cautions(swiss: SwissInput, resting: Entrant) -> tuple[Caution, ...]:
    found: list[Caution] = []
    if resting.byes:
        found.append(Caution("bye-again", "This team has had a bye before."))
    lower = [
        entrant for entrant in swiss.entrants if entrant.byes <= resting.byes and entrant.rank > resting.rank
    ]
    if lower:
        found.append(Caution("bye", f"{len(lower)} lower teams have not had more byes."))
    return tuple(found)
