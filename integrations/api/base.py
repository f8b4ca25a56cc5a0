"""The view behind every operation: who asks, for which row, with what body, once, and told with its ETag."""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from django.urls import URLPattern, path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.exceptions import (
    APIException,
    NotAuthenticated,
    ParseError,
    PermissionDenied,
    ValidationError,
)
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from integrations.api.fields import Nothing
from integrations.api.operations import Call, Operation
from integrations.callers import Caller
from integrations.once import Answered, answer_once
from integrations.once import Request as Asked
from integrations.scopes import Scope
from journal.locks import lock_one
from tournaments.models import Tournament

KEY_WORDS = re.compile(r"^[A-Za-z0-9._:-]{1,100}$", re.ASCII)
MATCH_HEADER = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag you read. If the row has changed since, the answer is 412.",
)


class Stale(APIException):
    """The row is not as the caller read it."""

    status_code = 412
    default_code = "stale"
    default_detail = "This has changed since you read it; read it again."


class MayAsk(BasePermission):
    """A key with the operation's scope, or somebody signed in, whose power is asked for with the row."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        operation: Operation = view.operations[request.method]  # type: ignore[attr-defined]
        need(Caller(request.user), operation.scope)
        return True


def need(caller: Caller, scope: Scope) -> None:
    """401 for a stranger, 403 for a key without the scope."""
    if not caller.is_known:
        raise NotAuthenticated
    if not caller.has(scope):
        raise PermissionDenied(f"This key lacks the scope {scope}.", "scope-missing")


class DeedView(APIView):
    """Does the operation of its method; made by `addresses`."""

    operations: ClassVar[Mapping[str, Operation]] = {}

    def get_permissions(self) -> Any:
        if str(self.request.method if self.request else "") in self.operations:
            return [MayAsk()]
        return super().get_permissions()

    def act(self, request: Request, words: Mapping[str, Any]) -> Response:
        """The operation is done, or its stored answer is told again."""
        operation = self.operations[str(request.method)]
        caller = Caller(request.user)
        row = operation.place.find(caller, words)
        self._may(operation, caller, row)
        body = operation.body(data=_sent(request))
        body.is_valid(raise_exception=True)
        call = Call(row, body.validated_data, caller)
        key = _key_of(request, operation)

        def deed() -> Answered:
            _as_read(request, operation, call, words)
            told = json.loads(JSONRenderer().render(operation.answer.of(operation.run(call), call)))
            return Answered(operation.status, told)

        if key:
            asked = Asked(caller.name, key, operation.method, request.path, request.data)
            return _response(operation, answer_once(asked, deed, secrets=operation.secrets))
        with transaction.atomic():
            done = deed()
        return _response(operation, done)

    def _may(self, operation: Operation, caller: Caller, row: Any) -> None:
        tournament_id = operation.place.tournament_id(row)
        if operation.can is None or tournament_id is None:
            return  # the place has only rows of stores that are the caller's
        if not caller.may(tournament_id, operation.scope, operation.can):
            raise PermissionDenied(f"Your role does not let you {operation.can.words}.")


def _sent(request: Request) -> Any:
    """The body; 400 for one that is larger than the installation takes."""
    try:
        return request.data
    except RequestDataTooBig as error:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1_000_000
        raise ParseError(f"The body is larger than {most} MB.", "body-too-large") from error


def _key_of(request: Request, operation: Operation) -> str:
    """The Idempotency-Key; 400 for one no program should send, and where it is missing but required."""
    key = str(request.headers.get("Idempotency-Key", ""))
    is_sent = "Idempotency-Key" in request.headers
    if not is_sent and operation.needs_key:
        raise ValidationError(
            {"Idempotency-Key": "Send a word of yours for this request, the same one if you send it again."},
            "idempotency-key-missing",
        )
    if is_sent and not KEY_WORDS.fullmatch(key):
        raise ValidationError(
            {"Idempotency-Key": "At most 100 letters, digits, dashes, dots, colons."},
            "idempotency-key-unreadable",
        )
    return key


def _as_read(request: Request, operation: Operation, call: Call, words: Mapping[str, Any]) -> None:
    """The row is locked and still as the If-Match says; 412 otherwise."""
    wanted = tags_in(request, "If-Match")
    place = operation.place
    if wanted in ([""], ["*"]) or place.tagged is None:
        return
    tournament_id = place.tournament_id(call.row)
    if tournament_id is not None:
        lock_one(Tournament, tournament_id)
    lock_one(type(call.row), call.row.pk)
    fresh = place.find(call.caller, words)
    tag = etag_of(place.tagged.of(fresh, call))
    if tag not in wanted:
        raise Stale


def tags_in(request: Request, header: str) -> list[str]:
    """The ETags that the header names; a proxy that compresses an answer calls its ETag weak."""
    return [one.strip().removeprefix("W/") for one in request.headers.get(header, "").split(",")]


def etag_of(told: Any) -> str:
    """The same for the same values."""
    plain = json.dumps(json.loads(JSONRenderer().render(told)), sort_keys=True)
    return f'"{hashlib.sha256(plain.encode()).hexdigest()[:20]}"'


def _response(operation: Operation, answered: Answered) -> Response:
    response = Response(answered.answer, status=answered.status)
    tagged = operation.place.tagged
    if tagged is not None and operation.answer.serializer is tagged.serializer and not operation.answer.many:
        response["ETag"] = etag_of(answered.answer)
    if answered.replayed:
        response["Idempotency-Replayed"] = "true"
    return response


def addresses(
    operations: Iterable[Operation], *, reads: Mapping[str, type[APIView]] | None = None
) -> list[URLPattern]:
    """One address for each path of the table, with every method it has there; `reads` give the GETs."""
    by_path: dict[str, list[Operation]] = defaultdict(list)
    reads = reads or {}
    for operation in operations:
        by_path[operation.path].append(operation)
    return [
        path(route, _view(by_path.get(route, ()), reads.get(route)).as_view(), name=_name(route, by_path))
        for route in dict.fromkeys((*by_path, *reads))
    ]


def _name(route: str, by_path: Mapping[str, list[Operation]]) -> str:
    words = [word for word in route.split("/") if word and not word.startswith("<")]
    has_row = "-row" if route.rstrip("/").endswith(">") else ""
    return f"api-{'-'.join(words)}{has_row}"


def _view(operations: Iterable[Operation], read: type[APIView] | None) -> type[APIView]:
    """A view class with a method for each operation, each with its own lines in the document."""
    found = {operation.method: operation for operation in operations}
    parents = (DeedView, read) if read else (DeedView,)
    methods = {method.lower(): _documented(operation) for method, operation in found.items()}
    name = "".join(part.title() for part in next(iter(found.values())).name.split("_")) if found else "Read"
    return type(name, parents, {**methods, "operations": found, "__doc__": (read or DeedView).__doc__})


def _key_header(*, required: bool) -> OpenApiParameter:
    return OpenApiParameter(
        "Idempotency-Key",
        {"type": "string", "pattern": KEY_WORDS.pattern},
        OpenApiParameter.HEADER,
        required=required,
        description="A word of yours for this request. Sent again it gets the same answer, and nothing is "
        "done twice. With another body it is 422.",
    )


def _documented(operation: Operation) -> Callable[..., Response]:
    def method(self: DeedView, request: Request, **words: Any) -> Response:
        return self.act(request, words)

    method.__doc__ = operation.says
    parameters = [] if operation.place.tagged is None else [MATCH_HEADER]
    if operation.method == "POST":
        parameters.append(_key_header(required=operation.needs_key))
    says = (
        f"{operation.says}\n\nA key needs the scope `{operation.scope}`; somebody signed in "
        f"needs {operation.asks_of_a_person}."
    )
    serializer: Any = operation.answer.serializer
    example = [OpenApiExample("example", value=dict(operation.example), request_only=True)]
    return extend_schema(
        operation_id=operation.name,
        description=says,
        summary=operation.says,
        request=None if operation.body is Nothing else operation.body,
        responses={operation.status: serializer(many=True) if operation.answer.many else serializer},
        parameters=parameters,
        examples=example if operation.example else [],
    )(method)
