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
    """What each missed round counts as, in their order: a loss each, or one bye (a whole or a half one) in
    the last of them for all together, or nothing."""
    if missed <= 0:
        return ()
    if policy is LateEntry.LOSS:
        return (Missed("assigned-loss"),) * missed
    before = (Missed(None),) * (missed - 1)
    if policy is LateEntry.BYE:
        return (*before, Missed("bye"))
    if policy is LateEntry.HALF_BYE:
        return (*before, Missed("bye", 1))
    return (*before, Missed(None))


def last_entry_before(rounds: int) -> int:
    """The round before whose start the last late entrant may join: half of the rounds are left to play."""
    return rounds // 2 + 1
