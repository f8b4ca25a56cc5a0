"""Teams at the table: who sits in which seat, until when seats may change, and who replaces whom."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rulebook.errors import RuleBroken
from rulebook.modes import Mode
from rulebook.modes.blanks import Seating


class SeatsOpen(StrEnum):
    """Until when the seats of a team may change."""

    UNTIL_FIRST_PAIRING = "until-first-pairing"
    UNTIL_GAME_ONE = "until-game-one"


class Edge(StrEnum):
    """An edge of the table, seen from its first side."""

    NEAR = "near"
    LEFT = "left"
    FAR = "far"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class ChairAt:
    """One chair: side and label of who sits there, its edge of the table, and its place on it from the left
    (of `among` chairs), seen from the first side."""

    side: int
    label: str
    edge: Edge
    place: int = 0
    among: int = 1

    @property
    def code(self) -> str:
        return f"{self.side}{self.label}"


@dataclass(frozen=True)
class LineUp:
    """Who sits where in one match, frozen with the match: later changes leave it alone."""

    seats: tuple[tuple[str, int], ...]

    def player(self, label: str) -> int:
        """The player in seat `label`."""
        for seat, player in self.seats:
            if seat == label:
                return player
        raise RuleBroken("unknown-seat", f"The team has no seat {label!r}.", seat=label)


AROUND = (Edge.NEAR, Edge.LEFT, Edge.FAR, Edge.RIGHT)


def chairs_at(sides: int, labels: Sequence[str], boards: Sequence[str] = ("",)) -> tuple[ChairAt, ...]:
    """Where everybody sits: teammates side by side, each from left to right in the order of the labels as the
    team itself sees it; opponents of a board face each other; more than two sides sit clockwise around."""
    if sides == 2:
        return _edge(1, labels, Edge.NEAR) + _edge(2, _facing(labels, boards), Edge.FAR)
    chairs: list[ChairAt] = []
    for side in range(1, sides + 1):
        at = side - 1
        if sides > len(AROUND) and at in (2, 3):
            # Five around a table: two of them share the far edge.
            chairs.append(ChairAt(side, labels[0], Edge.FAR, at - 2, 2))
        else:
            chairs.append(ChairAt(side, labels[0], AROUND[min(at, len(AROUND) - 1)]))
    return tuple(chairs)


def _facing(labels: Sequence[str], boards: Sequence[str]) -> Sequence[str]:
    """From the far side A is on the right, unless A plays against A."""
    return labels if len(boards) > 1 else tuple(reversed(labels))


def _edge(side: int, labels: Sequence[str], edge: Edge) -> tuple[ChairAt, ...]:
    return tuple(ChairAt(side, label, edge, at, len(labels)) for at, label in enumerate(labels))


def check_team(mode: Mode, seats: Sequence[tuple[str, int]]) -> LineUp:
    """Every seat of the mode taken once, by different players; otherwise `RuleBroken` says which is wrong."""
    labels = Counter(label for label, _ in seats)
    for label, count in labels.items():
        if label not in mode.labels:
            known = ", ".join(mode.labels)
            raise RuleBroken("unknown-seat", f"{mode.name} has no seat {label!r}, only {known}.", seat=label)
        if count > 1:
            raise RuleBroken("seat-taken", f"Seat {label} is taken twice. Choose another one.", seat=label)
    players = Counter(player for _, player in seats)
    twice = [player for player, count in players.items() if count > 1]
    if twice:
        raise RuleBroken("player-twice", "A player sits in one seat of a team only.", player=twice[0])
    missing = [label for label in mode.labels if label not in labels]
    if missing:
        raise RuleBroken("team-incomplete", f"Seat {missing[0]} is empty. Fill it first.", missing=missing)
    order = {label: at for at, label in enumerate(mode.labels)}
    return LineUp(tuple(sorted(seats, key=lambda seat: order[seat[0]])))


def seats_open(mode: Mode) -> SeatsOpen:
    """Seats are fixed by the first pairing, or in some modes chosen anew before each match."""
    if mode.seating is Seating.PER_MATCH:
        return SeatsOpen.UNTIL_GAME_ONE
    return SeatsOpen.UNTIL_FIRST_PAIRING


def swap_seats(
    mode: Mode, line_up: LineUp, one: str, other: str, *, has_been_paired: bool, game_one_started: bool
) -> LineUp:
    """The players of the two seats change places, while the mode still lets them."""
    until = seats_open(mode)
    if until is SeatsOpen.UNTIL_FIRST_PAIRING and has_been_paired:
        raise RuleBroken("seats-fixed", "Seats are fixed once the team has been paired.", until=until)
    if game_one_started:
        raise RuleBroken(
            "seats-fixed", "Seats are fixed once game one of the match has started.", until=until
        )
    swapped = {one: line_up.player(other), other: line_up.player(one)}
    return LineUp(tuple((label, swapped.get(label, player)) for label, player in line_up.seats))


def replace_player(
    mode: Mode,
    line_up: LineUp,
    label: str,
    reserve: int,
    *,
    reserves: Sequence[int],
    announced: int | None = None,
) -> LineUp:
    """A reserve plays from now on; line-ups of earlier matches are other values and keep their names.

    A team has as many as the mode allows, or as the organizer `announced`.
    """
    allowed = mode.reserves if announced is None else announced
    if allowed < 1:
        raise RuleBroken("no-reserves", f"{mode.name} is played here without reserves.", mode=mode.key)
    if len(reserves) > allowed:
        raise RuleBroken("too-many-reserves", f"A team may name {allowed} reserves at most.", allowed=allowed)
    if reserve not in reserves:
        raise RuleBroken("not-a-reserve", "Only a registered reserve can take a seat.", player=reserve)
    line_up.player(label)
    seats = [(seat, reserve if seat == label else player) for seat, player in line_up.seats]
    return check_team(mode, seats)


def split_by_hand(mode: Mode, players: Sequence[int], teams: Mapping[int, int]) -> Mapping[int, int]:
    """A hand-made assignment of players to teams that leaves no team too big or too small."""
    missing = [player for player in players if player not in teams]
    if missing:
        raise RuleBroken("team-missing", "Assign every player to a team.", players=missing)
    for team, size in Counter(teams[player] for player in players).items():
        if size != mode.players_per_side:
            raise RuleBroken(
                "wrong-team-size",
                f"Team {team} has {size} players; {mode.name} needs {mode.players_per_side}.",
                team=team,
                size=size,
            )
    return dict(teams)
