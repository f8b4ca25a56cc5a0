"""Infractions a judge may choose from, with the penalty each one usually has and where that is printed.

Riftbound Tournament Rules 702-704 (2026-04-29); Magic Infraction Procedure Guide (2024-09-23). A judge may
write another one in his own words; these are the printed ones, in short.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rulebook.modes.blanks import Citation, Game
from rulebook.penalties import UNSPORTING_MINOR, Level

LATE = "late"
RTR = ("Riftbound Tournament Rules", "2026-04-29")
IPG = ("Magic Infraction Procedure Guide", "2024-09-23")


@dataclass(frozen=True)
class Infraction:
    """One infraction of a game; `usual` is the level before history and lateness are looked at."""

    key: str
    name: str
    usual: Level
    citation: Citation


def _rows(source: tuple[str, str], rows: tuple[tuple[str, str, Level, str], ...]) -> tuple[Infraction, ...]:
    return tuple(
        Infraction(key, name, level, Citation("infraction", *source, rule)) for key, name, level, rule in rows
    )


_W, _G, _M, _D = Level.WARNING, Level.GAME_LOSS, Level.MATCH_LOSS, Level.DISQUALIFICATION
INFRACTIONS: Mapping[Game, tuple[Infraction, ...]] = {
    Game.RIFTBOUND: _rows(
        RTR,
        (
            ("game-play-error", "Game play error", _W, "702"),
            ("decklist", "Wrong or missing decklist", _G, "703.3"),
            ("deck-presented", "Deck presented wrongly", _W, "703.4"),
            ("slow-play", "Slow play", _W, "703"),
            (LATE, "Late for the round", _W, "703.8"),
            ("outside-assistance", "Outside assistance", _M, "703.9"),
            ("random-result", "Result decided at random", _M, "703.10"),
            ("tournament-error", "Another tournament error", _W, "703"),
            (UNSPORTING_MINOR, "Unsporting conduct, minor", _W, "704"),
            ("bribery", "Bribery or collusion", _M, "704.5"),
            ("cheating", "Cheating", _D, "704"),
        ),
    ),
    Game.MAGIC: _rows(
        IPG,
        (
            ("missed-trigger", "Missed trigger", _W, "2.1"),
            ("extra-cards", "Looking at extra cards", _W, "2.2"),
            ("hidden-card", "Hidden card error", _W, "2.3"),
            ("mulligan", "Mulligan procedure error", _W, "2.4"),
            ("game-rule-violation", "Game rule violation", _W, "2.5"),
            ("game-state", "Failure to maintain the game state", _W, "2.6"),
            (LATE, "Late for the round", _G, "3.1"),
            ("outside-assistance", "Outside assistance", _M, "3.2"),
            ("slow-play", "Slow play", _W, "3.3"),
            ("decklist", "Decklist problem", _G, "3.4"),
            ("deck-presented", "Deck problem", _W, "3.5"),
            ("limited-procedure", "Limited procedure violation", _W, "3.6"),
            ("communication", "Communication policy violation", _W, "3.7"),
            ("marked-cards", "Marked cards", _W, "3.8"),
            ("shuffling", "Insufficient shuffling", _W, "3.9"),
            (UNSPORTING_MINOR, "Unsporting conduct, minor", _W, "4.1"),
            ("unsporting-major", "Unsporting conduct, major", _M, "4.2"),
            ("random-result", "Winner determined improperly", _M, "4.3"),
            ("bribery", "Bribery and wagering", _M, "4.4"),
            ("aggression", "Aggressive behaviour", _D, "4.5"),
            ("theft", "Theft of tournament material", _D, "4.6"),
            ("stalling", "Stalling", _D, "4.7"),
            ("cheating", "Cheating", _D, "4.8"),
        ),
    ),
}


def infraction_of(game: Game, key: str) -> Infraction | None:
    """The printed infraction of that key; None for one a judge wrote himself."""
    return next((one for one in INFRACTIONS[game] if one.key == key), None)


def infraction_name(game: Game, key: str) -> str:
    """The infraction as it is said: the printed name, or what the judge wrote."""
    known = infraction_of(game, key)
    return known.name if known else key
