"""A browser small enough that two thousand of them fit beside the servers they ask."""

import asyncio
import gzip
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

FORM = re.compile(r'<form method="post" action="([^"]+)"[^>]*>(.*?)</form>', re.DOTALL)
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
PATIENCE_S = 60


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def action(self, ending: str) -> tuple[str, str]:
        """Address and token of the form that ends with this word."""
        body = gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body
        for address, inside in FORM.findall(body.decode()):
            if address.endswith(ending):
                found = TOKEN.search(inside)
                return address, found[1] if found else ""
        raise LookupError(f"no form for {ending}")


@dataclass
class Tally:
    """Every answer: how long it took, by what it was for, and which were errors."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def counted(self, what: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        except (OSError, LookupError, ValueError, asyncio.IncompleteReadError, TimeoutError) as error:
            self.errors[f"{what}: {type(error).__name__} {error}"[:100]] += 1
        else:
            self.times[what].append(time.perf_counter() - began)

    def line(self, what: str) -> str:
        times = sorted(self.times[what])
        if not times:
            return f"{what:34}      0"
        p50, p99 = (times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99))
        return f"{what:34}{len(times):7}   p50 {p50 * 1000:7.0f} ms   p99 {p99 * 1000:7.0f} ms"


class Browser:
    """One connection that stays, cookies and the last ETag of each address."""

    def __init__(self, port: int, cookies: dict[str, str] | None = None) -> None:
        self.port, self.cookies, self.tags = port, dict(cookies or {}), dict[str, str]()
        self.moved: dict[str, str] = {}  # where a personal link led, as an address bar keeps it
        self.reader: asyncio.StreamReader | None = None

    async def get(self, path: str, *, again: bool = False) -> Answer:
        """The page, past redirects; `again` says which version is known."""
        path = self.moved.get(path, path)
        tag = {"If-None-Match": self.tags[path]} if again and path in self.tags else {}
        answer = await self._asked("GET", path, tag)
        if answer.status in (301, 302, 303):
            if path.startswith("/me/"):
                self.moved[path] = answer.headers["location"]
            return await self.get(answer.headers["location"])
        if answer.status not in (200, 304):
            raise ValueError(f"status {answer.status}")
        if "etag" in answer.headers:
            self.tags[path] = answer.headers["etag"]
        return answer

    async def send(self, path: str, fields: dict[str, str]) -> Answer:
        body = urlencode(fields).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
        answer = await self._asked("POST", path, headers, body)
        if answer.status != 302:
            raise ValueError(f"status {answer.status} for a form")
        return await self.get(answer.headers["location"])

    def close(self) -> None:
        if self.reader:
            self.writer.close()
            self.reader = None

    async def _asked(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Answer:
        for is_last in (False, True):
            is_fresh = self.reader is None
            try:
                async with asyncio.timeout(PATIENCE_S):
                    return await self._asked_once(method, path, headers, body)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
                if is_last or is_fresh:
                    raise  # a kept connection may have been closed by the server meanwhile, a fresh one not
        raise AssertionError("unreachable")

    async def _asked_once(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        told = {"Host": f"127.0.0.1:{self.port}", "Accept-Encoding": "gzip", **headers}
        if self.cookies:
            told["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        found: dict[str, str] = {}
        for line in head[1:-2]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
            found[name.lower()] = value
        status = int(head[0].split(" ")[1])
        answer = Answer(status, found, await self._body(status, found))  # still packed: few are read
        if found.get("connection", "").lower() == "close":
            self.close()
        return answer

    async def _body(self, status: int, headers: dict[str, str]) -> bytes:
        assert self.reader is not None
        if status in (204, 304):
            return b""
        if "content-length" in headers:
            return await self.reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding", "").lower() != "chunked":
            return await self.reader.read()
        parts = []
        while size := int((await self.reader.readline()).split(b";")[0], 16):
            parts.append(await self.reader.readexactly(size))
            await self.reader.readexactly(2)
        await self.reader.readline()
        return b"".join(parts)
