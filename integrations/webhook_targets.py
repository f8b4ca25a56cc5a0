"""Where a message may go, and how one is posted: only to public addresses, never further than asked."""

import ipaddress
import logging
import socket
import ssl
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import httpcore
import httpx
from django.conf import settings

from rulebook.errors import RuleBroken

# It writes whole addresses, and some hold a token.
logging.getLogger("httpx").setLevel(logging.WARNING)

TIMEOUT_S = 5.0
WHOLE_S = 10.0  # from the look-up of the name to the last byte that is read
READ_AT_MOST = 4096

NAT64 = ipaddress.ip_network("64:ff9b::/96")


class Refused(Exception):
    """The address must not be called; the words say why, without what stands behind it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a status, or in words why there is none."""

    status: int | None
    error: str = ""

    @property
    def is_delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def check_url(url: str) -> str:
    """The address, if a message may be sent there as far as its text tells; otherwise `RuleBroken`."""
    wrong = RuleBroken("wrong-url", "Give a whole address, for example https://shop.example/tandem.")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise wrong from error
    if not parts.hostname or parts.scheme not in ("http", "https") or parts.username or parts.fragment:
        raise wrong
    if len(url) > 500 or not url.isascii() or any(one.isspace() or not one.isprintable() for one in url):
        raise wrong
    if settings.WEBHOOKS_ALLOW_PRIVATE:
        return url
    if parts.scheme != "https":
        raise RuleBroken("url-not-https", "Messages are sent to https addresses only.")
    if _is_private_text(parts.hostname):
        raise RuleBroken("url-private", "Messages are not sent to addresses inside a private network.")
    return url


def post(url: str, headers: Mapping[str, str], body: str) -> Answer:
    """The body was posted once. No redirect is followed, no proxy asked, and little of the answer read."""
    deadline = time.monotonic() + WHOLE_S
    try:
        check_url(url)
        with (
            httpx.Client(
                transport=_Checked(deadline), timeout=TIMEOUT_S, follow_redirects=False, trust_env=False
            ) as client,
            client.stream("POST", url, headers=headers, content=body.encode()) as response,
        ):
            _read_some(response)
            return Answer(response.status_code)
    except (Refused, RuleBroken) as refused:
        return Answer(None, str(refused) or "refused")
    except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
        return Answer(None, type(error).__name__)


def _read_some(response: httpx.Response) -> None:
    """Enough that a short answer ends well; a long or broken one changes nothing about its status."""
    seen = 0
    try:
        for piece in response.iter_raw():
            seen += len(piece)
            if seen > READ_AT_MOST:
                return
    except httpx.HTTPError:
        return


def public_addresses(host: str, port: int) -> list[str]:
    """The addresses behind the name, in the resolver's order; `Refused` when any of them is not public."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Refused("the name has no address") from error
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    if not settings.WEBHOOKS_ALLOW_PRIVATE and not all(_is_public(one) for one in addresses):
        raise Refused("the name leads into a private network")
    return addresses


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return _is_public(str(address.ipv4_mapped))
        if address.sixtofour is not None or address.teredo is not None or address in NAT64:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _is_private_text(host: str) -> bool:
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith((".localhost", ".local", ".internal")) or "." not in name:
        return ":" not in name or not _is_public(name)
    try:
        return not _is_public(name)
    except ValueError:
        return False


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


class _Checked(httpx.HTTPTransport):
    """Connections to the checked number itself: a name that is looked up again cannot lead elsewhere."""

    def __init__(self, deadline: float) -> None:
        super().__init__(verify=_tls(), trust_env=False)
        self._pool = httpcore.ConnectionPool(
            ssl_context=_tls(), max_connections=1, network_backend=_PublicOnly(deadline)
        )


class _PublicOnly(httpcore.NetworkBackend):
    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        last: Exception = httpcore.ConnectError("no address")
        for address in public_addresses(host, port):
            try:
                stream = self.plain.connect_tcp(
                    address, port, _left(self.deadline, timeout), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
            else:
                return _Timed(stream, self.deadline)
        raise last


class _Timed(httpcore.NetworkStream):
    """A stream that ends at the deadline, however slowly the other side drips."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self.stream = stream
        self.deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, _left(self.deadline, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, _left(self.deadline, timeout))

    def close(self) -> None:
        self.stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        inner = self.stream.start_tls(ssl_context, server_hostname, _left(self.deadline, timeout))
        return _Timed(inner, self.deadline)

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)


def _left(deadline: float, timeout: float | None) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("too slow")
    return left if timeout is None else min(left, timeout)
