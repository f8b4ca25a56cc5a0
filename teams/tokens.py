"""Tokens of links: made again from the installation's secret whenever they are shown, and kept as a hash."""

import hashlib
import hmac

from django.conf import settings


def token_for(what: str, length: int = 40) -> str:
    """The token of `what`, so many hexadecimal digits; the same as long as the secret key stays."""
    return hmac.new(settings.SECRET_KEY.encode(), what.encode(), hashlib.sha256).hexdigest()[:length]


def hash_of(token: str) -> str:
    """What is kept of a token; it is random and long, so one round is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
