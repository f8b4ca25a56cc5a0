"""Who may read: one permission for every GET, and the ETag of one row."""

from typing import Any

from rest_framework.exceptions import ErrorDetail, NotAuthenticated, PermissionDenied, ValidationError
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from integrations.api.base import etag_of, need, tags_in
from integrations.callers import Caller
from integrations.scopes import Scope
from tournaments.staff import Can


class MayRead(BasePermission):
    """The view's `scope` for a key; a person needs its `can` in the tournament, which the view asks by `ask`.

    A view without `can` is open to everybody."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        caller, scope = Caller(request.user), getattr(view, "scope", Scope.READ)
        if caller.is_known or not self.is_open(view):
            need(caller, scope)
        return True

    def is_open(self, view: Any) -> bool:
        """Anybody may read it without signing in."""
        return getattr(view, "can", None) is None and not getattr(view, "is_personal", False)


class Reading:
    """A mixin of every GET: `scope` is what a key needs, `can` what somebody signed in needs (None: open)."""

    scope: Scope = Scope.READ
    can: Can | None = None
    is_personal = False  # nobody reads it without signing in, and no power is needed
    asks: tuple[str, ...] = ()  # names behind the `?` beyond those of pages and filters
    permission_classes: Any = [MayRead]

    def initial(self, request: Request, *args: Any, **words: Any) -> None:
        """A misspelled filter is refused: without it everything would be told."""
        super().initial(request, *args, **words)  # type: ignore[misc]
        if request.method in ("GET", "HEAD"):
            refuse_unknown(request, names_asked(self))

    def caller(self) -> Caller:
        """Who asks."""
        return Caller(self.request.user)  # type: ignore[attr-defined]

    def ask(self, tournament_id: int) -> None:
        """403 for somebody who serves there and may not read this."""
        if self.can is not None and not self.caller().may(tournament_id, self.scope, self.can):
            if not self.caller().is_known:
                raise NotAuthenticated
            raise PermissionDenied(f"Your role does not let you {self.can.words}.")


def refuse_unknown(request: Request, known: set[str]) -> None:
    """400 for a name behind the `?` that the read does not know."""
    unknown = sorted(set(request.query_params) - known)[:20]
    said = ErrorDetail(f"Unknown; known are: {', '.join(sorted(known)) or 'none'}.", "unknown")
    if unknown:
        raise ValidationError({name[:80]: [said] for name in unknown})


def names_asked(view: Any) -> set[str]:
    """The names that may stand behind the `?` of the read."""
    has_pages = hasattr(view, "list") and view.pagination_class is not None
    found = {*view.asks, *(("cursor", "page_size") if has_pages else ())}
    if view.filter_backends:
        of_class = getattr(view, "filterset_class", None)
        found |= set(of_class.base_filters if of_class else getattr(view, "filterset_fields", ()))
    return found


class Tagged:
    """A mixin of the GET of one row: its ETag, and 304 for whoever has it already."""

    is_tagged = True

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        done: Response = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[misc]
        if request.method in ("GET", "HEAD") and response.status_code == 200:
            done["ETag"] = etag_of(response.data)
            if done["ETag"] in tags_in(request, "If-None-Match"):
                done.status_code, done.data = 304, None
        return done
