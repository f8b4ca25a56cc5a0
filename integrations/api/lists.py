"""GETs of rows beyond the public ones: who may read them is each view's `scope` and `can`."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from config.paging import Cursor
from integrations.api.fields import LARGEST
from integrations.api.reads import Reading, Tagged
from integrations.api.rows import (
    AnnouncementSerializer,
    BracketSerializer,
    CallSerializer,
    DeckCheckSerializer,
    DeedSerializer,
    EnteredSerializer,
    PenaltySerializer,
    PlayerSerializer,
    RepairPlanSerializer,
    StaffSerializer,
    StageSerializer,
)
from integrations.scopes import Scope
from journal.models import Deed
from matches.models import Call, Match
from rulebook.lifecycle import MatchState, RoundState, TeamState
from teams.models import Player, Seat, Team
from tournaments.api.facts import facts_of_pairings, facts_of_teams, team_references
from tournaments.api.scope import rounds_for, sees_drafts, tournaments_for, with_results
from tournaments.api.serializers import PairingSerializer, TeamSerializer
from tournaments.models import (
    Announcement,
    DeckCheck,
    Penalty,
    Round,
    Slot,
    Staff,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.repairing import repair_plan
from tournaments.staff import Can


class Newest(Cursor):
    ordering = "-number"


class InTournament(Reading, ListAPIView[Any]):
    """Rows of the tournament in the address; a power is asked for where the view names one."""

    filter_backends: Any = []
    queryset: Any = Tournament.objects.none()

    def tournament(self) -> Tournament:
        found = get_object_or_404(tournaments_for(self.request.user), slug=self.kwargs["slug"])
        if self.can is not None:
            if not self.caller().own_tournaments().filter(pk=found.pk).exists():
                raise Http404
            self.ask(found.pk)
        return found


class StageList(InTournament):
    """The parts of the tournament, each with its way to pair."""

    serializer_class = StageSerializer

    def get_queryset(self) -> QuerySet[Stage]:
        return Stage.objects.filter(tournament=self.tournament()).select_related("tournament")


class AnnouncementList(InTournament):
    """What is announced now."""

    serializer_class = AnnouncementSerializer

    def get_queryset(self) -> QuerySet[Announcement]:
        return Announcement.objects.filter(tournament=self.tournament(), taken_down_at=None)


class PenaltyList(InTournament):
    """Every penalty, those taken back too."""

    scope = Scope.PENALTIES_WRITE
    can = Can.PENALTIES
    serializer_class = PenaltySerializer

    def get_queryset(self) -> QuerySet[Penalty]:
        return Penalty.objects.filter(tournament=self.tournament())


class CallList(InTournament):
    """The calls for a judge that are not ended."""

    scope = Scope.RESULTS_WRITE
    can = Can.RESULTS
    serializer_class = CallSerializer

    def get_queryset(self) -> QuerySet[Call]:
        open_calls = Call.objects.filter(match__tournament=self.tournament(), ended_at=None)
        return open_calls.select_related("match", "side", "taken_by")


class StaffList(InTournament):
    """Who serves in which role."""

    scope = Scope.STAFF
    can = Can.STAFF
    serializer_class = StaffSerializer

    def get_queryset(self) -> QuerySet[Staff]:
        return Staff.objects.filter(tournament=self.tournament()).select_related("user")


class JournalList(InTournament):
    """What was done, newest first; ids only, never names. Keep the highest number you have read."""

    scope = Scope.STAFF
    can = Can.VIEW
    serializer_class = DeedSerializer
    pagination_class = Newest
    asks = ("after",)

    @extend_schema(
        parameters=[
            OpenApiParameter("after", OpenApiTypes.INT, description="only deeds with a higher number")
        ]
    )
    def get(self, request: Request, *args: Any, **words: Any) -> Response:
        return super().get(request, *args, **words)

    def get_queryset(self) -> QuerySet[Deed]:
        after = number_asked(self.request, "after") or 0
        return Deed.objects.filter(tournament=self.tournament(), number__gt=after).select_related("undoes")


class EnteredFilter(filters.FilterSet):
    source = filters.CharFilter(field_name="player__source")
    external_id = filters.CharFilter(field_name="player__external_id")
    team = filters.NumberFilter(field_name="team_id", min_value=1, max_value=LARGEST)

    class Meta:
        model = Seat
        fields = ["source", "external_id", "team"]


class EnteredList(InTournament):
    """Everybody who entered, with full name, ids and contact, seat by seat; `source` and `external_id` find
    the team of somebody who stands at the till."""

    scope = Scope.PEOPLE_READ
    can = Can.REGISTER
    serializer_class = EnteredSerializer
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = EnteredFilter
    queryset = Seat.objects.none()

    def list(self, request: Request, *args: Any, **words: Any) -> Response:
        seats = Seat.objects.filter(tournament=self.tournament()).select_related("player", "team")
        page = self.paginate_queryset(self.filter_queryset(seats)) or []
        names = team_references({seat.team for seat in page})
        told = [
            {
                "player": seat.player,
                "team": names[seat.team_id],
                "seat": seat.label,
                "seat_id": seat.pk,
                "is_live": seat.is_live,
            }
            for seat in page
        ]
        return self.get_paginated_response(self.get_serializer(told, many=True).data)


class PlayerFilter(filters.FilterSet):
    source = filters.CharFilter()
    external_id = filters.CharFilter()

    class Meta:
        model = Player
        fields = ["source", "external_id"]


class PlayerList(Reading, ListAPIView[Player]):
    """The people a store knows, with contact; those who were erased are not told."""

    scope = Scope.PEOPLE_READ
    is_personal = True
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    queryset = Player.objects.none()

    def get_queryset(self) -> QuerySet[Player]:
        if getattr(self, "swagger_fake_view", False):
            return Player.objects.none()
        store = get_object_or_404(self.caller().own_stores(), slug=self.kwargs["slug"])
        return Player.objects.filter(store=store, erased_at=None)


MATCH_STATES = [(state.value, state.value) for state in MatchState if state is not MatchState.VOID]


class MatchFilter(filters.FilterSet):
    round = filters.NumberFilter(field_name="round_id", min_value=1, max_value=LARGEST)
    state = filters.ChoiceFilter(choices=MATCH_STATES)
    team = filters.NumberFilter(field_name="sides__team_id", min_value=1, max_value=LARGEST)
    table = filters.NumberFilter(min_value=1, max_value=LARGEST)

    class Meta:
        model = Match
        fields = ["round", "state", "team", "table"]


class MatchList(Reading, ListAPIView[Any]):
    """The matches of the rounds the caller may read, over the whole tournament."""

    serializer_class = PairingSerializer
    filterset_class = MatchFilter
    queryset = Match.objects.none()

    def list(self, request: Request, *args: Any, **words: Any) -> Response:
        tournament = get_object_or_404(tournaments_for(request.user), slug=words["slug"])
        shown = rounds_for(request.user).filter(stage__tournament=tournament).values("pk")
        own = Match.objects.filter(round__in=shown).exclude(state=MatchState.VOID)
        page = self.paginate_queryset(self.filter_queryset(with_results(own))) or []
        return self.get_paginated_response(self.get_serializer(facts_of_pairings(page), many=True).data)


class MatchDetail(Reading, Tagged, GenericAPIView[Any]):
    """One match."""

    serializer_class = PairingSerializer
    pagination_class = None
    filter_backends: Any = []
    queryset = Match.objects.none()

    @extend_schema(operation_id="matches_retrieve")
    def get(self, request: Request, pk: int) -> Response:
        shown = rounds_for(request.user).values("pk")
        own = with_results(Match.objects.filter(round__in=shown).exclude(state=MatchState.VOID))
        match = get_object_or_404(own, pk=small(pk))
        return Response(self.get_serializer(facts_of_pairings([match])[0]).data)


class TeamDetail(Reading, Tagged, GenericAPIView[Any]):
    """One team."""

    serializer_class = TeamSerializer
    pagination_class = None
    filter_backends: Any = []
    queryset = Team.objects.none()

    @extend_schema(operation_id="teams_retrieve")
    def get(self, request: Request, pk: int) -> Response:
        seen = Team.objects.filter(tournament__in=tournaments_for(request.user).values("pk"))
        own = self.caller().own_tournaments().values("pk")
        team = get_object_or_404(seen.select_related("tournament"), pk=small(pk))
        if (
            team.state == TeamState.WITHDRAWN
            and not Team.objects.filter(pk=team.pk, tournament__in=own).exists()
        ):
            raise Http404
        return Response(self.get_serializer(facts_of_teams([team], team.tournament.mode)[0]).data)


class Bracket(Reading, GenericAPIView[Any]):
    """The matches of an elimination; a bye and a place to be decided are objects of their own kind."""

    serializer_class = BracketSerializer
    pagination_class = None
    filter_backends: Any = []
    queryset = Stage.objects.none()

    @extend_schema(operation_id="stages_bracket")
    def get(self, request: Request, pk: int) -> Response:
        stages = Stage.objects.filter(tournament__in=tournaments_for(request.user).values("pk"))
        stage = get_object_or_404(stages, pk=small(pk))
        is_staff = sees_drafts(request.user).filter(pk=stage.tournament_id).exists()
        return Response(self.get_serializer({"nodes": nodes_of(stage, with_drafts=is_staff)}).data)


class DeckCheckList(Reading, ListAPIView[DeckCheck]):
    """The tables of the round that were picked for a deck check."""

    scope = Scope.PENALTIES_WRITE
    can = Can.PENALTIES
    serializer_class = DeckCheckSerializer
    filter_backends: Any = []
    queryset = DeckCheck.objects.none()

    def get_queryset(self) -> QuerySet[DeckCheck]:
        if getattr(self, "swagger_fake_view", False):
            return DeckCheck.objects.none()
        return DeckCheck.objects.filter(round=own_round(self)).select_related("match")


class RepairPlan(Reading, GenericAPIView[Any]):
    """What a repair of the round would change; nothing is written. 409 where there is no plan."""

    scope = Scope.ROUNDS_WRITE
    can = Can.PAIR
    serializer_class = RepairPlanSerializer
    pagination_class = None
    filter_backends: Any = []
    queryset = Round.objects.none()
    refusals = ("409",)

    @extend_schema(operation_id="rounds_repair_plan")
    def get(self, request: Request, pk: int) -> Response:
        shown = repair_plan(own_round(self))
        plan = shown.plan
        told = {
            "version": shown.version,
            "is_empty": shown.is_empty,
            "kept": plan.kept,
            "voided": plan.voided,
            "made": [{"teams": one.sides, "table": one.table, "reason": one.reason} for one in plan.made],
            "rematches": plan.rematches,
        }
        return Response(self.get_serializer(told).data)


def own_round(view: Any) -> Round:
    """The round of the address, of a tournament of the caller's in which he may read this."""
    rounds = Round.objects.exclude(state=RoundState.SCRAPPED).select_related("stage__tournament")
    own = rounds.filter(stage__tournament__in=view.caller().own_tournaments().values("pk"))
    found: Round = get_object_or_404(own, pk=small(view.kwargs["pk"]))
    view.ask(found.stage.tournament_id)
    return found


