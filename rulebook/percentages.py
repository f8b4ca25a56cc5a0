"""Match-win and game-win percentages: own shares with floor and cap, and their means over opponents."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from rulebook.ledger import GAME_DRAW, GAME_WIN, NO_BYES, Column, Ledger
from rulebook.policies import Share
from rulebook.scoring import Outcome


def _over_one_denominator(
    tops: Sequence[int], bottoms: Sequence[int], empty: Fraction, also: int = 1
) -> Column:
    """Each top / bottom over one common denominator; `empty` where the bottom is zero."""
    common = lcm(empty.denominator, also, *(set(bottoms) - {0}))
    scale = {bottom: common // bottom for bottom in set(bottoms) - {0}}
    nothing = empty.numerator * (common // empty.denominator)
    return Column(
        [top * scale[bottom] if bottom else nothing for top, bottom in zip(tops, bottoms, strict=True)],
        common,
    )


def _floored(column: Column, floor: Fraction | None) -> Column:
    if floor is None:
        return column
    least = floor.numerator * (column.denominator // floor.denominator)
    return Column([number if number > least else least for number in column.numerators], column.denominator)


def match_fractions(ledger: Ledger) -> tuple[list[int], list[int]]:
    """Own match percentage as it is counted, before floor and cap: numerators and denominators."""
    policy = ledger.policy
    if policy.share is Share.WINS:
        wins, draws = ledger.outcomes[Outcome.WIN], ledger.outcomes[Outcome.DRAW]
        tops, most = [2 * win + draw for win, draw in zip(wins, draws, strict=True)], 2
    else:
        tops, most = list(ledger.points), ledger.units(policy.win)
    rounds = list(ledger.played)
    for index, byes in ledger.byes.items() if not policy.byes_in_own else ():
        tops[index] -= 2 * byes.wins + byes.draws if policy.share is Share.WINS else byes.points
        rounds[index] -= byes.rounds
    return tops, [most * played for played in rounds]


def game_fractions(ledger: Ledger) -> tuple[list[int], list[int]]:
    """Own game percentage as it is counted, before the floor: game points and three times the games."""
    points = [
        GAME_WIN * wins + GAME_DRAW * draws
        for wins, draws in zip(ledger.game_wins, ledger.game_draws, strict=True)
    ]
    games = list(ledger.games)
    for index, byes in ledger.byes.items() if not ledger.policy.byes_in_own else ():
        points[index] -= byes.game_points
        games[index] -= byes.games
    return points, [GAME_WIN * count for count in games]


def match_share(ledger: Ledger) -> Column:
    """Match-win percentage as opponents feel it: floored, capped for those who left."""
    policy = ledger.policy
    also = lcm(*(bound.denominator for bound in (policy.dropped_cap, policy.bye_rate) if bound is not None))
    column = _floored(
        _over_one_denominator(*match_fractions(ledger), policy.floor or Fraction(0), also), policy.floor
    )
    if policy.dropped_cap is None:
        return column
    most = policy.dropped_cap.numerator * (column.denominator // policy.dropped_cap.denominator)
    capped = [
        number if one.status == "in" else min(number, most)
        for number, one in zip(column.numerators, ledger.entered, strict=True)
    ]
    return Column(capped, column.denominator)


def game_share(ledger: Ledger) -> Column:
    """Game-win percentage as opponents feel it: floored."""
    floor = ledger.policy.floor
    return _floored(_over_one_denominator(*game_fractions(ledger), floor or Fraction(0)), floor)


def own_games(ledger: Ledger) -> Column:
    """Game-win percentage in the entrant's own row; the floor if no game was played."""
    policy = ledger.policy
    if policy.own_floor:
        return ledger.column("game-share", game_share)
    return _over_one_denominator(*game_fractions(ledger), policy.floor or Fraction(0))


def mean_over_opponents(ledger: Ledger, shares: Column, rate: Fraction | None = None) -> Column:
    """Mean of `shares` over the opponents met, twice for one met twice; the floor for who met nobody.

    With a `rate` each bye adds the policy's number of opponents who have it.
    """
    numbers, denominator = shares
    floor = ledger.policy.floor or Fraction(0)
    tops = [sum(map(numbers.__getitem__, met)) for met in ledger.opponents]
    counts = list(map(len, ledger.opponents))
    for index, byes in ledger.byes.items() if rate is not None else ():
        added = byes.rounds * ledger.policy.bye_opponents
        tops[index] += added * int((rate or 0) * denominator)
        counts[index] += added
    common = lcm(floor.denominator, *(set(counts) - {0}))
    nothing = denominator * int(floor * common)
    scale = {count: common // count for count in set(counts) - {0}}
    return Column(
        [top * scale[count] if count else nothing for top, count in zip(tops, counts, strict=True)],
        denominator * common,
    )


def opponents_match_share(ledger: Ledger) -> Column:
    """OMW: mean of the opponents' match-win percentages."""
    return mean_over_opponents(ledger, ledger.column("match-share", match_share), ledger.policy.bye_rate)


def opponents_game_share(ledger: Ledger) -> Column:
    """OGW: mean of the opponents' game-win percentages."""
    return mean_over_opponents(ledger, ledger.column("game-share", game_share))


def opponents_opponents_share(ledger: Ledger) -> Column:
    """OOMW: mean of the opponents' own OMW."""
    return mean_over_opponents(ledger, ledger.column("omw", opponents_match_share))


def byes_of(ledger: Ledger, index: int) -> int:
    """How many byes the entrant had."""
    return ledger.byes.get(index, NO_BYES).rounds
