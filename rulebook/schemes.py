"""Points for the places of a pod: what organizers announce where a win is not all that counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rulebook.contests import Contest, Score
from rulebook.errors import RuleBroken
from rulebook.scoring import Outcome


class Sharing(StrEnum):
    """What equals get who cover several places: the mean of their points, rounded."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Scheme:
    """Points by place for each size of a pod, and what everybody has who shares a draw."""

    key: str
    name: str
    places: Mapping[int, tuple[int, ...]]
    sharing: Sharing = Sharing.UP
    drawn: int = 1


_ALL = (
    Scheme("by-place", "5, 3, 2, 1 by place", {4: (5, 3, 2, 1), 3: (5, 3, 2)}),
    Scheme("knock-out", "3, 2, 1, 0 by order of elimination", {4: (3, 2, 1, 0), 3: (3, 2, 1)}),
    Scheme(
        "shared-down",
        "4, 3, 2, 1 by place, equals rounded down",
        {4: (4, 3, 2, 1), 3: (4, 3, 2)},
        Sharing.DOWN,
    ),
)

SCHEMES: Mapping[str, Scheme] = {scheme.key: scheme for scheme in _ALL}


def scheme_of(key: str) -> Scheme:
    """The scheme of that key; `RuleBroken("unknown-scheme")` names the known ones."""
    if key not in SCHEMES:
        raise RuleBroken(
            "unknown-scheme", f"There is no scheme {key!r}; choose from {', '.join(SCHEMES)}.", scheme=key
        )
    return SCHEMES[key]


def scheme_points(scheme: Scheme, contest: Contest) -> list[int]:
    """Match points of each side of a pod; losers without a place share those that are left.

    `RuleBroken("wrong-pod-size")` where the scheme has no points for so many sides.
    """
    scores = contest.scores
    table = scheme.places.get(len(scores))
    if table is None:
        raise RuleBroken(
            "wrong-pod-size",
            f"The scheme {scheme.name!r} has no points for a pod of {len(scores)}; choose another policy.",
            sides=len(scores),
        )
    if all(score.outcome == Outcome.LOSS for score in scores):
        return [0] * len(scores)
    places = [_place(scores, score) for score in scores]
    return [
        scheme.drawn if score.outcome == Outcome.DRAW else _shared(scheme, table, places, place)
        for score, place in zip(scores, places, strict=True)
    ]


def _place(scores: Sequence[Score], score: Score) -> int:
    if score.place is not None:
        return score.place
    if score.outcome != Outcome.LOSS:
        return 1
    ahead = sum(other.outcome != Outcome.LOSS for other in scores)
    taken = set(range(1, ahead + 1))
    counted = Counter(other.place for other in scores if other.place is not None)
    taken.update(place + offset for place, count in counted.items() for offset in range(count))
    return min(place for place in range(1, len(scores) + 1) if place not in taken)


def _shared(scheme: Scheme, table: Sequence[int], places: Sequence[int], place: int) -> int:
    equal = places.count(place)
    total = sum(table[place - 1 : place - 1 + equal])
    return -(-total // equal) if scheme.sharing is Sharing.UP else total // equal
