"""Who shares a pod: neighbours by points, then swaps that undo repeats, with a short memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

# Any repeat outweighs all short pods, any second short pod outweighs all gaps.
SHORT = 10**12
REPEAT = 10**18
RESTARTS = 4
LARGE = 400
MEMORY = 7


@dataclass(frozen=True, slots=True)
class PodField:
    """Places with scores, how often two have met, how often each sat in a short pod, and the pod sizes."""

    scores: Sequence[int]
    met: Sequence[dict[int, int]]
    short: Sequence[int]
    sizes: tuple[int, ...]
    full: int
    unit: int

    def cost(self, members: Sequence[int], size: int) -> int:
        """Repeats (growing with the square), short pods again, squared gaps."""
        total = 0
        scores = self.scores
        for at, one in enumerate(members):
            met, score = self.met[one], scores[one]
            for other in members[:at]:
                times = met.get(other)
                if times:
                    total += REPEAT * times * times
                total += (score - scores[other]) ** 2
        if size < self.full:
            total += SHORT * sum(self.short[one] ** 2 for one in members)
        return total

    def pair(self, one: int, other: int) -> int:
        """What it costs that the two share a pod."""
        times = self.met[one].get(other, 0)
        gap = self.scores[one] - self.scores[other]
        return REPEAT * times * times + gap * gap

    def lone(self, one: int, size: int) -> int:
        """What it costs that the place sits in a pod of this size."""
        return SHORT * self.short[one] ** 2 if size < self.full else 0

    def least_short(self) -> int:
        """The least that the short pods can cost."""
        seats = sum(size for size in self.sizes if size < self.full)
        return SHORT * sum(times**2 for times in sorted(self.short)[:seats])


def pods_by_points(field: PodField, rng: Random) -> tuple[list[list[int]], bool]:
    """Pods in table order, and whether nobody repeats an opponent or needlessly a short pod."""
    best: tuple[int, list[list[int]]] | None = None
    enough = field.least_short() + SHORT
    for attempt in range(RESTARTS):
        found = _Search(field, rng, attempt).run()
        if best is None or found[0] < best[0]:
            best = found
        if best[0] < enough or len(field.scores) > LARGE:
            break
    assert best is not None
    return best[1], best[0] < enough


class _Search:
    def __init__(self, field: PodField, rng: Random, attempt: int) -> None:
        self.field = field
        self.rng = rng
        keys = [rng.random() - score for score in field.scores]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        self.pods: list[list[int]] = []
        for size in field.sizes:
            self.pods.append(order[:size])
            order = order[size:]
        self.costs = [field.cost(pod, len(pod)) for pod in self.pods]
        self.reach = 2 + 2 * attempt
        self.steps = 200 + 4 * len(self.pods) + 200 * attempt
        self.held: dict[int, int] = {}
        self.touched: tuple[int, ...] = ()

    def run(self) -> tuple[int, list[list[int]]]:
        """The cheapest pods met on the way, with their cost."""
        total = sum(self.costs)
        best, kept = total, [pod[:] for pod in self.pods]
        enough = self.field.least_short() + SHORT
        clashing = [at for at, cost in enumerate(self.costs) if cost >= SHORT]
        stuck = 0
        for step in range(self.steps):
            if total < enough or not clashing:
                break
            at = self._pick(clashing)
            total += self._step(at, step, self.reach + stuck // 20, best - total)
            clashing = [at for at in clashing if self.costs[at] >= SHORT]
            clashing += [at for at in self.touched if self.costs[at] >= SHORT and at not in clashing]
            stuck += 1
            if total < best:
                best, kept, stuck = total, [pod[:] for pod in self.pods], 0
        return best, kept

    def _pick(self, clashing: list[int]) -> int:
        """A pod with a repeat, if there is one."""
        grave = [at for at in clashing if self.costs[at] >= REPEAT]
        return self.rng.choice(grave or clashing)

    def _step(self, at: int, step: int, reach: int, wanted: int) -> int:
        """One swap of the worst of a pod with the best partner near it; the change of the whole cost."""
        pods, field = self.pods, self.field
        pod = pods[at]
        seat = self._worst(pod)
        moved = pod[seat]
        rest = pod[:seat] + pod[seat + 1 :]
        left = sum(field.pair(moved, other) for other in rest) + field.lone(moved, len(pod))
        found: tuple[int, float, int, int] | None = None
        for other in range(max(at - reach, 0), min(at + reach + 1, len(pods))):
            if other == at:
                continue
            for place, change in enumerate(self._changes(moved, len(pod), rest, pods[other], left)):
                comer = pods[other][place]
                is_held = self.held.get(comer, -1) > step or self.held.get(moved, -1) > step
                if is_held and change >= wanted:
                    continue
                option = (change, self.rng.random(), other, place)
                if found is None or option < found:
                    found = option
        if found is None:
            self.touched = ()
            return 0
        return self._swap(at, seat, found[2], found[3], step)

    def _worst(self, pod: Sequence[int]) -> int:
        """The seat whose holder fits worst."""
        field = self.field
        clashes = [
            sum(field.met[one].get(other, 0) ** 2 for other in pod) * REPEAT + field.lone(one, len(pod))
            for one in pod
        ]
        worst = max(clashes)
        return self.rng.choice([seat for seat, clash in enumerate(clashes) if clash == worst])

    def _changes(
        self, moved: int, size: int, rest: Sequence[int], there: Sequence[int], left: int
    ) -> list[int]:
        """For each of another pod what changing places with the moved one changes."""
        field = self.field
        pair, lone = field.pair, field.lone
        with_moved = [pair(moved, other) for other in there]
        all_moved = sum(with_moved) + lone(moved, len(there)) - left
        changes: list[int] = []
        for place, comer in enumerate(there):
            change = all_moved - with_moved[place]
            for other in rest:
                change += pair(comer, other)
            for other in there:
                if other != comer:
                    change -= pair(comer, other)
            if size != len(there):
                change += lone(comer, size) - lone(comer, len(there))
            changes.append(change)
        return changes

    def _swap(self, at: int, seat: int, other: int, place: int, step: int) -> int:
        pods, field = self.pods, self.field
        before = self.costs[at] + self.costs[other]
        moved, comer = pods[at][seat], pods[other][place]
        pods[at][seat], pods[other][place] = comer, moved
        for pod in (at, other):
            self.costs[pod] = field.cost(pods[pod], len(pods[pod]))
        self.held[moved] = self.held[comer] = step + MEMORY + self.rng.randrange(MEMORY)
        self.touched = (at, other)
        return self.costs[at] + self.costs[other] - before
