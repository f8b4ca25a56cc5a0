"""A Swiss round: the priorities in order, and the stages that keep them with the least work."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from rulebook.errors import RuleBroken
from rulebook.pairing.brackets import Line, free_of_clashes
from rulebook.pairing.exact import exact
from rulebook.pairing.exhaustive import candidates
from rulebook.pairing.explain import Reasons
from rulebook.pairing.field import Field, Pair, as_fraction, field_of, neighbour_bound, squared_gap
from rulebook.pairing.lookahead import LOOK_AHEAD_UP_TO, Horizon
from rulebook.pairing.values import ENGINE, Pairing, Report, SwissInput

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


@dataclass(frozen=True, slots=True)
class Solution:
    """Places that meet, the place that rests, and how they were found."""

    pairs: Sequence[Pair]
    bye: int | None
    stage: str
    is_proved: bool
    alternatives: int = 0
    completable: int | None = None
    looked_ahead: bool = False


def pair_swiss(swiss: SwissInput) -> Pairing:
    """The next round by the priorities; equal input gives equal output in every process.

    Raises RuleBroken for another engine version, unknown or doubled ids, fewer than two entrants, and
    forbidden pairs that leave no complete pairing.
    """
    _check_input(swiss)
    rng = Random(swiss.seed)
    field = field_of(swiss, rng)
    if not field.entrants:
        return _finished(swiss, field, Solution((), None, "none", True), rng)
    solution = _solve(field, rng)
    if len(swiss.entrants) <= LOOK_AHEAD_UP_TO and swiss.rounds_left > 1:
        solution = _look_ahead(swiss, field, solution, rng)
    return _finished(swiss, field, solution, rng)


def _check_input(swiss: SwissInput) -> None:
    if swiss.engine != ENGINE:
        raise RuleBroken(
            "other-engine",
            f"This round was paired by engine {swiss.engine}; {ENGINE} can check it but not repeat it.",
            engine=swiss.engine,
        )
    ids = {entrant.id for entrant in swiss.entrants}
    if len(ids) != len(swiss.entrants):
        raise RuleBroken("doubled-entrant", "A team is entered twice; enter each team once.")
    if len(ids) < 2:
        raise RuleBroken(
            "not-enough-entrants",
            "There are not enough active teams to pair a round: at least two are needed.",
            entrants=len(ids),
        )
    if strange := set(swiss.fixed_byes) - ids:
        raise RuleBroken(
            "unknown-entrant",
            "A fixed bye belongs to a team that is not active; remove that bye.",
            entrants=sorted(strange),
        )


def _solve(field: Field, rng: Random) -> Solution:
    bye = field.bye_order[0] if field.bye_order else None
    line = Line(field, [place for place in range(len(field.entrants)) if place != bye], rng)
    if free_of_clashes(line):
        return Solution(line.pairs(), bye, "brackets", True)
    pairs, bye = exact(field, rng)
    return Solution(pairs, bye, "exact", True)


def _look_ahead(swiss: SwissInput, field: Field, solution: Solution, rng: Random) -> Solution:
    horizon = Horizon(swiss)
    reached = horizon.rounds_after(_future(horizon, field, solution.pairs, solution.bye))
    if reached == horizon.wanted:
        return replace(solution, completable=reached)
    tried = 0
    best = replace(solution, completable=reached)
    for candidate in candidates(field, rng):
        tried += 1
        graph = _future(horizon, field, candidate.pairs, candidate.bye)
        rounds = horizon.rounds_after(graph, reached + 1)
        if rounds > reached:
            reached = rounds
            best = Solution(candidate.pairs, candidate.bye, "look-ahead", True, tried, rounds, True)
        if reached == horizon.wanted:
            break
    return replace(best, alternatives=tried)


def _future(horizon: Horizon, field: Field, pairs: Sequence[Pair], bye: int | None) -> tuple[int, ...]:
    ids = [entrant.id for entrant in field.entrants]
    byes = [*field.fixed] if bye is None else [*field.fixed, ids[bye]]
    return horizon.after([(ids[one], ids[other]) for one, other in pairs], byes)


def _finished(swiss: SwissInput, field: Field, solution: Solution, rng: Random) -> Pairing:
    pairs = _at_tables(field, solution.pairs)
    resting = () if solution.bye is None else (field.entrants[solution.bye].id,)
    sided = _with_sides(field, pairs, rng)
    bare = Pairing(sided, (*field.fixed, *resting), _report(field, solution, pairs))
    return replace(bare, reasons=Reasons(swiss, bare))


def _at_tables(field: Field, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs by the better score, then by the other one; equal ones keep their drawn order."""
    scores = field.scores

    def height(pair: Pair) -> tuple[int, int]:
        one, other = scores[pair[0]], scores[pair[1]]
        return (-one, -other) if one > other else (-other, -one)

    return sorted(pairs, key=height)


def _with_sides(field: Field, pairs: Sequence[Pair], rng: Random) -> tuple[Pair, ...]:
    bits = rng.getrandbits(len(pairs) + 1)
    sided: list[Pair] = []
    for number, (first, second) in enumerate(pairs):
        one, other = field.entrants[first], field.entrants[second]
        turned = one.lean > other.lean if one.lean != other.lean else bits >> number & 1
        sided.append((other.id, one.id) if turned else (one.id, other.id))
    return tuple(sided)


def _report(field: Field, solution: Solution, pairs: Sequence[Pair]) -> Report:
    entrants = field.entrants
    bye = solution.bye
    legal = field.is_legal
    illegal = [pair for pair in pairs if not legal(*pair)]
    return Report(
        engine=ENGINE,
        stage=solution.stage,
        proved_optimal=solution.is_proved,
        rematches=sum(field.has_met(*pair) for pair in illegal),
        group_pairs=sum(field.are_grouped(*pair) for pair in illegal),
        pair_downs=sum(entrants[one].points != entrants[other].points for one, other in pairs),
        squared_gap=as_fraction(squared_gap(field, pairs), field.unit),
        bound=as_fraction(neighbour_bound(field, bye), field.unit),
        second_byes=0 if bye is None else int(entrants[bye].byes > 0),
        alternatives=solution.alternatives,
        completable=solution.completable,
        looked_ahead=solution.looked_ahead,
    )