def nodes_of(stage: Stage, *, with_drafts: bool) -> list[dict[str, Any]]:
    """The nodes of the bracket in order; a match that is only a draft is told to staff alone."""
    slots = (
        Slot.objects.filter(stage=stage).select_related("team", "match__round").order_by("round_number", "id")
    )
    seeds = dict(StageEntry.objects.filter(stage=stage).values_list("team_id", "seed"))
    found = list(slots)
    names = team_references({slot.team for slot in found if slot.team is not None})
    nodes: dict[str, dict[str, Any]] = {}
    for slot in found:
        node = nodes.setdefault(
            slot.node, {"key": slot.node, "round": slot.round_number, "match": None, "slots": []}
        )
        if slot.match is not None and (with_drafts or slot.match.round.state != RoundState.PAIRED):
            node["match"] = slot.match_id
        node["slots"].append(_slot(slot, names, seeds))
    return list(nodes.values())


def _slot(slot: Slot, names: Any, seeds: Any) -> dict[str, Any]:
    if slot.team_id is not None:
        return {"kind": "team", "team": names[slot.team_id], "seed": seeds.get(slot.team_id)}
    if slot.is_settled or slot.source == Slot.Source.BYE:
        return {"kind": "bye"}
    return {
        "kind": "undecided",
        "source": slot.source,
        "node": slot.source_node,
        "seed": slot.source_seed,
    }


def small(pk: int) -> int:
    """The id; 404 for one that no database holds."""
    if pk > 2**53:
        raise Http404
    return pk


def number_asked(request: Any, name: str) -> int | None:
    """The number in the query; 400 for anything else."""
    given = request.query_params.get(name, "")
    if not given:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) < 16):
        raise ValidationError({name: "Enter a number."})
    return int(given)
