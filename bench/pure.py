"""Ratios of the rulebook alone: our Swiss round against another engine, a fixed loop and itself."""

import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from operator import attrgetter
from random import Random
from typing import Any

import swisspair

from rulebook.pairing.pod_values import PodEntrant, PodsInput
from rulebook.pairing.pods import pair_pods
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import Entrant, SwissInput

PAIRS = 9
# A sample is at least so long: one call of a millisecond would measure the state of the caches before it.
SAMPLE_S = 0.02
LOOP_STEPS = 300_000


def seconds(deed: Callable[[], object], times: int = 1) -> float:
    """Seconds of CPU-bound wall time of one of so many calls, the collector off as in any short request."""
    gc.collect()
    gc.disable()
    try:
        began = time.perf_counter()
        for _ in range(times):
            deed()
        return (time.perf_counter() - began) / times
    finally:
        gc.enable()


def ratio(ours: Callable[[], object], other: Callable[[], object], pairs: int = PAIRS) -> tuple[float, float]:
    """The median of ours/other over interleaved pairs, and our median in seconds. Both are called equally
    often for a sample; the first pair warms up and says how often."""
    found = []
    mine = []
    times = 1
    for turn in range(pairs + 1):
        one, two = seconds(ours, times), seconds(other, times)
        if turn:
            found.append(one / two)
            mine.append(one)
        times = max(times, ceil(SAMPLE_S / one))
    return statistics.median(found), statistics.median(mine)


def event(entrants: int, rounds: int, seed: int, *, drops: float = 0.0, groups: int = 0) -> SwissInput:
    """The input of the round after `rounds` played by chance; some entrants drop, some belong to a club."""
    rng = Random(seed)
    points = dict.fromkeys(range(1, entrants + 1), 0)
    met: dict[int, list[int]] = {one: [] for one in points}
    byes = dict.fromkeys(points, 0)
    club = {one: f"club {rng.randrange(groups)}" for one in points if groups and rng.random() < 0.5}
    for number in range(rounds):
        pairing = pair_swiss(_input(points, met, byes, club, rng.getrandbits(60), rounds - number + 1))
        for one, other in pairing.pairs:
            met[one].append(other)
            met[other].append(one)
            if rng.random() < 0.05:
                points[one] += 1
                points[other] += 1
            else:
                points[rng.choice((one, other))] += 3
        for one in pairing.byes:
            byes[one] += 1
            points[one] += 3
        for one in [one for one in points if rng.random() < drops]:
            del points[one]
    return _input(points, met, byes, club, rng.getrandbits(60), 1)


def _input(
    points: dict[int, int],
    met: dict[int, list[int]],
    byes: dict[int, int],
    club: dict[int, str],
    seed: int,
    rounds_left: int,
) -> SwissInput:
    """As the service gives it: in the order of the teams' numbers, equal points being one value."""
    rank = {one: at for at, one in enumerate(sorted(points, key=lambda one: -points[one]), 1)}
    worth = {number: Fraction(number) for number in set(points.values())}
    return SwissInput(
        entrants=tuple(
            Entrant(one, worth[points[one]], rank[one], byes[one], met=tuple(met[one]), group=club.get(one))
            for one in points
        ),
        seed=seed,
        rounds_left=rounds_left,
    )


def in_their_words(given: SwissInput) -> list[Any]:
    """The same field for the other engine, which wants the best first."""
    return [
        swisspair.Player(str(e.id), int(e.points), e.rank, e.byes == 0, {str(one) for one in e.met})
        for e in sorted(given.entrants, key=attrgetter("rank"))
    ]


def fixed_loop() -> int:
    """A loop of plain arithmetic that never changes: the yardstick that needs no other package."""
    state = 12345
    for _ in range(LOOP_STEPS):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
    return state


def rows() -> list[tuple[str, str, str, str]]:
    """Every row: what, measured, goal, our median."""
    told: list[tuple[str, str, str, str]] = []
    for entrants, rounds, goal in ((256, 8, 0.1), (1024, 10, 0.05), (9998, 9, 0.05)):
        given = event(entrants, rounds, 11)
        theirs = in_their_words(given)
        found, ours = ratio(lambda g=given: pair_swiss(g), lambda t=theirs: swisspair.create_matches(t))
        told.append(_row(f"Swiss round / swisspair, {entrants} entrants", found, goal, ours))
    large, small = event(9998, 9, 11), event(1024, 9, 11)
    found, ours = ratio(lambda: pair_swiss(large), fixed_loop)
    told.append(_row("Swiss round of 9,998 / fixed loop", found, 0.25, ours))
    found, ours = ratio(lambda: pair_swiss(large), lambda: pair_swiss(small))
    told.append(_row("growth 1,024 to 9,998", found, 20, ours))
    worst = max(seconds(lambda g=given: pair_swiss(g)) for given in fifty())
    told.append(("worst of fifty rounds with drops and clubs", f"{worst * 1000:.0f} ms", "-", ""))
    field = pods(1024)
    found, ours = ratio(lambda: pair_pods(field), lambda: pair_swiss(small))
    told.append(_row("pods round / Swiss round, 1,024", found, 15, ours))
    tracemalloc.start()
    pair_swiss(large)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    told.append(("peak memory of the engine, 9,998", f"{peak / 2**20:.0f} MiB", "-", ""))
    return told


def fifty() -> list[SwissInput]:
    """Fifty rounds of many sizes with drops and clubs."""
    return [event(40 + 20 * n, 3 + n % 6, 100 + n, drops=0.05, groups=6) for n in range(50)]


def pods(entrants: int) -> PodsInput:
    """A second round of pods."""
    ids = range(1, entrants + 1)
    first = pair_pods(PodsInput(tuple(PodEntrant(one, Fraction(0), one) for one in ids), 5, 1, 4))
    winners = {pod[0] for pod in first.pods}
    mates = {one: tuple(other for other in pod if other != one) for pod in first.pods for one in pod}
    seat = {one: place for pod in first.pods for place, one in enumerate(pod)}
    ranked = sorted(ids, key=lambda one: one not in winners)
    return PodsInput(
        tuple(
            PodEntrant(one, Fraction(5 if one in winners else 0), rank, met=mates[one], seats=(seat[one],))
            for rank, one in enumerate(ranked, 1)
        ),
        6,
        2,
        3,
        design_seed=5,
    )


def _row(what: str, found: float, goal: float, ours: float) -> tuple[str, str, str, str]:
    kept = "kept" if found <= goal else "MISSED"
    return what, f"{found:.3g}", f"at most {goal:g}: {kept}", f"{ours * 1000:.2f} ms"
