"""Who watches which tournament in this process, and how each of them learns of a new version."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

import redis.asyncio as aioredis
from django.db import DatabaseError, connection
from redis.exceptions import RedisError

from config.streams import note_streams
from journal.changes import newest_of
from journal.models import Deed, Head
from journal.recording import of_one
from journal.wake import CHANNEL, TABLES, listen, listen_tables, stop_listening, stop_listening_tables
from matches.models import Match
from matches.tracking import taps_at
from tournaments.models import Tournament

log = logging.getLogger(__name__)

BACKLOG = 8
SWEEP_S = 5.0
MOST_MISSED = 200
RECONNECT_S = 2.0
T = TypeVar("T")
S = TypeVar("S", bound="Stream")


class Stream:
    """A listener's versions still to be sent; a slow one loses the oldest, made worthless by the newest.

    With subjects, deeds about one match, team or seat are told only where it is among them: two thousand
    phones do not ask for their page at each result.
    """

    def __init__(self, subjects: Set[str] | None = None) -> None:
        self.waiting: asyncio.Queue[int | None] = asyncio.Queue(BACKLOG)
        self.newest = -1
        self.subjects = subjects

    def wants(self, subject: str) -> bool:
        """Whether a deed about the subject, or about all where it is empty, concerns the listener."""
        return not subject or self.subjects is None or subject in self.subjects

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


class TableStream(Stream):
    """A listener at one table: its number is the tournament's version plus the taps there, both of which
    only grow."""

    def __init__(self, version: int, taps: int) -> None:
        super().__init__()
        self.version, self.taps = version, taps

    def offer(self, version: int) -> None:
        """The tournament has the version."""
        self.version = max(self.version, version)
        super().offer(self.version + self.taps)

    def offer_taps(self, taps: int) -> None:
        """The table's tracker has so many entries."""
        self.taps = max(self.taps, taps)
        super().offer(self.version + self.taps)


