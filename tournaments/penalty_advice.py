"""Which level a judge may expect to give: infraction, lateness and history, by the game's policy."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulebook.infractions import LATE, infraction_of
from rulebook.modes import mode_of
from rulebook.modes.blanks import Game
from rulebook.penalties import Given, Level, Play, lateness, level_with_history
from tournaments.models import Penalty, Tournament

WORDS = {
    Level.WARNING: "a warning",
    Level.GAME_LOSS: "a game loss",
    Level.MATCH_LOSS: "a match loss",
    Level.DISQUALIFICATION: "disqualification",
}


@dataclass(frozen=True, slots=True)
class Advice:
    """The level the policy names, why, and whether it gives the table its lost time back."""

    level: Level
    sentence: str
    has_extension: bool = False
    leaves_unless_reporting: bool = False


def advised(
    tournament: Tournament,
    infraction: str,
    history: Sequence[Penalty],
    *,
    level: Level | None = None,
    minutes_late: int | None = None,
    never_came: bool = False,
) -> Advice:
    """The advice for one player; `level` is what the judge has in mind, else the infraction's usual one."""
    game, play = mode_of(tournament.mode).game, Play(tournament.level)
    known = infraction_of(game, infraction)
    source = f"{known.citation.document} {known.citation.rule}" if known else "not a printed infraction"
    start = level or (known.usual if known else Level.WARNING)
    has_extension = leaves = False
    if infraction == LATE and (minutes_late is not None or never_came):
        late = lateness(game, minutes_late or 0, play, comes=not never_came)
        start = late.level or Level.WARNING
        has_extension, leaves = late.has_extension, late.drops_unless_reporting
    if game is not Game.RIFTBOUND:
        return Advice(start, f"Usually {WORDS[start]} ({source}).", has_extension, leaves)
    before = [Given(one.infraction, Level(one.level)) for one in history]
    reached = level_with_history(infraction, start, before, play)
    if reached is start:
        return Advice(start, f"Usually {WORDS[start]} ({source}).", has_extension, leaves)
    same = sum(one.infraction == infraction and one.level is Level.WARNING for one in before)
    every = sum(one.level is Level.WARNING for one in before)
    why = f"{same} warning{'' if same == 1 else 's'} for the same and {every} in all came before"
    return Advice(reached, f"This time {WORDS[reached]}: {why} ({source}).", has_extension, leaves)
