"""manage.py rundemo: the site, its event streams and its clock in one process, without any other server."""

import errno
import os
import signal
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn
from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError

from config.celery import app as celery_app
from config.embedded import EmbeddedClock
from config.hub import Hub
from config.live import Live, Receive, Scope, Send
from config.wsgi import application as pages
from tournaments.demo import demo_card

WSGI_THREADS = 8
GRACE_S = 1
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class Site:
    """Streams by ASGI, everything else by WSGI: measured, a page costs a tenth of what it costs by ASGI."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.pages = WSGIMiddleware(pages, workers=WSGI_THREADS)  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and not scope["path"].startswith("/live/")
        await (self.pages if is_page else self.live)(scope, receive, send)  # type: ignore[arg-type]


class Server(uvicorn.Server):
    """Ends the streams before it waits for open connections, and leaves quietly on SIGTERM and Ctrl-C."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(
            uvicorn.Config(
                Site(Live(hub)),
                lifespan="on",
                log_level="warning",
                access_log=False,
                timeout_graceful_shutdown=GRACE_S,
            )
        )
        self.hub = hub

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.hub.end_streams()
        await super().shutdown(sockets)


class Refused(Exception):
    """The site cannot be served; the message is the one line to print."""


class Command(BaseCommand):
    help = "Serves the site with its clock, all in one process. PORT and HOST are honoured."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", default=os.environ.get("PORT") or "8000")
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")

    def handle(self, *args: Any, host: str, port: str, **options: Any) -> None:
        signal.signal(signal.SIGTERM, leave)
        signal.signal(signal.SIGINT, leave)
        try:
            listener = bound(host, port)
            require_tables()
        except Refused as refused:
            self.stderr.write(str(refused))
            sys.exit(1)
        clock = EmbeddedClock(celery_app)
        clock.start()
        self.stdout.write(demo_card(address(host, port)) + "\nCtrl-C ends it.")
        self.stdout.flush()
        try:
            Server(Hub(settings.REDIS_URL)).run(sockets=[listener])
        finally:
            clock.stop()
            self.stdout.flush()
        # The interpreter would wait for threads that still answer a page; a deed cut off is rolled back.
        os._exit(0)


def leave(number: int, frame: FrameType | None) -> None:
    """The program ends at once; nothing is served yet."""
    sys.exit(0)


def bound(host: str, port: str) -> socket.socket:
    """A socket at the address; `Refused` when it is taken or there is none."""
    if not port.isdecimal() or not 1 <= int(port) <= 65535:
        raise Refused(f"PORT={port} is no port. Choose a number from 1024 to 65535, e.g. PORT=8001.")
    is_taken = f"Port {port} is in use. Choose another, e.g. PORT={int(port) % 65535 + 1}."
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if is_answered(family, host, int(port)):
        raise Refused(is_taken)
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, int(port)))
        listener.listen(socket.SOMAXCONN)
    except PermissionError:
        raise Refused(f"Port {port} is reserved for the system. Choose one from 1024 on.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Refused(is_taken) from None
        raise Refused(f"Nothing can be served at {host}:{port}: {error.strerror}.") from None
    return listener


def is_answered(family: socket.AddressFamily, host: str, port: int) -> bool:
    """Somebody listens there already; some systems would let both listen."""
    with socket.socket(family) as caller:
        caller.settimeout(1)
        try:
            return caller.connect_ex((EVERYWHERE.get(host, host), port)) == 0
        except OSError:
            return False


def require_tables() -> None:
    """The database answers and has its tables."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise Refused(f"The database of DATABASE_URL does not answer: {str(error).splitlines()[0]}") from None
    finally:
        connection.close()
    if missing:
        raise Refused("The database lacks its tables or new columns; run `make setup` first.")


def address(host: str, port: str) -> str:
    """Where a browser on this machine finds the site."""
    name = EVERYWHERE.get(host, host)
    name = "localhost" if name in ("127.0.0.1", "::1") else name
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"
