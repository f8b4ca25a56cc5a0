"""What late entrants get for the rounds they missed, and until when they may come."""

from dataclasses import dataclass
from enum import StrEnum


class LateEntry(StrEnum):
    """Named policies for missed rounds."""

    LOSS = "loss"
    BYE = "bye"
    NOTHING = "nothing"
    HALF_BYE = "half-bye"


@dataclass(frozen=True, slots=True)
class Missed:
    """One missed round: the kind of result it counts as (None: no result), and match points times two."""

    kind: str | None
    half_points: int | None = None


def missed_rounds(policy: LateEntry, missed: int) -> tuple[Missed, ...]:
    """A result for every missed round; the half bye is one half point for all of them together."""
    if missed <= 0:
        return ()
    if policy is LateEntry.LOSS:
        return (Missed("assigned-loss"),) * missed
    if policy is LateEntry.BYE:
        return (Missed("bye"),) * missed
    if policy is LateEntry.HALF_BYE:
        return (Missed("bye", 1), *(Missed(None),) * (missed - 1))
    return (Missed(None),) * missed


def last_entry_before(rounds: int) -> int:
    """The round before whose start the last late entrant may join: half of the rounds are left to play."""
    return rounds // 2 + 1
