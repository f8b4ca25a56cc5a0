"""Real processes around the test's own PostgreSQL database: a Redis of their own, workers and beats."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.db import connection

from scripts import services

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60
CELERY = [sys.executable, "-m", "celery", "-A", "config", "--quiet"]
COMMANDS = {
    "worker": [
        *CELERY, "worker", "--concurrency", "2", "--loglevel", "WARNING", "--without-gossip",
    ],
    "beat": [*CELERY, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING"],
    "desk": [sys.executable, "-m", "tests.clock.desk_by_hand"],
    "slow beat": [sys.executable, "-m", "tests.clock.slow_beat"],
}  # fmt: skip


def until(is_true: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Returns when it is true; looks ten times a second."""
    end = time.monotonic() + patience_s
    while not is_true():
        assert time.monotonic() < end, what
        time.sleep(0.1)


@dataclass
class Processes:
    """What one machine runs. Everything that is started here ends with `stop`."""

    folder: Path
    running: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    redis: str = ""

    def env(self) -> dict[str, str]:
        parts = urlsplit(os.environ["TEST_DATABASE_URL"])
        database = urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))
        unset = ("CELERY_BROKER_URL", "TANDEM_PRODUCTION", "DEBUG", "PROMETHEUS_MULTIPROC_DIR")
        return {
            **{name: value for name, value in os.environ.items() if name not in unset},
            "DATABASE_URL": database,
            "REDIS_URL": self.redis,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "BUNDLES_DIR": str(self.folder / "bundles"),
            "BACKUPS_DIR": str(self.folder / "backups"),
            "TICK_SECONDS": "0.2",
        }

    def start_redis(self) -> None:
        """Redis answers, at the address it had before."""
        if not self.redis:
            self.redis = services.start_redis(self.folder)
            return
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        assert program
        services.start_redis_at(program, self.folder, urlsplit(self.redis).port or 0)

    def signal_redis(self, number: signal.Signals) -> None:
        try:
            os.kill(int((self.folder / "redis.pid").read_text()), number)
        except (OSError, ValueError):
            return  # it is gone already

    def start(self, name: str) -> "subprocess.Popen[bytes]":
        with (self.folder / "output").open("ab") as sink:
            process = subprocess.Popen(
                COMMANDS[name], cwd=ROOT, env=self.env(), stderr=sink, start_new_session=True,
                stdin=subprocess.PIPE if name == "desk" else subprocess.DEVNULL,
                stdout=subprocess.PIPE if name == "desk" else sink,
            )  # fmt: skip
        self.running.append(process)
        return process

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """The process and what it has started get SIGKILL, and nothing of them is left."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.running.remove(process)

    def said(self) -> str:
        return (self.folder / "output").read_text(errors="replace")

    def stop(self) -> None:
        for process in tuple(self.running):
            self.kill(process)
        self.signal_redis(signal.SIGKILL)


def children(process: "subprocess.Popen[bytes]") -> list[int]:
    """The processes that this one has started."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in listed.stdout.split()]
