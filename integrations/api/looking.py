"""What the desk looks up at a table: running totals, what a correction changes, deck lists."""

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from integrations.api.lists import InTournament, small
from integrations.api.matches import AT, RESULTS, CorrectBody
from integrations.api.operations import Answer, Call
from integrations.api.reads import Reading
from integrations.api.results import TWO_TO_ONE, counted, sides_in_order
from integrations.scopes import Scope
from matches.models import Match
from matches.tracking import tracked_game
from rulebook.lifecycle import MatchState
from rulebook.panels import Panel, panels
from teams.models import Decklist
from tournaments.handing_in import problems_of
from tournaments.previewing import Preview, preview_correction
from tournaments.staff import Can


class TotalSerializer(serializers.Serializer[Any]):
    """Life or points of a side, or of one player where each has his own."""

    team = serializers.IntegerField()
    seats = serializers.ListField(child=serializers.CharField())
    total = serializers.IntegerField()
    goal = serializers.IntegerField(allow_null=True, help_text="points that win; null where life is counted")
    poison = serializers.IntegerField(allow_null=True)
    is_out = serializers.BooleanField()


class TrackedSerializer(serializers.Serializer[Any]):
    """The running game of one board as the table counts it."""

    board = serializers.CharField(allow_blank=True)
    game = serializers.IntegerField()
    turn = serializers.IntegerField()
    totals = TotalSerializer(many=True)


class TrackerSerializer(serializers.Serializer[Any]):
    """One entry for each board whose game runs; none where nobody plays."""

    boards = TrackedSerializer(many=True)


class Tracker(Reading, GenericAPIView[Any]):
    """The totals of the running games of the match."""

    can = Can.VIEW
    serializer_class = TrackerSerializer
    pagination_class = None
    filter_backends: Any = []
    queryset = Match.objects.none()

    @extend_schema(operation_id="matches_tracker")
    def get(self, request: Request, pk: int) -> Response:
        own = Match.objects.filter(tournament__in=self.caller().own_tournaments().values("pk"))
        match = get_object_or_404(own.exclude(state=MatchState.VOID), pk=small(pk))
        self.ask(match.tournament_id)
        return Response(self.get_serializer({"boards": tracked_boards(match)}).data)


def tracked_boards(match: Match) -> list[dict[str, Any]]:
    """The totals of every board whose game runs."""
    sides, found = sides_in_order(match), []
    for board in match.frozen_terms.boards:
        tracked = tracked_game(match, board)
        if tracked is not None:
            totals = [_total(panel, sides) for panel in panels(tracked.table)]
            turn = tracked.table.turn
            found.append({"board": board, "game": tracked.game, "turn": turn, "totals": totals})
    return found


def _total(panel: Panel, sides: list[int]) -> dict[str, Any]:
    return {
        "team": sides[panel.side],
        "seats": panel.seats,
        "total": panel.total,
        "goal": panel.goal,
        "poison": panel.poison[0] if panel.poison else None,
        "is_out": panel.is_out,
    }


class ToldSerializer(serializers.Serializer[Any]):
    """A result in the order of the sides."""

    kind = serializers.CharField()
    wins = serializers.ListField(child=serializers.IntegerField())
    outcomes = serializers.ListField(child=serializers.CharField())
    draws = serializers.IntegerField()


class ContestSerializer(serializers.Serializer[Any]):
    """One result of the match and what it would be; `label` is the board's."""

    label: Any = serializers.CharField(allow_blank=True)
    was = ToldSerializer(allow_null=True)
    now = ToldSerializer(allow_null=True)


class MovedSerializer(serializers.Serializer[Any]):
    """A team whose rank or points would be others."""

    team_id = serializers.IntegerField()
    rank_before = serializers.IntegerField()
    rank_after = serializers.IntegerField()
    points_before = serializers.CharField()
    points_after = serializers.CharField()


class CutMovedSerializer(serializers.Serializer[Any]):
    """Who would be inside and outside the cut; one that is made keeps its teams."""

    size = serializers.IntegerField()
    enters = serializers.ListField(child=serializers.IntegerField())
    leaves = serializers.ListField(child=serializers.IntegerField())
    is_made = serializers.BooleanField()


class PairingsMovedSerializer(serializers.Serializer[Any]):
    """What the later round that is paired would be; `refused` says why nothing can be told."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    made = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    is_drawn = serializers.BooleanField()
    refused = serializers.CharField(allow_blank=True)


class SlotMovedSerializer(serializers.Serializer[Any]):
    """A place in a later round of the bracket that another team would stand in."""

    round_number = serializers.IntegerField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class PlaceMovedSerializer(serializers.Serializer[Any]):
    """A team whose place in the bracket would be another."""

    team_id = serializers.IntegerField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """All that a correction would change; correct with this `version`, and it is refused once anything else
    has changed. `refused` is the sentence that forbids it."""

    version = serializers.IntegerField()
    contests = ContestSerializer(many=True)
    after_round = serializers.IntegerField()
    moved = MovedSerializer(many=True)
    cut = CutMovedSerializer(allow_null=True)
    pairings = PairingsMovedSerializer(allow_null=True)
    slots = SlotMovedSerializer(many=True)
    places = PlaceMovedSerializer(many=True)
    is_running = serializers.BooleanField(help_text="the round that the correction reaches is being played")
    refused = serializers.CharField(allow_blank=True)


class DecklistSerializer(serializers.ModelSerializer[Decklist]):
    """A deck list as it was handed in, with what is wrong with it by the rules of the format."""

    team = serializers.IntegerField(source="seat.team_id")
    seat = serializers.CharField(source="seat.label")
    player = serializers.IntegerField(source="seat.player_id")
    problems = serializers.SerializerMethodField()

    class Meta:
        model = Decklist
        fields = ["id", "team", "seat", "player", "body", "submitted_at", "locked_at", "problems"]
        read_only_fields = fields

    def get_problems(self, deck: Decklist) -> list[str]:
        """A sentence for each problem."""
        return [one.sentence for one in problems_of(deck.seat.tournament, deck.body)]


class DecklistList(InTournament):
    """Every deck list that was handed in."""

    scope = Scope.STAFF
    can = Can.DECKLISTS
    serializer_class = DecklistSerializer
    queryset = Decklist.objects.none()

    def get_queryset(self) -> QuerySet[Decklist]:
        own = Decklist.objects.filter(seat__tournament=self.tournament(), seat__is_live=True)
        return own.select_related("seat__tournament")


def _preview(call: Call) -> Preview:
    said = counted(call.data, sides_in_order(call.row))
    return preview_correction(match_id=call.row.pk, actor=call.actor, reason=call.data["reason"], **said)


LOOKING = [
    RESULTS(
        name="matches_preview_correction",
        path=f"{AT}/correct/preview/",
        can=Can.CORRECT,
        body=CorrectBody,
        run=_preview,
        answer=Answer(PreviewSerializer, lambda preview, call: asdict(preview)),
        says="What the correction would change is told; nothing is changed.",
        example={**TWO_TO_ONE, "reason": "entered the wrong way round"},
    ),
]
LOOKING_READS: dict[str, type[APIView]] = {
    f"{AT}/tracker/": Tracker,
    "tournaments/<slug:slug>/decklists/": DecklistList,
}
