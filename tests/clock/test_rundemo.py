"""`manage.py rundemo` as a process of its own: site, streams, Celery worker and beat, on an SQLite file."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 90
# Guards against a hang, not measurements: a loaded machine takes its time.
STOP_S = 30
HEARD_WITHIN_S = 10


def environment(folder: Path, **more: str) -> dict[str, str]:
    """As a fresh shell has it, but for the database."""
    unset = ("REDIS_URL", "CELERY_BROKER_URL", "HOST", "PORT", "TANDEM_PRODUCTION", "DEBUG")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    settings = {
        "DATABASE_URL": f"sqlite:///{folder / 'own.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "BUNDLES_DIR": str(folder / "bundles"),
        "BACKUPS_DIR": str(folder / "backups"),
    }
    return {**kept, **settings, **more}


def helped(word: str, env: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.clock.played_by_clock", word],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rundemo(env: dict[str, str], output: Any = subprocess.PIPE) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "manage.py", "rundemo"],
        cwd=ROOT,
        env=env,
        stdout=output,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


@dataclass
class Site:
    """The running program."""

    process: "subprocess.Popen[str]"
    port: int
    env: dict[str, str]
    output: Path
    heard: dict[int, float] = field(default_factory=dict)
    stream_ended: threading.Event = field(default_factory=threading.Event)

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def get(self, path: str) -> tuple[int, Any]:
        """Status and JSON; status 0 while nobody answers."""
        try:
            with urllib.request.urlopen(self.address(path), timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, None
        except OSError:
            return 0, None

    def until(self, path: str, status: int = 200) -> Any:
        """What stands at the address once it has that status."""
        end = time.monotonic() + PATIENCE_S
        while True:
            found, body = self.get(path)
            if found == status:
                return body
            assert self.process.poll() is None, self.output.read_text()
            assert time.monotonic() < end, f"{path} answers {found}"
            time.sleep(0.1)

    def listen(self, slug: str) -> None:
        """From now on the versions of the stream are written down, by a thread."""
        stream = urllib.request.urlopen(self.address(f"/live/{slug}"), timeout=PATIENCE_S)

        def write_down() -> None:
            with stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        self.heard.setdefault(int(line[6:]), time.time())
            self.stream_ended.set()

        threading.Thread(target=write_down, daemon=True).start()

    def bundle(self, place: str) -> list[str]:
        """The files that were written for the hall, once they are there; the last one tells of the paper."""
        folder = Path(self.env["BUNDLES_DIR"]) / place
        end = time.monotonic() + PATIENCE_S
        while not (folder / "paper.txt").exists():
            assert time.monotonic() < end, self.output.read_text()
            time.sleep(0.1)
        return sorted(path.name for path in folder.iterdir())

    def hears(self, version: int) -> bool:
        end = time.monotonic() + PATIENCE_S
        while version > max(self.heard, default=0):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database of a tournament whose first round is a draft."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "link").write_text(helped("prepare", environment(folder)))
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def site(prepared: Path, tmp_path: Path) -> Iterator[Site]:
    port = free_port()
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    env = environment(tmp_path, PORT=str(port), LOG_LEVEL="INFO")
    output = tmp_path / "output"
    with output.open("w") as sink, rundemo(env, sink) as process:
        try:
            yield Site(process, port, env, output)
        finally:
            process.kill()


def children(pid: int) -> str:
    """The ids of the processes that this one has started (where the system tells them)."""
    return " ".join(listed.read_text() for listed in Path(f"/proc/{pid}/task").glob("*/children")).strip()


@pytest.mark.long
def test_the_embedded_worker_publishes_a_round_and_calls_time(site: Site) -> None:
    assert site.until("/healthz") == {"status": "ok"}
    ready = site.until("/readyz")
    assert ready["parts"]["broker"] == {"ok": True, "engine": "memory"}
    assert site.get("/api/v1/tournaments/friday/rounds/") == (
        200,
        {"next": None, "previous": None, "results": []},
    )
    site.listen("friday")
    deeds = json.loads(helped("play", site.env))
    by = {kind: actor for _, kind, actor, _ in deeds}
    assert by["RoundPublished"] == "clock"
    assert by["TimeCalled"] == "clock"
    assert by["RoundStarted"] == "command"
    assert [kind for _, kind, *_ in deeds].count("RoundPublished") == 1
    numbers = {kind: number for number, kind, *_ in deeds}
    assert site.hears(numbers["TimeCalled"])
    published_at = next(at for _, kind, _, at in deeds if kind == "RoundPublished")
    assert site.heard[numbers["RoundPublished"]] - published_at < HEARD_WITHIN_S
    [rnd] = site.get("/api/v1/tournaments/friday/rounds/")[1]["results"]
    assert rnd["state"] == "running"
    assert rnd["time_called_at"] >= rnd["ends_at"]
    bundle = site.bundle("friday/round-1")
    assert {"index.html", "pairings.csv", "names.pdf"} <= set(bundle)
    # Loading the PDF library asks the system for its fonts; what did that is gone once the bundle is there.
    assert children(site.process.pid) == ""
    site.process.send_signal(signal.SIGTERM)
    assert site.process.wait(STOP_S) == 0
    with pytest.raises(ProcessLookupError):
        os.killpg(site.process.pid, 0)  # nothing that it started is left
    assert site.stream_ended.wait(PATIENCE_S)
    told = site.output.read_text()
    assert f"http://localhost:{site.port}/" in told
    assert "Traceback" not in told


def test_pages_come_by_wsgi_and_no_log_of_the_running_site_tells_a_personal_link_until_ctrl_c_ends_it(
    site: Site,
) -> None:
    site.until("/healthz")
    assert site.get("/api/v1/tournaments/friday/")[1]["state"] == "running"
    assert site.get("/live/nowhere")[0] == 404
    link = json.loads((site.output.parent / "link").read_text())
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(site.address(f"/me/{link['token']}")) as page:
        assert page.url == site.address(f"/me/{link['seat']}")
        assert link["token"] not in page.read().decode()
    for ending in ("/report?x=1", "/", "x", "%2Freport", "/../../no-such-page"):
        with pytest.raises(urllib.error.HTTPError):
            browser.open(site.address(f"/me/{link['token']}{ending}"))
    told = site.output.read_text()
    assert told.count("/me/...") > 5, "the log tells that somebody came"
    assert link["token"] not in told
    ctrl_c_ends_it_with_streams_open(site)


def ctrl_c_ends_it_with_streams_open(site: Site) -> None:
    for _ in range(5):
        site.listen("friday")
    site.process.send_signal(signal.SIGINT)
    assert site.process.wait(STOP_S) == 0
    assert site.stream_ended.wait(PATIENCE_S)
    assert "Traceback" not in site.output.read_text()


def one_line(env: dict[str, str]) -> str:
    """All that the program says before it ends with code 1."""
    with rundemo(env) as process:
        said, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    assert len(said.strip().splitlines()) == 1, said
    return said


def test_an_empty_database_is_said_in_one_line_that_ends_the_program(tmp_path: Path) -> None:
    assert "run `make setup` first" in one_line(environment(tmp_path, PORT=str(free_port())))


def test_what_cannot_be_served_is_said_in_one_line(
    taken_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the command itself says it; that its process ends so is seen with the empty database."""
    for host, port, sentence in (
        ("127.0.0.1", str(taken_port), f"Port {taken_port} is in use. Choose another"),
        ("127.0.0.1", "house", "PORT=house is no port"),
        ("127.0.0.1", "70000", "PORT=70000 is no port"),
        ("192.0.2.1", str(free_port()), "Nothing can be served at 192.0.2.1"),
    ):
        with pytest.raises(SystemExit) as ended, signals_kept():
            call_command("rundemo", host=host, port=port)
        assert ended.value.code == 1
        [said] = capsys.readouterr().err.strip().splitlines()
        assert sentence in said


@contextmanager
def signals_kept() -> Iterator[None]:
    """What the command says to do on a signal is forgotten again."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
