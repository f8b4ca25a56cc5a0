"""What each figure of the standings is made of: one list of parts each, and how they are combined."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import partial

from rulebook import percentages, strengths, vekn
from rulebook.contests import Contest
from rulebook.ledger import Column, Ledger
from rulebook.policies import Share

ONE = Fraction(1)


class How(StrEnum):
    """How the values of the parts make the figure."""

    SUM = "sum"
    MEAN = "mean"
    POOLED = "pooled"  # all tops by all bottoms
    WHOLE = ""  # no parts: the figure speaks for itself


class Note(StrEnum):
    """What happened to a part before it was used."""

    AS_IS = ""
    FLOOR = "floor"  # raised to the policy's floor
    CAP = "cap"  # lowered, because the opponent left
    BYE = "bye"  # stands for a round without an opponent
    HALF = "half"  # a draw counts half
    LEFT_OUT = "left-out"  # the lowest or highest, which the tiebreaker drops


@dataclass(frozen=True, slots=True)
class Part:
    """`top` / `bottom` is what was counted, `value` what was used; no opponent means the entrant's own."""

    round: int | None
    opponent: int | None
    top: Fraction
    bottom: Fraction
    value: Fraction
    note: Note = Note.AS_IS


Parts = list[Part]
Counted = tuple[Fraction, Fraction, Fraction, Note]


def parts_of(ledger: Ledger, figure: str, me: int) -> tuple[How, Parts]:
    """How "points" or a tiebreaker is made up for the entrant at index `me`, in the order of the rounds."""
    how, make = _PARTS.get(figure, (How.WHOLE, _nothing))
    return how, make(ledger, me)


def _nothing(ledger: Ledger, me: int) -> Parts:
    return []


def _points(ledger: Ledger, me: int) -> Parts:
    parts = []
    for meeting in ledger.meetings[me]:
        points = Fraction(meeting.points, ledger.unit)
        opponent = ledger.entered[meeting.opponents[0]].id if len(meeting.opponents) == 1 else None
        parts.append(Part(meeting.round, opponent, points, ONE, points))
    return parts


def _opponents(ledger: Ledger, me: int) -> list[tuple[int, int]]:
    """(round, index) for each opponent met, in the order of the rounds."""
    return [(meeting.round, other) for meeting in ledger.meetings[me] for other in meeting.opponents]


def _counted(top: Fraction, bottom: Fraction, used: Fraction) -> Note:
    raw = top / bottom if bottom else Fraction(0)
    if used == raw and bottom:
        return Note.AS_IS
    return Note.FLOOR if used >= raw else Note.CAP


def _match(ledger: Ledger, indexes: Iterable[int]) -> list[Counted]:
    scale = 2 if ledger.policy.share is Share.WINS else ledger.unit
    column = ledger.column("match-share", percentages.match_share)
    return _shares(*percentages.match_fractions(ledger), scale, column, indexes)


def _game(ledger: Ledger, indexes: Iterable[int]) -> list[Counted]:
    column = ledger.column("game-share", percentages.game_share)
    return _shares(*percentages.game_fractions(ledger), 1, column, indexes)


def _shares(
    tops: Sequence[int], bottoms: Sequence[int], scale: int, column: Column, indexes: Iterable[int]
) -> list[Counted]:
    """(top, bottom, used, note) of the percentage of each index."""
    found = []
    for index in indexes:
        top, bottom, used = (
            Fraction(tops[index], scale),
            Fraction(bottoms[index], scale),
            column.fraction(index),
        )
        found.append((top, bottom, used, _counted(top, bottom, used)))
    return found


def _each(counted: Callable[[Ledger, Iterable[int]], list[Counted]], ledger: Ledger, me: int) -> Parts:
    met = _opponents(ledger, me)
    shares = counted(ledger, [other for _, other in met])
    return [
        Part(number, ledger.entered[other].id, *share)
        for (number, other), share in zip(met, shares, strict=True)
    ]


def _opponents_match(ledger: Ledger, me: int) -> Parts:
    parts = _each(_match, ledger, me)
    rate = ledger.policy.bye_rate
    if rate is None:
        return parts
    virtual = Part(None, None, rate, ONE, rate, Note.BYE)
    return parts + [virtual] * (percentages.byes_of(ledger, me) * ledger.policy.bye_opponents)


def _own_match(ledger: Ledger, me: int) -> Parts:
    return [Part(None, None, *_match(ledger, [me])[0])]


