"""Why this opponent, why this bye: one sentence an entrant understands, worked out when somebody asks."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rulebook.pairing.values import Entrant, Pairing, SwissInput


class Reasons(Mapping[int, str]):
    """The sentences of one round by entrant id, made at the first look."""

    def __init__(self, swiss: SwissInput, pairing: Pairing) -> None:
        self._given = (swiss, pairing)
        self._made: dict[int, str] | None = None

    def __getitem__(self, entrant: int) -> str:
        return self._sentences()[entrant]

    def __iter__(self) -> Iterator[int]:
        return iter(self._sentences())

    def __len__(self) -> int:
        return len(self._sentences())

    def _sentences(self) -> dict[int, str]:
        if self._made is None:
            self._made = explain(*self._given)
        return self._made


def explain(swiss: SwissInput, pairing: Pairing) -> dict[int, str]:
    """A sentence for every entrant of the round; both sides of a pairing get the same one."""
    known = {entrant.id: entrant for entrant in swiss.entrants}
    said: dict[int, str] = {}
    for first, second in pairing.pairs:
        said[first] = said[second] = _pair_sentence(known[first], known[second])
    for resting in pairing.byes:
        said[resting] = _bye_sentence(known[resting], resting in swiss.fixed_byes)
    return said


def _pair_sentence(one: Entrant, other: Entrant) -> str:
    if one.points == other.points:
        return f"Both have {points_text(one.points)}."
    high, low = max(one.points, other.points), min(one.points, other.points)
    return f"They have {points_text(high)} and {points_text(low)}."


def _bye_sentence(entrant: Entrant, is_fixed: bool) -> str:
    if is_fixed:
        return "This bye was fixed before the round was paired."
    return "The number of teams is odd."


def points_text(points: Fraction) -> str:
    """Points as people write them: 6 points, 1 point, 4.5 points."""
    number = str(points.numerator) if points.denominator == 1 else f"{float(points):g}"
    return f"{number} point" if points == 1 else f"{number} points"
