"""How late the clock is: due times of many tournaments spread over a minute, one worker, one beat, Redis and
PostgreSQL of its own. `python -m scripts.latency`; TOURNAMENTS=200 and SPREAD=60 (seconds) are honoured.

Each tournament has a round that the clock pairs, publishes and starts at its time: three steps, the later two
due as soon as the one before is done. Lateness is the moment of the deed in the journal after the due time.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from scripts import services
from scripts.gate import ROOT

CELERY = [sys.executable, "-m", "celery", "-A", "config", "--quiet"]
WORKER = [*CELERY, "worker", "--concurrency", "2", "--loglevel", "ERROR", "--without-gossip"]
BEAT = [*CELERY, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING"]
TEAMS = 8
GOAL_S = 2.0


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, int(share * len(ordered) + 0.999999) - 1))]


@contextmanager
def processes(env: dict[str, str]) -> Any:
    """One worker and one beat run for the length of a block."""
    children = [subprocess.Popen(words, cwd=ROOT, env=env) for words in (WORKER, BEAT)]
    try:
        yield
    finally:
        for child in reversed(children):
            child.terminate()
        for child in children:
            with suppress(subprocess.TimeoutExpired):
                child.wait(15)
            child.kill()


def prepare(count: int) -> list[int]:
    """So many running tournaments whose plan pairs a round, held until they are told their time."""
    from django.db import transaction

    from journal.actors import COMMAND
    from journal.clock import now
    from teams.models import Store
    from teams.people import add_players
    from tournaments.day_plan import DayPlan
    from tournaments.models import Step
    from tournaments.planning import change_plan
    from tournaments.registration import register_teams
    from tournaments.setting_up import create_tournament, open_registration, start_tournament

    automatic = dict.fromkeys(Step.Kind.values, Step.Mode.AUTOMATIC)
    plan = DayPlan(look_minutes=0, walk_minutes=0, break_minutes=0, warnings=(), modes=automatic)
    store = Store.objects.create(name="Latency", slug="latency")
    made = []
    for number in range(count):
        tournament = create_tournament(
            store_id=store.pk, name=f"Hall {number}", mode="riftbound-2v2", actor=COMMAND, seed=number,
            planned_rounds=3,
        )  # fmt: skip
        open_registration(tournament_id=tournament.pk, actor=COMMAND)
        people = iter(add_players(store_id=store.pk, names=[f"P {number} {n}" for n in range(2 * TEAMS)]))
        members = [{label: next(people).pk for label in "AB"} for _ in range(TEAMS)]
        register_teams(tournament_id=tournament.pk, members=members, actor=COMMAND)
        start_tournament(tournament_id=tournament.pk, actor=COMMAND)
        with transaction.atomic():
            change_plan(tournament_id=tournament.pk, plan=plan, actor=COMMAND)
            # Nobody is due before all are ready.
            pair = Step.objects.filter(tournament=tournament, kind=Step.Kind.PAIR)
            pair.update(due_at=now() + timedelta(days=1), own_time=True)
        made.append(tournament.pk)
    return made


def spread(tournaments: Sequence[int], over_s: float, after_s: float = 3.0) -> None:
    """Their rounds are due one after the other, evenly, from a moment on."""
    from journal.clock import now
    from tournaments.models import Step

    first = now() + timedelta(seconds=after_s)
    for place, pk in enumerate(tournaments):
        due_at = first + timedelta(seconds=over_s * place / len(tournaments))
        Step.objects.filter(tournament_id=pk, kind=Step.Kind.PAIR).update(due_at=due_at)


def lateness(tournaments: Sequence[int], patience_s: float = 120) -> list[float]:
    """Seconds from due to done of each of the three steps, once all are done."""
    from tournaments.models import Step

    kinds = [Step.Kind.PAIR, Step.Kind.PUBLISH, Step.Kind.START]
    steps = Step.objects.filter(tournament_id__in=tournaments, kind__in=kinds, state=Step.State.DONE)
    end = time.monotonic() + patience_s
    while steps.count() < 3 * len(tournaments):
        if time.monotonic() > end:
            raise SystemExit(f"only {steps.count()} of {3 * len(tournaments)} steps are done")
        time.sleep(0.25)
    return [(at - due).total_seconds() for due, at in steps.values_list("due_at", "deed__at")]


def measure(count: int, over_s: float, urls: dict[str, str]) -> list[float]:
    """The lateness of every step of so many tournaments."""
    import django

    os.environ.update(urls)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    tournaments = prepare(count)
    with processes({**os.environ, **urls}):
        _wait_for_tick()
        spread(tournaments, over_s)
        return lateness(tournaments, over_s + 120)


def _wait_for_tick() -> None:
    from tournaments.heartbeat import last_tick

    while last_tick() is None:
        time.sleep(0.2)


def main() -> int:
    count, over_s = int(os.environ.get("TOURNAMENTS") or 200), float(os.environ.get("SPREAD") or 60)
    for name in ("TEST_DATABASE_URL", "TEST_REDIS_URL", "TANDEM_PRODUCTION"):
        os.environ.pop(name, None)
    with services.running() as found, tempfile.TemporaryDirectory() as folder:
        urls = {
            "DATABASE_URL": found["TEST_DATABASE_URL"],
            "REDIS_URL": found["TEST_REDIS_URL"],
            "BUNDLES_DIR": str(Path(folder) / "bundles"),
            "BACKUPS_DIR": str(Path(folder) / "backups"),
        }
        late = measure(count, over_s, urls)
    p95 = percentile(late, 0.95)
    load = os.getloadavg()[0]
    sys.stdout.write(
        f"{count} tournaments over {over_s:g} s, {len(late)} steps, load {load:.1f}: "
        f"median {percentile(late, 0.5):.2f} s, p95 {p95:.2f} s, worst {max(late):.2f} s late\n"
    )
    return 0 if p95 <= GOAL_S else 1


if __name__ == "__main__":
    sys.exit(main())
