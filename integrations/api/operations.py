"""How an endpoint that does something is written: one `Operation` in a table.

    class Reason(Body):                                  # fields.py: strict fields, unknown names are refused
        reason = Words(required=False, allow_blank=True, default="")

    SCRAP = Operation(
        name="rounds_scrap",                     # the operationId, unique
        path="rounds/<int:pk>/scrap/",           # below /api/v1/
        scope=Scope.ROUNDS_WRITE,                # what a key needs
        can=Can.PAIR,                            # what a signed-in person needs (None: keeps the store)
        place=ROUND,                             # places.py: which row; 404 for a foreign one
        body=Reason,
        run=lambda call: scrap_round(round_id=call.row.pk, actor=call.actor, **call.data),
        answer=ROUND_TOLD,                       # answers.py: serializer, and the result as its values
        says="The round counts for nothing.",
        example={"reason": "wrong seating"},
    )

Add your table to `addresses(...)` in urls.py: one view for each path, with all its methods.
`reads={"rounds/<int:pk>/": RoundDetail}` there adds the GET of a view at the same path; a GET of your own
has `Reading` of reads.py as its first parent and says its `scope` and, if not open to all, its `can`
(and calls `self.ask(tournament_id)`).

What you get: 401/403/404 in the right order, the store's own tournaments only, 400 for a body that is not as
documented, Idempotency-Key (`needs_key=True`: required), If-Match (412), 409 with the code of a `RuleBroken`,
the answer stored in the deed's transaction, ETag, operationId, example, every error status in the document.
`run` is called inside the transaction; call a service, never save. `call.row` is the place's row, read before
the lock: pass ids on. `call.actor` is `key:PREFIX` or `user:ID` with `Door.API`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.exceptions import PermissionDenied
from rest_framework.serializers import BaseSerializer

from integrations.api.fields import LARGEST_ID, Body, Nothing
from integrations.callers import Caller
from integrations.scopes import Scope
from journal.actors import Actor
from tournaments.staff import Can


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one operation."""

    row: Any
    data: Mapping[str, Any]
    caller: Caller

    @property
    def actor(self) -> Actor:
        return self.caller.actor

    def require(self, tournament_id: int, scope: Scope, can: Can) -> None:
        """403 unless the caller may do this as well."""
        if not self.caller.may(tournament_id, scope, can):
            raise PermissionDenied(f"This needs the scope {scope}, or a role that may {can.words}.")


@dataclass(frozen=True, slots=True)
class Answer:
    """How a result is told: `told(result, call)` gives what `serializer` takes."""

    serializer: type[BaseSerializer[Any]]
    told: Callable[[Any, Call], Any]
    many: bool = False

    def of(self, result: Any, call: Call) -> Any:
        """The values of the answer."""
        return self.serializer(self.told(result, call), many=self.many).data


@dataclass(frozen=True, slots=True)
class Place:
    """Which row an address names, among those that are the caller's; `tournament_id` leads to its tournament.

    `tagged` tells the row for its ETag, with the same answer as its GET."""

    word: str
    lookup: str
    rows: Callable[[Caller], QuerySet[Any]]
    tournament_id: Callable[[Any], int | None]
    tagged: Answer | None = None

    def find(self, caller: Caller, words: Mapping[str, Any]) -> Any:
        """The row; 404 for one that is not there or not the caller's."""
        value = words[self.word]
        if isinstance(value, int) and value > LARGEST_ID:
            raise Http404
        return get_object_or_404(self.rows(caller), **{self.lookup: value})


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing a caller can do; the module's text tells how to write one."""

    name: str
    path: str
    scope: Scope
    can: Can | None
    place: Place
    run: Callable[[Call], Any]
    answer: Answer
    says: str
    body: type[Body] = Nothing
    example: Mapping[str, Any] = field(default_factory=dict)
    method: str = "POST"
    status: int = 200
    needs_key: bool = False
    secrets: tuple[str, ...] = ()  # fields of the answer that are told once and not kept with it

    @property
    def asks_of_a_person(self) -> str:
        """The power somebody signed in needs, in words."""
        return f"to {self.can.words}" if self.can else "to keep the store"
