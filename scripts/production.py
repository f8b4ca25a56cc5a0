"""`make run-production`: the whole of Tandem on one machine, from installed PostgreSQL and Redis.

    python -m scripts.production                    serves until Ctrl-C; PORT, HOST, WORKERS, THREADS count
    python -m scripts.production manage WORDS...    manage.py with the same settings: manage add_store NAME

PostgreSQL, Redis, gunicorn (pages, API, admin), uvicorn (event streams), a Celery worker, Celery beat, and
one small front that joins both servers at one address. Everything lives in var/production (TANDEM_DATA).
What ends is started again, both servers too. docs/production.md: the same below systemd, nginx, compose.
"""

import hashlib
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType

from config.alone import alone
from scripts import own_servers, port
from scripts.gate import ROOT
from scripts.services import ServiceFailed, free_port

PYTHON = sys.executable
STOP_S = 20
SOONEST_S = 1.0
MOST_FALLS = 5
LOCAL = "127.0.0.1"
Commands = dict[str, list[str]]


def data_folder() -> Path:
    folder = Path(os.environ.get("TANDEM_DATA") or ROOT / "var" / "production").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def environment(folder: Path, urls: dict[str, str]) -> dict[str, str]:
    """What every process is told; what the shell says wins over what is made here."""
    made = {
        "TANDEM_PRODUCTION": "1",
        "SECRET_KEY": own_servers.kept_secret(folder / "secret_key"),
        "ALLOWED_HOSTS": ",".join(hosts()),
        "TANDEM_HTTPS": "0",  # nobody here speaks TLS; see docs/production.md
        "PROXY_COUNT": "1",
        "BUNDLES_DIR": str(folder / "bundles"),
        "BACKUPS_DIR": str(folder / "backups"),
        "LOG_LEVEL": "WARNING",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONUNBUFFERED": "1",
    }
    return {**made, **os.environ, **urls}


def hosts() -> list[str]:
    """The names by which a browser may call this machine."""
    found = {"localhost", LOCAL, "[::1]"}
    if os.environ.get("HOST", LOCAL) != LOCAL:
        found.add(socket.gethostname())
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # sends nothing; it only asks which address would be used
                found.add(str(probe.getsockname()[0]))
            except OSError:
                pass
    return sorted(found)


