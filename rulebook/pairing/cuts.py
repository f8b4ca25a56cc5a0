"""Who is in the cut, in which seed, frozen when it is made."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulebook.errors import RuleBroken


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row of the standings the cut is made from: `rank` is shared by those only a lot would separate."""

    entrant: int
    rank: int
    is_active: bool = True


def seeds_of_cut(
    standing: Sequence[Ranked], size: int, *, decision: Sequence[int] | None = None
) -> dict[int, int]:
    """Seed to entrant for the best active ones; who left before is not in it, nobody is promoted later.

    `decision` is the recorded order of those who share the last place of the cut. Raises RuleBroken when the
    cut is larger than the field and when such a tie has no decision.
    """
    active = [row for row in standing if row.is_active]
    if size < 2:
        raise RuleBroken("cut-too-small", "A cut needs at least two teams.", size=size)
    if size > len(active):
        raise RuleBroken(
            "cut-too-large",
            f"A cut to {size} needs {size} active teams; there are {len(active)}.",
            size=size,
            active=len(active),
        )
    active.sort(key=lambda row: row.rank)
    tied = _tied_over_the_line(active, size)
    if tied:
        active = _decided(active, tied, decision)
    return {seed: row.entrant for seed, row in enumerate(active[:size], start=1)}


def _tied_over_the_line(active: Sequence[Ranked], size: int) -> list[Ranked]:
    if size == len(active) or active[size - 1].rank != active[size].rank:
        return []
    return [row for row in active if row.rank == active[size].rank]


def _decided(active: list[Ranked], tied: list[Ranked], decision: Sequence[int] | None) -> list[Ranked]:
    ids = [row.entrant for row in tied]
    if decision is None or sorted(decision) != sorted(ids):
        raise RuleBroken(
            "cut-tie",
            f"{len(ids)} teams share the last place of the cut; record in which order they go in.",
            entrants=ids,
        )
    start = active.index(tied[0])
    rows = {row.entrant: row for row in tied}
    return active[:start] + [rows[entrant] for entrant in decision] + active[start + len(tied) :]
