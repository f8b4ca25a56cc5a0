"""What the API document says of logging in."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class SessionLoginScheme(OpenApiAuthenticationExtension):
    """The session cookie of whoever is signed in on the pages."""

    target_class = "config.login.SessionLogin"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """The cookie, by its name."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
