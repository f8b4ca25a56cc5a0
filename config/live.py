"""/live/<slug>: a stream of a tournament's versions, as raw ASGI.

A Django view would hold a thread, and with a session a database connection, for each phone in the hall; this
holds a queue. The stream is public and carries nothing but the journal's newest number:

    id: 42
    data: 42

/live/<slug>/table/<match> is the same for the phones of one table, its number plus that of the taps there.
`?of=...` leaves out deeds about other matches, teams and seats than those named, which the page has signed.

The newest version is told at once, unless the client says that it knows it: by `Last-Event-ID` when it comes
back, or by `?since=42`.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any
from urllib.parse import parse_qs

from django.core.signing import BadSignature
from django.db import DatabaseError

from config.hub import Hub, Stream
from tournaments.pages.own_version import subjects_in

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

HEARTBEAT_S = 15.0
ADDRESS = re.compile(r"^/live/([-\w]+)(?:/table/(\d{1,18}))?/?$")
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class Live:
    """The ASGI application of the streams; its lifespan opens and closes the hub."""

    def __init__(self, hub: Hub, heartbeat_s: float = HEARTBEAT_S) -> None:
        self.hub = hub
        self.heartbeat_s = heartbeat_s
        self.known: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        found = ADDRESS.match(scope["path"])
        if found is None:
            await answer(send, 404, "There is nothing at this address.")
        elif scope["method"] != "GET":
            await answer(send, 405, "A stream can only be read.", (b"allow", b"GET"))
        elif not self.hub.is_open:
            await answer(send, 503, "The server is about to stop; come back in a moment.")
        else:
            query = parse_qs(scope["query_string"].decode("latin-1"))
            try:
                subjects = subjects_in(query["of"][0]) if "of" in query else None
            except BadSignature:
                await answer(send, 404, "There is nothing at this address.")
                return
            await self._listened(found[1], found[2], subjects, seen_by(scope, query), receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self.hub.open()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.hub.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _listened(
        self,
        slug: str,
        table: str | None,
        subjects: frozenset[str] | None,
        seen: int | None,
        receive: Receive,
        send: Send,
    ) -> None:
        """The stream is joined before its version is read, so that no version falls between the two."""
        try:
            tournament_id = self.known.get(slug) or await self.hub.tournament_called(slug)
            if tournament_id is None:
                await no_tournament(send)
                return
            self.known[slug] = tournament_id
            if table is not None:
                await self._at_table(tournament_id, int(table), seen, receive, send)
                return
            with self.hub.joined(tournament_id, subjects) as stream:
                version = await self.hub.version_of(tournament_id, subjects)
                if version is None:
                    await no_tournament(send)
                    return
                await self._stream(stream, version, seen, receive, send)
        except DatabaseError:
            await answer(send, 503, "The database does not answer; come back in a moment.")
        except OSError:
            return  # the listener is gone

    async def _at_table(
        self, tournament_id: int, match_id: int, seen: int | None, receive: Receive, send: Send
    ) -> None:
        with self.hub.joined_table(tournament_id, match_id) as stream:
            version = await self.hub.version_of(tournament_id)
            taps = await self.hub.taps_of(tournament_id, match_id)
            if version is None or taps is None:
                await no_tournament(send)
                return
            stream.version, stream.taps = max(stream.version, version), max(stream.taps, taps)
            await self._stream(stream, stream.version + stream.taps, seen, receive, send)

    async def _stream(
        self, stream: Stream, version: int, seen: int | None, receive: Receive, send: Send
    ) -> None:
        stream.newest = max(stream.newest, version)
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        await write(send, "retry: 3000\n" + (event(version) if seen != version else f"id: {version}\n\n"))
        leaving = asyncio.ensure_future(until_gone(receive, stream))
        try:
            while True:
                try:
                    item = await asyncio.wait_for(stream.waiting.get(), self.heartbeat_s)
                except TimeoutError:
                    await write(send, ": still here\n\n")
                    continue
                if item is None:
                    break
                if item > version:
                    version = item
                    await write(send, event(item))
        finally:
            leaving.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def seen_by(scope: Scope, query: Mapping[str, Sequence[str]]) -> int | None:
    """The newest version the client says it knows; None when it does not say."""
    given = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
    if not given:
        given = query.get("since", [""])[0]
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 19 else None


def event(version: int) -> str:
    return f"id: {version}\ndata: {version}\n\n"


async def until_gone(receive: Receive, stream: Stream) -> None:
    """The stream ends once its listener has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def no_tournament(send: Send) -> None:
    await answer(send, 404, "There is no tournament at this address.")


async def answer(send: Send, status: int, sentence: str, *headers: tuple[bytes, bytes]) -> None:
    """One short answer that is no stream."""
    told = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": sentence.encode(), "more_body": False})
