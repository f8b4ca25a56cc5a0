"""What standings are made of: who entered, and the confirmed result of each match.

`Score` and `Contest` are named tuples, not dataclasses: a field of 10,000 over 15 rounds makes 225,000 of
them, and a frozen dataclass costs three times as much to build.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from rulebook.scoring import Outcome, ResultKind

Status = Literal["in", "dropped", "disqualified"]


@dataclass(frozen=True, slots=True)
class Entered:
    """One entrant of the stage; `lot` is stored with the team and decides last, the lower one wins.

    `is_late` is the Pokemon late penalty: below everybody on equal points, where the policy says so.
    """

    id: int
    lot: int
    status: Status = "in"
    is_late: bool = False


class Score(NamedTuple):
    """What one match gave one side; `draws` are the drawn games of the match, the same on every side.

    `half_points` (match points times two) replaces the policy's points; under VEKN they are victory points
    times two.
    """

    entrant: int
    outcome: Outcome
    wins: int = 0
    draws: int = 0
    half_points: int | None = None
    place: int | None = None
    out_order: int | None = None


class Contest(NamedTuple):
    """One confirmed match: one score is a bye or an assigned loss, two a duel, more a pod."""

    round: int
    kind: ResultKind
    scores: tuple[Score, ...]
    wins_needed: int = 1
