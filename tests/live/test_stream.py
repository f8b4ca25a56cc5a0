"""The event stream of a tournament: its newest version at once, each new one as it comes, nothing else."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import redis
from django.db import connection

from config import hub as hubs
from config.hub import BACKLOG, Hub, Stream
from config.live import Live
from journal import wake
from journal.actors import COMMAND
from journal.recording import version_of
from matches.results import enter_result
from tests import small_event
from tests.day import new_day
from tests.live.browser import WAIT_S, Listener, served
from tests.live.loops import in_own_loop
from tournaments.models import Tournament
from tournaments.pages.own_version import signed
from tournaments.setting_up import change_tournament, create_tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def friday() -> Tournament:
    return small_event.registered(2)


def run(script: Callable[[Live], Awaitable[None]], hub: Hub | None = None, **options: Any) -> None:
    """The script is played against streams that are served while it runs."""

    async def play() -> None:
        async with served(hub or Hub(), **options) as live:
            await script(live)

    in_own_loop(play())


def changed(tournament: Tournament, minutes: int) -> int:
    """A deed is done; returns the version it made."""
    change_tournament(tournament_id=tournament.pk, round_minutes=minutes, actor=COMMAND)
    return version_of(tournament.pk)


async def deed(tournament: Tournament, minutes: int) -> int:
    """As `changed`, in a thread with its own connection, as a page does it."""

    def do() -> int:
        try:
            return changed(tournament, minutes)
        finally:
            connection.close()

    return await asyncio.to_thread(do)


async def hears_a_deed(listener: Listener, tournament: Tournament, minutes: int) -> None:
    version = await deed(tournament, minutes)
    assert await listener.text() == event(version)


def event(version: int) -> str:
    return f"id: {version}\ndata: {version}\n\n"


def test_the_newest_version_comes_at_once_and_each_new_one_as_it_is_made(friday: Tournament) -> None:
    newest = version_of(friday.pk)

    async def script(live: Live) -> None:
        listener = Listener(live, "/live/friday")
        status, headers = await listener.start()
        assert status == 200
        assert headers["content-type"].startswith("text/event-stream")
        assert "no-cache" in headers["cache-control"]
        assert headers["x-accel-buffering"] == "no"
        assert await listener.text() == "retry: 3000\n" + event(newest)
        await hears_a_deed(listener, friday, 40)
        await hears_a_deed(listener, friday, 41)
        await listener.hang_up()

    run(script)


@pytest.mark.parametrize(
    "behind, is_told",
    [
        pytest.param(0, False, id="up to date"),
        pytest.param(1, True, id="behind"),
        pytest.param(-5, True, id="ahead"),
    ],
)
@pytest.mark.parametrize("tells", ["header", "query"])
def test_whoever_comes_back_hears_at_once_what_was_missed(
    friday: Tournament, behind: int, is_told: bool, tells: str
) -> None:
    newest = version_of(friday.pk)

    async def script(live: Live) -> None:
        seen = str(newest - behind)
        listener = (
            Listener(live, "/live/friday?since=1", last_event_id=seen)
            if tells == "header"
            else Listener(live, f"/live/friday?since={seen}")
        )
        await listener.start()
        first = event(newest) if is_told else f"id: {newest}\n\n"
        assert await listener.text() == "retry: 3000\n" + first
        await hears_a_deed(listener, friday, 40)
        await listener.hang_up()

    run(script)


@pytest.mark.parametrize("said", ["x", "-1", "9" * 40, "١", ""])
def test_a_version_that_is_none_is_as_good_as_nothing_said(friday: Tournament, said: str) -> None:
    async def script(live: Live) -> None:
        listener = Listener(live, f"/live/friday?since={said}")
        await listener.start()
        assert event(version_of_friday) in await listener.text()
        await listener.hang_up()

    version_of_friday = version_of(friday.pk)
    run(script)


def test_other_tournaments_are_not_heard(friday: Tournament) -> None:
    other = small_event.registered(2, slug="saturday")

    async def script(live: Live) -> None:
        listener = Listener(live, "/live/friday")
        await listener.start()
        await listener.text()
        await deed(other, 40)
        await hears_a_deed(listener, friday, 40)
        await listener.hang_up()

    run(script)


@pytest.mark.parametrize(
    "method, path, status",
    [
        pytest.param("GET", "/live/nowhere", 404, id="no such tournament"),
        pytest.param("GET", "/live/hidden", 404, id="a draft that only its staff know"),
        pytest.param("GET", "/live/", 404, id="no name"),
        pytest.param("GET", "/live/friday/x", 404, id="below a stream"),
        pytest.param("GET", "/tournaments/friday", 404, id="another page"),
        pytest.param("POST", "/live/friday", 405, id="not a reading"),
    ],
)
def test_what_is_no_stream_is_answered_shortly(
    friday: Tournament, method: str, path: str, status: int
) -> None:
    create_tournament(
        store_id=friday.store_id,
        name="Hidden",
        slug="hidden",
        mode=friday.mode,
        planned_rounds=3,
        actor=COMMAND,
    )

    async def script(live: Live) -> None:
        listener = Listener(live, path, method)
        assert (await listener.start())[0] == status
        assert await listener.text()
        await listener.ended()
        assert not live.hub.streams

    run(script)


def test_a_quiet_stream_shows_that_it_lives(friday: Tournament) -> None:
    async def script(live: Live) -> None:
        listener = Listener(live, "/live/friday")
        await listener.start()
        await listener.text()
        assert await listener.text() == ": still here\n\n"
        assert await listener.text() == ": still here\n\n"
        await listener.hang_up()

    run(script, heartbeat_s=0.05)


def test_a_listener_that_hangs_up_is_forgotten(friday: Tournament) -> None:
    async def script(live: Live) -> None:
        listeners = [Listener(live, "/live/friday") for _ in range(3)]
        for listener in listeners:
            await listener.start()
        assert len(live.hub.streams[friday.pk]) == 3
        for listener in listeners:
            await listener.hang_up()
        assert not live.hub.streams

    run(script)


def test_streams_end_when_the_server_stops(friday: Tournament) -> None:
    async def script(live: Live) -> None:
        listener = Listener(live, "/live/friday")
        await listener.start()
        await listener.text()
        live.hub.end_streams()
        assert await listener.text() == ""
        await listener.ended()
        late = Listener(live, "/live/friday")
        assert (await late.start())[0] == 503
        await late.ended()

    run(script)


def test_nobody_listens_in_the_process_once_the_streams_are_closed(friday: Tournament) -> None:
    async def script(live: Live) -> None:
        assert wake._listeners == [*before, live.hub.wake]

    before = list(wake._listeners)
    run(script)
    assert wake._listeners == before


def test_a_deed_that_nobody_was_woken_for_is_found(
    friday: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "listen", lambda listener: None)

    async def script(live: Live) -> None:
        listener = Listener(live, "/live/friday")
        await listener.start()
        await listener.text()
        await hears_a_deed(listener, friday, 40)
        await listener.hang_up()

    run(script, Hub(sweep_s=0.05))


def test_a_stream_asks_the_database_and_gives_the_connection_back(
    friday: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, closed = [], []
    answered = hubs._answered

    def counted(question: Callable[[], Any]) -> Any:
        opened.append(question)
        try:
            return answered(question)
        finally:
            closed.append(connection.connection is None or connection.is_in_memory_db())

    monkeypatch.setattr(hubs, "_answered", counted)

    async def script(live: Live) -> None:
        listeners = [Listener(live, "/live/friday") for _ in range(10)]
        for listener in listeners:
            await listener.start()
        assert len(opened) <= 20
        assert len(closed) == len(opened)
        assert all(closed)
        for listener in listeners:
            await listener.hang_up()

    run(script)


def test_a_slow_listener_loses_the_oldest_versions_and_never_the_newest() -> None:
    async def script() -> None:
        stream = Stream()
        for version in range(1, 4 * BACKLOG):
            stream.offer(version)
        stream.offer(3)
        waiting = [stream.waiting.get_nowait() for _ in range(stream.waiting.qsize())]
        assert waiting == list(range(3 * BACKLOG, 4 * BACKLOG))

    in_own_loop(script())


def test_versions_come_by_redis_from_other_processes_and_redis_may_go(
    friday: Tournament, redis_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    channel = f"tandem:test:{uuid.uuid4()}"
    monkeypatch.setattr(hubs, "CHANNEL", channel)
    monkeypatch.setattr(hubs, "RECONNECT_S", 0.01)
    monkeypatch.setattr(hubs, "listen", lambda listener: None)
    hear, falls = Hub._heard_from_redis, [redis.ConnectionError("gone"), ConnectionResetError("gone")]

    async def hear_later(hub: Hub) -> None:
        if falls:
            raise falls.pop()
        await hear(hub)

    monkeypatch.setattr(Hub, "_heard_from_redis", hear_later)
    other_process = redis.Redis.from_url(redis_url)

    async def said(version: int) -> None:
        """The version is told on the channel until somebody hears it."""
        while not await asyncio.to_thread(other_process.publish, channel, f"{friday.pk}:{version}"):
            await asyncio.sleep(0.02)

    async def script(live: Live) -> None:
        listener = Listener(live, "/live/friday")
        await listener.start()
        await listener.text()
        await asyncio.wait_for(said(1000), WAIT_S)
        assert await listener.text() == event(1000)
        await listener.hang_up()

    run(script, Hub(redis_url, sweep_s=3600))
    assert caplog.text.count("lost Redis") == 2


def test_a_tap_is_heard_at_its_own_table_only() -> None:
    rnd = new_day(4).run()
    slug, (first, second) = rnd.stage.tournament.slug, rnd.matches.order_by("table")
    newest = version_of(rnd.stage.tournament_id)

    async def script(live: Live) -> None:
        here, there, nowhere = (
            Listener(live, f"/live/{slug}/table/{pk}?since={newest}") for pk in (first.pk, second.pk, 0)
        )
        assert (await nowhere.start())[0] == 404
        for listener in (here, there):
            await listener.start()
            await listener.text()
        await asyncio.to_thread(wake.wake_table, first.pk, 3)
        assert await here.text() == event(newest + 3)
        version = await deed(rnd.stage.tournament, 40)
        assert await there.text() == event(version)
        assert await here.text() == event(version + 3)
        await here.hang_up()
        await there.hang_up()

    run(script)


@pytest.mark.parametrize("is_woken", [True, False], ids=["woken", "found"])
def test_a_phone_hears_of_its_own_table_and_of_the_whole_hall_only(
    is_woken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_woken:
        monkeypatch.setattr(hubs, "listen", lambda listener: None)
    rnd = new_day(4).run()
    tournament, (first, second) = rnd.stage.tournament, rnd.matches.order_by("table")
    newest = version_of(tournament.pk)

    def result(match_id: int) -> int:
        try:
            enter_result(match_id=match_id, wins=(1, 0), actor=COMMAND)
            return version_of(tournament.pk)
        finally:
            connection.close()

    async def script(live: Live) -> None:
        of = signed([f"match:{second.pk}"])
        phone = Listener(live, f"/live/{tournament.slug}?of={of}&since={newest}")
        everybody = Listener(live, f"/live/{tournament.slug}?since={newest}")
        for listener in (phone, everybody):
            await listener.start()
            await listener.text()
        elsewhere = await asyncio.to_thread(result, first.pk)
        assert await everybody.text() == event(elsewhere)
        here = await asyncio.to_thread(result, second.pk)
        assert await phone.text() == event(here)
        version = await deed(tournament, 40)
        assert await phone.text() == event(version)
        late = Listener(live, f"/live/{tournament.slug}?of={signed(['match:0'])}")
        await late.start()
        assert await late.text() == f"retry: 3000\n{event(version)}"
        forged = Listener(live, f"/live/{tournament.slug}?of={of}0")
        assert (await forged.start())[0] == 404
        for listener in (phone, everybody, late):
            await listener.hang_up()

    run(script, Hub(sweep_s=0.05))