class Hub:
    """The streams of this process by tournament. Everything but `wake` is called in the event loop.

    New versions come from deeds of this process, from Redis where there is one, and from a look into the
    database every few seconds, which finds what nobody was woken for.
    """

    def __init__(self, redis_url: str = "", sweep_s: float = SWEEP_S) -> None:
        self.redis_url = redis_url
        self.sweep_s = sweep_s
        self.streams: dict[int, set[Stream]] = defaultdict(set)
        self.tables: dict[int, set[TableStream]] = defaultdict(set)
        self.swept: dict[int, int] = {}
        self.is_open = False
        self._tasks: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="live")

    def open(self) -> None:
        """Streams of the running event loop are woken from now on."""
        self._loop = asyncio.get_running_loop()
        self.is_open = True
        listen(self.wake)
        listen_tables(self.wake_table)
        self._tasks = [self._loop.create_task(self._sweep())]
        if self.redis_url:
            self._tasks.append(self._loop.create_task(self._follow_redis()))

    async def close(self) -> None:
        """Every stream is told to end and nothing runs any more."""
        self.end_streams()
        with suppress(ValueError):
            stop_listening(self.wake)
            stop_listening_tables(self.wake_table)
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
    def joined(self, tournament_id: int, subjects: Set[str] | None = None) -> Iterator[Stream]:
        """A stream of the tournament's versions, for the length of a block."""
        with _member(self.streams, tournament_id, Stream(subjects)) as stream:
            yield stream

    @contextmanager
    def joined_table(self, tournament_id: int, match_id: int) -> Iterator[TableStream]:
        """A stream of the tournament's versions and of one table's taps, for the length of a block."""
        stream = TableStream(0, 0)
        with _member(self.streams, tournament_id, stream), _member(self.tables, match_id, stream):
            yield stream

    def wake(self, tournament_id: int, version: int, subject: str = "") -> None:
        """The tournament's streams learn of the version; may be called from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(self.announce, tournament_id, version, subject)

    def announce(self, tournament_id: int, version: int, subject: str = "") -> None:
        """The streams of the tournament that the deed concerns learn of the version."""
        for stream in self.streams.get(tournament_id, ()):
            if stream.wants(subject):
                stream.offer(version)

    def wake_table(self, match_id: int, taps: int) -> None:
        """The table's streams learn of its taps; may be called from any thread."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.announce_taps, match_id, taps)

    def announce_taps(self, match_id: int, taps: int) -> None:
        """The table's streams learn of its taps."""
        for stream in self.tables.get(match_id, ()):
            stream.offer_taps(taps)

    async def taps_of(self, tournament_id: int, match_id: int) -> int | None:
        """How many taps the table has; None where it is no table of the tournament."""
        return await self._asked(lambda: _taps_of(tournament_id, match_id))

    async def tournament_called(self, slug: str) -> int | None:
        """The id behind the address; None where there is none."""
        return await self._asked(lambda: _tournament_called(slug))

    async def version_of(self, tournament_id: int, subjects: Set[str] | None = None) -> int | None:
        """The newest version of a tournament that the public may see, of those that concern the subjects."""
        found = await self._asked(lambda: _versions_of([tournament_id]))
        if tournament_id in found:
            self.swept.setdefault(tournament_id, found[tournament_id])
        if subjects is None or tournament_id not in found:
            return found.get(tournament_id)
        return await self._asked(lambda: newest_of(tournament_id, subjects))

    async def _asked(self, question: Callable[[], T]) -> T:
        return await self._loop.run_in_executor(self._threads, _answered, question)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self.sweep_s)
            watched = list(self.streams)
            open_now = sum(map(len, self.streams.values()))
            await self._asked(lambda n=open_now: note_streams(n))  # type: ignore[misc]
            if not watched:
                continue
            try:
                known = {one: self.swept[one] for one in watched if one in self.swept}
                found = await self._asked(lambda ids=watched: _versions_of(ids))  # type: ignore[misc]
                missed = await self._asked(lambda old=known, new=found: _missed(old, new))  # type: ignore[misc]
                tables = list(self.tables)
                taps = await self._asked(lambda ids=tables: taps_at(ids)) if tables else {}  # type: ignore[misc]
            except DatabaseError as error:
                log.warning("live streams cannot ask the database: %s", type(error).__name__)
                continue
            for tournament_id, version, subject in missed:
                self.announce(tournament_id, version, subject)
            self.swept = found
            for match_id, count in taps.items():
                self.announce_taps(match_id, count)

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
            await channel.subscribe(CHANNEL, TABLES)
            async for message in channel.listen():
                about, number, *subject = message["data"].decode().split(":", 2)
                if message["channel"] == TABLES.encode():
                    self.announce_taps(int(about), int(number))
                else:
                    self.announce(int(about), int(number), *subject)


@contextmanager
def _member(of: dict[int, set[S]], key: int, stream: S) -> Iterator[S]:
    """The stream is among those of the key, for the length of a block."""
    of[key].add(stream)
    try:
        yield stream
    finally:
        of[key].discard(stream)
        if not of[key]:
            del of[key]


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


def _missed(known: Mapping[int, int], newest: Mapping[int, int]) -> list[tuple[int, int, str]]:
    """Tournament, number and subject of the deeds since the versions known; of a tournament not looked at
    before, or with many new deeds, that all of it is new."""
    told = []
    for tournament_id, version in newest.items():
        since = version - known.get(tournament_id, 0)
        if not since:
            continue
        if since > MOST_MISSED:
            told.append((tournament_id, version, ""))
            continue
        deeds = Deed.objects.filter(tournament_id=tournament_id, number__gt=known.get(tournament_id, 0))
        for number, subject in deeds.order_by("number").values_list("number", "subject"):
            told.append((tournament_id, number, of_one(subject)))
    return told


def _taps_of(tournament_id: int, match_id: int) -> int | None:
    if not Match.objects.filter(pk=match_id, tournament_id=tournament_id).exists():
        return None
    return taps_at([match_id])[match_id]
