"""A key in the Authorization header."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from integrations.callers import KeyUser
from integrations.keys import key_behind, mark_used
from integrations.models import ApiKey


class KeyLogin(BaseAuthentication):
    """`Authorization: Bearer tdm_...`; a key that is wrong, revoked or expired is 401."""

    def authenticate(self, request: Request) -> tuple[KeyUser, ApiKey] | None:
        words = get_authorization_header(request).decode("latin-1").split()
        if not words or words[0].lower() != "bearer":
            return None
        key = key_behind(words[1]) if len(words) == 2 else None
        if key is None:
            raise AuthenticationFailed("This key is wrong, revoked or expired.")
        mark_used(key)
        return KeyUser(key), key

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class KeyLoginScheme(OpenApiAuthenticationExtension):
    """How the API's document describes it."""

    target_class = "integrations.login.KeyLogin"
    name = "key"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """A bearer token."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A key of your store: `Authorization: Bearer tdm_...`. Never put it in a URL.",
        }
