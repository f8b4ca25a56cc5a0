"""A client of the event stream in the test's own event loop: what it was sent, and when it hung up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from config.hub import Hub
from config.live import Live

WAIT_S = 20


class Listener:
    """One connection to the ASGI application."""

    def __init__(self, live: Live, path: str, method: str = "GET", **headers: str) -> None:
        address, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "path": address,
            "query_string": query.encode(),
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        }
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.gone = asyncio.Event()
        self.task = asyncio.ensure_future(live(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self.sent.put(message)

    async def start(self) -> tuple[int, dict[str, str]]:
        """The status and the headers."""
        message = await asyncio.wait_for(self.sent.get(), WAIT_S)
        headers = {name.decode(): value.decode() for name, value in message["headers"]}
        return message["status"], headers

    async def text(self) -> str:
        """The next piece of the body; empty at its end."""
        message = await asyncio.wait_for(self.sent.get(), WAIT_S)
        return str(message["body"].decode())

    async def ended(self) -> None:
        """The server has let go of the connection."""
        await asyncio.wait_for(self.task, WAIT_S)

    async def hang_up(self) -> None:
        self.gone.set()
        await self.ended()


@asynccontextmanager
async def served(hub: Hub, **options: Any) -> AsyncIterator[Live]:
    """The streams are served for the length of a block, opened and closed as a server does it."""
    live = Live(hub, **options)
    told: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    answered: asyncio.Queue[Any] = asyncio.Queue()
    lifespan = asyncio.ensure_future(live({"type": "lifespan"}, told.get, answered.put))  # type: ignore[arg-type]
    await told.put({"type": "lifespan.startup"})
    assert (await asyncio.wait_for(answered.get(), WAIT_S))["type"] == "lifespan.startup.complete"
    try:
        yield live
    finally:
        await told.put({"type": "lifespan.shutdown"})
        assert (await asyncio.wait_for(answered.get(), WAIT_S))["type"] == "lifespan.shutdown.complete"
        await asyncio.wait_for(lifespan, WAIT_S)
