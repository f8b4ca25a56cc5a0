"""The states of tournament, stage, round, match and team, and every way from one to another."""

from collections.abc import Mapping
from enum import StrEnum

from rulebook.errors import RuleBroken


class TournamentState(StrEnum):
    DRAFT = "draft"
    REGISTRATION = "registration"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


# A tournament that is over: nothing more is played in it.
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


class StageState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"


class RoundState(StrEnum):
    PAIRED = "paired"
    PUBLISHED = "published"
    RUNNING = "running"
    CLOSED = "closed"
    SCRAPPED = "scrapped"


class MatchState(StrEnum):
    PAIRED = "paired"
    OPEN = "open"
    REPORTED = "reported"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"
    VOID = "void"


class MatchKind(StrEnum):
    TABLE = "table"
    BYE = "bye"
    ASSIGNED_LOSS = "assigned-loss"


class TeamState(StrEnum):
    WAITLISTED = "waitlisted"
    REGISTERED = "registered"
    CHECKED_IN = "checked-in"
    PLAYING = "playing"
    WITHDRAWN = "withdrawn"
    DROPPED = "dropped"
    DISQUALIFIED = "disqualified"


State = TournamentState | StageState | RoundState | MatchState | TeamState

# One table per kind: members of two enums that share a word are equal, so they cannot share a table.
MOVES: Mapping[type[StrEnum], Mapping[State, frozenset[State]]] = {
    TournamentState: {
        TournamentState.DRAFT: frozenset({TournamentState.REGISTRATION, TournamentState.CANCELLED}),
        TournamentState.REGISTRATION: frozenset(
            {TournamentState.DRAFT, TournamentState.RUNNING, TournamentState.CANCELLED}
        ),
        TournamentState.RUNNING: frozenset(
            {TournamentState.REGISTRATION, TournamentState.FINISHED, TournamentState.CANCELLED}
        ),
        TournamentState.FINISHED: frozenset({TournamentState.RUNNING}),
        # Back to what it was when it was cancelled.
        TournamentState.CANCELLED: frozenset(
            {TournamentState.DRAFT, TournamentState.REGISTRATION, TournamentState.RUNNING}
        ),
    },
    StageState: {
        StageState.WAITING: frozenset({StageState.RUNNING}),
        StageState.RUNNING: frozenset({StageState.WAITING, StageState.FINISHED}),
        StageState.FINISHED: frozenset({StageState.RUNNING}),
    },
    RoundState: {
        RoundState.PAIRED: frozenset({RoundState.PUBLISHED, RoundState.SCRAPPED}),
        RoundState.PUBLISHED: frozenset({RoundState.RUNNING, RoundState.PAIRED, RoundState.SCRAPPED}),
        RoundState.RUNNING: frozenset({RoundState.CLOSED, RoundState.PUBLISHED, RoundState.SCRAPPED}),
        RoundState.CLOSED: frozenset({RoundState.RUNNING}),
        # A scrapped round counts for nothing; the way out is to pair its number again.
        RoundState.SCRAPPED: frozenset(),
    },
    MatchState: {
        MatchState.PAIRED: frozenset({MatchState.OPEN, MatchState.CONFIRMED, MatchState.VOID}),
        MatchState.OPEN: frozenset(
            {
                MatchState.PAIRED,
                MatchState.REPORTED,
                MatchState.CONFIRMED,
                MatchState.DISPUTED,
                MatchState.VOID,
            }
        ),
        MatchState.REPORTED: frozenset(
            {MatchState.OPEN, MatchState.CONFIRMED, MatchState.DISPUTED, MatchState.VOID}
        ),
        MatchState.DISPUTED: frozenset(
            {MatchState.OPEN, MatchState.REPORTED, MatchState.CONFIRMED, MatchState.VOID}
        ),
        # Back to what it was before it was confirmed: a bye to paired, a table to its reports.
        MatchState.CONFIRMED: frozenset(
            {
                MatchState.PAIRED,
                MatchState.OPEN,
                MatchState.REPORTED,
                MatchState.DISPUTED,
                MatchState.CONFIRMED,
                MatchState.VOID,
            }
        ),
        # A void match is replaced by a new one; ids are never reused.
        MatchState.VOID: frozenset(),
    },
    TeamState: {
        TeamState.WAITLISTED: frozenset({TeamState.REGISTERED, TeamState.WITHDRAWN}),
        TeamState.REGISTERED: frozenset(
            {
                TeamState.WAITLISTED,
                TeamState.CHECKED_IN,
                TeamState.PLAYING,
                TeamState.WITHDRAWN,
                TeamState.DISQUALIFIED,
            }
        ),
        TeamState.CHECKED_IN: frozenset(
            {TeamState.REGISTERED, TeamState.PLAYING, TeamState.WITHDRAWN, TeamState.DISQUALIFIED}
        ),
        TeamState.PLAYING: frozenset({TeamState.REGISTERED, TeamState.DROPPED, TeamState.DISQUALIFIED}),
        TeamState.WITHDRAWN: frozenset({TeamState.REGISTERED, TeamState.WAITLISTED}),
        TeamState.DROPPED: frozenset({TeamState.PLAYING, TeamState.DISQUALIFIED}),
        TeamState.DISQUALIFIED: frozenset({TeamState.PLAYING, TeamState.REGISTERED}),
    },
}


def moves_from(current: State) -> frozenset[State]:
    """Every state that `current` can become."""
    return MOVES[type(current)][current]


def check_move(thing: str, current: State, to: State) -> None:
    """The move is in the table; otherwise `RuleBroken("wrong-state")` names the ways there are.

    `current` may be the bare word of the database.
    """
    ways = moves_from(type(to)(current))
    if to not in ways and current == to:
        raise RuleBroken(
            "wrong-state", f"{thing} is {to} already; reload the page.", current=to.value, to=to.value
        )
    if to not in ways:
        instead = " or ".join(sorted(way.value for way in ways)) or "nothing else: make it anew"
        raise RuleBroken(
            "wrong-state",
            f"{thing} is {current}, so it cannot become {to}; from there it can become {instead}.",
            current=str(current),
            to=str(to),
        )
