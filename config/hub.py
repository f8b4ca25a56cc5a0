"""Who watches which tournament in this process, and how each of them learns of a new version."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

import redis.asyncio as aioredis
from django.db import DatabaseError, connection
from redis.exceptions import RedisError

from journal.models import Head
from journal.wake import CHANNEL, listen, stop_listening
from tournaments.models import Tournament

log = logging.getLogger(__name__)

BACKLOG = 8
SWEEP_S = 5.0
RECONNECT_S = 2.0
T = TypeVar("T")


class Stream:
    """A listener's versions still to be sent; a slow one loses the oldest, made worthless by the newest."""

    def __init__(self) -> None:
        self.waiting: asyncio.Queue[int | None] = asyncio.Queue(BACKLOG)
        self.newest = -1

    def offer(self, version: int) -> None:
        """The listener will be sent the version, unless it has heard of that one or a newer one."""
        if version > self.newest:
            self.newest = version
            self._put(version)

    def end(self) -> None:
        """The listener's stream ends."""
        self._put(None)

    def _put(self, item: int | None) -> None:
        if self.waiting.full():
            self.waiting.get_nowait()
        self.waiting.put_nowait(item)


class Hub:
    """The streams of this process by tournament. Everything but `wake` is called in the event loop.

    New versions come from deeds of this process, from Redis where there is one, and from a look into the
    database every few seconds, which finds what nobody was woken for.
    """

    def __init__(self, redis_url: str = "", sweep_s: float = SWEEP_S) -> None:
        self.redis_url = redis_url
        self.sweep_s = sweep_s
        self.streams: dict[int, set[Stream]] = defaultdict(set)
        self.is_open = False
        self._tasks: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="live")

    def open(self) -> None:
        """Streams of the running event loop are woken from now on."""
        self._loop = asyncio.get_running_loop()
        self.is_open = True
        listen(self.wake)
        self._tasks = [self._loop.create_task(self._sweep())]
        if self.redis_url:
            self._tasks.append(self._loop.create_task(self._follow_redis()))

    async def close(self) -> None:
        """Every stream is told to end and nothing runs any more."""
        self.end_streams()
        with suppress(ValueError):
            stop_listening(self.wake)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def end_streams(self) -> None:
        """Every stream is told to end, and none begins any more."""
        self.is_open = False
        for streams in self.streams.values():
            for stream in streams:
                stream.end()

    @contextmanager
    def joined(self, tournament_id: int) -> Iterator[Stream]:
        """A stream of the tournament's versions, for the length of a block."""
        stream = Stream()
        self.streams[tournament_id].add(stream)
        try:
            yield stream
        finally:
            self.streams[tournament_id].discard(stream)
            if not self.streams[tournament_id]:
                del self.streams[tournament_id]

    def wake(self, tournament_id: int, version: int) -> None:
        """The tournament's streams learn of the version; may be called from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(self.announce, tournament_id, version)

    def announce(self, tournament_id: int, version: int) -> None:
        """The tournament's streams learn of the version."""
        for stream in self.streams.get(tournament_id, ()):
            stream.offer(version)

    async def tournament_called(self, slug: str) -> int | None:
        """The id behind the address; None where there is none."""
        return await self._asked(lambda: _tournament_called(slug))

    async def version_of(self, tournament_id: int) -> int | None:
        """The newest version of a tournament that the public may see."""
        found = await self._asked(lambda: _versions_of([tournament_id]))
        return found.get(tournament_id)

    async def _asked(self, question: Callable[[], T]) -> T:
        return await self._loop.run_in_executor(self._threads, _answered, question)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self.sweep_s)
            watched = list(self.streams)
            if not watched:
                continue
            try:
                found = await self._asked(lambda ids=watched: _versions_of(ids))  # type: ignore[misc]
            except DatabaseError as error:
                log.warning("live streams cannot ask the database: %s", type(error).__name__)
                continue
            for tournament_id, version in found.items():
                self.announce(tournament_id, version)

    async def _follow_redis(self) -> None:
        while True:
            try:
                await self._heard_from_redis()
            except (RedisError, OSError) as error:
                log.warning("live streams lost Redis, they go on slower: %s", type(error).__name__)
            await asyncio.sleep(RECONNECT_S)

    async def _heard_from_redis(self) -> None:
        client = aioredis.Redis.from_url(self.redis_url, socket_connect_timeout=2, health_check_interval=15)
        async with client, client.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(CHANNEL)
            async for message in channel.listen():
                tournament_id, _, version = message["data"].decode().partition(":")
                self.announce(int(tournament_id), int(version))


def _answered(question: Callable[[], T]) -> T:
    """The answer to one question to the database, whose connection is given back at once."""
    try:
        return question()
    finally:
        connection.close()


def _tournament_called(slug: str) -> int | None:
    return Tournament.objects.filter(slug=slug).values_list("pk", flat=True).first()


def _versions_of(ids: Iterable[int]) -> dict[int, int]:
    heads = Head.objects.filter(tournament_id__in=list(ids)).exclude(tournament__announced_at=None)
    return dict(heads.values_list("tournament_id", "last"))
