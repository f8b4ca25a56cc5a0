"""The shape of the API's errors."""

from drf_spectacular.authentication import SessionScheme
from drf_standardized_errors.handler import ExceptionHandler
from rest_framework import status
from rest_framework.exceptions import APIException

from rulebook.errors import RuleBroken


class Refused(APIException):
    """A rule forbids the deed; a person can mend it."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "refused"


class SessionLoginScheme(SessionScheme):
    """How the API's document describes it."""

    target_class = "config.login.SessionLogin"
    priority = 0


class Refusals(ExceptionHandler):
    """Errors in the one shape; a broken rule is 409 with its code and sentence."""

    def convert_known_exceptions(self, exc: Exception) -> Exception:
        if isinstance(exc, RuleBroken):
            return Refused(detail=exc.sentence, code=exc.code)
        converted: Exception = super().convert_known_exceptions(exc)
        return converted
