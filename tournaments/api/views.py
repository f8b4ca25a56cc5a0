"""What everybody may read of a tournament, and who the reader is."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_standardized_errors.openapi_validation_errors import extend_validation_errors
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.paging import Cursor
from integrations.api.reads import Reading, Tagged
from integrations.callers import Caller
from integrations.models import ApiKey
from matches.models import Match
from rulebook.lifecycle import TournamentState
from teams.models import Team
from tournaments.api import serializers
from tournaments.api.facts import facts_of_pairings, facts_of_standings, facts_of_teams
from tournaments.api.scope import pairings_of, rounds_for, sees_drafts, teams_of, tournaments_for, with_places
from tournaments.models import Round, Staff, Tournament, mode_choices


class ByNumber(Cursor):
    ordering = "number"


class TournamentFilter(filters.FilterSet):
    store = filters.CharFilter(field_name="store__slug")
    state = filters.ChoiceFilter(choices=[(state.value, state.value) for state in TournamentState])
    mode = filters.ChoiceFilter(choices=mode_choices)

    class Meta:
        model = Tournament
        fields = ["store", "state", "mode"]


class TournamentList(Reading, ListAPIView[Tournament]):
    """Every tournament that is announced, and the drafts of whoever serves there."""

    serializer_class = serializers.TournamentSerializer
    filterset_class = TournamentFilter
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return with_places(tournaments_for(self.request.user))


class TournamentDetail(Reading, Tagged, RetrieveAPIView[Tournament]):
    """One tournament."""

    serializer_class = serializers.TournamentSerializer
    queryset = Tournament.objects.none()
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Tournament]:
        return with_places(tournaments_for(self.request.user))


class OfTournament(Reading, GenericAPIView[Any]):
    """A part of the tournament in the address; 404 for whoever may not see it."""

    def tournament(self) -> Tournament:
        return get_object_or_404(tournaments_for(self.request.user), slug=self.kwargs["slug"])


class TeamList(OfTournament, ListAPIView[Any]):
    """The teams in the order of their numbers, with their members by public names."""

    serializer_class = serializers.TeamSerializer
    pagination_class = ByNumber
    filter_backends = []
    queryset = Team.objects.none()

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        tournament = self.tournament()
        page = self.paginate_queryset(teams_of(tournament)) or []
        told = facts_of_teams(page, tournament.mode)
        return self.get_paginated_response(self.get_serializer(told, many=True).data)


class RoundList(OfTournament, ListAPIView[Round]):
    """The rounds that are published, stage by stage; drafts only for whoever serves there."""

    serializer_class = serializers.RoundSerializer
    filterset_fields = ["number", "state"]
    queryset = Round.objects.none()

    def get_queryset(self) -> QuerySet[Round]:
        if getattr(self, "swagger_fake_view", False):
            return Round.objects.none()
        return rounds_for(self.request.user).filter(stage__tournament=self.tournament())


class RoundDetail(Reading, Tagged, RetrieveAPIView[Round]):
    """One round."""

    serializer_class = serializers.RoundSerializer
    queryset = Round.objects.none()

    def get_queryset(self) -> QuerySet[Round]:
        return rounds_for(self.request.user)


class PairingList(Reading, ListAPIView[Any]):
    """Who meets whom in the round, in the order of the tables; a bye is a side of its own kind."""

    serializer_class = serializers.PairingSerializer
    filter_backends = []
    queryset = Match.objects.none()

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        rnd = get_object_or_404(rounds_for(request.user), pk=kwargs["pk"])
        page = self.paginate_queryset(pairings_of(rnd)) or []
        told = facts_of_pairings(page)
        return self.get_paginated_response(self.get_serializer(told, many=True).data)


@extend_validation_errors(["invalid"], field_name="after_round", methods=["get"])
class Standings(OfTournament):
    """The stored standings, the same rows as the pages show."""

    serializer_class = serializers.StandingsSerializer
    pagination_class = None
    asks = ("after_round",)
    filter_backends = []

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "after_round", OpenApiTypes.INT, description="a closed round; default: the last one"
            )
        ]
    )
    def get(self, request: Request, slug: str) -> Response:
        """The standings after the last closed round, or after the one asked for."""
        tournament = self.tournament()
        for_staff = sees_drafts(request.user).filter(pk=tournament.pk).exists()
        told = facts_of_standings(tournament, asked_round(request), for_staff=for_staff)
        if told is None:
            raise Http404
        return Response(self.get_serializer(told).data)


class Me(APIView):
    """Who asks: somebody signed in, or a key."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses=serializers.MeSerializer)
    def get(self, request: Request) -> Response:
        """The user behind the session, or the key."""
        key = Caller(request.user).key
        roles = Staff.objects.filter(user_id=int(request.user.pk or 0)).order_by("tournament_id", "role")
        told = {
            "username": request.user.get_username(),
            "roles": [
                {"tournament": slug, "role": role}
                for slug, role in roles.values_list("tournament__slug", "role")
            ],
            "key": _facts_of_key(key) if key else None,
        }
        return Response(serializers.MeSerializer(told).data)


def _facts_of_key(key: ApiKey) -> dict[str, Any]:
    return {
        "name": key.name,
        "store": key.store.slug,
        "tournament": key.tournament.slug if key.tournament else None,
        "scopes": key.scopes,
        "expires_at": key.expires_at,
    }


def asked_round(request: Request) -> int | None:
    """The number in `?after_round=`; 400 for anything else."""
    given = request.query_params.get("after_round", "")
    if not given:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) < 6):
        raise ValidationError({"after_round": "Enter the number of a closed round."})
    return int(given)
