"""What standings are made of: who entered, and the confirmed result of each match.

`Score` and `Contest` are named tuples, not dataclasses: a field of 10,000 over 15 rounds makes 225,000 of
them, and a frozen dataclass costs three times as much to build.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple, overload

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


# (match, side index, entrant, outcome, wins, draws, half points, place, out order, kind, round)
Share = tuple[int, str, int, int]  # of a duel: entrant, outcome, wins, draws
Row = tuple[int, int, int, str, int, int, int | None, int | None, int | None, str, int]
_OF_ROW: Callable[[Row], Share] = itemgetter(2, 3, 4, 5)
_OF_SCORE: Callable[[Score], Share] = itemgetter(0, 1, 2, 3)
_KINDS: dict[str, ResultKind] = {kind.value: kind for kind in ResultKind}
_OUTCOMES: dict[str, Outcome] = {outcome.value: outcome for outcome in Outcome}


class Results(Sequence[Contest]):
    """The results of many matches as flat rows in match order, sides in their order.

    Duels are counted from the rows as they are; contests are made of them when somebody asks for one.
    `numbers` are the numbers of rounds whose rows name them otherwise.
    """

    def __init__(
        self, rows: Sequence[Row], wins_needed: int = 1, numbers: Mapping[int, int] | None = None
    ) -> None:
        self.rows = rows
        self.wins_needed = wins_needed
        self.numbers = numbers or {}

    def sorted_out(self) -> tuple[Iterator[Share], list[Contest]]:
        """The shares of ordinary duels, two by two, and the other matches as contests."""
        apart = self._no_duels()
        if not apart:
            return map(_OF_ROW, self.rows), []
        others = self._contests(row for row in self.rows if row[0] in apart)
        return map(_OF_ROW, [row for row in self.rows if row[0] not in apart]), others

    def _no_duels(self) -> set[int]:
        """The matches that have not two sides, or points given by hand."""
        of_sides = [row[0] for row in self.rows]
        firsts = of_sides[::2]
        by_hand = {row[0] for row in self.rows if row[6] is not None}
        if firsts == of_sides[1::2] and len(set(firsts)) == len(firsts):
            return by_hand  # every match takes two rows, as nearly always
        return by_hand | {match for match, count in Counter(of_sides).items() if count != 2}

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, place: int) -> Contest: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Contest]: ...

    def __getitem__(self, place: int | slice) -> Contest | Sequence[Contest]:
        return self._all[place]

    def __iter__(self) -> Iterator[Contest]:
        return iter(self._all)

    @cached_property
    def _all(self) -> list[Contest]:
        return self._contests(self.rows)

    def _contests(self, rows: Iterable[Row]) -> list[Contest]:
        return [self._contest(tuple(lines)) for _, lines in groupby(rows, itemgetter(0))]

    def _contest(self, rows: Sequence[Row]) -> Contest:
        scores = tuple([Score(row[2], _OUTCOMES[row[3]], *row[4:9]) for row in rows])
        named = rows[0][10]
        return Contest(self.numbers.get(named, named), _KINDS[rows[0][9]], scores, self.wins_needed)


def sorted_out(contests: Iterable[Contest]) -> tuple[Iterator[Share], list[Contest]]:
    """The shares of ordinary duels, two by two, and the other contests: pods, byes, points given by hand."""
    if isinstance(contests, Results):
        return contests.sorted_out()
    duels: list[Score] = []
    others = []
    for contest in contests:
        scores = contest[2]
        if len(scores) == 2 and scores[0].half_points is None and scores[1].half_points is None:
            duels += scores
        else:
            others.append(contest)
    return map(_OF_SCORE, duels), others
