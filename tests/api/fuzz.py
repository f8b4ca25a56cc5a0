"""schemathesis against a running server: every operation, reading and writing, anonymous and by keys.

    make fuzz     a long run on data of its own; EXAMPLES=100, SEED=1, CALLERS="anonymous staff",
                  PHASES=coverage and FUZZ_DATABASE_URL=postgres://... are honoured

The hall has a row of every kind, and addresses mostly name its rows, so that deeds are done and not only
refused. Each caller has a hall of its own. What is found stands in var/fuzz/CALLER.log, with a line to repeat
it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]
SCHEMATHESIS = Path(sys.executable).parent / "schemathesis"
LEFT_OUT = "positive_data_acceptance"
ANONYMOUS, EVERY_SCOPE = "anonymous", "every-scope"
PHASES = "examples,coverage,fuzzing"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: a key, or nobody where there is none; `rows` are the rows of his hall by address."""

    name: str
    key: str
    rows: dict[str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """What came of one run."""

    caller: str
    seed: int
    cases: int
    failed: int
    log: str

    def __str__(self) -> str:
        return f"{self.caller}: {self.cases} examples, seed {self.seed}, {self.failed} operations failed"


def prepared(name: str, scopes: Iterable[str]) -> Caller:
    """A hall of the caller's own with a key of these scopes; none for nobody."""
    from integrations.keys import issue_key
    from journal.actors import COMMAND
    from journal.clock import reset_clock
    from tests.admin.hall import full_hall
    from tournaments.models import Round
    from tournaments.rounds import publish_round, start_round

    hall = full_hall(name.title().replace(":", "-"))
    reset_clock()
    draft = Round.objects.get(stage__tournament=hall.tournament, state="paired")
    publish_round(round_id=draft.pk, actor=COMMAND)
    start_round(round_id=draft.pk, actor=COMMAND)
    asked = list(scopes)
    key = issue_key(store_id=hall.store.pk, name=name, scopes=asked)[1] if asked else ""
    return Caller(name, key, rows_by_address(hall))


def rows_by_address(hall: Any) -> dict[str, str]:
    """The word an address of the document takes, for each of its paths that names a row."""
    from tests.api.test_operations import address, views

    found = {}
    for path, view in views():
        if view is None or "<" not in path or "rules/" in path:
            continue
        documented = "/api/v1" + path.replace("<int:pk>", "{id}").replace("<slug:slug>", "{slug}")
        filled = address(path, hall).strip("/").split("/")
        at = [part.startswith("<") for part in path.strip("/").split("/")].index(True)
        found[documented] = filled[at]
    return found


def settings_of(caller: Caller) -> str:
    """What schemathesis reads: mostly the rows of the hall, now and then anything."""
    lines = ["[generation]", 'database = "none"', ""]
    words = sorted(set(caller.rows.values()))
    for at, word in enumerate(words):
        value = word if word.isdigit() else json.dumps(word)
        lines += [f"[dictionaries.row-{at}]", f"values = [{value}]", ""]
    for path, word in caller.rows.items():
        name = "id" if "{id}" in path else "slug"
        row = words.index(word)
        lines += ["[[operations]]", f"include-path = {json.dumps(path)}"]
        lines += [f'parameters = {{ "path.{name}" = {{ dictionary = "row-{row}", probability = 0.9 }} }}', ""]
    return "\n".join(lines)


def fuzzed(
    url: str, caller: Caller, folder: Path, *, examples: int, seed: int, phases: str = PHASES
) -> Found:
    """schemathesis has asked every operation; every default check but the one that is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    log, settings = (folder / f"{caller.name}.{end}" for end in ("log", "toml"))
    settings.write_text(settings_of(caller))
    command = [
        str(SCHEMATHESIS), "--config-file", str(settings), "run", f"{url}/api/schema/?format=json",
        "--exclude-checks", LEFT_OUT, "--phases", phases, "--max-examples", str(examples),
        "--seed", str(seed), "--no-color", "--continue-on-failure", "--warnings", "off",
        "--suppress-health-check", "all", "--request-timeout", "60",
        *(["--header", f"Authorization: Bearer {caller.key}"] if caller.key else []),
    ]  # fmt: skip
    with log.open("w") as out:
        done = subprocess.run(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, check=False)
    told = log.read_text()
    cases = re.search(r"(\d[\d,]*) generated", told)
    failed = len(re.findall(r"^_{3,} .* _{3,}$", told, re.MULTILINE))
    if done.returncode and not failed:
        failed = 1
    count = int(cases.group(1).replace(",", "")) if cases else 0
    return Found(caller.name, seed, count, failed, told)


@contextmanager
def server(port: int, folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """The API behind gunicorn, as in production."""
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}"]
    command += ["--workers", "1", "--threads", "4", "--log-level", "error"]
    log = (folder / "server.log").open("w")
    running = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                # The document is made at the first call; schemathesis waits ten seconds for it.
                urlopen(f"{url}/api/schema/?format=json", timeout=120).close()
                break
            except OSError:
                time.sleep(0.2)
        yield url
    finally:
        running.terminate()
        running.wait(timeout=20)


def main() -> int:
    """The long run: anonymous, every scope, and each scope alone, each in a hall of its own."""
    folder = ROOT / "var" / "fuzz"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Never somebody's data: DATABASE_URL is not looked at.
    os.environ["DATABASE_URL"] = os.environ.get("FUZZ_DATABASE_URL", f"sqlite:///{folder / 'fuzz.sqlite3'}")
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ["API_RATE_PER_KEY"] = os.environ["API_RATE_ANONYMOUS"] = "1000000000"
    # The settings are chosen before Django is read.
    import django
    from django.core.management import call_command

    django.setup()
    from integrations.scopes import Scope

    call_command("migrate", verbosity=0, interactive=False)
    groups = {ANONYMOUS: [], EVERY_SCOPE: list(Scope), **{scope.value: [scope] for scope in Scope}}
    chosen = os.environ.get("CALLERS", "").split() or list(groups)
    callers = [prepared(name, groups[name]) for name in chosen]
    phases = os.environ.get("PHASES", PHASES)
    examples, seed = int(os.environ.get("EXAMPLES", "100")), int(os.environ.get("SEED", "1"))
    with (
        server(int(os.environ.get("PORT", "8765")), folder, dict(os.environ)) as url,
        ThreadPoolExecutor(2) as pool,
    ):
        found = list(
            pool.map(
                lambda one: fuzzed(url, one, folder, examples=examples, seed=seed, phases=phases), callers
            )
        )
    for one in found:
        sys.stdout.write(f"{one}\n")
    return int(any(one.failed for one in found))


if __name__ == "__main__":
    sys.exit(main())
