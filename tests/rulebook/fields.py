"""Small fields for tests of the standings: entrants are letters, results are one line each."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import pytest

from rulebook.contests import Contest, Entered, Score, Status
from rulebook.policies import StandingsPolicy
from rulebook.scoring import Outcome, ResultKind
from rulebook.standings import Standing, standings

WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW
FILLERS = 10_000  # ids of opponents that only fill up a record


def stands_for(*identities: str) -> pytest.MarkDecorator:
    """The test is the worked example or the case of that id."""
    return pytest.mark.parametrize((), [pytest.param(id=identity) for identity in identities])


def one(letter: str) -> int:
    """The id of the entrant called `letter`."""
    return ord(letter)


def duel(
    number: int,
    pair: str,
    wins: tuple[int, int] = (2, 0),
    draws: int = 0,
    kind: ResultKind = ResultKind.PLAYED,
) -> Contest:
    """Round `number`, "AB": A's game wins first."""
    return duel_of(number, (one(pair[0]), one(pair[1])), wins, draws, kind)


def duel_of(
    number: int,
    pair: tuple[int, int],
    wins: tuple[int, int] = (2, 0),
    draws: int = 0,
    kind: ResultKind = ResultKind.PLAYED,
) -> Contest:
    first, second = wins
    outcomes = (DRAW, DRAW) if first == second else (WIN, LOSS) if first > second else (LOSS, WIN)
    scores = tuple(
        Score(entrant, outcome, won, draws)
        for entrant, outcome, won in zip(pair, outcomes, wins, strict=True)
    )
    return Contest(number, kind, scores, 2)


def bye(number: int, letter: str, *, games: int = 2, half_points: int | None = None) -> Contest:
    return Contest(number, ResultKind.BYE, (Score(one(letter), WIN, games, 0, half_points),), games)


def lone_loss(number: int, letter: str, *, games: int = 2) -> Contest:
    return Contest(number, ResultKind.ASSIGNED_LOSS, (Score(one(letter), LOSS),), games)


def pod(
    number: int, letters: str, winner: str | None = None, *, out: str = "", halves: Sequence[int | None] = ()
) -> Contest:
    """A pod in seat order; without a winner it is drawn among those who are not `out`."""
    outcomes = [WIN if x == winner else LOSS if winner or x in out else DRAW for x in letters]
    scores = tuple(
        Score(one(letter), outcome, int(outcome is WIN), 0, half)
        for letter, outcome, half in zip(letters, outcomes, halves or [None] * len(letters), strict=True)
    )
    return Contest(number, ResultKind.PLAYED, scores, 1)


def record(letter: str, text: str, *, start: int, first_round: int = 1) -> list[Contest]:
    """The letter's record "wins-losses-draws" against opponents of its own, numbered from `start`."""
    wins, losses, draws = [*map(int, text.split("-")), 0][:3]
    results = [(2, 0)] * wins + [(0, 2)] * losses + [(1, 1)] * draws
    return [
        duel_of(first_round + offset, (one(letter), FILLERS + start + offset), result)
        for offset, result in enumerate(results)
    ]


def met(letter: str, records: Mapping[str, str], *, rest_from: int | None = None) -> list[Contest]:
    """`letter` has lost to or beaten each other letter so that its final record is the one given.

    The others play on in later rounds, or from round `rest_from` where the number of rounds matters.
    """
    found: list[Contest] = []
    for number, (other, text) in enumerate(records.items(), 1):
        wins, losses, draws = [*map(int, text.split("-")), 0][:3]
        result = (0, 2) if wins else (2, 0) if losses else (1, 1)
        rest = (wins - 1, losses, draws) if wins else (0, losses - 1, draws) if losses else (0, 0, draws - 1)
        found.append(duel_of(number, (one(letter), one(other)), result))
        found += record(
            other, "{}-{}-{}".format(*rest), start=number * 100, first_round=rest_from or number + 1
        )
    return found


def field(
    contests: Iterable[Contest], statuses: Mapping[str, Status] | None = None, extra: str = ""
) -> list[Entered]:
    """Everybody in `contests` and `extra`; the lot follows the id."""
    by_id = {one(letter): status for letter, status in (statuses or {}).items()}
    ids = {score.entrant for contest in contests for score in contest.scores} | {one(x) for x in extra}
    return [Entered(entrant, entrant, by_id.get(entrant, "in")) for entrant in sorted(ids)]


def table(
    contests: Sequence[Contest],
    policy: StandingsPolicy,
    statuses: Mapping[str, Status] | None = None,
    extra: str = "",
    entered: Sequence[Entered] = (),
) -> tuple[Standing, ...]:
    return standings(entered or field(contests, statuses, extra), contests, policy)


def row(rows: Iterable[Standing], letter: str) -> Standing:
    return next(standing for standing in rows if standing.entrant == one(letter))


def figure(rows: Iterable[Standing], letter: str, key: str) -> Fraction:
    return dict(row(rows, letter).figures)[key]


def order(rows: Iterable[Standing]) -> str:
    """The letters in rank order, without the fillers."""
    return "".join(chr(standing.entrant) for standing in rows if standing.entrant < FILLERS)


def ranks(rows: Iterable[Standing]) -> dict[str, int]:
    return {chr(standing.entrant): standing.rank for standing in rows if standing.entrant < FILLERS}


def decimals(value: Fraction) -> str:
    return f"{float(value):.6f}"


# Facts (c.1), oracle 4: five players, three rounds, one bye each round.
FIVE = [
    duel(1, "AB"),
    duel(1, "CD", (2, 1)),
    bye(1, "E"),
    duel(2, "AC", (1, 1), 1),
    duel(2, "EB"),
    bye(2, "D"),
    duel(3, "AE", (2, 1)),
    duel(3, "DB"),
    bye(3, "C"),
]
