"""The front joins both servers at one address: in one loop, with two servers that tell what they hear."""

import asyncio
from functools import partial
from typing import Any

import pytest

from config.front import Client
from tests.live.loops import in_own_loop


async def told_by(name: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A server that answers each request with its own name, the request's head and its body."""
    while not reader.at_eof():
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            break
        _, _, after = head.lower().partition(b"content-length:")
        body = await reader.readexactly(int(after.split(b"\r\n")[0])) if after else b""
        said = name + b"|" + head + b"|" + body
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(said), said))
        await writer.drain()
    writer.close()


async def answer(reader: asyncio.StreamReader) -> bytes:
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    return head.split(b"\r\n")[0] + b"|" + await asyncio.wait_for(reader.readexactly(length), 5)


def talked(*requests: bytes, live_is_up: bool = True) -> list[bytes]:
    """What is answered to requests that come down one connection."""

    async def talk() -> list[bytes]:
        servers: list[Any] = [
            await asyncio.start_server(partial(told_by, name), "127.0.0.1", 0) for name in (b"pages", b"live")
        ]
        pages, live = (server.sockets[0].getsockname() for server in servers)
        if not live_is_up:
            servers[1].close()
        loop = asyncio.get_running_loop()
        front = await loop.create_server(lambda: Client(pages, live), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*front.sockets[0].getsockname())
        answers = []
        for request in requests:
            writer.write(request)
            answers.append(await answer(reader))
        writer.close()
        for server in (front, *servers):
            server.close()
        return answers

    return in_own_loop(talk())


def test_each_path_finds_its_server_down_one_connection() -> None:
    form = b"POST /desk/ HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\na=1&b=2"
    answers = talked(
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", form, b"GET /live/a HTTP/1.1\r\nHost: x\r\n\r\n", form
    )
    assert [told.split(b"|")[1] for told in answers] == [b"pages", b"pages", b"live", b"pages"]
    assert answers[1].endswith(b"|a=1&b=2")


def test_the_server_hears_who_asks_and_not_what_the_client_says_of_itself() -> None:
    claimed = b"X-Forwarded-For: 10.1.1.1\r\nx-forwarded-proto: https\r\nForwarded: for=10.1.1.1\r\n"
    [told] = talked(b"GET / HTTP/1.1\r\nHost: x\r\n" + claimed + b"Cookie: a=b\r\n\r\n")
    assert b"10.1.1.1" not in told
    assert b"https" not in told
    assert told.lower().count(b"x-forwarded-for: 127.0.0.1\r\n") == 1
    assert b"Cookie: a=b\r\n" in told


def test_behind_a_proxy_the_server_hears_what_the_proxy_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANDEM_BEHIND_PROXY", "1")
    said = b"X-Forwarded-For: 10.1.1.1\r\nX-Forwarded-Proto: https\r\n"
    [told] = talked(b"GET / HTTP/1.1\r\nHost: x\r\n" + said + b"\r\n")
    assert said in told
    assert b"127.0.0.1" not in told


def test_a_server_that_is_gone_and_a_request_without_length_are_refused() -> None:
    [told] = talked(b"GET /live/a HTTP/1.1\r\nHost: x\r\n\r\n", live_is_up=False)
    assert told.startswith(b"HTTP/1.1 502")
    [told] = talked(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    assert told.startswith(b"HTTP/1.1 411")
