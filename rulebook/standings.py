"""The ranking of a field: points, then the policy's tiebreakers, then the stored lot."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.contests import Contest, Entered, Results, Row, Score, Status
from rulebook.ledger import Column, Ledger
from rulebook.percentages import byes_of
from rulebook.policies import StandingsPolicy
from rulebook.scoring import Outcome
from rulebook.tiebreakers import Tiebreaker, tiebreaker_of

__all__ = [
    "Contest",
    "Entered",
    "Results",
    "Row",
    "Score",
    "Standing",
    "Status",
    "standings",
    "tied_across",
]

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One row: `rank` is shared by equals in all but the lot, `figures` follow the policy's tiebreakers."""

    rank: int
    entrant: int
    points: Fraction
    wins: int
    losses: int
    draws: int
    played: int
    byes: int
    figures: tuple[tuple[str, Fraction], ...] = ()


def standings(
    entered: Iterable[Entered], contests: Iterable[Contest], policy: StandingsPolicy
) -> tuple[Standing, ...]:
    """Everybody not disqualified, best first; equals share a rank ("1224") and stand in lot order.

    Who is disqualified has no row and still counts as an opponent. Give only confirmed results.
    """
    ledger = Ledger(tuple(entered), contests, policy)
    rows, keys, columns = ranked_columns(ledger)
    return _ranked(ledger, rows, keys, columns)


def ranked_columns(ledger: Ledger) -> tuple[list[int], list[Key], list[tuple[str, Column]]]:
    """(indexes in order, key of every index, figures): equal keys are equal ranks."""
    rows = [index for index, one in enumerate(ledger.entered) if one.status != "disqualified"]
    deciding = [[-points for points in ledger.points]]
    columns: list[tuple[str, Column]] = []
    for name in ledger.policy.tiebreakers:
        tiebreaker = tiebreaker_of(name)
        before = list(zip(*deciding, strict=True)) if tiebreaker.among else ()
        column = column_of(ledger, tiebreaker, rows, before)
        numbers = column.numerators
        deciding.append(numbers if tiebreaker.lower_is_better else [-number for number in numbers])
        columns.append((name, column))
    keys = list(zip(*deciding, strict=True))
    last = [(one.lot, one.id) for one in ledger.entered]
    rows.sort(key=list(zip(keys, last, strict=True)).__getitem__)
    return rows, keys, columns


def tied_across(table: Sequence[Standing], size: int) -> tuple[Standing, ...]:
    """Those who share the rank of the last place of a cut of `size` which parts them; else nobody."""
    if not 0 < size < len(table) or table[size - 1].rank != table[size].rank:
        return ()
    return tuple(row for row in table if row.rank == table[size].rank)


def column_of(ledger: Ledger, tiebreaker: Tiebreaker, rows: Sequence[int], keys: Sequence[Key]) -> Column:
    """The figure of everybody; one that looks inside groups of equals is 0 for who is alone."""
    if tiebreaker.compute is not None:
        return ledger.column(tiebreaker.key, tiebreaker.compute)
    numbers = [0] * len(ledger.entered)
    for group in groups_of_equals(rows, keys):
        for index, points in tiebreaker.among(ledger, group).items() if tiebreaker.among else ():
            numbers[index] = points
    return Column(numbers, ledger.unit)


def groups_of_equals(rows: Sequence[int], keys: Sequence[Key]) -> list[list[int]]:
    """Groups of two or more rows with the same key."""
    groups: defaultdict[Key, list[int]] = defaultdict(list)
    for index in rows:
        groups[keys[index]].append(index)
    return [group for group in groups.values() if len(group) > 1]


def _ranked(
    ledger: Ledger, rows: Sequence[int], keys: Sequence[Key], columns: Sequence[tuple[str, Column]]
) -> tuple[Standing, ...]:
    wins, draws, losses = (ledger.outcomes[outcome] for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    points = Column(ledger.points, ledger.unit).fractions()
    names = [name for name, _ in columns]
    figures = list(zip(*(column.fractions() for _, column in columns), strict=True)) or [()] * len(points)
    table: list[Standing] = []
    rank, before = 0, None
    for place, index in enumerate(rows, 1):
        if keys[index] != before:
            rank, before = place, keys[index]
        table.append(
            Standing(
                rank,
                ledger.entered[index].id,
                points[index],
                wins[index],
                losses[index],
                draws[index],
                ledger.played[index],
                byes_of(ledger, index),
                tuple(zip(names, figures[index], strict=True)),
            )
        )
    return tuple(table)
