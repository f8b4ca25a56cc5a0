"""Tiebreakers that add up scores of opponents, or the course of the entrant's own score."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

from rulebook import vekn
from rulebook.ledger import Column, Ledger, Meeting
from rulebook.percentages import mean_over_opponents, opponents_match_share, opponents_opponents_share
from rulebook.scoring import Outcome, ResultKind

# A game nobody sat down to is not a game for FIDE: it has no opponent.
FORFEITS = frozenset({ResultKind.NO_SHOW, ResultKind.BOTH_ABSENT, ResultKind.BYE, ResultKind.ASSIGNED_LOSS})

HALVES = {Outcome.WIN: 2, Outcome.DRAW: 1, Outcome.LOSS: 0}


def column_of(values: Iterable[Fraction]) -> Column:
    """The same values over one denominator."""
    fractions = list(values)
    common = lcm(1, *{value.denominator for value in fractions})
    return Column([value.numerator * (common // value.denominator) for value in fractions], common)


def trimmed_sum(scores: Sequence[int], lowest: int = 0, highest: int = 0) -> int:
    """Sum without so many of the lowest and of the highest scores."""
    ordered = sorted(scores)
    return sum(ordered[lowest : max(lowest, len(ordered) - highest)])


def buchholz_rounds(ledger: Ledger, me: int) -> list[tuple[int | None, int | None, int]]:
    """(round, opponent, score in units); an unplayed round has no opponent and the entrant's own score."""
    real: list[tuple[int | None, int | None, int]] = [
        (meeting.round, other, ledger.points[other])
        for meeting in ledger.meetings[me]
        if meeting.kind not in FORFEITS
        for other in meeting.opponents
    ]
    unplayed = ledger.last_round - sum(meeting.kind not in FORFEITS for meeting in ledger.meetings[me])
    return real + [(None, None, ledger.points[me])] * unplayed


def buchholz(ledger: Ledger, lowest: int = 0, highest: int = 0) -> Column:
    """Sum of the opponents' scores without the lowest and highest ones."""
    every = range(len(ledger.entered))
    scores = ([score for _, _, score in buchholz_rounds(ledger, me)] for me in every)
    return Column([trimmed_sum(mine, lowest, highest) for mine in scores], ledger.unit)


def _halves(ledger: Ledger, meeting: Meeting) -> int:
    """2 for a win, 1 for a draw or a half-point bye, 0 for a loss."""
    if meeting.kind == ResultKind.BYE:
        return 2 * meeting.points // ledger.worth[Outcome.WIN]
    return HALVES[meeting.outcome]


def sonneborn_parts(ledger: Ledger, me: int) -> list[tuple[Meeting, int | None, int, int]]:
    """(meeting, opponent, score in units, halves of it that count) for each round that is not lost."""
    parts: list[tuple[Meeting, int | None, int, int]] = []
    for meeting in ledger.meetings[me]:
        halves = _halves(ledger, meeting)
        if halves and meeting.kind in FORFEITS:
            parts.append((meeting, None, ledger.points[me], halves))
        elif halves:
            parts.extend((meeting, other, ledger.points[other], halves) for other in meeting.opponents)
    return parts


def sonneborn_berger(ledger: Ledger) -> Column:
    """Scores of the beaten opponents and half of those drawn with."""
    every = range(len(ledger.entered))
    return Column(
        [sum(score * halves for _, _, score, halves in sonneborn_parts(ledger, me)) for me in every],
        2 * ledger.unit,
    )


def rounds_played(ledger: Ledger) -> Column:
    """Rounds with a result."""
    return Column(list(ledger.played), 1)


def on_time(ledger: Ledger) -> Column:
    """1, or 0 for who carries the late penalty."""
    return Column([int(not one.is_late) for one in ledger.entered], 1)


def running_totals(ledger: Ledger, me: int) -> list[int]:
    """Points after each round from the first to the entrant's last, in units."""
    mine = ledger.meetings[me]
    last = max((meeting.round for meeting in mine), default=0)
    gained = [0] * (last + 1)
    for meeting in mine:
        gained[meeting.round] += meeting.points
    totals, total = [], 0
    for points in gained[1:]:
        total += points
        totals.append(total)
    return totals


def cumulative(ledger: Ledger) -> Column:
    """CTB: after each round the total of points plus a quarter of the CTB before; late losses cost least."""
    found = []
    for me in range(len(ledger.entered)):
        value = Fraction(0)
        for total in running_totals(ledger, me):
            value = value / 4 + Fraction(total, ledger.unit)
        found.append(value)
    return column_of(found)


def lost_share(ledger: Ledger) -> Column:
    """PML: lost matches by matches; 0 for who has played none."""
    lost = ledger.outcomes[Outcome.LOSS]
    return column_of(
        Fraction(x, rounds) if rounds else Fraction(0) for x, rounds in zip(lost, ledger.played, strict=True)
    )


def opponents_lost_share(ledger: Ledger) -> Column:
    """OML: mean of the opponents' share of lost matches."""
    return mean_over_opponents(ledger, ledger.column("pml", lost_share))


def opponents_cumulative(ledger: Ledger) -> Column:
    """OCTB: mean of the opponents' cumulative tiebreaker."""
    return mean_over_opponents(ledger, ledger.column("ctb", cumulative))


def strength_of_schedule(ledger: Ledger) -> Column:
    """SoS: all points of all opponents by all rounds they played."""
    found = []
    for met in ledger.opponents:
        rounds = sum(ledger.played[other] for other in met)
        points = sum(ledger.points[other] for other in met)
        found.append(Fraction(points, ledger.unit * rounds) if rounds else Fraction(0))
    return column_of(found)


def points_per_round(ledger: Ledger) -> Column:
    """Own points by own rounds; 0 for who has played none."""
    return column_of(
        Fraction(points, ledger.unit * rounds) if rounds else Fraction(0)
        for points, rounds in zip(ledger.points, ledger.played, strict=True)
    )


def mean_schedule(ledger: Ledger) -> Column:
    """The classical SoS: mean of the opponents' points per round."""
    return mean_over_opponents(ledger, ledger.column("points-per-round", points_per_round))


def extended_strength(ledger: Ledger) -> Column:
    """ESoS: mean of the opponents' strength of schedule."""
    return mean_over_opponents(ledger, ledger.column("sos", strength_of_schedule))


def thousandths(column: Column, index: int) -> int:
    """The first three decimals; 999 for one."""
    return min(999, column.numerators[index] * 1000 // column.denominator)


def konami_number(ledger: Ledger) -> Column:
    """XXYYYZZZ: points, thousandths of OMW, thousandths of OOMW in one number."""
    omw = ledger.column("omw", opponents_match_share)
    oomw = ledger.column("oomw", opponents_opponents_share)
    found = [
        ledger.points[me] * 1_000_000 + (thousandths(omw, me) * 1000 + thousandths(oomw, me)) * ledger.unit
        for me in range(len(ledger.entered))
    ]
    return Column(found, ledger.unit)


def victory_points(ledger: Ledger) -> Column:
    """Victory points of all tables."""
    total = [0] * len(ledger.entered)
    for contest in ledger.contests:
        for score, halves in zip(contest.scores, vekn.victory_halves(contest), strict=True):
            total[ledger.index[score.entrant]] += halves
    return Column(total, 2)


def tournament_points(ledger: Ledger) -> Column:
    """Points for the places at all tables."""
    total = [Fraction(0)] * len(ledger.entered)
    for contest in ledger.contests:
        for score, points in zip(contest.scores, vekn.tournament_points(contest), strict=True):
            total[ledger.index[score.entrant]] += points
    return column_of(total)
