"""A Swiss round: the priorities in order, and the stages that keep them with the least work."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from operator import eq
from random import Random

from rulebook.errors import RuleBroken
from rulebook.pairing.brackets import Line, free_of_clashes
from rulebook.pairing.exact import exact
from rulebook.pairing.exhaustive import Candidate, candidates
from rulebook.pairing.explain import explain
from rulebook.pairing.field import Field, by_id, field_among, flat, neighbour_bound
from rulebook.pairing.lookahead import LOOK_AHEAD_UP_TO, Horizon
from rulebook.pairing.segments import MOST_LEVELS, solved_in_segments
from rulebook.pairing.sentences import Sentences
from rulebook.pairing.values import ENGINE, Entrant, Pairing, Report, SwissInput
from rulebook.pairing.wide import mended_widely

# What a Swiss round must be, the first one first: a lower one never costs a higher one anything.
PRIORITIES: tuple[tuple[str, str], ...] = (
    ("complete", "everybody active is in exactly one match or has a bye"),
    ("rematches", "fewest rematches"),
    ("groups", "fewest pairs inside a restricted group"),
    ("planned-rounds", "the planned rounds can be completed without a rematch or a second bye (up to 12)"),
    ("bye", "the bye goes to the fewest byes, not to last round's holder, then to the lowest standing"),
    ("gap", "the least sum of squared differences of match points"),
    ("wishes", "the first side goes to whoever had it less often"),
    ("chance", "everything else is drawn from the seed"),
)


# Up to the first one exact matching takes a millisecond, above the other one too long.
TINY = 24
DENSE_UP_TO = 1100


@dataclass(frozen=True, slots=True)
class Solution:
    """A row of places in which 2k and 2k+1 meet, the place that rests, and how they were found.

    `crossing` are the pairs of unequal scores where the stage knows them.
    """

    row: Sequence[int]
    bye: int | None
    stage: str
    is_proved: bool
    is_legal: bool = False
    alternatives: int = 0
    completable: int | None = None
    looked_ahead: bool = False
    crossing: Sequence[tuple[int, int]] | None = None


def pair_swiss(swiss: SwissInput) -> Pairing:
    """The next round by the priorities; equal input gives equal output in every process.

    Raises RuleBroken for another engine version, unknown or doubled ids, fewer than two entrants, and
    forbidden pairs that leave no complete pairing.
    """
    known = _checked(swiss)
    rng = Random(swiss.seed)
    field = field_among(swiss, known, rng)
    solution = _solve(field, rng)
    if field.ids and len(swiss.entrants) <= LOOK_AHEAD_UP_TO and swiss.rounds_left > 1:
        solution = _look_ahead(swiss, field, solution, rng)
    return _finished(swiss, field, solution, rng)


def _checked(swiss: SwissInput) -> tuple[list[int], list[Entrant]]:
    """Ids and entrants by ascending id, all demands on the input being met."""
    if swiss.engine != ENGINE:
        raise RuleBroken(
            "other-engine",
            f"This round was paired by engine {swiss.engine}; {ENGINE} can check it but not repeat it.",
            engine=swiss.engine,
        )
    ids, pool = by_id(swiss.entrants)
    if any(map(eq, ids, islice(ids, 1, None))):
        raise RuleBroken("doubled-entrant", "A team is entered twice; enter each team once.")
    if len(ids) < 2:
        raise RuleBroken(
            "not-enough-entrants",
            "There are not enough active teams to pair a round: at least two are needed.",
            entrants=len(ids),
        )
    if swiss.fixed_byes and (strange := set(swiss.fixed_byes) - set(ids)):
        raise RuleBroken(
            "unknown-entrant",
            "A fixed bye belongs to a team that is not active; remove that bye.",
            entrants=sorted(strange),
        )
    return ids, pool


def _solve(field: Field, rng: Random) -> Solution:
    """The best by everything but the look-ahead, by the cheapest stage that can prove it."""
    bye = field.first_claim()
    line = Line(field, rng)
    if bye is not None:
        line.order.remove(bye)
    if free_of_clashes(line):
        return Solution(line.order, bye, "brackets", True, True, crossing=line.crossing())
    size = len(field.ids)
    row = solved_in_segments(line) if size > TINY else None
    if row is not None:
        return Solution(_at_tables(field, row), bye, "segments", True, True)
    if size > DENSE_UP_TO or (field.by_standing and size > MOST_LEVELS):
        return Solution(_at_tables(field, mended_widely(line)), bye, "wide", False)
    row, bye = exact(field, rng)
    return Solution(_at_tables(field, row), bye, "exact", True)


def _look_ahead(swiss: SwissInput, field: Field, solution: Solution, rng: Random) -> Solution:
    horizon = Horizon(swiss)
    reached = horizon.rounds_after(_future(horizon, field, solution.row, solution.bye))
    if reached == horizon.wanted:
        return replace(solution, completable=reached)
    tried = 0
    best = replace(solution, completable=reached)
    for candidate in candidates(field, rng):
        tried += 1
        graph = _future(horizon, field, candidate.row, candidate.bye)
        rounds = horizon.rounds_after(graph, reached)
        if rounds > reached:
            reached = rounds
            best = _foreseen(field, candidate, tried, rounds)
        if reached == horizon.wanted or horizon.is_spent:
            break
    is_proved = best.is_proved and (reached == horizon.wanted or not horizon.was_cut_short)
    return replace(best, alternatives=tried, is_proved=is_proved)


def _foreseen(field: Field, candidate: Candidate, tried: int, rounds: int) -> Solution:
    row = _at_tables(field, candidate.row)
    return Solution(row, candidate.bye, "look-ahead", True, False, tried, rounds, True)


def _future(horizon: Horizon, field: Field, row: Sequence[int], bye: int | None) -> tuple[int, ...]:
    byes = [*field.fixed] if bye is None else [*field.fixed, field.ids[bye]]
    return horizon.after([field.ids[place] for place in row], byes)


def _at_tables(field: Field, row: Sequence[int]) -> list[int]:
    """The pairs by the better score, then by the other one; equal ones keep their drawn order."""
    scores = field.scores

    def height(pair: tuple[int, int]) -> tuple[int, int]:
        one, other = scores[pair[0]], scores[pair[1]]
        return (-one, -other) if one > other else (-other, -one)

    return flat(sorted(zip(row[::2], row[1::2], strict=True), key=height))


def _finished(swiss: SwissInput, field: Field, solution: Solution, rng: Random) -> Pairing:
    byes = field.fixed if solution.bye is None else (*field.fixed, field.ids[solution.bye])
    bare = Pairing(_with_sides(field, solution.row, rng), byes, _report(field, solution))
    # The sentences look at the bare one: looking at the one they belong to would be a circle.
    return Pairing(bare.pairs, byes, bare.report, Sentences(lambda: explain(swiss, bare)))


def _with_sides(field: Field, row: Sequence[int], rng: Random) -> tuple[tuple[int, int], ...]:
    """The ids of each pair: whoever had the first side less often comes first, otherwise chance decides."""
    leans, named = field.leans, list(map(field.ids.__getitem__, row))
    tables = len(row) // 2
    coins = f"{rng.getrandbits(tables):0{tables}b}" if tables else ""
    sides = zip(named[::2], named[1::2], coins, strict=True)
    if leans is None:
        return tuple([(one, other) if coin == "0" else (other, one) for one, other, coin in sides])
    lean = [leans[place] for place in row]
    pulls = zip(lean[::2], lean[1::2], strict=True)
    return tuple(
        [
            (one, other) if (pull, coin) < (counter, "1") else (other, one)
            for (one, other, coin), (pull, counter) in zip(sides, pulls, strict=True)
        ]
    )


def _report(field: Field, solution: Solution) -> Report:
    row, bye = solution.row, solution.bye
    pairs = list(zip(row[::2], row[1::2], strict=True)) if solution.crossing is None else solution.crossing
    judged = [] if solution.is_legal else pairs
    gap = sum([field.gap(*pair) for pair in pairs])
    bound = gap if solution.stage == "brackets" else neighbour_bound(field, bye)
    square = field.unit * field.unit
    cost = Fraction(gap, square)
    return Report(
        engine=ENGINE,
        stage=solution.stage,
        proved_optimal=solution.is_proved,
        rematches=sum(field.has_met(*pair) for pair in judged),
        group_pairs=sum(field.are_grouped(*pair) for pair in judged),
        pair_downs=field.pair_downs(pairs),
        squared_gap=cost,
        bound=cost if bound == gap else Fraction(bound, square),
        second_byes=0 if bye is None else int(field.entrants[bye].byes > 0),
        alternatives=solution.alternatives,
        completable=solution.completable,
        looked_ahead=solution.looked_ahead,
    )
