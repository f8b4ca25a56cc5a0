"""Sentences by entrant that are worked out when somebody asks, and not before."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction


class Sentences(Mapping[int, str]):
    """A sentence for every entrant of a round, made at the first look."""

    def __init__(self, make: Callable[[], dict[int, str]]) -> None:
        self._make = make
        self._made: dict[int, str] | None = None

    def __getitem__(self, entrant: int) -> str:
        return self._all()[entrant]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[int, str]:
        if self._made is None:
            self._made = self._make()
        return self._made


def number_text(points: Fraction) -> str:
    """Points as people write them: 6 or 4.5."""
    return str(points.numerator) if points.denominator == 1 else f"{float(points):g}"


def points_text(points: Fraction) -> str:
    """Points with their word: 6 points, 1 point, 4.5 points."""
    return f"{number_text(points)} point" if points == 1 else f"{number_text(points)} points"
