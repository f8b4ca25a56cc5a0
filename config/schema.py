"""What the API's document says beyond the views. DRF needs this to load its views, so it imports none."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from drf_standardized_errors.openapi import AutoSchema
from rest_framework.permissions import AllowAny

from integrations.api.fields import Body

SEEN_HEADER = OpenApiParameter(
    "If-None-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag you have. If the row has not changed since, the answer is 304 and empty.",
)


def _who_may_read(view: Any) -> str:
    """The scope and the power that the read needs, in a sentence."""
    scope = getattr(view, "scope", None)
    if scope is None:
        return ""
    if getattr(view, "can", None) is not None:
        person = f"somebody signed in needs to {view.can.words}"
    elif getattr(view, "is_personal", False):
        person = "somebody signed in needs to keep the store"
    else:
        person = "without a key everybody reads what is public"
    return f"A key needs the scope `{scope}`; {person}."


class SessionLoginScheme(OpenApiAuthenticationExtension):
    """The session cookie of whoever is signed in on the pages."""

    target_class = "config.login.SessionLogin"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """The cookie, by its name."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


class Documented(AutoSchema):
    """Names every status an operation can have, and closes the bodies that refuse unknown names."""

    def get_summary(self) -> str | None:
        """What the folded page tells of a read, as deeds say it themselves: the first sentence."""
        said: str | None = super().get_summary()
        return said or " ".join(super().get_description().split("\n\n")[0].split()) or None

    def get_description(self) -> str:  # type: ignore[override]
        """What the view says, and for a read who may read it."""
        said = super().get_description()
        reader = "" if self._is_a_deed() else _who_may_read(self.view)
        return f"{said}\n\n{reader}" if reader else said

    def get_override_parameters(self) -> list[Any]:
        """The header with which one row is asked for again."""
        return [*super().get_override_parameters(), *([SEEN_HEADER] if self._is_tagged() else [])]

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        """With 304 where a row is asked for again."""
        found = super()._get_response_bodies(direction)
        return {**found, "304": {"description": "Nothing has changed."}} if self._is_tagged() else found

    def _is_tagged(self) -> bool:
        return self.method == "GET" and getattr(self.view, "is_tagged", False)

    def _should_add_error_response(self, responses: dict[str, Any], status_code: str) -> bool:
        if status_code in ("409", "412", "422"):
            return status_code not in responses and status_code in self._refusals()
        if status_code in ("400", "404"):
            return status_code not in responses
        if status_code == "415":
            return status_code not in responses and self.method not in ("GET", "DELETE")
        added: bool = super()._should_add_error_response(responses, status_code)
        return added

    def _refusals(self) -> set[str]:
        """What a deed may be refused with, beyond a wrong request."""
        operation = getattr(self.view, "operations", {}).get(self.method)
        if operation is None:
            return set(getattr(self.view, "refusals", ()))
        found = {"409"}
        if operation.method == "POST":
            found.add("422")
        if operation.place.tagged is not None:
            found.add("412")
        return found

    def _is_a_deed(self) -> bool:
        return self.method in getattr(self.view, "operations", {})

    def _get_paginator(self) -> Any:
        """What a deed answers is no page of a list, whatever the GET beside it is."""
        return None if self._is_a_deed() else super()._get_paginator()

    def _get_format_parameters(self) -> list[Any]:
        """The answer of an address has one form."""
        return []

    def get_filter_backends(self) -> list[Any]:
        """Nor is it filtered."""
        return [] if self._is_a_deed() else super().get_filter_backends()

    def get_auth(self) -> list[dict[str, Any]]:
        """The ways to sign in; none of them, too, where everybody may read."""
        found: list[dict[str, Any]] = super().get_auth()
        permissions = self.view.get_permissions()
        is_open = any(hasattr(one, "is_open") and one.is_open(self.view) for one in permissions)
        is_all = any(isinstance(one, AllowAny) for one in permissions)
        return [*found, {}] if is_open and not is_all else found

    def _map_serializer(self, serializer: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        schema = super()._map_serializer(serializer, direction, bypass_extensions)
        if isinstance(serializer, Body) and direction == "request":
            schema = {**schema, "additionalProperties": False}
        return schema
