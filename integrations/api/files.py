"""A tournament as a file, out of Tandem and into it, and its tables for a spreadsheet."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAcceptable, PermissionDenied, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from integrations.api.answers import NEW_TOURNAMENT_TOLD
from integrations.api.fields import Body, Words
from integrations.api.lists import InTournament
from integrations.api.operations import Call, Operation
from integrations.api.places import STORE
from integrations.api.reads import Reading
from integrations.scopes import Scope
from matches.models import Match
from rulebook.lifecycle import MatchState
from tournaments.api.facts import facts_of_pairings, facts_of_standings, facts_of_teams
from tournaments.api.scope import rounds_for, sees_drafts, teams_of, tournaments_for, with_results
from tournaments.exporting import csv_of
from tournaments.file_import import import_tournament
from tournaments.models import Tournament
from tournaments.staff import Can
from tournaments.tournament_file import FORMAT, SCHEMA, export_tournament

AT = "tournaments/<slug:slug>"
Rows = tuple[Sequence[str], list[list[object]]]


class Csv(BaseRenderer):
    """A table for a spreadsheet: UTF-8 with a byte order mark."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, *_: Any, **more: Any) -> bytes:
        return str(data).encode()


class TheFile(serializers.JSONField):
    """The object that such a file holds."""

    default_error_messages = {"no_object": "Send the object that the file holds."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("no_object")
        return super().to_internal_value(data)


class ImportBody(Body):
    """A tournament file, see docs/tournament-file.md."""

    file = TheFile()
    slug = Words(
        max_length=80,
        required=False,
        allow_blank=True,
        default="",
        help_text="its address here; a number follows where it is taken",
    )


class File(InTournament, GenericAPIView[Any]):
    """The whole tournament as one object, which another store or installation imports. Contacts are in it
    only when they are asked for, and only for who may read people."""

    scope = Scope.STAFF
    can = Can.SETTINGS
    asks = ("contacts",)
    pagination_class = None

    @extend_schema(
        operation_id="tournaments_file",
        parameters=[OpenApiParameter("contacts", OpenApiTypes.BOOL, description="with e-mail addresses")],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, *args: Any, **words: Any) -> Response:
        tournament = self.tournament()
        asked = request.query_params.getlist("contacts") or ["false"]
        if asked not in (["true"], ["false"]):
            raise ValidationError({"contacts": "Say true or false."})
        wants = asked == ["true"]
        if wants and not self.caller().has(Scope.PEOPLE_READ):
            raise PermissionDenied(f"Contacts need the scope {Scope.PEOPLE_READ}.", "scope-missing")
        return Response(json.loads(export_tournament(tournament, with_contacts=wants)))


class Table(Reading, GenericAPIView[Any]):
    """A table of what the caller may read, as CSV."""

    renderer_classes = [Csv, JSONRenderer]
    pagination_class = None
    filter_backends: Any = []
    queryset = Tournament.objects.none()
    what = ""

    def get(self, request: Request, slug: str) -> Response:
        if not isinstance(request.accepted_renderer, Csv):
            raise NotAcceptable
        tournament = get_object_or_404(tournaments_for(request.user), slug=slug)
        answer = Response(csv_of(*TABLES[self.what](tournament, request.user)))
        answer["Content-Disposition"] = f'attachment; filename="{slug}-{self.what}.csv"'
        return answer

    def finalize_response(self, request: Request, response: Any, *args: Any, **more: Any) -> Response:
        if response.exception:
            request.accepted_renderer, request.accepted_media_type = JSONRenderer(), "application/json"
        return super().finalize_response(request, response, *args, **more)


def _teams(tournament: Tournament, user: Any) -> Rows:
    told = facts_of_teams(list(teams_of(tournament).order_by("number")), tournament.mode)
    rows: list[list[object]] = [
        [one["number"], one["name"], one["status"], " & ".join(member["name"] for member in one["members"])]
        for one in told
    ]
    return ("number", "team", "status", "players"), rows


def _results(tournament: Tournament, user: Any) -> Rows:
    shown = rounds_for(user).filter(stage__tournament=tournament).select_related("stage")
    rounds = {rnd.pk: rnd for rnd in shown}
    matches = Match.objects.filter(round__in=rounds, state=MatchState.CONFIRMED)
    found = list(with_results(matches.order_by("round_id", "table", "id")))
    head = ("stage", "round", "table", "number", "team", "games won", "drawn games", "outcome")
    return head, list(_lines(found, rounds))


def _lines(matches: list[Match], rounds: Mapping[int, Any]) -> Iterator[list[object]]:
    for match, told in zip(matches, facts_of_pairings(matches), strict=True):
        rnd = rounds[match.round_id]
        where = [rnd.stage.number, rnd.number, told["table"] or ""]
        for side in told["sides"]:
            if side["kind"] == "team":
                team = side["team"]
                said = [team["number"], team["name"], side["wins"], told["draws"], side["outcome"]]
                yield [*where, *said]


def _standings(tournament: Tournament, user: Any) -> Rows:
    for_staff = sees_drafts(user).filter(pk=tournament.pk).exists()
    told = facts_of_standings(tournament, None, for_staff=for_staff) or {"tiebreakers": [], "rows": []}
    head = ["rank", "number", "team", "points", "record", *(one["key"] for one in told["tiebreakers"])]
    rows: list[list[object]] = [
        [
            row["rank"], row["team"]["number"], row["team"]["name"], row["points"]["decimal"],
            "-".join(str(row["record"][word]) for word in ("wins", "losses", "draws")),
            *(one["decimal"] for one in row["figures"]),
        ]
        for row in told["rows"]
    ]  # fmt: skip
    return head, rows


TABLES: Mapping[str, Callable[[Tournament, Any], Rows]] = {
    "teams": _teams,
    "results": _results,
    "standings": _standings,
}


def _import(call: Call) -> Tournament:
    key = call.caller.key
    return import_tournament(
        text=json.dumps(call.data["file"]),
        store_id=call.row.pk,
        slug=call.data["slug"],
        organizer_id=key.created_by_id if key else call.caller.user.pk,
        actor=call.actor,
    )


FILES = [
    Operation(
        name="tournaments_import",
        path="stores/<slug:slug>/tournaments/import/",
        scope=Scope.STAFF,
        can=None,
        place=STORE,
        body=ImportBody,
        run=_import,
        answer=NEW_TOURNAMENT_TOLD,
        status=201,
        says="The tournament of the file stands in the store, all of it or nothing.",
        example={"file": {"format": FORMAT, "schema": SCHEMA}},
    ),
]


def _table(what: str) -> type[Table]:
    """The view of one table."""
    view = type(f"TableOf{what.title()}", (Table,), {"what": what, "__doc__": f"The {what} as CSV."})
    told = extend_schema(operation_id=f"tables_{what}", responses={(200, "text/csv"): OpenApiTypes.STR})
    return extend_schema_view(get=told)(view)


FILE_READS: dict[str, type[APIView]] = {
    f"{AT}/file/": File,
    **{f"{AT}/csv/{what}/": _table(what) for what in TABLES},
}
