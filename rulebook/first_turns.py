"""What changes on the first turns: who skips a draw, who channels one rune more."""

from dataclasses import dataclass

from rulebook.modes import Mode
from rulebook.modes.blanks import ExtraRune, SkipsDraw
from rulebook.turns import side_of


@dataclass(frozen=True)
class FirstTurnOf:
    """One seat's first turn: does it draw, and how many runes more than usual does it channel."""

    position: str
    draws: bool
    extra_runes: int


def first_turns(mode: Mode, order: tuple[str, ...]) -> tuple[FirstTurnOf, ...]:
    """The first turn of every seat, in turn order."""
    skipping = _skipping(mode, order)
    last = order[-1] if mode.first_turn.extra_rune is ExtraRune.LAST_IN_ORDER else None
    return tuple(FirstTurnOf(seat, seat not in skipping, int(seat == last)) for seat in order)


def _skipping(mode: Mode, order: tuple[str, ...]) -> tuple[str, ...]:
    rule = mode.first_turn.skips_draw
    starter = order[0]
    if rule is SkipsDraw.STARTER:
        return (starter,)
    if rule is SkipsDraw.STARTER_WHEN_TWO_PLAY:
        return (starter,) if len(order) == 2 else ()
    team = tuple(seat for seat in order if side_of(seat) == side_of(starter))
    if rule is SkipsDraw.STARTING_TEAM:
        return team
    if rule is SkipsDraw.PRIMARY_OF_STARTING_TEAM:
        return tuple(seat for seat in team if seat.endswith(mode.labels[0]))
    return ()
