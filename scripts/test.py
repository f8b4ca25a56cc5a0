"""All of `make test`: the gate, the whole suite on PostgreSQL, the rooms that save rows on SQLite too.

PYTEST_ARGS="-n 0 -k drop" make test     hands pytest more words
"""

import os
import shlex
import signal
import subprocess
import sys
import time
from types import FrameType

from scripts import check, services, system
from scripts.gate import ROOT

NO_TEST_CHOSEN = 5


def pytest(words: list[str], urls: dict[str, str]) -> bool:
    """Whether the chosen tests passed; pytest itself is ended when this program is."""
    chosen = shlex.split(os.environ.get("PYTEST_ARGS", ""))
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", *words, *chosen]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **urls}) as child:
        try:
            code = child.wait()
        except BaseException:
            child.terminate()
            raise
    return code == 0 or (code == NO_TEST_CHOSEN and bool(chosen))


def run_suites() -> dict[str, bool]:
    with services.running() as urls:
        print("\nThe whole suite on PostgreSQL", flush=True)
        on_postgres = pytest([], urls)
    print("\nThe rooms that save rows, on SQLite", flush=True)
    on_sqlite = pytest(["-m", "sqlite"], {"TEST_DATABASE_URL": ""})
    return {"PostgreSQL": on_postgres, "SQLite": on_sqlite}


def leave(number: int, frame: FrameType | None) -> None:
    """The program ends by an exception, so that what it started is stopped on the way."""
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)


def main() -> int:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave)
    began = time.perf_counter()
    if system.main() != 0:
        return 1
    try:
        passed = {"check": check.main() == 0, **run_suites()}
    except services.ServiceFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    told = ", ".join(f"{name} {'ok' if ok else 'failed'}" for name, ok in passed.items())
    print(f"make test: {told} ({time.perf_counter() - began:.0f} s)", flush=True)
    return 0 if all(passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
