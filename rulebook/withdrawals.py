"""What happens when a member leaves: drop and disqualification take the team, by one table."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rulebook.terms import Terms
from rulebook.turns import chair_codes, check_seat, side_of


class Leaving(StrEnum):
    DROP = "drop"
    DISQUALIFY = "disqualify"


class Moment(StrEnum):
    """Where the team's current match is; the last two are in a bracket."""

    UNPAIRED = "unpaired"
    DRAFT = "draft"
    PUBLISHED = "published"
    RUNNING = "running"
    REPORTED = "reported"
    CLOSED = "closed"
    CUT_MADE = "cut-made"
    CUT_PAIRED = "cut-paired"


class MatchEffect(StrEnum):
    NONE = "none"
    UNPAIR = "unpair"
    NO_SHOW = "no-show"
    CONCEDE = "concede"
    STANDS = "stands"
    LOSE = "lose"


class BracketEffect(StrEnum):
    NONE = "none"
    BEST_SEED_BYE = "best-seed-bye"
    OPPONENT_ADVANCES = "opponent-advances"


@dataclass(frozen=True)
class Effect:
    """What leaving does to the current match, the ranking and the bracket.

    `promotes`: the next in rank moves up into a cut not made yet.
    """

    match: MatchEffect
    ranked: bool
    counts_as_opponent: bool = True
    promotes: bool = False
    bracket: BracketEffect = BracketEffect.NONE
    sentence: str = ""


_BYE = BracketEffect.BEST_SEED_BYE
_ADVANCES = BracketEffect.OPPONENT_ADVANCES

# Riftbound Tournament Rules 414, 603.3, 603.4, 701.2.d; Magic Tournament Rules 2.10, 8.2.
_TABLE: Mapping[tuple[Leaving, Moment], tuple[MatchEffect, BracketEffect]] = {
    (Leaving.DROP, Moment.UNPAIRED): (MatchEffect.NONE, BracketEffect.NONE),
    (Leaving.DROP, Moment.DRAFT): (MatchEffect.UNPAIR, BracketEffect.NONE),
    (Leaving.DROP, Moment.PUBLISHED): (MatchEffect.NO_SHOW, BracketEffect.NONE),
    (Leaving.DROP, Moment.RUNNING): (MatchEffect.CONCEDE, BracketEffect.NONE),
    (Leaving.DROP, Moment.REPORTED): (MatchEffect.STANDS, BracketEffect.NONE),
    (Leaving.DROP, Moment.CLOSED): (MatchEffect.NONE, BracketEffect.NONE),
    (Leaving.DROP, Moment.CUT_MADE): (MatchEffect.NONE, _BYE),
    (Leaving.DROP, Moment.CUT_PAIRED): (MatchEffect.CONCEDE, _ADVANCES),
    (Leaving.DISQUALIFY, Moment.UNPAIRED): (MatchEffect.NONE, BracketEffect.NONE),
    (Leaving.DISQUALIFY, Moment.DRAFT): (MatchEffect.UNPAIR, BracketEffect.NONE),
    (Leaving.DISQUALIFY, Moment.PUBLISHED): (MatchEffect.LOSE, BracketEffect.NONE),
    (Leaving.DISQUALIFY, Moment.RUNNING): (MatchEffect.LOSE, BracketEffect.NONE),
    (Leaving.DISQUALIFY, Moment.REPORTED): (MatchEffect.LOSE, BracketEffect.NONE),
    (Leaving.DISQUALIFY, Moment.CLOSED): (MatchEffect.NONE, BracketEffect.NONE),
    (Leaving.DISQUALIFY, Moment.CUT_MADE): (MatchEffect.NONE, _BYE),
    (Leaving.DISQUALIFY, Moment.CUT_PAIRED): (MatchEffect.LOSE, _ADVANCES),
}

_FIRST: Mapping[MatchEffect, str] = {
    MatchEffect.NONE: "No match changes.",
    MatchEffect.UNPAIR: "The draft pairing is made again without the team.",
    MatchEffect.NO_SHOW: "The opponent wins as by no-show unless the round is repaired.",
    MatchEffect.CONCEDE: "The team concedes; games it has won are kept.",
    MatchEffect.STANDS: "The reported result stands.",
    MatchEffect.LOSE: "The team loses this round's match, whatever was reported; games it has won are kept.",
}
_IN_A_POD: Mapping[MatchEffect, str] = {
    **_FIRST,
    MatchEffect.NO_SHOW: "The side is out of the pod by no-show; the others play.",
    MatchEffect.CONCEDE: "The side is out of the pod; the others play on.",
    MatchEffect.LOSE: "The side loses and is out of the pod; the others play on or keep their places.",
}
_THEN: Mapping[BracketEffect, str] = {
    BracketEffect.NONE: "",
    _BYE: "Nobody is promoted into the bracket; the best remaining seed gets the bye.",
    _ADVANCES: "Nobody is promoted into the bracket; the opponent advances.",
}
_RANKING: Mapping[Leaving, str] = {
    Leaving.DROP: "It keeps its row in the standings.",
    Leaving.DISQUALIFY: "It leaves the ranking, the others move up, and it still counts as an opponent.",
}


def effect_of(leaving: Leaving, moment: Moment, *, sides: int = 2) -> Effect:
    """The effect of leaving at `moment` from a match of `sides` sides; a member takes the team along."""
    match, bracket = _TABLE[leaving, moment]
    words = _FIRST if sides <= 2 else _IN_A_POD
    return Effect(
        match=match,
        ranked=leaving == Leaving.DROP,
        promotes=bracket is BracketEffect.NONE,
        bracket=bracket,
        sentence=" ".join(part for part in (words[match], _THEN[bracket], _RANKING[leaving]) if part),
    )


def leaves_with(terms: Terms, position: str) -> tuple[str, ...]:
    """Everybody who leaves the tournament with the player at `position`: the whole team, itself included."""
    check_seat(terms, position)
    return tuple(code for code in chair_codes(terms) if side_of(code) == side_of(position))