def commands(folder: Path, pages: int, live: int) -> Commands:
    """Every process and its words."""
    workers = os.environ.get("WORKERS") or str(max(2, min(8, os.cpu_count() or 2)))
    here, public = f"{LOCAL}:{pages}", f"{os.environ.get('HOST') or LOCAL}:{os.environ.get('PORT') or 8000}"
    celery = [PYTHON, "-m", "celery", "-A", "config", "--quiet"]
    worker = ["worker", "--loglevel", "WARNING", "--without-gossip"]
    threads = os.environ.get("THREADS") or "4"
    gunicorn = f"config.wsgi:application -k gthread --bind {here} --workers {workers} --threads {threads}"
    patience = "--keep-alive 20 --worker-connections 4000 --backlog 2048 --graceful-timeout 5 --timeout 90"
    uvicorn = f"config.asgi:application --host {LOCAL} --port {live} --no-access-log --log-level warning"
    return {
        "pages": [
            *(PYTHON, "-m", "gunicorn"),
            *f"{gunicorn} {patience}".split(),
            *("--worker-tmp-dir", str(folder), "--log-level", "warning", "--config", "python:config.serving"),
        ],
        "live": [PYTHON, "-m", "uvicorn", *f"{uvicorn} --timeout-graceful-shutdown 2".split()],
        # What it does may wait: a page, a tick and the database come first.
        "worker": ["nice", "-n", "10", *celery, *worker, "--concurrency", "2"],
        "clock": [*celery, *worker, "--concurrency", "1", "-Q", "clock", "--hostname", "clock@%h"],
        "beat": [*celery, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING"],
        "front": [PYTHON, "-m", "config.front", public, here, f"{LOCAL}:{live}"],
    }


class Processes:
    """The children and the servers they need. What ends is started again, unless it falls again and again."""

    def __init__(
        self, words: Commands, env: dict[str, str], servers: Mapping[str, own_servers.Server] | None = None
    ) -> None:
        self.words, self.env, self.servers = words, env, servers or {}
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.falls: dict[str, list[float]] = {name: [] for name in (*words, *self.servers)}

    def start(self, name: str) -> None:
        # A session of its own: Ctrl-C reaches the launcher alone, which stops them in order.
        self.children[name] = subprocess.Popen(
            self.words[name], cwd=ROOT, env=self.env, stdin=subprocess.DEVNULL, start_new_session=True
        )

    def watch(self) -> None:
        """Returns only when a process cannot be kept up."""
        while True:
            time.sleep(SOONEST_S)
            for name, server in self.servers.items():
                if not server.has_fallen():
                    continue
                if not self._may_rise(name, ""):
                    return
                serve_again(server)
            for name, child in tuple(self.children.items()):
                if child.poll() is None:
                    continue
                kill_group(child.pid)  # the pool of a worker that was killed
                if not self._may_rise(name, f" with {child.returncode}"):
                    return
                self.start(name)

    def _may_rise(self, name: str, how: str) -> bool:
        recent = [at for at in self.falls[name] if at > time.monotonic() - 60] + [time.monotonic()]
        self.falls[name] = recent
        if len(recent) > MOST_FALLS:
            print(f"{name} ended {len(recent)} times within a minute; everything stops.", file=sys.stderr)
            return False
        print(f"{name} ended{how} and is started again.", file=sys.stderr, flush=True)
        return True

    def stop(self) -> None:
        """No process is left; the front goes first, so that nobody asks servers that are leaving."""
        for name in reversed(self.children):
            if self.children[name].poll() is None:
                self.children[name].terminate()
        end = time.monotonic() + STOP_S
        for child in self.children.values():
            try:
                child.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                kill_group(child.pid)
                child.wait()


def serve_again(server: own_servers.Server) -> None:
    """It serves at its address, or says why not: what it left may still be ending."""
    try:
        server.start_again()
    except ServiceFailed as failure:
        print(failure, file=sys.stderr, flush=True)


def kill_group(leader: int) -> None:
    """Nothing is left of the process and of what it started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def manage(words: list[str], env: dict[str, str]) -> int:
    return subprocess.run([PYTHON, "manage.py", *words], cwd=ROOT, env=env).returncode


def collect_static(env: dict[str, str]) -> int:
    """The static files lie packed where they are served from; nothing is done when none has changed."""
    stamp, seen = ROOT / "var" / "static" / ".stamp", hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for path in sorted((ROOT / "static").rglob("*")):
        seen.update(f"{path} {path.stat().st_mtime_ns} {path.stat().st_size}".encode())
    if stamp.exists() and stamp.read_text() == seen.hexdigest():
        return 0
    print("Packing static files (half a minute or so, only when they change)", flush=True)
    code = manage(["collectstatic", "--no-input", "--verbosity", "0"], env)
    if code == 0:
        stamp.write_text(seen.hexdigest())
    return code


def remember(path: Path, urls: dict[str, str]) -> None:
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text("".join(f"{name}={value}\n" for name, value in urls.items()))


def remembered(path: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in path.read_text().splitlines())


def manage_with(folder: Path, words: list[str]) -> int:
    """manage.py on the production's database, which is started for it where it does not run."""
    with alone(folder / "lock") as is_alone:
        if not is_alone and words[:1] == ["restore"]:
            print("Stop the site first: its servers would meet a database without tables.", file=sys.stderr)
            return 1
        if not is_alone:
            return manage(words, environment(folder, remembered(folder / "addresses")))
        with own_servers.running(folder) as urls:
            return manage(words, environment(folder, urls))


def serve(folder: Path) -> int:
    """Everything runs until Ctrl-C or SIGTERM."""
    with alone(folder / "lock") as is_alone:
        if not is_alone:
            print(
                f"Tandem runs already from {folder}; TANDEM_DATA=... takes another folder.", file=sys.stderr
            )
            return 1
        with own_servers.running(folder) as urls:
            remember(folder / "addresses", urls)
            return serve_on(folder, environment(folder, urls), own_servers.started(folder, urls))


def serve_on(folder: Path, env: dict[str, str], servers: Mapping[str, own_servers.Server]) -> int:
    code = manage(["migrate", "--no-input", "--verbosity", "0"], env) or collect_static(env)
    if code:
        return code
    metrics = folder / "metrics"
    shutil.rmtree(metrics, ignore_errors=True)
    metrics.mkdir()
    pages, live = (int(os.environ.get(name) or free_port()) for name in ("PAGES_PORT", "LIVE_PORT"))
    told = {**env, "PROMETHEUS_MULTIPROC_DIR": str(metrics)}
    processes = Processes(commands(folder, pages, live), told, servers)
    try:
        for name in processes.words:
            processes.start(name)
        print(card(pages, live), flush=True)
        processes.watch()
    finally:
        processes.stop()
    return 1


def card(pages: int, live: int) -> str:
    at, host = os.environ.get("PORT") or "8000", os.environ.get("HOST") or "localhost"
    elsewhere = f"TANDEM_DATA={os.environ['TANDEM_DATA']} " if os.environ.get("TANDEM_DATA") else ""
    return (
        f"Tandem      http://{host}:{at}/   (pages on {LOCAL}:{pages}, /live/ on {LOCAL}:{live})\n"
        f"Is it well  http://{host}:{at}/readyz\n"
        f"First store {elsewhere}.venv/bin/python -m scripts.production "
        "manage add_store NAME --organizer LOGIN\n"
        "Ctrl-C ends it."
    )


def leave(number: int, frame: FrameType | None) -> None:
    """The program ends by an exception, so that what it started is stopped on the way."""
    for other in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(other, signal.SIG_IGN)
    raise SystemExit(0)


def main(words: list[str]) -> int:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        if words[:1] == ["manage"]:
            return manage_with(data_folder(), words[1:])
        return port.main() or serve(data_folder())
    except ServiceFailed as failure:
        print(failure, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
