"""A round of pods: sizes by policy, nobody meets again while that can be avoided, seats even out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import lcm
from random import Random

from rulebook.errors import RuleBroken
from rulebook.pairing.pod_designs import design_round, design_rounds
from rulebook.pairing.pod_search import PodField, pods_by_points
from rulebook.pairing.pod_seats import Seats, seated
from rulebook.pairing.pod_sizes import Sizes, pod_policy_of, pod_sizes
from rulebook.pairing.pod_values import POD_ENGINE, PodEntrant, PodPairing, PodReport, PodsInput
from rulebook.pairing.sentences import Sentences, number_text

# What a round of pods must be, the first one first.
POD_PRIORITIES: tuple[tuple[str, str], ...] = (
    ("complete", "everybody active is in exactly one pod or has a bye"),
    ("sizes", "pods have the sizes of the policy"),
    ("byes", "byes go to the fewest byes, not to last round's holders, then to the lowest standing"),
    ("repeats", "as few as possible share a pod again, and nobody three times while that can be avoided"),
    ("short", "nobody sits in a short pod twice while that can be avoided"),
    ("gap", "those with equal points share a pod"),
    ("seats", "nobody sits in one seat more than twice in five rounds"),
    ("chance", "everything else is drawn from the seed"),
)


def pair_pods(pods: PodsInput) -> PodPairing:
    """The next round of pods by the priorities; equal input gives equal output in every process.

    Raises RuleBroken for another engine version, an unknown policy, doubled or unknown ids, an empty field.
    """
    _check(pods)
    rng = Random(pods.seed)
    active = sorted(pods.entrants, key=lambda entrant: entrant.id)
    fixed = tuple(sorted(pods.fixed_byes))
    pool = [entrant for entrant in active if entrant.id not in fixed]
    sizes = pod_sizes(len(pool), pods.policy)
    resting = _byes(pool, sizes.byes, rng)
    pool = [entrant for entrant in pool if entrant.id not in resting]
    field = _field(pool, sizes, pod_policy_of(pods.policy).size)
    chosen, stage = _chosen(pods, field, pool, rng)
    seats = Seats([entrant.seats for entrant in pool], rng)
    placed = seated(chosen, seats, field.scores, field.met)
    named = tuple(tuple(pool[place].id for place in pod) for pod in placed)
    report = _report(stage, pool, placed, field, [e for e in active if e.id in resting])
    bare = PodPairing(named, (*fixed, *resting), report)
    return replace(bare, reasons=Sentences(lambda: _reasons(pods, bare)))


def _check(pods: PodsInput) -> None:
    ids = [entrant.id for entrant in pods.entrants]
    if pods.engine != POD_ENGINE:
        raise RuleBroken(
            "other-engine", f"Engine {pods.engine} seated this round; {POD_ENGINE} cannot repeat it."
        )
    if len(set(ids)) != len(ids):
        raise RuleBroken("doubled-entrant", "A team is entered twice; enter each team once.")
    if not ids:
        raise RuleBroken("not-enough-entrants", "There is nobody to seat.", entrants=0)
    if strange := set(pods.fixed_byes) - set(ids):
        raise RuleBroken(
            "unknown-entrant",
            "A fixed bye belongs to a team that is not active; remove that bye.",
            entrants=sorted(strange),
        )


def _byes(pool: Sequence[PodEntrant], count: int, rng: Random) -> tuple[int, ...]:
    chance = {entrant.id: rng.random() for entrant in pool}
    ordered = sorted(pool, key=lambda e: (e.byes, e.bye_last, -e.rank, chance[e.id]))
    return tuple(entrant.id for entrant in ordered[:count])


def _field(pool: Sequence[PodEntrant], sizes: Sizes, full: int) -> PodField:
    unit = lcm(*{entrant.points.denominator for entrant in pool})
    place = {entrant.id: at for at, entrant in enumerate(pool)}
    met: list[dict[int, int]] = []
    for entrant in pool:
        row: dict[int, int] = {}
        for opponent in entrant.met:
            if (other := place.get(opponent)) is not None:
                row[other] = row.get(other, 0) + 1
        met.append(row)
    return PodField(
        scores=[int(entrant.points * unit) for entrant in pool],
        met=met,
        short=[entrant.short for entrant in pool],
        sizes=sizes.pods,
        full=full,
        unit=unit,
    )


def _chosen(
    pods: PodsInput, field: PodField, pool: Sequence[PodEntrant], rng: Random
) -> tuple[list[list[int]], str]:
    """The pods of the fixed design while it fits; by points otherwise, or at last if that is clean."""
    design = None if pods.fixed_byes else _design(pods, field, pool)
    if design is not None and pods.rounds_left != 1:
        return design, "design"
    found, is_clean = pods_by_points(field, rng)
    if design is not None and not is_clean:
        return design, "design"
    return found, "points"


def _design(pods: PodsInput, field: PodField, pool: Sequence[PodEntrant]) -> list[list[int]] | None:
    """The design's pods of this round, if the rounds so far were the design's and nobody came or left."""
    if pods.design_seed is None or pods.round_number > design_rounds(field.sizes):
        return None
    labels = list(range(len(pool)))
    Random(pods.design_seed).shuffle(labels)
    shared: Counter[tuple[int, int]] = Counter()
    for number in range(1, pods.round_number):
        for pod in design_round(field.sizes, number):
            shared.update(combinations(sorted(labels[label] for label in pod), 2))
    actual = Counter(
        {(one, two): times for one, row in enumerate(field.met) for two, times in row.items() if one < two}
    )
    if shared != actual:
        return None
    drawn = [[labels[label] for label in pod] for pod in design_round(field.sizes, pods.round_number)]
    return _in_table_order(drawn, field)


def _in_table_order(drawn: list[list[int]], field: PodField) -> list[list[int]]:
    """The pods with the most points first, among those of the size that the table asks for."""
    drawn = sorted(drawn, key=lambda pod: (-sum(field.scores[place] for place in pod), pod))
    return [drawn.pop(next(at for at, pod in enumerate(drawn) if len(pod) == size)) for size in field.sizes]


def _report(
    stage: str,
    pool: Sequence[PodEntrant],
    placed: Sequence[Sequence[int]],
    field: PodField,
    resting: Sequence[PodEntrant],
) -> PodReport:
    together = [pair for pod in placed for pair in combinations(pod, 2)]
    times = [field.met[one].get(two, 0) for one, two in together]
    short = [place for pod in placed if len(pod) < field.full for place in pod]
    gaps = sum((field.scores[one] - field.scores[two]) ** 2 for one, two in together)
    return PodReport(
        engine=POD_ENGINE,
        stage=stage,
        repeats=sum(count > 0 for count in times),
        met_twice=sum(count > 1 for count in times),
        short_again=sum(pool[place].short > 0 for place in short),
        third_seats=sum(
            pool[place].seats.count(seat) > 1 for pod in placed for seat, place in enumerate(pod)
        ),
        squared_gap=Fraction(gaps, field.unit**2),
        second_byes=sum(entrant.byes > 0 for entrant in resting),
    )


def _reasons(pods: PodsInput, pairing: PodPairing) -> dict[int, str]:
    known = {entrant.id: entrant for entrant in pods.entrants}
    full = pod_policy_of(pods.policy).size
    said: dict[int, str] = {}
    for pod in pairing.pods:
        sentence = _pod_sentence([known[entrant] for entrant in pod], full, pairing.report.stage)
        said.update(dict.fromkeys(pod, sentence))
    for resting in pairing.byes:
        is_fixed = resting in pods.fixed_byes
        given = "This bye was given before the round was paired."
        drawn = "The field does not fill its pods; the byes go to the lowest with the fewest byes."
        said[resting] = given if is_fixed else drawn
    return said


def _pod_sentence(pod: Sequence[PodEntrant], full: int, stage: str) -> str:
    points = sorted({entrant.points for entrant in pod}, reverse=True)
    span = (
        f"{number_text(points[0])} to {number_text(points[-1])} points"
        if points[1:]
        else f"{number_text(points[0])} points"
    )
    again = sum(two.id in one.met for one, two in combinations(pod, 2))
    met = (
        "nobody has met before" if not again else f"{again} of its pairs have met, which could not be avoided"
    )
    plan = ", by the fixed plan of a small field" if stage == "design" else ""
    short = ", a short pod because the field does not fill all pods" if len(pod) < full else ""
    return f"A pod of {len(pod)} with {span}{plan}{short}; {met}."
