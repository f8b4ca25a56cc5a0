"""Lists of teams: looked at, imported at once or by a worker, and how far that is."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from integrations.api.fields import Body, Flag, One, Words
from integrations.api.lists import small
from integrations.api.operations import Answer, Call, Operation
from integrations.api.places import TOURNAMENT
from integrations.api.reads import Reading
from integrations.scopes import Scope
from tournaments.large_imports import ask_import, is_large, progress_of
from tournaments.models import Upload
from tournaments.staff import Can
from tournaments.team_file import MOST_BYTES, refuse_large
from tournaments.team_import import apply_import, keep_file, plan_of
from tournaments.team_rows import INCOMPLETE, NEW, SOLO, Plan

MOST_TOLD = 500
LIST = "Team,Player A,ID A,Player B,ID B\nDonau Dragons,Ida Holm,17,Per Holm,18\n"


class ListBody(Body):
    """A list of teams, its first line names the columns as the desk's page does."""

    text = Words(max_length=MOST_BYTES, trim_whitespace=False, help_text="the list as CSV")
    source: Any = Words(
        max_length=40, required=False, allow_blank=True, default="", help_text="where its ids come from"
    )
    missing = One(
        choices=["wrong", INCOMPLETE, SOLO],
        required=False,
        default="wrong",
        help_text="what a row is in which a teammate is missing",
    )
    known = One(
        choices=["ask", "known", NEW],
        required=False,
        default="ask",
        help_text="who may be known: makes his row wrong, is the first such person, or is new",
    )


class TeamListBody(ListBody):
    name = Words(max_length=200, required=False, default="list.csv", help_text="what staff read of it")
    only_good = Flag(required=False, default=False, help_text="wrong rows are left out")


class WrongRowSerializer(serializers.Serializer[Any]):
    row = serializers.IntegerField(help_text="line of the file")
    reasons = serializers.ListField(child=serializers.CharField())


class ListPlanSerializer(serializers.Serializer[Any]):
    """What the list would enter now."""

    rows = serializers.IntegerField()
    good = serializers.IntegerField(help_text="teams that would be entered")
    entered_already = serializers.IntegerField()
    wrong = serializers.IntegerField()
    wrong_rows = WrongRowSerializer(many=True, help_text=f"the first {MOST_TOLD}")


class UploadSerializer(serializers.Serializer[Any]):
    """A list that was sent, and what came of it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Upload.State.choices)
    rows = serializers.IntegerField()
    step = serializers.ChoiceField(
        choices=["planned", "entered"], allow_null=True, help_text="what a worker does with the rows"
    )
    done = serializers.IntegerField(help_text="rows with which that is done")
    of = serializers.IntegerField(help_text="rows with which it is to be done")
    teams = serializers.IntegerField(help_text="teams that are entered; all of them or none")
    waitlisted = serializers.IntegerField()
    error = serializers.CharField(help_text="why nothing is entered")


def _told(upload: Upload) -> Mapping[str, Any]:
    step, done, of = progress_of(upload) or (None, 0, 0)
    return {
        "id": upload.pk,
        "name": upload.name,
        "state": upload.state,
        "rows": upload.rows,
        "step": step,
        "done": done,
        "of": of,
        "teams": upload.entered,
        "waitlisted": upload.waitlisted,
        "error": upload.error,
    }


def _told_plan(plan: Plan) -> Mapping[str, Any]:
    wrong = plan.wrong
    return {
        "rows": len(plan.rows),
        "good": len(plan.good),
        "entered_already": sum(row.is_in_already for row in plan.rows),
        "wrong": len(wrong),
        "wrong_rows": [{"row": row.number, "reasons": row.errors} for row in wrong[:MOST_TOLD]],
    }


class UploadDetail(Reading, GenericAPIView[Any]):
    """A list that was sent, how far a worker is with it, and what came of it."""

    scope = Scope.TEAMS_WRITE
    can = Can.REGISTER
    serializer_class = UploadSerializer
    pagination_class = None
    filter_backends: Any = []
    queryset = Upload.objects.none()

    @extend_schema(operation_id="teams_import_state")
    def get(self, request: Request, pk: int) -> Response:
        own = Upload.objects.filter(tournament__in=self.caller().own_tournaments().values("pk"), store=None)
        upload = get_object_or_404(own.defer("body"), pk=small(pk))
        self.ask(int(upload.tournament_id or 0))
        return Response(self.get_serializer(_told(upload)).data)


def _choices(call: Call, body: bytes) -> dict[str, object]:
    """What the desk's page would have been told: the source, and who is known."""
    data = call.data
    choices: dict[str, object] = {
        "source": data["source"],
        "missing": "" if data["missing"] == "wrong" else data["missing"],
    }
    if data["known"] != "ask":
        asked = plan_of(Upload(tournament=call.row, body=body, choices=choices)).asked
        new = data["known"] == NEW
        choices["answers"] = {key: NEW if new else str(person.asked[0][0]) for key, _, person in asked}
    return choices


def _body(call: Call) -> bytes:
    body: bytes = call.data["text"].encode()
    refuse_large(len(body))
    return body


def _preview(call: Call) -> Plan:
    body = _body(call)
    return plan_of(Upload(tournament=call.row, body=body, choices=_choices(call, body)))


def _import(call: Call) -> Upload:
    body, key = _body(call), call.caller.key
    upload = keep_file(
        tournament_id=call.row.pk,
        user_id=key.created_by_id if key else call.caller.user.pk,
        name=call.data["name"],
        body=body,
        choices=_choices(call, body),
    )
    enter = ask_import if is_large(upload) else apply_import
    enter(upload_id=upload.pk, actor=call.actor, only_good=call.data["only_good"])
    upload.refresh_from_db()
    return upload


LISTS = partial(Operation, scope=Scope.TEAMS_WRITE, can=Can.REGISTER, place=TOURNAMENT)
IMPORTS = [
    LISTS(
        name="teams_preview_import",
        path="tournaments/<slug:slug>/teams/import/preview/",
        body=ListBody,
        run=_preview,
        answer=Answer(ListPlanSerializer, lambda plan, call: _told_plan(plan)),
        says="What the list would enter now, and which rows are wrong; nothing is entered or kept.",
        example={"text": LIST, "source": "league"},
    ),
    LISTS(
        name="teams_import",
        path="tournaments/<slug:slug>/teams/import/",
        body=TeamListBody,
        run=_import,
        answer=Answer(UploadSerializer, lambda upload, call: _told(upload)),
        status=202,
        says="The teams of the list are entered, all or none: a short list now, a longer one by a worker; "
        "`/uploads/ID/` tells how far it is.",
        example={"text": LIST, "source": "league"},
    ),
]
IMPORT_READS: dict[str, type[APIView]] = {"uploads/<int:pk>/": UploadDetail}
