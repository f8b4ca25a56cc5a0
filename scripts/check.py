"""The gate: style, types, layers, rules of the house, migrations, API document, deployment settings.

python -m scripts.check          runs every step, prints what failed; exit 1 when one did
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from scripts.gate import ROOMS, ROOT

BIN = Path(sys.executable).parent
PYTHON = sys.executable
MANAGE = (PYTHON, "manage.py")
# The steps never open the data of whoever runs them.
NO_DATA = {"DATABASE_URL": "sqlite://:memory:", "TANDEM_PRODUCTION": ""}
DEPLOYED = {
    "TANDEM_PRODUCTION": "1",
    "SECRET_KEY": "check-" + "k3y!" * 16,
    "ALLOWED_HOSTS": "tandem.example.org",
}


@dataclass(frozen=True)
class Step:
    name: str
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Done:
    step: Step
    code: int
    output: str
    seconds: float


def steps() -> tuple[Step, ...]:
    rooms = [room for room in ROOMS if (ROOT / room / "__init__.py").exists()]
    spectacular = ("spectacular", "--validate", "--fail-on-warn", "--file", os.devnull)
    has_pages = any((ROOT / "templates").rglob("*.html"))
    return (
        Step("mypy", (PYTHON, "-m", "mypy", *rooms, "scripts")),
        Step("ruff format", (str(BIN / "ruff"), "format", "--check", ".")),
        Step("ruff check", (str(BIN / "ruff"), "check", ".")),
        Step("import-linter", (str(BIN / "lint-imports"),)),
        Step("rules of the house", (PYTHON, "-m", "scripts.gate")),
        *([Step("templates", (str(BIN / "djlint"), "--lint", "--quiet", "templates"))] if has_pages else []),
        Step("migrations", (*MANAGE, "makemigrations", "--check", "--dry-run")),
        Step("API document", (*MANAGE, *spectacular)),
        Step("deployment", (*MANAGE, "check", "--deploy", "--fail-level", "WARNING"), DEPLOYED),
    )


def run(step: Step) -> Done:
    began = time.perf_counter()
    environment = {**os.environ, **NO_DATA, **step.environment}
    done = subprocess.run(
        step.command,
        cwd=ROOT,
        env=environment,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return Done(step, done.returncode, done.stdout, time.perf_counter() - began)


def main() -> int:
    failed = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for done in pool.map(run, steps()):
            verdict = "failed" if done.code else "ok"
            print(f"{done.step.name:20}{verdict:8}{done.seconds:5.1f} s", flush=True)
            if done.code:
                failed.append(done.step.name)
                print(done.output.rstrip(), flush=True)
    print(
        f"make check: {', '.join(failed)} failed" if failed else "make check: everything passed", flush=True
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
