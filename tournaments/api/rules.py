"""The rules desk and the set-up sheet of a match."""

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import Match
from matches.sheets import sheet_of
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.modes import MODES
from rulebook.topics import TOPICS, search_topics
from tournaments.api.scope import rounds_for


class CitationSerializer(serializers.Serializer[Any]):
    document = serializers.CharField()
    edition = serializers.CharField()
    rule = serializers.CharField()


class TopicSerializer(serializers.Serializer[Any]):
    """One answer in Tandem's own words, with the rules it comes from; without modes it holds for all."""

    key = serializers.CharField()
    title = serializers.CharField()
    body = serializers.CharField()
    citations = CitationSerializer(many=True)
    modes = serializers.ListField(child=serializers.CharField())


class TopicsSerializer(serializers.Serializer[Any]):
    results = TopicSerializer(many=True)


class SheetLineSerializer(serializers.Serializer[Any]):
    """Who does what; an empty position means everybody."""

    position = serializers.CharField(allow_blank=True)
    name = serializers.CharField(allow_blank=True)
    text = serializers.CharField()


class SheetStepSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    step = serializers.CharField()
    title = serializers.CharField()
    lines = SheetLineSerializer(many=True)
    topic = serializers.CharField()


class SheetSerializer(serializers.Serializer[Any]):
    """The set-up of one game in its order, the same as `manage.py setup_sheet` and the page of the table."""

    mode = serializers.CharField()
    edition = serializers.CharField()
    options = serializers.ListField(child=serializers.CharField())
    table = serializers.IntegerField()
    game = serializers.IntegerField()
    order = serializers.ListField(child=serializers.CharField())
    citations = serializers.ListField(child=serializers.CharField())
    steps = SheetStepSerializer(many=True)


class OpenToAll(GenericAPIView[Any]):
    permission_classes = [AllowAny]
    pagination_class = None
    filter_backends = []


class TopicList(OpenToAll):
    """The topics that hold every word of `q`, best first; all of them without words."""

    serializer_class = TopicsSerializer

    @extend_schema(
        operation_id="rules_topics_list",
        parameters=[
            OpenApiParameter("q", OpenApiTypes.STR, description="words that must all occur"),
            OpenApiParameter(
                "mode", OpenApiTypes.STR, enum=sorted(MODES), description="only what holds for it"
            ),
        ],
    )
    def get(self, request: Request) -> Response:
        mode = request.query_params.get("mode", "")
        found = search_topics(request.query_params.get("q", "")[:100], mode=mode if mode in MODES else None)
        return Response(self.get_serializer({"results": [topic.as_dict() for topic in found]}).data)


class TopicDetail(OpenToAll):
    """One topic."""

    serializer_class = TopicSerializer

    @extend_schema(operation_id="rules_topics_retrieve")
    def get(self, request: Request, key: str) -> Response:
        if key not in TOPICS:
            raise Http404
        return Response(self.get_serializer(TOPICS[key].as_dict()).data)


class SheetOfMatch(OpenToAll):
    """The set-up sheet of the match's current game; 409 while it is not chosen who starts."""

    serializer_class = SheetSerializer

    @extend_schema(parameters=[OpenApiParameter("board", OpenApiTypes.STR, description="A, B or C in trios")])
    def get(self, request: Request, pk: int) -> Response:
        match = (
            Match.objects.filter(pk=pk, kind=MatchKind.TABLE, round__in=rounds_for(request.user).values("pk"))
            .exclude(state=MatchState.VOID)
            .first()
        )
        if match is None:
            raise Http404
        sheet = sheet_of(match, board_label=request.query_params.get("board", ""))
        return Response(self.get_serializer(sheet.as_dict()).data)
