"""How a notice leaves the house: by e-mail or as a push message; and whether it can."""

import base64
import json
import os
from functools import lru_cache
from threading import get_ident
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import serialization
from django.conf import settings
from django.core.mail import EmailMessage
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from notices.models import Subscription

TIMEOUT_S = 10
GONE = (404, 410)
UNSENT_BACKENDS = ("console", "dummy")


class NotSent(Exception):
    """A try failed; the message holds no address."""


class IsGone(NotSent):
    """The browser has taken its subscription back: no try will succeed."""


def mail_is_set_up() -> bool:
    """Mails leave the house; by default they would only be printed."""
    return not any(f".{name}." in settings.EMAIL_BACKEND for name in UNSENT_BACKENDS)


def send_mail(address: str, subject: str, text: str) -> None:
    try:
        EmailMessage(subject, text, settings.DEFAULT_FROM_EMAIL, [address]).send()
    except OSError as error:
        raise NotSent(type(error).__name__) from None


def send_push(to: Subscription, told: dict[str, str], within_s: int) -> None:
    """The browser's push service has taken the message; it keeps it no longer than it is worth."""
    if not is_push_service(to.endpoint):
        raise IsGone("no push service")
    info = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
    try:
        webpush(
            info,
            json.dumps(told),
            vapid_private_key=vapid(),
            vapid_claims={"sub": settings.VAPID_CONTACT},
            ttl=max(0, within_s),
            headers={"Urgency": "high", "Topic": told["tag"]},
            timeout=TIMEOUT_S,
        )
    except WebPushException as error:
        status = getattr(error.response, "status_code", 0)
        raise (IsGone if status in GONE else NotSent)(f"push service answered {status}") from None
    except (OSError, ValueError) as error:
        raise NotSent(type(error).__name__) from None


def is_push_service(endpoint: str) -> bool:
    """The address belongs to a known push service: whatever else a client names is never called."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    is_known = any(host == name or host.endswith(f".{name}") for name in settings.PUSH_HOSTS)
    return parts.scheme == "https" and port in (None, 443) and is_known


@lru_cache(maxsize=1)
def vapid() -> Vapid02:
    """The key by which push services know this site: from VAPID_PRIVATE_KEY, or made once and kept."""
    if settings.VAPID_PRIVATE_KEY:
        return Vapid02.from_string(settings.VAPID_PRIVATE_KEY)
    path = settings.VAPID_FILE
    if not path.exists():
        made = Vapid02()
        made.generate_keys()
        mine = path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}")
        mine.touch(mode=0o600)
        mine.write_bytes(made.private_pem())
        try:
            os.link(mine, path)  # whole at once; another thread or process may have been first
        except FileExistsError:
            pass
        finally:
            mine.unlink()
    return Vapid02.from_file(str(path))


def public_key() -> str:
    """What a browser needs to subscribe."""
    point = vapid().public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
