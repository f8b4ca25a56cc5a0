"""How rows are told after a deed, the same as their reads tell them."""

from typing import Any

from rest_framework import serializers

from integrations.api.operations import Answer, Call
from journal.recording import version_of
from matches.models import Match
from teams.models import Team
from tournaments.api.facts import facts_of_pairings, facts_of_teams
from tournaments.api.scope import with_places, with_results
from tournaments.api.serializers import (
    PairingSerializer,
    RoundSerializer,
    TeamSerializer,
    TournamentSerializer,
)
from tournaments.models import Round, Tournament


class VersionSerializer(serializers.Serializer[Any]):
    """The deed is done; `version` is the number of the tournament's newest deed."""

    tournament = serializers.SlugField()
    version = serializers.IntegerField()


def told_tournament(tournament: Tournament) -> Tournament:
    """The tournament as it is now, with its version."""
    fresh = with_places(Tournament.objects.select_related("store")).get(pk=tournament.pk)
    fresh.version = version_of(tournament.pk)  # type: ignore[attr-defined]
    return fresh


def told_team(team_id: int) -> dict[str, Any]:
    """The team with its members."""
    team = Team.objects.select_related("tournament").get(pk=team_id)
    return facts_of_teams([team], team.tournament.mode)[0]


def told_teams(teams: list[Team]) -> list[dict[str, Any]]:
    """Teams of one tournament with their members."""
    found = list(Team.objects.filter(pk__in=[team.pk for team in teams]).select_related("tournament"))
    return facts_of_teams(found, found[0].tournament.mode) if found else []


def told_round(round_id: int) -> Round:
    """The round as it is now."""
    return Round.objects.select_related("stage__tournament").get(pk=round_id)


def told_match(match_id: int) -> dict[str, Any]:
    """The match with its sides and its confirmed result."""
    return facts_of_pairings(list(with_results(Match.objects.filter(pk=match_id))))[0]


def told_matches(matches: list[Match]) -> list[dict[str, Any]]:
    """Matches with their sides and confirmed results, in the order of their tables."""
    found = Match.objects.filter(pk__in=[match.pk for match in matches]).order_by("table", "id")
    return facts_of_pairings(list(with_results(found)))


def _of_row(result: Any, call: Call) -> Any:
    return told_tournament(call.row)


def _version(result: Any, call: Call) -> Any:
    row = call.row
    tournament = row if isinstance(row, Tournament) else row.tournament
    return {"tournament": tournament.slug, "version": version_of(tournament.pk)}


# The result of a service is the row itself unless the name says otherwise.
TOURNAMENT_TOLD = Answer(TournamentSerializer, _of_row)
NEW_TOURNAMENT_TOLD = Answer(TournamentSerializer, lambda made, call: told_tournament(made))
TEAM_TOLD = Answer(TeamSerializer, lambda team, call: told_team(team.pk))
TEAMS_TOLD = Answer(TeamSerializer, lambda teams, call: told_teams(teams), many=True)
ROUND_TOLD = Answer(RoundSerializer, lambda rnd, call: told_round(rnd.pk))
MATCH_TOLD = Answer(PairingSerializer, lambda match, call: told_match(match.pk))
MATCHES_TOLD = Answer(PairingSerializer, lambda matches, call: told_matches(matches), many=True)
# After a deed whose result is a part of the row the address names: that row.
MATCH_OF_CALL = Answer(PairingSerializer, lambda result, call: told_match(call.row.pk))
ROUND_OF_CALL = Answer(RoundSerializer, lambda result, call: told_round(call.row.pk))
TEAM_OF_CALL = Answer(TeamSerializer, lambda result, call: told_team(call.row.pk))
# After a deed that leaves nothing to tell.
VERSION_TOLD = Answer(VersionSerializer, _version)
