"""What a finished match is worth: one line per side, judged from kind and counts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind
from rulebook.terms import Terms


class ResultKind(StrEnum):
    PLAYED = "played"
    CONCESSION = "concession"
    INTENTIONAL_DRAW = "intentional-draw"
    NO_SHOW = "no-show"
    BOTH_ABSENT = "both-absent"
    DOUBLE_LOSS = "double-loss"
    MATCH_LOSS = "match-loss"
    AGREED = "agreed"
    UNPLAYED = "unplayed"
    BYE = "bye"
    ASSIGNED_LOSS = "assigned-loss"


class Outcome(StrEnum):
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


@dataclass(frozen=True)
class Line:
    """One side's part of a result: game wins, drawn games, and where known its place and when it went out.

    `half_points` is match points times two and overrides the policy's points when it is not None.
    """

    side: int
    outcome: Outcome
    wins: int
    draws: int
    place: int | None = None
    half_points: int | None = None
    out_order: int | None = None


ALONE = frozenset({ResultKind.BYE, ResultKind.ASSIGNED_LOSS})
LOST_BY_ONE = frozenset({ResultKind.CONCESSION, ResultKind.NO_SHOW, ResultKind.MATCH_LOSS})
# Drawn games are not limited by any rule; nobody has ever played a hundred in one match.
MOST_DRAWS = 99
LOST_BY_ALL = frozenset({ResultKind.BOTH_ABSENT, ResultKind.DOUBLE_LOSS})


def check_reportable(kind: MatchKind) -> None:
    """The match is played at a table: a bye or an assigned loss has its result by rule, not by report."""
    if kind == MatchKind.TABLE:
        return
    what = "A bye" if kind == MatchKind.BYE else "An assigned loss"
    raise RuleBroken("bye-has-no-report", f"{what} is scored by rule. There is nothing to report.", kind=kind)


def lines_for(
    terms: Terms,
    kind: ResultKind,
    *,
    wins: Sequence[int] = (),
    draws: int = 0,
    loser: int | None = None,
    winner: int | None = None,
    out_order: Sequence[int | None] = (),
    half_points: int | None = None,
) -> tuple[Line, ...]:
    """The lines of a result of `kind`, in side order; counts the terms do not allow are refused."""
    kind = ResultKind(kind)  # a bare word of the database is as good
    if half_points is not None and kind not in ALONE:
        raise RuleBroken(
            "points-follow-the-result", "Only a bye or an assigned loss can be given other points.", kind=kind
        )
    if kind in ALONE:
        return (_alone(terms, kind, half_points),)
    counts = _counts(terms, wins, draws)
    outs = _outs(terms, out_order)
    _known_side(terms, loser)
    _known_side(terms, winner)
    if kind is ResultKind.INTENTIONAL_DRAW:
        _draw_allowed(terms)
        return tuple(Line(side, Outcome.DRAW, 0, terms.best_of) for side in range(terms.sides))
    if kind in LOST_BY_ALL:
        return tuple(Line(side, Outcome.LOSS, _capped(terms, won), draws) for side, won in enumerate(counts))
    if kind is ResultKind.UNPLAYED:
        return _unplayed(terms, winner)
    if kind in LOST_BY_ONE:
        return _lost_by(terms, kind, counts, draws, loser, outs)
    if winner is not None:
        counts = _won_by(terms, counts, winner, agreed=kind is ResultKind.AGREED)
    elif kind is ResultKind.AGREED:
        raise RuleBroken("winner-missing", "Say who wins by agreement.", kind=kind)
    return _judged(terms, counts, draws, outs)


def _alone(terms: Terms, kind: ResultKind, half_points: int | None) -> Line:
    if kind is ResultKind.BYE:
        return Line(0, Outcome.WIN, terms.wins_needed, 0, half_points=half_points)
    return Line(0, Outcome.LOSS, 0, 0, half_points=half_points)


def _counts(terms: Terms, wins: Sequence[int], draws: int) -> tuple[int, ...]:
    counts = tuple(wins) or (0,) * terms.sides
    if len(counts) != terms.sides:
        raise RuleBroken(
            "wrong-number-of-sides",
            f"This match has {terms.sides} sides; the report counts wins for {len(counts)}.",
            sides=terms.sides,
            counted=len(counts),
        )
    if draws < 0 or any(won < 0 for won in counts):
        raise RuleBroken(
            "negative-count", "Games won and drawn cannot be negative.", wins=counts, draws=draws
        )
    if max(counts) > terms.wins_needed:
        raise RuleBroken(
            "too-many-wins",
            f"{max(counts)} game wins were reported, but a best of {terms.best_of} ends at "
            f"{terms.wins_needed}.",
            needed=terms.wins_needed,
            wins=counts,
        )
    if draws > MOST_DRAWS:
        raise RuleBroken(
            "unlikely-count",
            f"{draws} drawn games in one match? Check the count and enter it again.",
            draws=draws,
        )
    return counts


def _outs(terms: Terms, out_order: Sequence[int | None]) -> tuple[int | None, ...]:
    outs = tuple(out_order) or (None,) * terms.sides
    if len(outs) != terms.sides:
        raise RuleBroken(
            "wrong-number-of-sides",
            f"This match has {terms.sides} sides; the order of leaving names {len(outs)}.",
            sides=terms.sides,
            counted=len(outs),
        )
    return outs


def _known_side(terms: Terms, side: int | None) -> None:
    if side is not None and not 0 <= side < terms.sides:
        raise RuleBroken("unknown-side", f"This match has no side {side + 1}.", side=side, sides=terms.sides)


def _draw_allowed(terms: Terms) -> None:
    if terms.draws_allowed:
        return
    if terms.sides > 2:
        raise RuleBroken(
            "draw-in-elimination",
            "A playoff pod needs a winner. Play on, or staff name the better seed as winner by agreement.",
        )
    raise RuleBroken(
        "draw-in-elimination", "An elimination match needs a winner. Play on until one side wins."
    )


def _capped(terms: Terms, won: int) -> int:
    """Games a loser keeps: a side that lost the match cannot hold the wins that win it."""
    return min(won, terms.wins_needed - 1)


def _unplayed(terms: Terms, winner: int | None) -> tuple[Line, ...]:
    if winner is None:
        return tuple(Line(side, Outcome.DRAW, 0, 0, place=1) for side in range(terms.sides))
    return tuple(
        Line(side, Outcome.WIN if side == winner else Outcome.LOSS, 0, 0, place=1 if side == winner else 2)
        for side in range(terms.sides)
    )


def _won_by(terms: Terms, counts: tuple[int, ...], winner: int, *, agreed: bool) -> tuple[int, ...]:
    """Counts that make `winner` the winner: filled up when agreed or when no game was counted."""
    if not agreed and any(counts):
        if max(counts) != counts[winner] or counts.count(max(counts)) > 1:
            raise RuleBroken(
                "winner-contradicts-counts", "The side named as winner did not win more games.", wins=counts
            )
        return counts
    return tuple(
        terms.wins_needed if side == winner else _capped(terms, won) for side, won in enumerate(counts)
    )


def _lost_by(
    terms: Terms,
    kind: ResultKind,
    counts: tuple[int, ...],
    draws: int,
    loser: int | None,
    outs: tuple[int | None, ...],
) -> tuple[Line, ...]:
    if loser is None:
        raise RuleBroken("loser-missing", "Say which side lost the match.", kind=kind)
    kept = tuple(_capped(terms, won) if side == loser else won for side, won in enumerate(counts))
    if terms.sides == 2:
        filled = tuple(won if side == loser else terms.wins_needed for side, won in enumerate(kept))
        return _judged(terms, filled, draws, outs)
    # In a pod the others play on; who lost is out, first of all unless the report says when.
    before_all = min((out for out in outs if out is not None), default=1) - 1
    gone = tuple(before_all if side == loser else out for side, out in enumerate(outs))
    return _judged(terms, kept, draws, gone)


def _judged(
    terms: Terms, counts: tuple[int, ...], draws: int, outs: tuple[int | None, ...]
) -> tuple[Line, ...]:
    last = None if None in outs else max(out for out in outs if out is not None)
    if terms.sides > 2 and terms.best_of == 1 and not any(counts) and outs.count(last) == 1:
        counts = tuple(int(out == last) for out in outs)  # the last one left wins
    _limits(terms, counts)
    best = max(counts)
    leaders = [side for side, won in enumerate(counts) if won == best]
    if len(leaders) == 1:
        lines = [
            Line(side, Outcome.WIN if side in leaders else Outcome.LOSS, won, draws, out_order=outs[side])
            for side, won in enumerate(counts)
        ]
        return _placed(lines)
    _draw_allowed(terms)
    # Who was already out of a drawn game has lost it; if all are out, the last ones out drew.
    lines = [
        Line(side, Outcome.DRAW if outs[side] == last else Outcome.LOSS, won, draws, out_order=outs[side])
        for side, won in enumerate(counts)
    ]
    return _placed(lines)


def _limits(terms: Terms, counts: tuple[int, ...]) -> None:
    need = terms.wins_needed
    if counts.count(need) > 1:
        raise RuleBroken(
            "two-winners",
            f"Only one side can win {need} {'game' if need == 1 else 'games'}. Check the counts.",
            wins=counts,
        )
    if sum(counts) > max(terms.best_of, 1) and terms.sides == 2:
        raise RuleBroken(
            "too-many-wins",
            f"A best of {terms.best_of} cannot have {sum(counts)} won games.",
            needed=need,
            wins=counts,
        )


def _placed(lines: list[Line]) -> tuple[Line, ...]:
    """Places of a pod whose order of leaving is known: winner or survivors first, who left last next."""
    if all(line.out_order is None for line in lines):
        return tuple(lines)

    def strength(line: Line) -> tuple[bool, bool, int]:
        survived = line.out_order is None
        return (line.outcome is Outcome.WIN, survived, 0 if line.out_order is None else line.out_order)

    return tuple(
        replace(line, place=1 + sum(strength(other) > strength(line) for other in lines)) for line in lines
    )
