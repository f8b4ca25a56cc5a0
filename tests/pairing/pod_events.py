"""Whole events of pods with seeded results."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from rulebook.pairing.pod_values import PodEntrant, PodPairing, PodsInput
from rulebook.pairing.pods import pair_pods


@dataclass
class PodEvent:
    """An event of pods: 5 points for a win, 1 each for a draw, a bye is a win."""

    entrants: int
    rounds: int
    seed: int
    policy: str = "short-low"
    points: dict[int, int] = field(default_factory=dict)
    met: dict[int, list[int]] = field(default_factory=dict)
    seats: dict[int, list[int]] = field(default_factory=dict)
    short: dict[int, int] = field(default_factory=dict)
    byes: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        for entrant in range(1, self.entrants + 1):
            self.points[entrant] = self.short[entrant] = self.byes[entrant] = 0
            self.met[entrant], self.seats[entrant] = [], []
        self.last_byes: tuple[int, ...] = ()

    def play(self) -> Iterator[tuple[PodsInput, PodPairing]]:
        """Each round as it was seated."""
        design_seed = self.rng.getrandbits(32)
        for number in range(1, self.rounds + 1):
            pods = self.input(number, design_seed)
            pairing = pair_pods(pods)
            yield pods, pairing
            self.score(pairing)

    def input(self, number: int, design_seed: int) -> PodsInput:
        """What the round is seated from."""
        ranked = sorted(self.points, key=lambda entrant: -self.points[entrant])
        values = tuple(
            PodEntrant(
                entrant,
                Fraction(self.points[entrant]),
                rank,
                self.byes[entrant],
                entrant in self.last_byes,
                tuple(self.met[entrant]),
                tuple(self.seats[entrant]),
                self.short[entrant],
            )
            for rank, entrant in enumerate(ranked, start=1)
        )
        seed = self.rng.getrandbits(64)
        return PodsInput(values, seed, number, self.rounds - number + 1, self.policy, design_seed=design_seed)

    def score(self, pairing: PodPairing) -> None:
        """The round has seeded results."""
        full = max((len(pod) for pod in pairing.pods), default=4)
        for pod in pairing.pods:
            for seat, one in enumerate(pod):
                self.met[one] += [other for other in pod if other != one]
                self.seats[one].append(seat)
                self.short[one] += len(pod) < full
            if self.rng.random() < 0.15:
                for one in pod:
                    self.points[one] += 1
            else:
                self.points[self.rng.choice(pod)] += 5
        for resting in pairing.byes:
            self.byes[resting] += 1
            self.points[resting] += 5
        self.last_byes = pairing.byes
