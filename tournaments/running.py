"""Play goes on in a running tournament only."""

from rulebook.errors import RuleBroken
from rulebook.lifecycle import TournamentState
from tournaments.models import Tournament

FIRST = {
    TournamentState.DRAFT: "open its registration and start it first",
    TournamentState.REGISTRATION: "start it first",
    TournamentState.FINISHED: "reopen it first",
    TournamentState.CANCELLED: "revive it first",
}


def refuse_unless_running(tournament: Tournament) -> None:
    """`RuleBroken("tournament-not-running")` with the deed that comes before this one."""
    if tournament.state != TournamentState.RUNNING:
        first = FIRST[TournamentState(tournament.state)]
        raise RuleBroken("tournament-not-running", f"{tournament.name} is {tournament.state}; {first}.")
