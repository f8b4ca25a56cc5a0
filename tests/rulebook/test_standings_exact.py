"""The fast whole-number standings against plain fractions."""

import random
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rulebook.contests import Contest, Entered
from rulebook.policies import policy_of
from rulebook.standings import Standing, standings
from tests.rulebook.fields import (
    bye,
    duel_of,
)

MAGIC = policy_of("magic")
FLOOR = Fraction(33, 100)


def plain_table(
    entered: list[Entered], contests: list[Contest], floor: Fraction
) -> dict[int, tuple[Fraction, Fraction, Fraction]]:
    """OMW, GW and OGW by plain fractions, one opponent at a time."""
    match: dict[int, Fraction] = {}
    game: dict[int, Fraction] = {}
    for entrant in (each.id for each in entered):
        mine = [
            (contest, score) for contest in contests for score in contest.scores if score.entrant == entrant
        ]
        points = sum({"win": 3, "draw": 1, "loss": 0}[score.outcome] for _, score in mine)
        games = sum(sum(score.wins for score in contest.scores) + score.draws for contest, score in mine)
        match[entrant] = max(floor, Fraction(points, 3 * len(mine))) if mine else floor
        won = sum(3 * score.wins + score.draws for _, score in mine)
        game[entrant] = max(floor, Fraction(won, 3 * games)) if games else floor
    found = {}
    for entrant in match:
        opponents = [
            other.entrant
            for contest in contests
            if entrant in {score.entrant for score in contest.scores}
            for other in contest.scores
            if other.entrant != entrant
        ]
        count = Fraction(len(opponents))
        found[entrant] = (
            sum(match[x] for x in opponents) / count if opponents else floor,
            game[entrant],
            sum(game[x] for x in opponents) / count if opponents else floor,
        )
    return found


@given(seed=st.integers(0, 10**6), size=st.integers(2, 9), rounds=st.integers(1, 6))
def test_whole_numbers_agree_with_plain_fractions(seed: int, size: int, rounds: int) -> None:
    rng = random.Random(seed)
    contests = []
    for number in range(1, rounds + 1):
        ids = rng.sample([ord("A") + each for each in range(size)], size)
        if size % 2:
            contests.append(bye(number, chr(ids.pop())))
        for pair in zip(ids[::2], ids[1::2], strict=True):
            wins = rng.choice([(2, 0), (2, 1), (1, 2), (1, 1), (0, 0)])
            contests.append(duel_of(number, pair, wins, rng.randrange(4)))
    entered = [Entered(ord("A") + each, rng.randrange(10**9)) for each in range(size)]
    rows = standings(entered, contests, MAGIC)
    plain = plain_table(entered, contests, FLOOR)
    assert {each.entrant: tuple(value for _, value in each.figures) for each in rows} == plain
    assert_ranked(rows)


def assert_ranked(rows: tuple[Standing, ...]) -> None:
    keys = [(each.points, *(value for _, value in each.figures)) for each in rows]
    assert keys == sorted(keys, reverse=True)
    for place, (before, now) in enumerate(pairwise(zip(keys, rows, strict=True)), 2):
        assert now[1].rank == (before[1].rank if before[0] == now[0] else place)
