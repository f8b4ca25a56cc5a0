"""Lone players who look for a partner: they enter, two become one team, and a team is two of them again.

A solo takes no place of the capacity and is never paired; the joined team needs a place like any other, and
waits where none is free. The tournament does not start while somebody still looks for a partner.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_all, lock_one
from journal.models import Deed
from journal.recording import record
from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState, TournamentState
from teams import seats
from teams.models import Seat, Team
from teams.names import clean_name
from tournaments.late import enter_late
from tournaments.models import Tournament
from tournaments.registration import register_team, state_by_capacity

LOOKING = (TeamState.REGISTERED, TeamState.CHECKED_IN)
JOINABLE = (TeamState.WAITLISTED, *LOOKING)


def enter_solo(*, tournament_id: int, player_id: int, actor: Actor, group: str = "") -> Team:
    """The player is in and looks for a partner; the mode is one with teams."""
    mode = Tournament.objects.values_list("mode", flat=True).get(pk=tournament_id)
    first = modes.mode_of(mode).labels[0]
    return register_team(
        tournament_id=tournament_id, members={first: player_id}, actor=actor, group=group, is_solo=True
    )


def is_looking(team: Team) -> bool:
    """The team is a lone player who looks for a partner."""
    return team.is_solo and team.state in LOOKING


def solos_of(tournament: Tournament) -> list[Team]:
    """Who looks for a partner, longest first."""
    own = Team.objects.filter(tournament=tournament, is_solo=True, state__in=LOOKING)
    return list(own.order_by("number"))


def listed_teams(tournament: Tournament) -> "QuerySet[Team]":
    """Every team by number, without the empty rows of who was joined into another one."""
    somebody = Seat.objects.filter(team=OuterRef("pk"))
    rows = Team.objects.filter(tournament=tournament).order_by("number")
    return rows.exclude(~Exists(somebody), is_solo=True, state=TeamState.WITHDRAWN)


@transaction.atomic
def join_solos(
    *, tournament_id: int, members: Sequence[tuple[str, int]], actor: Actor, name: str = ""
) -> Team:
    """The lone players, each given as (seat label, his team's id), are one team under the number of who came
    first, on the waiting list where no place is free; personal links go on working."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state not in (TournamentState.REGISTRATION, TournamentState.RUNNING):
        raise RuleBroken("registration-closed", f"{tournament.name} is {tournament.state}, nobody can enter.")
    labels = modes.mode_of(tournament.mode).labels
    wanted = [team for _, team in members]
    if len(wanted) < 2 or len(set(wanted)) < len(wanted):
        raise RuleBroken("two-needed", "Choose two different players who look for a partner.")
    seats.check_labels(labels, members)
    own = Team.objects.filter(tournament=tournament, pk__in=wanted).values_list("pk", flat=True)
    found = lock_all(Team, list(own))
    solos = [found[pk] for pk in wanted if pk in found]
    if len(solos) < len(wanted) or any(one.state not in LOOKING or not one.is_solo for one in solos):
        raise RuleBroken("not-solo", "One of them does not look for a partner any more; reload the page.")
    before = {"solos": _as_they_are(solos)}
    team = min(solos, key=lambda one: one.number)
    team.tournament = tournament
    _move_in(team, {pk: label for label, pk in members}, solos)
    team.is_solo = False
    team.name = clean_name(name, "team name") if name.strip() else ""
    team.group = team.group or next((one.group for one in solos if one.group), "")
    team.state = _state(tournament, solos)
    team.save(update_fields=["is_solo", "name", "group", "state"])
    if tournament.state == TournamentState.RUNNING and len(members) == len(labels):
        enter_late(tournament, team, actor)
    record(
        tournament_id=tournament_id,
        kind=DeedKind.TEAMS_JOINED,
        actor=actor,
        subject=f"team:{team.pk}",
        before=before,
        after={"joined": wanted, "state": team.state},
    )
    return team


@transaction.atomic
def part_team(*, deed_id: int, actor: Actor, reason: str = "") -> Team:
    """The joined team is lone players again, each under his own number and as he was before."""
    joined = Deed.objects.get(pk=deed_id, kind=DeedKind.TEAMS_JOINED)
    tournament = lock_one(Tournament, joined.tournament_id)
    before = (joined.before or {})["solos"]
    team_id = int(joined.subject.partition(":")[2])
    team = lock_all(Team, [one["team"] for one in before])[team_id]
    if team.state not in JOINABLE:
        raise RuleBroken("already-playing", f"{team} is {team.state}; drop it instead.")
    moved = {seat.player_id: seat for seat in Seat.objects.filter(team=team, is_live=True)}
    if set(moved) != {one["player"] for one in before}:
        raise RuleBroken("seats-changed", f"Others sit in {team} now; withdraw it instead.")
    Seat.objects.filter(pk__in=[seat.pk for seat in moved.values()]).update(is_live=False)
    for one in before:
        seat = moved[one["player"]]
        Seat.objects.filter(pk=seat.pk).update(team_id=one["team"], label=one["seat"], is_live=True)
        Team.objects.filter(pk=one["team"]).update(
            state=one["state"], group=one["group"], name="", is_solo=True
        )
    team.refresh_from_db()
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.JOIN_TAKEN_BACK,
        actor=actor,
        subject=f"team:{team.pk}",
        reason=reason,
        undoes=joined,
    )
    return team


def _as_they_are(solos: Sequence[Team]) -> list[dict[str, object]]:
    """Who each of them is and where he sits, to put him back."""
    by_id = {one.pk: one for one in solos}
    return [
        {
            "team": seat.team_id,
            "player": seat.player_id,
            "seat": seat.label,
            "state": by_id[seat.team_id].state,
            "group": by_id[seat.team_id].group,
        }
        for seat in Seat.objects.filter(team__in=solos, is_live=True).order_by("pk")
    ]


def _move_in(team: Team, labels: dict[int, str], solos: Sequence[Team]) -> None:
    """Everybody sits in the team at his label; the rows of the others stay, withdrawn and empty."""
    own = list(Seat.objects.filter(team__in=solos, is_live=True))
    for seat in sorted(own, key=lambda one: one.team_id != team.pk):
        Seat.objects.filter(pk=seat.pk).update(team=team, label=labels[seat.team_id])
    others = [one.pk for one in solos if one.pk != team.pk]
    Team.objects.filter(pk__in=others).update(state=TeamState.WITHDRAWN)


def _state(tournament: Tournament, solos: Sequence[Team]) -> TeamState:
    """Checked in where all of them were; on the waiting list where no place is free."""
    state = state_by_capacity(tournament)
    all_here = all(one.state == TeamState.CHECKED_IN for one in solos)
    return TeamState.CHECKED_IN if state is TeamState.REGISTERED and all_here else state
