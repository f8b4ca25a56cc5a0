"""One pass over the results: what each entrant has, in whole numbers, and whom each has met."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

from rulebook import vekn
from rulebook.contests import Contest, Entered, Score, Share, sorted_out
from rulebook.policies import Scoring, StandingsPolicy
from rulebook.schemes import scheme_of, scheme_points
from rulebook.scoring import Outcome, ResultKind

GAME_WIN, GAME_DRAW = 3, 1  # MTR appendix C; every system we know counts games this way


class Column(NamedTuple):
    """One figure of everybody in whole numbers over one denominator, so that comparing is exact and fast."""

    numerators: list[int]
    denominator: int

    def fraction(self, index: int) -> Fraction:
        return Fraction(self.numerators[index], self.denominator)

    def fractions(self) -> list[Fraction]:
        """Everybody's value; equal ones are made once."""
        made = {number: Fraction(number, self.denominator) for number in set(self.numerators)}
        return list(map(made.__getitem__, self.numerators))


class Meeting(NamedTuple):
    """One round of one entrant: `opponents` are indexes, none for a bye or a lone loss; `points` in units."""

    round: int
    kind: ResultKind
    outcome: Outcome
    points: int
    opponents: tuple[int, ...]


class Byes(NamedTuple):
    """What the byes of an entrant gave, to be left out where a policy says so."""

    rounds: int = 0
    points: int = 0
    wins: int = 0
    draws: int = 0
    game_points: int = 0
    games: int = 0


NO_BYES = Byes()


class Ledger:
    """Totals per entrant, by index in `entered`; match points are counted in units of 1 / `unit`."""

    def __init__(
        self, entered: Sequence[Entered], contests: Iterable[Contest], policy: StandingsPolicy
    ) -> None:
        self.entered = entered
        self.contests = contests if isinstance(contests, Sequence) else tuple(contests)
        self.policy = policy
        self.index = {one.id: position for position, one in enumerate(entered)}
        self.unit = lcm(
            2, *(worth.denominator for worth in (policy.win, policy.draw, policy.loss, policy.bye))
        )
        self.worth = {
            Outcome.WIN: self.units(policy.win),
            Outcome.DRAW: self.units(policy.draw),
            Outcome.LOSS: self.units(policy.loss),
        }
        size = len(entered)
        self.outcomes: dict[Outcome, list[int]] = {outcome: [0] * size for outcome in Outcome}
        self.opponents: list[list[int]] = [[] for _ in entered]
        self.game_wins = [0] * size
        self.game_draws = [0] * size
        self.games = [0] * size
        self.byes: dict[int, Byes] = {}
        self._beyond: dict[int, int] = {}  # points that do not follow from the outcome
        self._columns: dict[str, Column] = {}
        duels, others = sorted_out(self.contests)
        self._count_duels(duels)
        for contest in others:
            self._count(contest)

    def units(self, points: Fraction) -> int:
        """`points` in units of the ledger."""
        return int(points * self.unit)

    @cached_property
    def played(self) -> list[int]:
        """Rounds played: matches, byes and assigned losses."""
        return [sum(counts) for counts in zip(*self.outcomes.values(), strict=True)]

    @cached_property
    def points(self) -> list[int]:
        """First column of the ranking, in units."""
        if self.policy.scoring is Scoring.VEKN:
            return [sum(meeting.points for meeting in mine) for mine in self.meetings]
        win, draw, loss = (self.worth[outcome] for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
        wins, draws, losses = (
            self.outcomes[outcome] for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
        )
        total = [win * w + draw * d + loss * x for w, d, x in zip(wins, draws, losses, strict=True)]
        for index, beyond in self._beyond.items():
            total[index] += beyond
        return total

    @cached_property
    def meetings(self) -> list[list[Meeting]]:
        """Every round of every entrant, in the order of the contests."""
        found: list[list[Meeting]] = [[] for _ in self.entered]
        for contest in self.contests:
            members = [self.index[score.entrant] for score in contest.scores]
            for me, score, points in zip(members, contest.scores, self.points_of(contest), strict=True):
                others = tuple(other for other in members if other != me)
                found[me].append(Meeting(contest.round, contest.kind, score.outcome, points, others))
        return found

    @cached_property
    def last_round(self) -> int:
        """The highest number of a round that has a result."""
        return max((contest.round for contest in self.contests), default=0)

    def column(self, key: str, make: Callable[["Ledger"], Column]) -> Column:
        """The named column, computed once."""
        if key not in self._columns:
            self._columns[key] = make(self)
        return self._columns[key]

    def points_of(self, contest: Contest) -> list[int]:
        """What `contest` gave each of its sides, in units."""
        if self.policy.scoring is Scoring.VEKN:
            return [self.worth[Outcome.WIN] * won for won in vekn.game_wins(contest)]
        if self.policy.scheme and len(contest.scores) > 2:
            given = scheme_points(scheme_of(self.policy.scheme), contest)
            return [points * self.unit for points in given]
        return [self._points(contest.kind, score) for score in contest.scores]

    def _points(self, kind: ResultKind, score: Score) -> int:
        if score.half_points is not None:
            return score.half_points * self.unit // 2
        if kind == ResultKind.BYE and score.outcome == Outcome.WIN:
            return self.units(self.policy.bye)
        return self.worth[score.outcome]

    def _count_duels(self, shares: Iterator[Share]) -> None:
        """Ordinary matches of two sides are counted, two shares each. Nearly all the time goes here."""
        index, opponents = self.index, self.opponents
        outcomes = {outcome.value: counts for outcome, counts in self.outcomes.items()}
        game_wins, game_draws, games = self.game_wins, self.game_draws, self.games
        for (one, outcome, wins, draws), (two, its_outcome, its_wins, _) in zip(shares, shares, strict=True):
            me, it = index[one], index[two]
            opponents[me].append(it)
            opponents[it].append(me)
            outcomes[outcome][me] += 1
            outcomes[its_outcome][it] += 1
            game_wins[me] += wins
            game_wins[it] += its_wins
            total = wins + its_wins + draws
            games[me] += total
            games[it] += total
            if draws:
                game_draws[me] += draws
                game_draws[it] += draws

    def _count(self, contest: Contest) -> None:
        """Any match is counted: bye, assigned loss, pod, or points given by hand."""
        members = [self.index[score.entrant] for score in contest.scores]
        total = sum(score.wins for score in contest.scores) + contest.scores[0].draws
        if contest.kind == ResultKind.ASSIGNED_LOSS:
            total = contest.wins_needed
        for me, score, points in zip(members, contest.scores, self.points_of(contest), strict=True):
            self.opponents[me].extend(other for other in members if other != me)
            self.outcomes[score.outcome][me] += 1
            self.game_wins[me] += score.wins
            self.game_draws[me] += score.draws
            self.games[me] += total
            self._beyond[me] = self._beyond.get(me, 0) + points - self.worth[score.outcome]
            if contest.kind == ResultKind.BYE:
                self._count_bye(me, score, points, total)

    def _count_bye(self, me: int, score: Score, points: int, games: int) -> None:
        had = self.byes.get(me, NO_BYES)
        self.byes[me] = Byes(
            had.rounds + 1,
            had.points + points,
            had.wins + (score.outcome == Outcome.WIN),
            had.draws + (score.outcome == Outcome.DRAW),
            had.game_points + GAME_WIN * score.wins + GAME_DRAW * score.draws,
            had.games + games,
        )
