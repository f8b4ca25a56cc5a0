"""How a table of Vampire: The Eternal Struggle is scored: victory points, game wins, tournament points.

VEKN tournament rules 3.7. A score carries victory points times two in `half_points`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rulebook.contests import Contest
from rulebook.errors import RuleBroken

PLACES: Mapping[int, tuple[int, ...]] = {5: (60, 48, 36, 24, 12), 4: (60, 48, 24, 12)}
GAME_WIN_AT = 4  # two victory points


def victory_halves(contest: Contest) -> list[int]:
    """Victory points times two of each side."""
    return [score.half_points or 0 for score in contest.scores]


def game_wins(contest: Contest) -> list[int]:
    """1 for the side with at least two victory points and strictly the most, 0 for the others."""
    halves = victory_halves(contest)
    most = max(halves, default=0)
    is_won = most >= GAME_WIN_AT and halves.count(most) == 1
    return [int(is_won and mine == most) for mine in halves]


def tournament_points(contest: Contest) -> list[Fraction]:
    """Points for the places of a table of four or five, equal sides sharing the mean; a bye has none."""
    halves = victory_halves(contest)
    if len(halves) == 1:
        return [Fraction(0)]
    if len(halves) not in PLACES:
        raise RuleBroken(
            "wrong-table-size",
            f"A VEKN table has four or five players, this one has {len(halves)}; choose another policy.",
            sides=len(halves),
        )
    return [_shared(halves, mine) for mine in halves]


def _shared(halves: Sequence[int], mine: int) -> Fraction:
    better = sum(other > mine for other in halves)
    equal = halves.count(mine)
    return Fraction(sum(PLACES[len(halves)][better : better + equal]), equal)
