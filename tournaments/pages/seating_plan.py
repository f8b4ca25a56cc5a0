"""Tables and chairs as they are drawn: numbers for a picture, no picture yet."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulebook.seating import ChairAt, Edge, chairs_at
from tournaments.pages.sheets import TableRow

# One table of the map with the gap to its neighbours.
WIDE, HIGH, CHAIR = 110, 104, 11
# From one row to the next, with the aisle between them.
ROW = 132
# The table of the plan.
PLAN_WIDE, PLAN_HIGH, LONGEST = 400, 250, 21


@dataclass(frozen=True, slots=True)
class DrawnChair:
    """A chair at a point of the drawing; `name` is who sits there, shortened to what has room."""

    x: int
    y: int
    side: int
    label: str
    code: str
    name: str = ""
    words: str = ""
    below: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """One table seen from above."""

    chairs: tuple[DrawnChair, ...]
    table: int | None
    sentence: str
    wide: int = PLAN_WIDE
    high: int = PLAN_HIGH


@dataclass(frozen=True, slots=True)
class MapTable:
    """One table of the hall: where it stands in the drawing, who sits there."""

    number: int
    x: int
    y: int
    chairs: tuple[DrawnChair, ...] = ()
    match_id: int | None = None
    names: str = ""
    is_wanted: bool = False
    is_feature: bool = False


@dataclass(frozen=True, slots=True)
class HallMap:
    """The tables in use, row by row."""

    tables: tuple[MapTable, ...]
    rows: tuple[tuple[int, ...], ...]
    wide: int
    high: int


def plan_of(row: TableRow, boards: Sequence[str]) -> Plan:
    """Every chair of the match with its side, its label and who sits there."""
    labels = _labels(row)
    names = {
        f"{side.number}{member.label}": member.name for side in row.sides for member in side.card.members
    }
    chairs = tuple(
        _chair(chair, *_at_plan(chair), names.get(chair.code, ""))
        for chair in chairs_at(len(row.sides), labels, boards)
    )
    return Plan(chairs, row.table, _sentence(len(row.sides), labels, boards))


def map_of(
    rows: Sequence[Sequence[int]],
    matches: dict[int, TableRow],
    boards: Sequence[str],
    *,
    wanted: int | None,
    feature: int | None,
) -> HallMap:
    """Every table of the rows; those of the round have their chairs."""
    tables = tuple(
        _table(
            number, at * WIDE, down * ROW, matches.get(number), boards, number == wanted, number == feature
        )
        for down, row in enumerate(rows)
        for at, number in enumerate(row)
    )
    return HallMap(tables, tuple(map(tuple, rows)), max(map(len, rows), default=1) * WIDE, len(rows) * ROW)


def _table(
    number: int,
    x: int,
    y: int,
    row: TableRow | None,
    boards: Sequence[str],
    is_wanted: bool,
    is_feature: bool,
) -> MapTable:
    if row is None:
        return MapTable(number, x, y, is_wanted=is_wanted, is_feature=is_feature)
    chairs = tuple(_chair(c, *_at_map(c)) for c in chairs_at(len(row.sides), _labels(row), boards))
    names = " – ".join(side.card.shown_name for side in row.sides)
    return MapTable(number, x, y, chairs, row.match_id, names, is_wanted, is_feature)


def _labels(row: TableRow) -> tuple[str, ...]:
    labels = [tuple(member.label for member in side.card.members) for side in row.sides]
    return max(labels, key=len, default=("A",)) or ("A",)


def _chair(chair: ChairAt, x: int, y: int, name: str = "") -> DrawnChair:
    short = name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"
    below = y - 26 if chair.edge is Edge.FAR else y + 36
    return DrawnChair(x, y, chair.side, chair.label, chair.code, short, name, below)


def _at_plan(chair: ChairAt) -> tuple[int, int]:
    if chair.edge in (Edge.NEAR, Edge.FAR):
        step = PLAN_WIDE // chair.among
        return step * chair.place + step // 2, 52 if chair.edge is Edge.FAR else 198
    return 60 if chair.edge is Edge.LEFT else PLAN_WIDE - 60, 125


def _at_map(chair: ChairAt) -> tuple[int, int]:
    if chair.edge in (Edge.NEAR, Edge.FAR):
        step = (WIDE - 20) // chair.among
        return 10 + step * chair.place + step // 2, 14 if chair.edge is Edge.FAR else HIGH - 14
    return CHAIR if chair.edge is Edge.LEFT else WIDE - CHAIR, HIGH // 2


def _sentence(sides: int, labels: Sequence[str], boards: Sequence[str]) -> str:
    if sides > 2:
        return "Clockwise around the table, side 1 nearest to you."
    if len(labels) < 2:
        return "Side 1 nearest to you, side 2 opposite."
    facing = "each opposite the own opponent" if len(boards) > 1 else f"{labels[0]} on the own left"
    return f"Teammates sit side by side, {facing}; side 1 is nearest to you."
