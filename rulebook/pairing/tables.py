"""Which match is played at which numbered table."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulebook.errors import RuleBroken


@dataclass(frozen=True, slots=True)
class Hall:
    """The usable table numbers as inclusive ranges in order, and numbers in them that must stay empty."""

    ranges: tuple[tuple[int, int], ...] = ((1, 1_000_000),)
    closed: frozenset[int] = frozenset()

    def numbers(self) -> Iterator[int]:
        """Every usable number, first range first."""
        for first, last in self.ranges:
            yield from (number for number in range(first, last + 1) if number not in self.closed)


def table_numbers(
    matches: Sequence[Sequence[int]],
    *,
    hall: Hall | None = None,
    fixed: Mapping[int, int] | None = None,
    featured: Mapping[int, int] | None = None,
    kept: Collection[int] = (),
) -> tuple[int, ...]:
    """A number for each match in table order.

    `fixed` gives the table of an entrant with access needs, whichever side he is; `featured` gives the table
    of a match by its index. The number such a match leaves stays empty, and nobody else gets a fixed number
    or one that is `kept` free.
    Raises RuleBroken for a number wanted twice and for a hall with too few tables.
    """
    fixed, featured = fixed or {}, featured or {}
    wanted = {at: _wanted(match, fixed, featured.get(at)) for at, match in enumerate(matches)}
    held = [number for number in wanted.values() if number is not None]
    for number in held:
        if held.count(number) > 1:
            raise RuleBroken(
                "table-used-twice",
                f"Table {number} is fixed for two matches of this round; move one of them.",
                table=number,
            )
    free = _free(hall or Hall(), {*fixed.values(), *featured.values(), *kept})
    numbers: list[int] = []
    for at in range(len(matches)):
        natural = next(free, None)
        special = wanted[at]
        if natural is None and special is None:
            raise RuleBroken(
                "not-enough-tables",
                f"The hall has no table left for match {at + 1} of {len(matches)}; add a range of tables.",
                matches=len(matches),
            )
        numbers.append(special if special is not None else natural or 0)
    return tuple(numbers)


def rows_of_tables(
    numbers: Collection[int], in_a_row: int, hall: Hall | None = None
) -> tuple[tuple[int, ...], ...]:
    """The hall as it is walked through up to the last table in use: so many tables in a row, and every range
    of the hall begins a new one. `numbers` are those in use; without a hall they begin at 1."""
    highest = max(numbers, default=0)
    ranges = hall.ranges if hall is not None else ((1, highest),)
    rows: list[tuple[int, ...]] = []
    known: set[int] = set()
    for first, last in ranges:
        if first > highest:
            continue
        usable = range(first, min(last, highest + in_a_row - 1) + 1) if hall else range(1, highest + 1)
        known.update(usable)
        rows += (tuple(usable[at : at + in_a_row]) for at in range(0, len(usable), in_a_row))
    apart = sorted(set(numbers) - known)
    rows += (tuple(apart[at : at + in_a_row]) for at in range(0, len(apart), in_a_row))
    return tuple(rows)


def place_of(table: int, rows: Sequence[Sequence[int]]) -> tuple[int, int] | None:
    """Row and place in it, both from 1; None for a table that is not there."""
    for number, row in enumerate(rows, 1):
        if table in row:
            return number, row.index(table) + 1
    return None


def featured_index(
    ranks: Sequence[int], matches: Sequence[Sequence[int]], fixed: Mapping[int, int], feature: int
) -> int | None:
    """The match for the feature table: the best rank of those without a fixed table, the first among equals;
    None where somebody with access needs sits at that table."""
    seated = {side for match in matches for side in match}
    if any(table == feature for owner, table in fixed.items() if owner in seated):
        return None
    free = [at for at, match in enumerate(matches) if not any(side in fixed for side in match)]
    return min(free, key=lambda at: (ranks[at], at), default=None)


def _wanted(match: Sequence[int], fixed: Mapping[int, int], featured: int | None) -> int | None:
    """Access needs come before the feature table; with two of them the lower number serves both."""
    needs = [fixed[side] for side in match if side in fixed]
    return min(needs) if needs else featured


def _free(hall: Hall, reserved: set[int]) -> Iterator[int]:
    return (number for number in hall.numbers() if number not in reserved)
