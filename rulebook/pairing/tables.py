"""Which match is played at which numbered table."""

from collections.abc import Iterator, Mapping, Sequence
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
) -> tuple[int, ...]:
    """A number for each match in table order.

    `fixed` gives the table of an entrant with access needs, whichever side he is; `featured` gives the table
    of a match by its index. The number such a match leaves stays empty, and nobody else gets a fixed number.
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
    free = _free(hall or Hall(), set(fixed.values()) | set(featured.values()))
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


def _wanted(match: Sequence[int], fixed: Mapping[int, int], featured: int | None) -> int | None:
    """Access needs come before the feature table; with two of them the lower number serves both."""
    needs = [fixed[side] for side in match if side in fixed]
    return min(needs) if needs else featured


def _free(hall: Hall, reserved: set[int]) -> Iterator[int]:
    return (number for number in hall.numbers() if number not in reserved)