def _own_game(ledger: Ledger, me: int) -> Parts:
    top, bottom, used, note = _game(ledger, [me])[0]
    if bottom and not ledger.policy.own_floor:
        used, note = top / bottom, Note.AS_IS
    return [Part(None, None, top, bottom, used, note)]


def _from_column(key: str, make: Callable[[Ledger], Column], ledger: Ledger, me: int) -> Parts:
    column = ledger.column(key, make)
    parts = []
    for number, other in _opponents(ledger, me):
        value = column.fraction(other)
        parts.append(Part(number, ledger.entered[other].id, value, ONE, value))
    return parts


def _buchholz(lowest: int, highest: int, ledger: Ledger, me: int) -> Parts:
    parts = []
    for number, opponent, score in strengths.buchholz_rounds(ledger, me):
        value = Fraction(score, ledger.unit)
        other = None if opponent is None else ledger.entered[opponent].id
        parts.append(Part(number, other, value, ONE, value, Note.BYE if other is None else Note.AS_IS))
    order = sorted(range(len(parts)), key=lambda position: parts[position].value)
    for position in {*order[:lowest], *(order[-highest:] if highest else ())}:
        part = parts[position]
        parts[position] = Part(part.round, part.opponent, part.top, ONE, Fraction(0), Note.LEFT_OUT)
    return parts


def _sonneborn(ledger: Ledger, me: int) -> Parts:
    parts = []
    for meeting, other, score, halves in strengths.sonneborn_parts(ledger, me):
        top = Fraction(score, ledger.unit)
        note = Note.HALF if halves == 1 else Note.BYE if other is None else Note.AS_IS
        opponent = None if other is None else ledger.entered[other].id
        parts.append(Part(meeting.round, opponent, top, ONE, top * halves / 2, note))
    return parts


def _running(ledger: Ledger, me: int) -> Parts:
    totals = [Fraction(total, ledger.unit) for total in strengths.running_totals(ledger, me)]
    last = len(totals)
    return [
        Part(number, None, total, Fraction(4 ** (last - number)), total / 4 ** (last - number))
        for number, total in enumerate(totals, 1)
    ]


def _schedule(ledger: Ledger, me: int) -> Parts:
    parts = []
    for number, other in _opponents(ledger, me):
        points, rounds = Fraction(ledger.points[other], ledger.unit), Fraction(ledger.played[other])
        parts.append(Part(number, ledger.entered[other].id, points, rounds, points / rounds))
    return parts


def _victory_points(contest: Contest) -> list[Fraction]:
    return [Fraction(half, 2) for half in vekn.victory_halves(contest)]


def _tables(values: Callable[[Contest], Iterable[Fraction]], ledger: Ledger, me: int) -> Parts:
    parts = []
    for contest in ledger.contests:
        for score, value in zip(contest.scores, values(contest), strict=True):
            if ledger.index[score.entrant] == me:
                parts.append(Part(contest.round, None, value, ONE, value))
    return parts


_PARTS: Mapping[str, tuple[How, Callable[[Ledger, int], Parts]]] = {
    "points": (How.SUM, _points),
    "omw": (How.MEAN, _opponents_match),
    "ogw": (How.MEAN, partial(_each, _game)),
    "mw": (How.SUM, _own_match),
    "gw": (How.SUM, _own_game),
    "oomw": (How.MEAN, partial(_from_column, "omw", percentages.opponents_match_share)),
    "oml": (How.MEAN, partial(_from_column, "pml", strengths.lost_share)),
    "octb": (How.MEAN, partial(_from_column, "ctb", strengths.cumulative)),
    "esos": (How.MEAN, partial(_from_column, "sos", strengths.strength_of_schedule)),
    "sos": (How.POOLED, _schedule),
    "sos-mean": (How.MEAN, _schedule),
    "ctb": (How.SUM, _running),
    "buchholz": (How.SUM, partial(_buchholz, 0, 0)),
    "buchholz-cut-1": (How.SUM, partial(_buchholz, 1, 0)),
    "buchholz-cut-2": (How.SUM, partial(_buchholz, 2, 0)),
    "buchholz-median": (How.SUM, partial(_buchholz, 1, 1)),
    "buchholz-median-2": (How.SUM, partial(_buchholz, 2, 2)),
    "sonneborn-berger": (How.SUM, _sonneborn),
    "vp": (How.SUM, partial(_tables, _victory_points)),
    "tp": (How.SUM, partial(_tables, vekn.tournament_points)),
}
