"""The shape of the API's errors."""

from typing import Any

from django.http import Http404
from drf_standardized_errors.handler import ExceptionHandler
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ErrorDetail, NotAuthenticated, NotFound

from integrations.once import KeyReused
from rulebook.errors import RuleBroken

KINDS = ["validation_error", "client_error", "server_error"]

NOT_FOUND = "There is nothing of that name or number that you may see; a key sees its own store's only."
NOT_AUTHENTICATED = "Send a key of your store: Authorization: Bearer tdm_..., or sign in on the pages."


class OneErrorSerializer(serializers.Serializer[Any]):
    """What is wrong: a code for programs, a sentence for people, the field it is about if it is about one."""

    code = serializers.CharField()
    detail = serializers.CharField()
    attr = serializers.CharField(allow_null=True)


class ErrorSerializer(serializers.Serializer[Any]):
    """Every refusal of the API has this shape."""

    type = serializers.ChoiceField(choices=KINDS)
    errors: Any = OneErrorSerializer(many=True)


class Refused(APIException):
    """A rule forbids the deed; a person can mend it."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "refused"


class Reused(APIException):
    """The Idempotency-Key stands for another request."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "idempotency-key-reused"


class Refusals(ExceptionHandler):
    """Errors in the one shape; a broken rule is 409 with its code and sentence."""

    def convert_known_exceptions(self, exc: Exception) -> Exception:
        if isinstance(exc, KeyReused):
            return Reused(detail=exc.sentence, code=exc.code)
        if isinstance(exc, RuleBroken):
            return Refused(detail=exc.sentence, code=exc.code)
        if isinstance(exc, Http404):
            return NotFound(NOT_FOUND)
        if isinstance(exc, NotAuthenticated):
            exc.detail = ErrorDetail(NOT_AUTHENTICATED, exc.default_code)
        converted: Exception = super().convert_known_exceptions(exc)
        return converted
