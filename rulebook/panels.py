"""What the table tracker shows and offers in a mode: a panel for each total, derived from the mode record."""

from dataclasses import dataclass

from rulebook.modes.blanks import Direction, Holder
from rulebook.tracker import Table, Tap
from rulebook.tracks import EntryKind, beaten
from rulebook.turns import side_of


@dataclass(frozen=True)
class Button:
    """One tap that is offered; without an `amount` it is asked for, without `ready` a rule forbids it now."""

    tap: Tap
    amount: int | None = None
    source: str = ""
    ready: bool = True


@dataclass(frozen=True)
class Panel:
    """What one side, or one player where each has a total of his own, shows and may tap."""

    side: int
    position: str
    seats: tuple[str, ...]
    total: int
    goal: int | None
    is_active: bool
    is_out: bool
    poison: tuple[int, int] | None
    damage: tuple[tuple[str, int], ...]
    buttons: tuple[Button, ...]
    more: tuple[Button, ...]


def panels(table: Table) -> tuple[Panel, ...]:
    """One panel for each total at the table, in the order of the sides."""
    shown: dict[tuple[str, ...], str] = {}
    for position in sorted(table.sheet.positions):
        shown.setdefault(table.sheet.sharing(position), position)
    lost = set(beaten(table.sheet))
    return tuple(_panel(table, position, seats, lost) for seats, position in shown.items())


def _panel(table: Table, position: str, seats: tuple[str, ...], lost: set[str]) -> Panel:
    track, sheet = table.sheet.track, table.sheet
    climbs = track.direction is Direction.CLIMBS
    damage = [(s, n) for p in seats for s, n in sheet.commander_damage(p).items() if n]
    return Panel(
        side=side_of(position),
        position=position,
        seats=tuple(sorted(seats)),
        total=sheet.total(position),
        goal=track.goal if climbs else None,
        is_active=bool(table.battlefields) and table.active in seats,
        is_out=bool(lost & set(seats)),
        poison=(sheet.poison(position), track.poison) if track.poison is not None else None,
        damage=tuple(damage),
        buttons=_points(table, position) if climbs else _LIFE,
        more=_more(table, position),
    )


_LIFE = tuple(Button(Tap.SCORE, amount) for amount in (-1, -5, 1, 5))


def _points(table: Table, position: str) -> tuple[Button, ...]:
    """A battlefield may be held or conquered by the side whose turn it is; other points are in the fold."""
    if not table.battlefields:
        return (Button(Tap.SCORE, 1), Button(Tap.SCORE, -1))
    if side_of(position) != side_of(table.active) or (
        table.sheet.track.holder is Holder.PLAYER and (position != table.active)
    ):
        return ()
    scored = _spent(table, position)
    return tuple(
        Button(tap, None, b, b not in scored) for b in table.battlefields for tap in (Tap.HOLD, Tap.CONQUER)
    )


def _more(table: Table, position: str) -> tuple[Button, ...]:
    track = table.sheet.track
    own = side_of(position) == side_of(table.active)
    found: list[Button] = []
    if track.direction is Direction.CLIMBS:
        if table.battlefields:
            found += [Button(Tap.SCORE, 1), Button(Tap.SCORE, -1)]
            scored = _spent(table, position)
            again = Tap.ALLY if own else Tap.CONQUER
            if not own or len(table.terms.labels) > 1:
                found += [Button(again, None, b, b not in scored) for b in table.battlefields]
        return tuple(found)
    if track.poison is not None:
        found += [Button(Tap.POISON, 1), Button(Tap.POISON, -1)]
    for kind in (Tap.CANNOT_GAIN, Tap.CANNOT_LOSE):
        is_on = table.sheet.is_banned(position, EntryKind(kind.value))
        found.append(Button(kind, -1 if is_on else 1))
    if track.commander_damage is not None:
        others = (p for p in table.sheet.positions if side_of(p) != side_of(position))
        found += [Button(Tap.COMMANDER, amount, p) for p in sorted(others) for amount in (1, -1)]
    return tuple(found)


def _spent(table: Table, position: str) -> frozenset[str]:
    """The battlefields that give the side of `position` nothing more this turn."""
    side = side_of(position)
    scored = frozenset(b for one, b in table.scored if one == side)
    return scored | table.held_by_ally if side == side_of(table.active) else scored
