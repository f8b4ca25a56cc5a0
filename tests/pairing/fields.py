"""Small fields and whole events for the pairing tests; everything random comes from the given seed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import Entrant, Pairing, SwissInput


def entrants_of(
    points: Mapping[int, int | Fraction],
    *,
    met: Sequence[tuple[int, int]] = (),
    byes: Mapping[int, int] | None = None,
    bye_last: Sequence[int] = (),
    groups: Mapping[int, str] | None = None,
) -> tuple[Entrant, ...]:
    """Entrants ranked by points, then by the order given."""
    opponents: dict[int, list[int]] = {entrant: [] for entrant in points}
    for one, other in met:
        opponents[one].append(other)
        opponents[other].append(one)
    ranked = sorted(points, key=lambda entrant: -points[entrant])
    return tuple(
        Entrant(
            id=entrant,
            points=Fraction(points[entrant]),
            rank=place,
            byes=(byes or {}).get(entrant, 0),
            bye_last=entrant in bye_last,
            met=tuple(opponents[entrant]),
            group=(groups or {}).get(entrant),
        )
        for place, entrant in enumerate(ranked, start=1)
    )


def as_sets(pairs: Sequence[tuple[int, int]]) -> set[frozenset[int]]:
    """The pairs without their side order."""
    return {frozenset(pair) for pair in pairs}


@dataclass
class Event:
    """A Swiss event played with seeded results."""

    entrants: int
    rounds: int
    seed: int
    drop_rate: float = 0.0
    draw_rate: float = 0.0
    groups: int = 0
    by_standing_last: bool = False
    points: dict[int, int] = field(default_factory=dict)
    byes: dict[int, int] = field(default_factory=dict)
    met: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        for entrant in range(1, self.entrants + 1):
            self.points[entrant], self.byes[entrant], self.met[entrant] = 0, 0, []
        self.group = {
            entrant: f"club {self.rng.randrange(self.groups)}" for entrant in self.points if self.groups
        }
        self.active = sorted(self.points)
        self.last_byes: tuple[int, ...] = ()

    def input(self, rounds_left: int, *, planned: bool = True) -> SwissInput:
        """What the next round is paired from."""
        lots = {entrant: self.rng.random() for entrant in self.active}
        ranked = sorted(self.active, key=lambda entrant: (-self.points[entrant], lots[entrant]))
        values = tuple(
            Entrant(
                entrant,
                Fraction(self.points[entrant]),
                place,
                self.byes[entrant],
                entrant in self.last_byes,
                tuple(self.met[entrant]),
                self.group.get(entrant),
            )
            for place, entrant in enumerate(ranked, start=1)
        )
        last = self.by_standing_last and rounds_left == 1
        return SwissInput(values, self.rng.getrandbits(64), rounds_left if planned else 0, by_standing=last)

    def play(self, *, planned: bool = True) -> Iterator[tuple[SwissInput, Pairing]]:
        """Each round as it was paired; results, draws and drops follow it."""
        for number in range(self.rounds):
            if len(self.active) < 2:
                return
            swiss = self.input(self.rounds - number, planned=planned)
            pairing = pair_swiss(swiss)
            yield swiss, pairing
            self.score(pairing)

    def score(self, pairing: Pairing) -> None:
        """The round has seeded results, and some have left."""
        for one, other in pairing.pairs:
            self.met[one].append(other)
            self.met[other].append(one)
            if self.rng.random() < self.draw_rate:
                self.points[one] += 1
                self.points[other] += 1
            else:
                self.points[self.rng.choice((one, other))] += 3
        for resting in pairing.byes:
            self.byes[resting] += 1
            self.points[resting] += 3
        self.last_byes = pairing.byes
        self.active = [entrant for entrant in self.active if self.rng.random() >= self.drop_rate]
