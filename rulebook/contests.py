"""What standings are made of: who entered, and the confirmed result of each match.

`Score` and `Contest` are named tuples, not dataclasses: a field of 10,000 over 15 rounds makes 225,000 of
them, and a frozen dataclass costs three times as much to build.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
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


Row = tuple[int, int, str, int, int, str, int, int, int | None, int | None, int | None]
_KINDS: dict[str, ResultKind] = {kind.value: kind for kind in ResultKind}
_OUTCOMES: dict[str, Outcome] = {outcome.value: outcome for outcome in Outcome}


def contests_from_rows(rows: Iterable[Row]) -> list[Contest]:
    """One contest per match from flat rows in match order, sides in their order.

    A row is (match, round, kind, wins needed, entrant, outcome, wins, draws, half points, place, out order).
    """
    found = []
    for _, group in groupby(rows, itemgetter(0)):
        lines = list(group)
        scores = tuple(
            [
                Score(entrant, _OUTCOMES[outcome], wins, draws, half_points, place, out_order)
                for _, _, _, _, entrant, outcome, wins, draws, half_points, place, out_order in lines
            ]
        )
        found.append(Contest(lines[0][1], _KINDS[lines[0][2]], scores, lines[0][3]))
    return found
