"""Who is here: by number, name or scanned link, and those who never came leave in one deed."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_all, lock_one
from journal.recording import record_many
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState, TournamentState
from rulebook.modes import mode_of
from teams.links import seat_behind
from teams.models import Seat, Team
from teams.names import folded
from teams.selectors import team_cards
from tournaments.day_plan import DayPlan
from tournaments.models import Tournament
from tournaments.registration import check_in_team, places_taken

CHECK_IN_HOURS = 3
_SCANNED = re.compile(r"(?:^|/)me/(?P<token>[\w-]+)/?$")


def team_meant(tournament: Tournament, words: str) -> Team:
    """The one team of the tournament that a number, a name or a scanned personal link means."""
    typed = words.strip()
    if not typed:
        raise RuleBroken("nothing-typed", "Type a number or a name, or scan a personal code.")
    scanned = _SCANNED.search(typed)
    if scanned:
        return _team_behind(tournament, scanned["token"])
    teams = Team.objects.filter(tournament=tournament).order_by("number")
    if typed.lstrip("#").isdecimal() and len(typed) < 8:
        team = teams.filter(number=int(typed.lstrip("#"))).first()
        if team is None:
            raise RuleBroken("not-found", f"There is no team number {typed}.")
        return team
    wanted = folded(typed)
    cards = team_cards(list(teams), mode_of(tournament.mode).labels).values()
    names = {
        card.id: [folded(n) for n in (card.shown_name, *(m.name for m in card.members))] for card in cards
    }
    hits = [pk for pk, known in names.items() if wanted in known]
    hits = hits or [pk for pk, known in names.items() if any(wanted in name for name in known)]
    if not hits:
        raise RuleBroken("not-found", f"No team is called {typed}.")
    found = list(teams.filter(pk__in=hits))
    if len(found) > 1:
        numbers = ", ".join(f"{team.number}" for team in found[:6])
        raise RuleBroken("several", f"{len(found)} teams go by {typed}: type the number ({numbers}).")
    return found[0]


def check_in_by(*, tournament_id: int, words: str, actor: Actor) -> Team:
    """The team that the words or the scanned link mean is here."""
    team = team_meant(Tournament.objects.get(pk=tournament_id), words)
    if team.state == TeamState.CHECKED_IN:
        raise RuleBroken("here-already", f"Number {team.number}, {team}, is checked in already.")
    if team.state == TeamState.WAITLISTED:
        raise RuleBroken("waits", f"Number {team.number}, {team}, is on the waiting list.")
    return check_in_team(team_id=team.pk, actor=actor)


def check_in_window(tournament: Tournament) -> tuple[datetime | None, datetime | None]:
    """From when until when teams check in by themselves, by the plan of the day, else in the last hours
    before the start; None where the tournament says no such time."""
    plan = DayPlan.from_dict(tournament.plan)
    closes = plan.check_in_until or tournament.starts_at
    usual = closes - timedelta(hours=CHECK_IN_HOURS) if closes else None
    return plan.check_in_from or usual, closes


def check_in_self(*, team_id: int, actor: Actor) -> Team:
    """The team says by itself that it is here, while the check-in is open."""
    team = Team.objects.select_related("tournament").get(pk=team_id)
    opens, closes = check_in_window(team.tournament)
    if team.tournament.state != TournamentState.REGISTRATION or (closes and now() >= closes):
        raise RuleBroken("check-in-over", "The check-in is over; go to the desk.")
    if opens and now() < opens:
        raise RuleBroken("check-in-not-open", "The check-in is not open yet; come back on the day.")
    return check_in_team(team_id=team_id, actor=actor)


@transaction.atomic
def drop_absent(*, tournament_id: int, team_ids: Sequence[int], actor: Actor) -> list[Team]:
    """Those of the given teams that are still not checked in are withdrawn, their members free, and the
    waiting list moves up in order; one row of the journal each, in a fixed number of statements."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state != TournamentState.REGISTRATION:
        raise RuleBroken("started", "The tournament has started; drop each team that is not here.")
    wanted = list(
        Team.objects.filter(tournament=tournament, pk__in=list(team_ids)).values_list("pk", flat=True)
    )
    absent = [team for team in lock_all(Team, wanted).values() if team.state == TeamState.REGISTERED]
    if not absent:
        raise RuleBroken("nobody-absent", "All of these teams are checked in or gone already.")
    gone = [team.pk for team in absent]
    Team.objects.filter(pk__in=gone).update(state=TeamState.WITHDRAWN)
    Seat.objects.filter(team_id__in=gone, is_live=True).update(is_live=False)
    promoted = _move_up(tournament)
    record_many(
        tournament_id=tournament_id,
        kind=DeedKind.TEAM_PROMOTED,
        actor=actor,
        deeds=[(f"team:{pk}", {"state": TeamState.REGISTERED.value}) for pk in promoted],
    )
    record_many(
        tournament_id=tournament_id,
        kind=DeedKind.TEAM_WITHDRAWN,
        actor=actor,
        deeds=[(f"team:{pk}", {"not_checked_in": True}) for pk in gone],
    )
    return absent


def _move_up(tournament: Tournament) -> list[int]:
    """As many of the waiting list as there are places have one now."""
    waiting = Team.objects.filter(tournament=tournament, state=TeamState.WAITLISTED).order_by("number")
    ids = list(waiting.values_list("pk", flat=True))
    if tournament.capacity is not None:
        ids = ids[: max(0, tournament.capacity - places_taken(tournament))]
    Team.objects.filter(pk__in=ids).update(state=TeamState.REGISTERED)
    return ids


def _team_behind(tournament: Tournament, token: str) -> Team:
    seat = seat_behind(token)
    if seat.tournament_id != tournament.pk:
        raise RuleBroken("not-found", "That code belongs to another tournament.")
    return Team.objects.get(pk=seat.team_id)
