"""The shape of the API: one error shape, one way to page."""

from drf_standardized_errors.handler import exception_handler
from drf_standardized_errors.types import ExceptionHandlerContext
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.pagination import CursorPagination
from rest_framework.response import Response

from rulebook.errors import RuleBroken


class Refused(APIException):
    """A rule forbids the deed; a person can mend it."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "refused"


class Cursor(CursorPagination):
    """Pages by cursor, oldest id first."""

    ordering = "id"
    page_size_query_param = "page_size"
    max_page_size = 500


def refuse(exc: Exception, context: ExceptionHandlerContext) -> Response | None:
    """Errors in the one shape; a broken rule is 409 with its code and sentence."""
    if isinstance(exc, RuleBroken):
        exc = Refused(detail=exc.sentence, code=exc.code)
    response: Response | None = exception_handler(exc, context)
    return response
