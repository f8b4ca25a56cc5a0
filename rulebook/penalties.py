"""Penalties: levels, when warnings add up, what being late costs, and what a penalty does to the match.

Riftbound Tournament Rules 701-704 (2026-04-29); Magic Infraction Procedure Guide 1.1, 3.1 (2024-09-23).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rulebook.errors import RuleBroken
from rulebook.modes.blanks import Game


class Level(StrEnum):
    WARNING = "warning"
    GAME_LOSS = "game-loss"
    MATCH_LOSS = "match-loss"
    DISQUALIFICATION = "disqualification"


class Play(StrEnum):
    """How strictly the tournament is officiated; the last two are the high levels."""

    CASUAL = "casual"
    COMPETITIVE = "competitive"
    PROFESSIONAL = "professional"

    @property
    def is_high(self) -> bool:
        return self is not Play.CASUAL


@dataclass(frozen=True)
class Given:
    """One penalty of a player; counts do not start again on another day."""

    infraction: str
    level: Level


@dataclass(frozen=True)
class Lateness:
    level: Level | None
    has_extension: bool
    drops_unless_reporting: bool


SAME_BEFORE_GAME_LOSS = 3  # 702.1.b, 703.1.b
MIXED_BEFORE_GAME_LOSS = {Play.COMPETITIVE: 6, Play.PROFESSIONAL: 5}
UNSPORTING_MINOR = "unsporting-minor"
UNSPORTING_BEFORE_GAME_LOSS = 2


def level_with_history(infraction: str, level: Level, history: Sequence[Given], play: Play) -> Level:
    """The level this time: Riftbound warnings become a game loss when enough have added up."""
    if level is not Level.WARNING:
        return level
    warnings = [given for given in history if given.level is Level.WARNING]
    same = sum(given.infraction == infraction for given in warnings) + 1
    needed = UNSPORTING_BEFORE_GAME_LOSS if infraction == UNSPORTING_MINOR else SAME_BEFORE_GAME_LOSS
    mixed = MIXED_BEFORE_GAME_LOSS.get(play)
    if same >= needed or (mixed is not None and len(warnings) + 1 >= mixed):
        return Level.GAME_LOSS
    return level


def lateness(game: Game, minutes: int, play: Play, *, comes: bool = True) -> Lateness:
    """What coming `minutes` late costs; who does not come at all is dropped unless reporting in time."""
    if minutes < 0:
        raise RuleBroken("negative-count", "Nobody comes a negative number of minutes late.", minutes=minutes)
    if not comes or (minutes > 10 if game is Game.RIFTBOUND else minutes >= 10):
        return Lateness(Level.MATCH_LOSS, has_extension=False, drops_unless_reporting=not comes)
    if minutes == 0:
        return Lateness(None, has_extension=False, drops_unless_reporting=False)
    if game is Game.MAGIC:
        return Lateness(Level.GAME_LOSS, has_extension=True, drops_unless_reporting=False)
    strict = minutes > 2 and play.is_high
    level = Level.GAME_LOSS if strict else Level.WARNING
    return Lateness(level, has_extension=True, drops_unless_reporting=False)


@dataclass(frozen=True)
class Ruling:
    """What penalties of one moment do: who loses the game or match, or that the game is drawn."""

    game_lost_by: tuple[int, ...] = ()
    match_lost_by: tuple[int, ...] = ()
    game_is_draw: bool = False
    next_game: bool = False
    next_match: bool = False
    leaves: tuple[int, ...] = ()


def ruling(
    sides: int, penalties: Sequence[tuple[int, Level]], *, game_runs: bool, match_runs: bool
) -> Ruling:
    """The penalties of one moment together: several game losses count once, everybody's game loss is a draw.

    A game loss with no game running hits the next game, a match loss after the match the next match.
    """
    for side, _ in penalties:
        if not 0 <= side < sides:
            raise RuleBroken("unknown-side", f"This match has no side {side + 1}.", side=side, sides=sides)
    leaves = _sides(penalties, Level.DISQUALIFICATION)
    match_lost = tuple(sorted({*_sides(penalties, Level.MATCH_LOSS), *leaves}))
    game_lost = tuple(side for side in _sides(penalties, Level.GAME_LOSS) if side not in match_lost)
    everybody = bool(game_lost) and len(game_lost) == sides
    return Ruling(
        game_lost_by=() if everybody else game_lost,
        match_lost_by=match_lost,
        game_is_draw=everybody,
        next_game=bool(game_lost) and not game_runs,
        next_match=bool(match_lost) and not match_runs,
        leaves=leaves,
    )


def _sides(penalties: Sequence[tuple[int, Level]], level: Level) -> tuple[int, ...]:
    return tuple(sorted({side for side, given in penalties if given is level}))
