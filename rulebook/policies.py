"""Named ways to rank a field: points, floors, byes and the order of tiebreakers, one record per rule set.

Where a rules document leaves a blank, or where we only know a rule at second hand, the record is
`verified=False` and `note` says what is not certain.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction

from rulebook.errors import RuleBroken

THIRD = Fraction(1, 3)
MAGIC_FLOOR = Fraction(33, 100)


class Share(StrEnum):
    """What an entrant's own match percentage divides."""

    POINTS = "points"  # match points by the most points there were
    WINS = "wins"  # wins, half a win for a draw, by rounds


class Scoring(StrEnum):
    """What the half points of a result mean and what the first column of the ranking holds."""

    OUTCOME = "outcome"  # match points
    VEKN = "vekn"  # half points are victory points times two; game wins rank first


@dataclass(frozen=True, slots=True)
class StandingsPolicy:
    """How results become a ranking; frozen onto the stage when the tournament starts."""

    key: str
    name: str
    win: Fraction = Fraction(3)
    draw: Fraction = Fraction(1)
    loss: Fraction = Fraction(0)
    bye: Fraction = Fraction(3)
    floor: Fraction | None = None  # under every opponent's percentage
    own_floor: bool = True  # ... and under the entrant's own game column
    byes_in_own: bool = True  # a bye is a round in the entrant's own percentages
    tiebreakers: tuple[str, ...] = ("omw", "gw", "ogw")
    verified: bool = True
    note: str = ""
    citation: str = ""
    share: Share = Share.POINTS
    dropped_cap: Fraction | None = None  # over the percentage of an opponent who left
    bye_opponents: int = 0  # a bye counts as so many opponents ...
    bye_rate: Fraction | None = None  # ... of this percentage
    scoring: Scoring = Scoring.OUTCOME
    scheme: str = ""  # a key of rulebook.schemes: points by place in pods

    def with_floor(self, floor: Fraction | None) -> "StandingsPolicy":
        """The same policy with another floor; `RuleBroken("impossible-floor")` outside 0 to 1."""
        if floor is not None and not 0 <= floor <= 1:
            raise RuleBroken(
                "impossible-floor", f"A floor lies between 0 and 1, not at {floor}.", floor=str(floor)
            )
        return replace(self, floor=floor)

    def as_dict(self) -> dict[str, object]:
        """Plain JSON values; fractions are written like 33/100."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, object]) -> "StandingsPolicy":
        """The policy that `as_dict` wrote; a field that did not exist then has its default."""
        return cls(**{key: _valued(key, value) for key, value in stored.items()})  # type: ignore[arg-type]


_FRACTIONS = frozenset({"win", "draw", "loss", "bye", "floor", "dropped_cap", "bye_rate"})


def _plain(value: object) -> object:
    if isinstance(value, Fraction | StrEnum):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _valued(key: str, value: object) -> object:
    if key in _FRACTIONS:
        return None if value is None else Fraction(str(value))
    if key == "share":
        return Share(str(value))
    if key == "scoring":
        return Scoring(str(value))
    return tuple(value) if isinstance(value, list) else value


_ONE, _HALF, _ZERO = Fraction(1), Fraction(1, 2), Fraction(0)
_PUBLISHED = "Reproduced cell by cell from published standings of its system."

_ALL = (
    StandingsPolicy(
        "magic",
        "Magic tournament rules",
        floor=MAGIC_FLOOR,
        citation="MTR 2026-02-27, 3.1 and appendix C",
    ),
    StandingsPolicy(
        "riftbound",
        "Riftbound",
        floor=MAGIC_FLOOR,
        verified=False,
        note="The Riftbound rules name the order of tiebreakers only; points, floor and byes are Magic's "
        "here and the organizer may change them.",
        citation="RTR 2026-04-29, 409",
    ),
    StandingsPolicy("melee", "Melee", floor=THIRD, citation=_PUBLISHED),
    StandingsPolicy(
        "melee-2024",
        "Melee, May 2024 to October 2025",
        floor=THIRD,
        own_floor=False,
        citation=_PUBLISHED,
    ),
    StandingsPolicy("topdeck", "TopDeck", floor=MAGIC_FLOOR, own_floor=False, citation=_PUBLISHED),
    StandingsPolicy(
        "manatraders",
        "ManaTraders",
        floor=MAGIC_FLOOR,
        tiebreakers=("rounds", "omw", "gw", "ogw"),
        verified=False,
        note="Known from published standings only: who stayed longer ranks higher among equals.",
    ),
    StandingsPolicy(
        "topdeck-pods",
        "TopDeck pods",
        win=Fraction(5),
        bye=Fraction(5),
        floor=Fraction(1, 5),
        own_floor=False,
        tiebreakers=("omw",),
        bye_opponents=3,
        bye_rate=Fraction(1, 5),
        verified=False,
        note="No percentages are published; a floor of 0.20 under each opponent fits the published order. A "
        "bye is three opponents at 0.20 (older texts say 0.33).",
    ),
    *(
        StandingsPolicy(
            f"pods-{key}",
            f"Pods, {name}",
            win=Fraction(most),
            bye=Fraction(most),
            own_floor=False,
            tiebreakers=("omw",),
            verified=False,
            note="Announced by organizers; how byes and percentages go with it is not known.",
            scheme=key,
        )
        for key, name, most in (
            ("by-place", "5, 3, 2, 1 by place", 5),
            ("knock-out", "3, 2, 1, 0 by order of elimination", 3),
            ("shared-down", "4, 3, 2, 1 by place", 4),
        )
    ),
    StandingsPolicy(
        "lichess",
        "Lichess Swiss",
        win=_ONE,
        draw=_HALF,
        bye=_ONE,
        own_floor=False,
        tiebreakers=("sonneborn-berger",),
        verified=False,
        note="Points are checked against a published event; its tiebreak is not in the published file.",
    ),
    StandingsPolicy(
        "pokemon",
        "Pokemon",
        floor=Fraction(1, 4),
        byes_in_own=False,
        tiebreakers=("on-time", "omw", "oomw", "head-to-head"),
        share=Share.WINS,
        dropped_cap=Fraction(3, 4),
        verified=False,
        note="From an organizer's article of 2021 and software notes, not from the rules document.",
    ),
    StandingsPolicy(
        "ygo",
        "Yu-Gi-Oh",
        tiebreakers=("konami-number",),
        verified=False,
        note="From a wiki; whether thousandths are cut or rounded is not known (cut here), and a newer "
        "fourth part, the sum of squared numbers of lost rounds, is left out.",
    ),
    StandingsPolicy(
        "fab",
        "Flesh and Blood",
        win=_ONE,
        draw=_ZERO,
        bye=_ONE,
        tiebreakers=("ctb", "pml", "oml", "octb"),
        verified=False,
        note="The cumulative tiebreaker and the share of losses are in the policy page; what comes after "
        "them is from an article.",
    ),
    StandingsPolicy(
        "netrunner",
        "Netrunner",
        tiebreakers=("sos", "esos"),
        verified=False,
        note="Strength of schedule is pooled as the common software does it; the extended one is the mean "
        "over opponents, where that software divides by their rounds.",
    ),
    StandingsPolicy(
        "fide-buchholz",
        "FIDE Buchholz",
        win=_ONE,
        draw=_HALF,
        bye=_ONE,
        own_floor=False,
        tiebreakers=("buchholz-cut-1", "buchholz", "sonneborn-berger", "head-to-head"),
        verified=False,
        note="Formulas at second hand; an unplayed round counts as an opponent with the entrant's own score, "
        "and the rule of 2024 for requested byes is left out.",
    ),
    StandingsPolicy(
        "vekn",
        "VEKN (Vampire: The Eternal Struggle)",
        win=_ONE,
        draw=_ZERO,
        bye=_ZERO,
        own_floor=False,
        tiebreakers=("vp", "tp"),
        scoring=Scoring.VEKN,
        citation="VEKN tournament rules, 3.7",
    ),
)

POLICIES: Mapping[str, StandingsPolicy] = {policy.key: policy for policy in _ALL}

_SYSTEMS: Mapping[str, str] = {"lichess-trf": "lichess", "cardsrealm": "melee"}


def policy_of(key: str) -> StandingsPolicy:
    """The policy of that key; `RuleBroken("unknown-policy")` names the known ones."""
    if key not in POLICIES:
        known = ", ".join(POLICIES)
        raise RuleBroken(
            "unknown-policy", f"There is no standings policy {key!r}; choose from {known}.", policy=key
        )
    return POLICIES[key]


def policy_of_system(system: str) -> StandingsPolicy:
    """The policy that reproduces what the named tournament software publishes."""
    return policy_of(_SYSTEMS.get(system, system))


def choices() -> list[tuple[str, str]]:
    """(key, name) of every policy, for a form."""
    return [(policy.key, policy.name) for policy in _ALL]
