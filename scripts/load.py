"""`make load`: a hall of phones against the production setup of this machine, on data of its own.

PHONES=2000 phones fetch their table within SPREAD=60 s of a publish, while RESULTS=100 results arrive and
DESKS=10 desks are open; before that STREAMS=1000 event streams. Afterwards the CPU of a request is measured,
one kind after the other, against /healthz: a view that asks nothing, behind the same middleware of the same
server. Goals are ratios, since the machine is shared with the phones. Exit 1 for an error or a lost or double
result; a missed goal is only said.
"""

import asyncio
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from scripts import production
from scripts.gate import ROOT
from scripts.load_client import Browser, Tally
from scripts.services import free_port

PHONES, SPREAD = int(os.environ.get("PHONES", 2000)), float(os.environ.get("SPREAD", 60))
RESULTS, DESKS = int(os.environ.get("RESULTS", 100)), int(os.environ.get("DESKS", 10))
STREAMS, SAMPLES = int(os.environ.get("STREAMS", 1000)), int(os.environ.get("SAMPLES", 400))
HELLO = "hello (/healthz)"
GOALS = {
    "public page, from the cache": 1.5,
    "public page, unchanged": 1.5,
    "my table, unchanged": 3.0,
    "my table, rendered": 15.0,
}
STREAM_GOAL_MB = 60
PATIENCE_S = 300
TICKS = os.sysconf("SC_CLK_TCK")


