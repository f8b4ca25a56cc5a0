"""How a caller of the API says who it is. DRF needs this to load its views, so it imports none."""

from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request


class SessionLogin(SessionAuthentication):
    """Whoever is signed in on the pages. It names itself, so that a stranger is told 401 and not 403."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"
