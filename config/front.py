"""One address for both servers: `python -m config.front` sends /live/ to uvicorn and the rest to gunicorn.

A stand-in for nginx on one machine, so that a browser finds pages and streams at the same origin. It reads
the head of each request and nothing else: what the servers answer passes through as it comes. TLS, limits and
slow clients of the open internet are nginx's work (docs/production.md).
"""

import asyncio
import os
import re
import signal
import sys
from typing import cast

import uvloop

MOST_HEAD = 64 * 1024
MOST_WAITING = 1024 * 1024
END_OF_HEAD = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*(?=\r\n)", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
# Only this program, or a proxy in front of it, says who asks; what a client says of itself is dropped.
FORWARDED = re.compile(rb"\r\n(?:x-forwarded-[-\w]+|x-real-ip|forwarded|proxy)[ \t]*:[^\r\n]*", re.IGNORECASE)
SHORT = b"HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
Address = tuple[str, int]


class Upstream(asyncio.Protocol):
    """One server's side of a client's connection: what it says goes to the client."""

    def __init__(self, client: "Client") -> None:
        self.client = client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.client.transport.write(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.client.transport.close()

    def pause_writing(self) -> None:
        self.client.transport.pause_reading()

    def resume_writing(self) -> None:
        self.client.transport.resume_reading()


class Client(asyncio.Protocol):
    """A browser's connection. Requests go to the server of their path, one after the other."""

    def __init__(self, pages: Address, live: Address) -> None:
        self.addresses = {False: pages, True: live}
        self.upstream: Upstream | None = None
        self.is_live = False
        self.waiting = bytearray()
        self.body_left = 0
        self.task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.peer = str((transport.get_extra_info("peername") or ("unknown",))[0]).encode()

    def connection_lost(self, error: Exception | None) -> None:
        if self.task:
            self.task.cancel()
        if self.upstream:
            self.upstream.transport.close()

    def pause_writing(self) -> None:
        if self.upstream:
            self.upstream.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.upstream:
            self.upstream.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        if self.task is None:
            self._pass_on()
        elif len(self.waiting) > MOST_WAITING:
            self.transport.close()

    def _pass_on(self) -> None:
        """Every whole head and every byte of a body that is here has gone to its server."""
        while self.waiting:
            if self.body_left:
                self._pass_body()
                continue
            end = self.waiting.find(END_OF_HEAD)
            if end < 0:
                if len(self.waiting) > MOST_HEAD:
                    self._refuse(b"431 Request Header Fields Too Large")
                return
            head = bytes(self.waiting[: end + 2])
            if CHUNKED.search(head):
                self._refuse(b"411 Length Required")
                return
            wants_live = head.split(b" ", 2)[1:2] != [] and head.split(b" ", 2)[1].startswith(b"/live/")
            if self.upstream is None or wants_live != self.is_live:
                self.task = asyncio.get_running_loop().create_task(self._connect(wants_live))
                return
            del self.waiting[: end + 4]
            length = LENGTH.search(head)
            self.body_left = int(length[1]) if length else 0
            self.upstream.transport.write(self._told(head))

    def _pass_body(self) -> None:
        assert self.upstream is not None
        part = bytes(self.waiting[: self.body_left])
        del self.waiting[: len(part)]
        self.body_left -= len(part)
        self.upstream.transport.write(part)

    def _told(self, head: bytes) -> bytes:
        """The head as the server reads it: with the address of who asks."""
        if os.environ.get("TANDEM_BEHIND_PROXY", "0") not in ("", "0"):
            return head[:-2] + b"\r\n\r\n"
        kept = FORWARDED.sub(b"", head[:-2])
        return kept + b"\r\nX-Forwarded-For: " + self.peer + b"\r\nX-Forwarded-Proto: http\r\n\r\n"

    async def _connect(self, wants_live: bool) -> None:
        """The server of the next request is at the other end. A stream left behind ends first."""
        if self.upstream:
            self.upstream.connection_lost = lambda error: None  # type: ignore[method-assign]
            self.upstream.transport.close()
        host, port = self.addresses[wants_live]
        try:
            _, self.upstream = await asyncio.get_running_loop().create_connection(
                lambda: Upstream(self), host, port
            )
        except OSError:
            self._refuse(b"502 Bad Gateway")
            return
        self.is_live, self.task = wants_live, None
        self._pass_on()

    def _refuse(self, status: bytes) -> None:
        self.waiting.clear()
        self.transport.write(SHORT % (status, len(status), status))
        self.transport.close()


async def serve(host: str, port: int, pages: Address, live: Address) -> None:
    """The front answers at the address until SIGTERM or SIGINT."""
    loop, leaving = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, leaving.set)
    server = await loop.create_server(lambda: Client(pages, live), host, port, backlog=2048)
    await leaving.wait()
    server.close()


def address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def main(words: list[str]) -> int:
    """front HOST:PORT PAGES_HOST:PORT LIVE_HOST:PORT"""
    (host, port), pages, live = (address(word) for word in words)
    uvloop.run(serve(host, port, pages, live))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main(sys.argv[1:]))