class Hall:
    """The process beside the servers that makes the tournament and publishes."""

    def __init__(self, env: dict[str, str]) -> None:
        words = [sys.executable, "-m", "scripts.load_hall"]
        self.process = subprocess.Popen(
            words, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def says(self, *words: object) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        print(*words, file=self.process.stdin, flush=True)
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told


def processes(under: int) -> dict[int, str]:
    """Every descendant of a process with its command."""
    found: dict[int, str] = {}
    for listed in Path(f"/proc/{under}/task").glob("*/children"):
        for child in map(int, listed.read_text().split()):
            found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            found |= processes(child)
    return found


def cpu_s(pids: list[int]) -> float:
    """What these processes have used so far."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split() for pid in pids]
    return sum(int(found[11]) + int(found[12]) for found in fields) / TICKS


PARTS = ("gunicorn", "uvicorn", "config.front", "postgres", "redis", "clock@", "worker", "beat")


def cpu_by_part(under: int) -> dict[str, float]:
    """What each part of the site has used so far, and this program with its browsers."""
    used = dict.fromkeys([*PARTS, "other"], 0.0)
    for pid, command in processes(under).items():
        part = next((part for part in PARTS if part in command), "other")
        with suppress(OSError):
            used[part] += cpu_s([pid])
    return {**used, "the phones": time.process_time()}


def memory_mb(pids: list[int]) -> float:
    lines = [line for pid in pids for line in Path(f"/proc/{pid}/status").read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def measured(
    kind: str, browser: Browser, path: str, pids: list[int], tally: Tally, again: bool
) -> float:
    """Milliseconds of CPU that one request of this kind costs the page servers."""
    for _ in range(20):
        await browser.get(path, again=again)
    before = cpu_s(pids)
    for _ in range(SAMPLES):
        with tally.counted(f"alone: {kind}"):
            await browser.get(path, again=again)
    return (cpu_s(pids) - before) / SAMPLES * 1000


async def cpu_by_kind(hall: dict[str, Any], port: int, pids: list[int], tally: Tally) -> dict[str, float]:
    public, mine = f"/t/{hall['slug']}/pairings/", f"/me/{next(iter(hall['links'].values()))}"
    phone, reader = Browser(port), Browser(port)
    await phone.get(mine)
    asked = [
        (HELLO, reader, "/healthz", False),
        ("public page, from the cache", reader, public, False),
        ("public page, unchanged", reader, public, True),
        ("my table, rendered", phone, mine, False),
    ]
    if phone.moved.get(mine, mine) in phone.tags:
        asked.append(("my table, unchanged", phone, mine, True))
    return {kind: await measured(kind, who, path, pids, tally, again) for kind, who, path, again in asked}


async def phone_looks(browser: Browser, link: str, slug: str, tally: Tally) -> None:
    await asyncio.sleep(random.Random(link).uniform(0, SPREAD))
    with tally.counted("phone: my table"):
        await browser.get(f"/me/{link}", again=True)
    with tally.counted("phone: pairings"):
        await browser.get(f"/t/{slug}/pairings/", again=True)
    browser.close()


async def result_arrives(port: int, links: list[str], number: int, tally: Tally) -> None:
    """One team reports, the other confirms, each by the forms of its page."""
    await asyncio.sleep(1 + SPREAD * number / max(1, RESULTS))
    for link, word in zip(links, ("/report", "/confirm"), strict=True):
        browser = Browser(port)
        with tally.counted(f"result: {word[1:]}"):
            page = await browser.get(f"/me/{link}")
            address, token = page.action(word)
            counts = {"ours": "2", "theirs": "0", "draws": "0"} if word == "/report" else {}
            await browser.send(address, {"csrfmiddlewaretoken": token, **counts})
        browser.close()


async def desk_is_open(browser: Browser, slug: str, until: float, tally: Tally) -> None:
    """A desk loads its page whenever something happened, which is all the time: every three seconds."""
    while time.monotonic() < until:
        with tally.counted("desk"):
            await browser.get(f"/desk/{slug}/")
        await asyncio.sleep(3)
    browser.close()


async def storm(hall: dict[str, Any], port: int, tally: Tally, publish: Any) -> float:
    """Everybody at once; returns the seconds it took."""
    phones = {link: Browser(port) for link in hall["links"].values()}
    gate = asyncio.Semaphore(8)

    async def opened(link: str) -> None:
        async with gate:
            with tally.counted("opened before"):
                await phones[link].get(f"/me/{link}")
            phones[link].close()

    await asyncio.gather(*map(opened, phones))
    await asyncio.to_thread(publish)
    began = time.monotonic()
    links = [[hall["links"][str(seat)] for seat in pair] for pair in hall["tables"][:RESULTS]]
    cookie = hall["cookie"]
    await asyncio.gather(
        *(phone_looks(browser, link, hall["slug"], tally) for link, browser in phones.items()),
        *(result_arrives(port, pair, number, tally) for number, pair in enumerate(links)),
        *(
            desk_is_open(Browser(port, {cookie: key}), hall["slug"], began + SPREAD, tally)
            for key in hall["sessions"]
        ),
    )
    return time.monotonic() - began


async def stream_memory(slug: str, port: int, pids: list[int]) -> float:
    """How many MB the event streams need, on both servers they pass."""
    before, open_streams = memory_mb(pids), []
    for _ in range(STREAMS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /live/{slug} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await asyncio.wait_for(reader.readuntil(b"\n\n"), 30)
        open_streams.append(writer)
    await asyncio.sleep(2)
    needed = memory_mb(pids) - before
    for writer in open_streams:
        writer.close()
    return needed


def wait_until_ready(site: "subprocess.Popen[bytes]", port: int) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and site.poll() is None:
        try:
            asyncio.run(Browser(port).get("/readyz"))
        except (OSError, ValueError, asyncio.IncompleteReadError):
            time.sleep(0.5)
        else:
            return
    raise SystemExit("make load: the site did not get ready")


def told_parts(before: dict[str, float], after: dict[str, float], took: float) -> None:
    """Where the time of the processors went while everybody came at once."""
    used = {part: after[part] - before[part] for part in before}
    print(f"CPU seconds of {took * (os.cpu_count() or 1):.0f}:", end=" ")
    print(", ".join(f"{part} {spent:.0f}" for part, spent in used.items() if spent >= 0.5))


def told(
    costs: dict[str, float], tally: Tally, streams_mb: float, found: dict[str, Any], took: float
) -> bool:
    """The numbers are printed; whether nothing went wrong."""
    results = min(RESULTS, len(tally.times["result: report"]))
    print(f"\n{PHONES} phones, {RESULTS} results, {DESKS} desks in {took:.0f} s ({SPREAD:.0f} s were wanted)")
    print(*(tally.line(what) for what in sorted(tally.times)), sep="\n")
    print("\nCPU of the page servers per request")
    for kind, cost in costs.items():
        ratio, goal = cost / costs[HELLO], GOALS.get(kind)
        verdict = "" if goal is None else f"goal {goal:4.1f}  {'met' if ratio <= goal else 'MISSED'}"
        print(f"{kind:34}{cost:7.2f} ms   {ratio:5.1f} x hello   {verdict}")
    for kind in GOALS.keys() - costs.keys():
        print(f"{kind:34}there is no such answer: the page has no ETag")
    verdict = "met" if streams_mb <= STREAM_GOAL_MB * max(1, STREAMS / 1000) else "MISSED"
    print(f"\n{STREAMS} event streams: {streams_mb:.1f} MB   goal {STREAM_GOAL_MB} MB a thousand  {verdict}")
    print(f"results: {found['confirmed']} confirmed of {RESULTS}, {found['double']} double")
    print("errors:", dict(tally.errors) or "none")
    lost = found["confirmed"] != RESULTS or found["results"] != RESULTS or results != RESULTS
    return not (tally.errors or lost or found["double"] or not found["journal_ok"])


def run(folder: Path) -> bool:
    port = free_port()
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    shell = {**kept, "TANDEM_DATA": str(folder), "PORT": str(port), "HOST": "127.0.0.1"}
    log = (folder / "log").open("wb")
    site = subprocess.Popen(
        [sys.executable, "-m", "scripts.production"], cwd=ROOT, env=shell, stdout=log, stderr=log
    )
    try:
        wait_until_ready(site, port)
        env = {**shell, **production.environment(folder, production.remembered(folder / "addresses"))}
        helper, tally = Hall(env), Tally()
        print("Making the hall ...", flush=True)
        hall = helper.says("hall", PHONES, DESKS)
        running = processes(site.pid)
        pages = [pid for pid, command in running.items() if "gunicorn" in command]
        live = [pid for pid, command in running.items() if "uvicorn" in command or "config.front" in command]
        streams_mb = asyncio.run(stream_memory(hall["slug"], port, live))
        print("Publishing ...", flush=True)
        before: dict[str, float] = {}

        def publish() -> None:
            helper.says("publish")
            before.update(cpu_by_part(site.pid))

        took = asyncio.run(storm(hall, port, tally, publish))
        told_parts(before, cpu_by_part(site.pid), took)
        costs = asyncio.run(cpu_by_kind(hall, port, pages, tally))
        return told(costs, tally, streams_mb, helper.says("check"), took)
    finally:
        site.send_signal(signal.SIGTERM)
        site.wait(60)


def main() -> int:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if RESULTS > PHONES // 4:
        print("RESULTS may be a quarter of PHONES at most: four phones sit at a table.", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="tandem-load-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        is_well = run(folder)
    except BaseException:
        print((folder / "log").read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
