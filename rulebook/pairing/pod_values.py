"""What is seated in pods and what comes out, with one canonical form for storage and replay."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

POD_ENGINE = "pods-1"


@dataclass(frozen=True, slots=True)
class PodEntrant:
    """Whoever is seated: `met` names an opponent once for each pod shared, `seats` the seats so far (0 is
    first), `short` how often the pod was smaller than a full one."""

    id: int
    points: Fraction
    rank: int
    byes: int = 0
    bye_last: bool = False
    met: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    short: int = 0


@dataclass(frozen=True)
class PodsInput:
    """What a round of pods depends on; `design_seed` is the seed of the stage's first round, or None."""

    entrants: tuple[PodEntrant, ...]
    seed: int
    round_number: int
    rounds_left: int
    policy: str = "short-low"
    fixed_byes: tuple[int, ...] = ()
    design_seed: int | None = None
    engine: str = POD_ENGINE

    def as_dict(self) -> dict[str, Any]:
        """The canonical form: independent of the order of entrants and opponents."""
        stored = {key: getattr(self, key) for key in self.__dataclass_fields__ if key != "entrants"}
        rows = [asdict(entrant) for entrant in sorted(self.entrants, key=lambda entrant: entrant.id)]
        for row in rows:
            row.update(points=str(row["points"]), met=sorted(row["met"]), seats=list(row["seats"]))
        return {**stored, "fixed_byes": sorted(self.fixed_byes), "entrants": rows}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "PodsInput":
        """The input that `as_dict` wrote."""
        entrants = tuple(
            PodEntrant(
                **{
                    **row,
                    "points": Fraction(row["points"]),
                    "met": tuple(row["met"]),
                    "seats": tuple(row["seats"]),
                }
            )
            for row in stored["entrants"]
        )
        return cls(**{**stored, "entrants": entrants, "fixed_byes": tuple(stored["fixed_byes"])})


@dataclass(frozen=True)
class PodReport:
    """What a round of pods costs; `repeats` counts pairs that shared a pod before."""

    engine: str
    stage: str
    repeats: int
    met_twice: int
    short_again: int
    third_seats: int
    squared_gap: Fraction
    second_byes: int

    def as_dict(self) -> dict[str, Any]:
        """A JSON-able form with fractions as text."""
        return {**asdict(self), "squared_gap": str(self.squared_gap)}


@dataclass(frozen=True)
class PodPairing:
    """Pods in table order, each in seat order; `byes`, fixed ones first; a sentence for everybody."""

    pods: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    report: PodReport
    reasons: Mapping[int, str] = field(default_factory=dict, compare=False, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """The canonical output that a replay must reproduce."""
        return {
            "pods": [list(pod) for pod in self.pods],
            "byes": list(self.byes),
            "report": self.report.as_dict(),
        }
