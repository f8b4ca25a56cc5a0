"""What is paired and what comes out: pure values, with one canonical form for storage and replay."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

ENGINE = "swiss-1"


@dataclass(frozen=True, slots=True)
class Entrant:
    """Whoever is paired: `rank` 1 stands best, `met` names an opponent once for each meeting (who names this
    one too), `lean` is how much more often it was the first side than the second."""

    id: int
    points: Fraction
    rank: int
    byes: int = 0
    bye_last: bool = False
    met: tuple[int, ...] = ()
    group: str | None = None
    lean: int = 0

    def as_dict(self) -> dict[str, Any]:
        """A JSON-able form with points as text, equal for equal entrants."""
        return {
            "id": self.id,
            "points": str(self.points),
            "rank": self.rank,
            "byes": self.byes,
            "bye_last": self.bye_last,
            "met": sorted(self.met),
            "group": self.group,
            "lean": self.lean,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Entrant":
        """The entrant that `as_dict` wrote."""
        return cls(
            id=stored["id"],
            points=Fraction(stored["points"]),
            rank=stored["rank"],
            byes=stored["byes"],
            bye_last=stored["bye_last"],
            met=tuple(stored["met"]),
            group=stored["group"],
            lean=stored["lean"],
        )


@dataclass(frozen=True)
class SwissInput:
    """Everything a Swiss round depends on; `rounds_left` counts this round too, 0 means not planned."""

    entrants: tuple[Entrant, ...]
    seed: int
    rounds_left: int
    fixed_byes: tuple[int, ...] = ()
    by_standing: bool = False
    engine: str = ENGINE
    forbidden: tuple[tuple[int, int], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The canonical form: independent of the order in which entrants, byes and opponents were given."""
        return {
            "engine": self.engine,
            "seed": self.seed,
            "rounds_left": self.rounds_left,
            "by_standing": self.by_standing,
            "fixed_byes": sorted(self.fixed_byes),
            "forbidden": sorted(sorted(pair) for pair in self.forbidden),
            "entrants": [entrant.as_dict() for entrant in sorted(self.entrants, key=_by_id)],
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "SwissInput":
        """The input that `as_dict` wrote."""
        return cls(
            entrants=tuple(Entrant.from_dict(entrant) for entrant in stored["entrants"]),
            seed=stored["seed"],
            rounds_left=stored["rounds_left"],
            fixed_byes=tuple(stored["fixed_byes"]),
            by_standing=stored["by_standing"],
            engine=stored["engine"],
            forbidden=tuple((first, second) for first, second in stored["forbidden"]),
        )


@dataclass(frozen=True)
class Report:
    """How a round was found and what it costs: counts of pairs, `squared_gap` in match points squared."""

    engine: str
    stage: str
    proved_optimal: bool
    rematches: int
    group_pairs: int
    pair_downs: int
    squared_gap: Fraction
    bound: Fraction
    second_byes: int
    alternatives: int = 0
    completable: int | None = None
    looked_ahead: bool = False

    def as_dict(self) -> dict[str, Any]:
        """A JSON-able form with fractions as text."""
        return {
            "engine": self.engine,
            "stage": self.stage,
            "proved_optimal": self.proved_optimal,
            "rematches": self.rematches,
            "group_pairs": self.group_pairs,
            "pair_downs": self.pair_downs,
            "squared_gap": str(self.squared_gap),
            "bound": str(self.bound),
            "second_byes": self.second_byes,
            "alternatives": self.alternatives,
            "completable": self.completable,
            "looked_ahead": self.looked_ahead,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Report":
        """The report that `as_dict` wrote."""
        fractions = {key: Fraction(stored[key]) for key in ("squared_gap", "bound")}
        return cls(**{**stored, **fractions})


@dataclass(frozen=True)
class Pairing:
    """One paired round: `pairs` in table order, best first, each in side order; `byes`, fixed ones first;
    `reasons` holds one sentence for every entrant, the same for both sides."""

    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]
    report: Report
    reasons: Mapping[int, str] = field(default_factory=dict, compare=False, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """The canonical output that a replay must reproduce."""
        return {
            "pairs": [list(pair) for pair in self.pairs],
            "byes": list(self.byes),
            "report": self.report.as_dict(),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Pairing":
        """The pairing that `as_dict` wrote, without its reasons: `explain` gives them from the input."""
        return cls(
            pairs=tuple((first, second) for first, second in stored["pairs"]),
            byes=tuple(stored["byes"]),
            report=Report.from_dict(stored["report"]),
        )


def canonical(thing: Mapping[str, Any]) -> bytes:
    """The one byte form of a JSON-able value: sorted keys, no spaces, ASCII."""
    return json.dumps(thing, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def _by_id(entrant: Entrant) -> int:
    return entrant.id
