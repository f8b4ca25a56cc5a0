"""What only the clock does, or a person in its place: it warns, names what is late, and ends check-in."""

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState, RoundState, TeamState, TournamentState
from teams.models import Team
from tournaments.models import Round, Tournament
from tournaments.one_round import PLAYS, lock_round_in_play, record_round
from tournaments.registration import withdraw_team
from tournaments.setting_up import change_tournament

NO_SHOW = "not there at the end of check-in"


@transaction.atomic
def warn_of_end(*, round_id: int, minutes: int, actor: Actor) -> Round:
    """Everybody can know that so many minutes are left; nothing else changes."""
    rnd = lock_round_in_play(round_id)
    if rnd.state != RoundState.RUNNING or rnd.time_called_at is not None or rnd.ends_at is None:
        raise RuleBroken("clock-stands", f"The clock of round {rnd.number} does not run.")
    record_round(rnd, DeedKind.TIME_WARNED, actor, after={"minutes": minutes})
    return rnd


@transaction.atomic
def call_table_time(*, match_id: int, actor: Actor) -> Match:
    """The extra time of this table is over; it plays its extra turns. It never ends a match by itself."""
    match = lock_one(Match, match_id)
    if match.state not in PLAYS:
        raise RuleBroken("match-over", "This match is over; its time does not matter any more.")
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.TABLE_TIME_CALLED,
        actor=actor,
        subject=f"match:{match.pk}",
        after={"minutes": match.extension_s // 60},
    )
    return match


@transaction.atomic
def note_overdue(*, round_id: int, actor: Actor) -> Round:
    """The tables without a confirmed result are named and the desk is asked; no result is made up."""
    rnd = lock_round_in_play(round_id)
    missing = overdue_tables(rnd)
    if rnd.state != RoundState.RUNNING or not missing:
        raise RuleBroken("nothing-overdue", f"No table of round {rnd.number} is overdue.")
    record_round(rnd, DeedKind.ROUND_OVERDUE, actor, after={"missing_tables": missing})
    return rnd


def overdue_tables(rnd: Round) -> list[int]:
    """The numbers of the tables whose result is not confirmed."""
    waiting = rnd.matches.exclude(state__in=[MatchState.CONFIRMED, MatchState.VOID])
    return [table or 0 for table in waiting.order_by("table").values_list("table", flat=True)]


@transaction.atomic
def end_check_in(*, tournament_id: int, actor: Actor) -> list[Team]:
    """Every team that is registered but not checked in is withdrawn; the waiting list moves up.

    Refused where nobody is checked in at all: then nobody was asked to."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state != TournamentState.REGISTRATION:
        raise RuleBroken("not-registering", f"{tournament.name} is {tournament.state}; check-in is over.")
    teams = Team.objects.filter(tournament=tournament)
    if not teams.filter(state=TeamState.CHECKED_IN).exists():
        raise RuleBroken(
            "nobody-checked-in",
            "No team is checked in; check in who is here, or nobody would be left.",
        )
    absent = list(teams.filter(state=TeamState.REGISTERED).order_by("number").values_list("pk", flat=True))
    gone = [withdraw_team(team_id=pk, actor=actor, reason=NO_SHOW) for pk in absent]
    record(
        tournament_id=tournament_id,
        kind=DeedKind.CHECK_IN_ENDED,
        actor=actor,
        subject=f"tournament:{tournament_id}",
        after={"absent": len(gone)},
    )
    return gone


def close_sign_up(*, tournament_id: int, actor: Actor) -> Tournament:
    """Nobody signs up on the public page any more; the desk still registers teams."""
    return change_tournament(tournament_id=tournament_id, actor=actor, signs_up=False)
