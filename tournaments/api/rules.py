"""The rules desk and the set-up sheet of a match."""

from typing import Any

from django.forms import Form
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from integrations.api.reads import Reading
from matches.games import games_of
from matches.models import Game, Match
from matches.sheets import sheet_of
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.modes import MODES
from rulebook.topics import TOPICS, search_topics
from tournaments.api.scope import rounds_for
from tournaments.asking import QUESTIONS


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


class QuestionSerializer(serializers.Serializer[Any]):
    """One thing to ask, with the fields its body may have."""

    key = serializers.CharField()
    title = serializers.CharField()
    help = serializers.CharField()
    fields_of_body = serializers.ListField(child=serializers.CharField())


class QuestionsSerializer(serializers.Serializer[Any]):
    results = QuestionSerializer(many=True)


class AnswerSerializer(serializers.Serializer[Any]):
    """The answer in a sentence, what follows from it, where it is printed; `facts` say it as values."""

    sentence = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField())
    citations = serializers.ListField(child=serializers.CharField())
    facts = serializers.DictField()


class GameSerializer(serializers.Serializer[Any]):
    """One game: how it opened, who stayed out of a restart, and how it ended; sides count from 0."""

    board = serializers.CharField(allow_blank=True)
    number = serializers.IntegerField()
    state = serializers.CharField()
    chooser = serializers.IntegerField(allow_null=True, help_text="the match's `sides`, counted from 0")
    by = serializers.CharField(allow_blank=True)
    option = serializers.CharField(allow_blank=True)
    order = serializers.ListField(child=serializers.CharField())
    gone = serializers.ListField(child=serializers.CharField())
    changes = serializers.ListField(child=serializers.CharField())
    winner = serializers.IntegerField(allow_null=True, help_text="the match's `sides`, counted from 0")
    is_draw = serializers.BooleanField()
    ended_by = serializers.CharField(allow_blank=True)
    subgames = serializers.ListField(child=serializers.DictField())


class GamesSerializer(serializers.Serializer[Any]):
    results = GameSerializer(many=True)


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
        mode = request.query_params.get("mode")
        if mode is not None and mode not in MODES:
            raise ValidationError({"mode": f"Choose from: {', '.join(sorted(MODES))}."})
        found = search_topics(request.query_params.get("q", "")[:100], mode=mode)
        return Response(self.get_serializer({"results": [topic.as_dict() for topic in found]}).data)


class TopicDetail(OpenToAll):
    """One topic."""

    serializer_class = TopicSerializer

    @extend_schema(operation_id="rules_topics_retrieve")
    def get(self, request: Request, key: str) -> Response:
        if key not in TOPICS:
            raise Http404
        return Response(self.get_serializer(TOPICS[key].as_dict()).data)


class OfMatch(Reading, GenericAPIView[Any]):
    pagination_class = None
    filter_backends = []


class SheetOfMatch(OfMatch):
    """The set-up sheet of the match's current game; 409 while it is not chosen who starts."""

    serializer_class = SheetSerializer
    refusals = ("409",)
    asks = ("board",)

    @extend_schema(parameters=[OpenApiParameter("board", OpenApiTypes.STR, description="A, B or C in trios")])
    def get(self, request: Request, pk: int) -> Response:
        match = _shown_match(request, pk)
        sheet = sheet_of(match, board_label=request.query_params.get("board", ""))
        return Response(self.get_serializer(sheet.as_dict()).data)


class GamesOfMatch(OfMatch):
    """The games recorded at a table with their openings, board by board."""

    serializer_class = GamesSerializer

    @extend_schema(operation_id="matches_games_list")
    def get(self, request: Request, pk: int) -> Response:
        match = _shown_match(request, pk)
        return Response(self.get_serializer({"results": told_games(match)}).data)


def told_games(match: Match) -> list[dict[str, Any]]:
    """The games recorded at the table, board by board."""
    return [_game(label, game) for label in match.frozen_terms.boards for game in games_of(match, label)]


def _game(label: str, game: Game) -> dict[str, Any]:
    """The game as the API tells it; one without a recorded opening has an empty order."""
    opening = getattr(game, "opening", None)
    return {
        "board": label,
        "number": game.number,
        "state": game.state,
        "chooser": opening.chooser if opening else None,
        "by": opening.by if opening else "",
        "option": opening.option if opening else "",
        "order": opening.order if opening else [],
        "gone": opening.gone if opening else [],
        "changes": [one["what"] for one in opening.replaced] if opening else [],
        "winner": game.winner,
        "is_draw": game.is_draw,
        "ended_by": game.ended_by,
        "subgames": [{key: one[key] for key in ("order", "winner", "is_over")} for one in game.subgames],
    }


def _shown_match(request: Request, pk: int) -> Match:
    """The match of a round that the caller may read; 404 for any other."""
    match = (
        Match.objects.filter(pk=pk, kind=MatchKind.TABLE, round__in=rounds_for(request.user).values("pk"))
        .exclude(state=MatchState.VOID)
        .first()
    )
    if match is None:
        raise Http404
    return match


class QuestionList(OpenToAll):
    """What the rules desk works out: end of round, mulligans, decklists, life totals and more."""

    serializer_class = QuestionsSerializer

    @extend_schema(operation_id="rules_questions_list")
    def get(self, request: Request) -> Response:
        found = [
            {
                "key": one.key,
                "title": one.title,
                "help": one.help,
                "fields_of_body": list(one.form.base_fields),
            }
            for one in QUESTIONS.values()
        ]
        return Response(self.get_serializer({"results": found}).data)


class AnswerOf(OpenToAll):
    """The answer to the question `key`, of what the body says; nothing is stored."""

    serializer_class = AnswerSerializer
    authentication_classes = []

    @extend_schema(
        operation_id="rules_answer",
        request=OpenApiTypes.OBJECT,
        description="The fields of the body are those of `GET /rules/questions/`, e.g. for `time`: mode, "
        "wins, moment (runs, over or between) and scores. A body against the rules is 409, "
        "an unreadable one 400.",
    )
    def post(self, request: Request, key: str) -> Response:
        if key not in QUESTIONS:
            raise Http404
        form = QUESTIONS[key].form(_with_usual(QUESTIONS[key].form, request.data))
        if not form.is_valid():
            wrong = {name: [str(error) for error in errors] for name, errors in form.errors.items()}
            raise serializers.ValidationError(wrong)
        return Response(self.get_serializer(QUESTIONS[key].answer(form.cleaned_data).as_dict()).data)


def _with_usual(form: type[Form], said: Any) -> dict[str, Any]:
    """What the body says, and the usual value of every field it leaves out; lists are words in a row."""
    given = dict(said.items()) if hasattr(said, "items") else {}
    usual = {name: field.initial for name, field in form.base_fields.items() if field.initial is not None}
    spoken = {
        key: " ".join(map(str, value)) if isinstance(value, list) else value for key, value in given.items()
    }
    return {**usual, **spoken}
