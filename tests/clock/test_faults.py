"""Processes die, time is stepped, messages come twice: every round once, and nothing is forgotten.

Real Redis, PostgreSQL, worker and beats; a scene each, on a small tournament of its own."""

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from statistics import median
from typing import Any

import psycopg
import pytest
from celery import Celery
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from redis import Redis

from journal.actors import COMMAND, user_actor
from journal.clock import now, reset_clock, shift_clock
from journal.kinds import DeedKind
from journal.models import Deed, Head
from matches.models import Match
from matches.results import enter_result
from rulebook.lifecycle import RoundState
from scripts import latency
from teams.models import Team, User
from tests import small_event
from tests.clock.processes import Processes, children, until
from tournaments.day_plan import DayPlan
from tournaments.large_imports import PATIENCE, ask_import
from tournaments.models import Round, Step, Tournament, Upload
from tournaments.planning import change_plan
from tournaments.setting_up import cancel_tournament
from tournaments.team_import import keep_file

pytestmark = pytest.mark.postgres

AT_ONCE = DayPlan(
    look_minutes=0, walk_minutes=0, break_minutes=0, warnings=(), overdue_minutes=600,
    modes=dict.fromkeys(Step.Kind.values, Step.Mode.AUTOMATIC),
)  # fmt: skip
LATER = DayPlan(look_minutes=1, walk_minutes=5, break_minutes=10, warnings=(), modes=AT_ONCE.modes)
# A Redis that does not answer costs a second, one that is gone nothing; what comes first may load something.
AT_HAND_S = 5.0
# Within half a second each process reads anew how the clock was shifted.
ALL_PROCESSES_S = 1.0
MANY = 8


class Machine(Processes):
    """What the scenes share: a worker, beats and a desk; at the end of a scene the clock ticks again."""

    worker: "subprocess.Popen[bytes]"
    desk: "subprocess.Popen[bytes]"
    beats: list["subprocess.Popen[bytes]"]

    def freeze(self) -> None:
        """No beat does anything until `thaw`, and the worker has done what they had asked for."""
        for beat in self.beats:
            beat.send_signal(signal.SIGSTOP)
        with Redis.from_url(self.redis) as broker:
            until(lambda: broker.llen("clock") == 0, "the worker does not end what was asked")
        time.sleep(ALL_PROCESSES_S)

    def thaw(self) -> None:
        """The beats go on, when every process has seen how the clock was shifted."""
        time.sleep(ALL_PROCESSES_S)
        for beat in self.beats:
            beat.send_signal(signal.SIGCONT)


@pytest.fixture(scope="module")
def machine(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machine]:
    found = Machine(tmp_path_factory.mktemp("machine"))
    with django_db_blocker.unblock():
        assert str(connection.settings_dict["NAME"]).startswith("test_")
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '30s'")
            found.start_redis()
            found.worker = found.start("worker")
            found.beats = [found.start("beat"), found.start("beat")]
            found.desk = found.start("desk")
            yield found
        finally:
            found.stop()
            reset_clock()
            call_command("flush", verbosity=0, interactive=False, inhibit_post_migrate=True)


@pytest.fixture
def real_time(machine: Machine) -> Iterator[None]:
    """A scene leaves the time as it was, and nothing for the clock to do."""
    yield
    reset_clock()
    for pk in Tournament.objects.exclude(state="cancelled").values_list("pk", flat=True):
        cancel_tournament(tournament_id=pk, actor=COMMAND)


def planned(slug: str, plan: DayPlan = AT_ONCE, teams: int = 5) -> Tournament:
    """It runs, and the clock pairs its first round now."""
    tournament = small_event.running(teams, slug=slug)
    return change_plan(tournament_id=tournament.pk, plan=plan, actor=COMMAND)


def state_of_round(tournament: Tournament, number: int = 1) -> str | None:
    rounds = Round.objects.filter(stage__tournament=tournament, number=number)
    return rounds.order_by("-pk").values_list("state", flat=True).first()


def runs(tournament: Tournament, number: int = 1) -> Callable[[], bool]:
    return lambda: state_of_round(tournament, number) == RoundState.RUNNING


def every_round_once(tournament: Tournament, rounds: int = 1) -> None:
    """Each round happened once, the journal has no gap, and the clock was refused nothing."""
    found = Round.objects.filter(stage__tournament=tournament).order_by("number")
    assert list(found.values_list("number", flat=True)) == list(range(1, rounds + 1))
    deeds = Deed.objects.filter(tournament=tournament).order_by("number")
    last = Head.objects.get(pk=tournament.pk).last
    assert list(deeds.values_list("number", flat=True)) == list(range(1, last + 1))
    counted = Counter(deeds.values_list("kind", flat=True))
    for kind in (DeedKind.ROUND_PAIRED, DeedKind.ROUND_PUBLISHED, DeedKind.ROUND_STARTED):
        assert counted[kind] == rounds, kind
    assert not counted[DeedKind.STEP_BLOCKED]
    assert not counted[DeedKind.STEP_MISSED]
    late = Step.objects.filter(tournament=tournament, state__in=["waiting", "blocked"], due_at__lte=now())
    assert set(late.values_list("kind", flat=True)) <= {Step.Kind.CLOSE}, "it waits for the results"


def play(tournament: Tournament) -> None:
    for match in Match.objects.filter(round__stage__tournament=tournament, state="open"):
        enter_result(match_id=match.pk, wins=(2, 0), actor=COMMAND)


@contextmanager
def stands_still(table: str = "matches_match") -> Iterator[None]:
    """Whoever pairs a round comes as far as its matches and waits there, in the middle of its deed; so does
    whoever saves rows of another table."""
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    told = {names[key]: value for key, value in connection.settings_dict.items() if key in names}
    with psycopg.connect(**told) as other:
        other.execute(f"LOCK TABLE {table} IN SHARE MODE")
        yield


def somebody_waits(table: str = "matches_match") -> bool:
    """Whether a statement that saves rows of the table waits for its turn."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            " AND datname = current_database() AND query ILIKE %s",
            [f"INSERT INTO%{table}%"],
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db
def test_no_message_of_beat_is_worthless_to_a_machine_whose_clock_is_a_minute_off() -> None:
    """(Its mark also makes the database that the scenes below share, and commit to.)"""
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
        assert entry.get("options", {}).get("expires", 300) >= 300, name


@pytest.mark.usefixtures("real_time")
def test_two_beats_and_messages_that_come_twice_do_each_step_once(machine: Machine) -> None:
    halls = [planned(f"twice-{number}") for number in range(3)]
    with Celery(broker=machine.redis) as app:
        for number in range(20):
            for _ in range(2):
                app.send_task("tournaments.tick", task_id=f"the same {number}", ignore_result=True)
    for hall in halls:
        until(runs(hall), "the round does not run")
        play(hall)
    for hall in halls:
        until(runs(hall, 2), "the second round does not run")
        every_round_once(hall, rounds=2)


@pytest.mark.usefixtures("real_time")
def test_the_steps_of_many_tournaments_are_all_done_and_none_before_it_is_due(machine: Machine) -> None:
    """How late they are is measured by `scripts/latency.py`, which wants a machine of its own."""
    until(runs(planned("first")), "the clock does not tick")
    made = latency.prepare(MANY)
    latency.spread(made, over_s=3, after_s=0.5)
    late = latency.lateness(made)
    assert len(late) == 3 * MANY
    assert min(late) >= 0, sorted(late)


@pytest.mark.usefixtures("real_time")
@pytest.mark.parametrize("who", ["the process that pairs", "the whole worker"])
def test_a_worker_that_is_killed_in_the_middle_of_pairing_leaves_nothing_half_done(
    machine: Machine, who: str
) -> None:
    with stands_still():
        hall = planned(f"killed-{len(who)}")
        until(somebody_waits, "nobody pairs")
        if who == "the whole worker":
            machine.kill(machine.worker)
            machine.worker = machine.start("worker")
        else:
            for pid in children(machine.worker):
                os.kill(pid, signal.SIGKILL)
        assert state_of_round(hall) is None
    until(runs(hall), "the round was forgotten")
    every_round_once(hall)


@pytest.mark.usefixtures("real_time")
def test_a_worker_that_is_killed_in_the_middle_of_a_long_list_is_replaced_and_it_is_entered_once(
    machine: Machine,
) -> None:
    tournament = small_event.registered(0, slug="long-list")
    user = User.objects.create_superuser("root")
    kept = keep_file(
        tournament_id=tournament.pk, user_id=user.pk, name="x", body=b"A,B\nAna,Bo\nIda,Per\n", choices={}
    )
    ask_import(upload_id=kept.pk, actor=user_actor(user.pk))
    teams = Team.objects.filter(tournament=tournament)
    with Celery(broker=machine.redis) as app:
        with stands_still("teams_seat"):
            app.send_task("tournaments.imports", ignore_result=True)
            until(lambda: somebody_waits("teams_seat"), "nobody enters the list")
            for pid in children(machine.worker):
                os.kill(pid, signal.SIGKILL)
        assert not teams.exists()
        assert Upload.objects.get().state == Upload.State.WORKING
        shift_clock(PATIENCE)
        time.sleep(ALL_PROCESSES_S)
        for _ in range(3):
            app.send_task("tournaments.imports", ignore_result=True)
        until(teams.exists, "the list was forgotten")
    assert teams.count() == 2
    assert (Upload.objects.get().state, Upload.objects.get().tries) == (Upload.State.DONE, 2)
    assert Deed.objects.filter(tournament=tournament, kind=DeedKind.TEAMS_IMPORTED).count() == 1


@pytest.mark.usefixtures("real_time")
def test_beats_that_are_killed_lose_nothing_and_one_of_two_is_enough(machine: Machine) -> None:
    machine.kill(machine.beats.pop())
    first = planned("one-beat")
    until(runs(first), "the other beat does not ask")
    machine.kill(machine.beats.pop())
    second = planned("no-beat")
    machine.beats = [machine.start("beat")]
    until(runs(second), "the round was forgotten")
    for hall in (first, second):
        every_round_once(hall)


@pytest.mark.usefixtures("real_time")
def test_an_outage_of_twenty_minutes_is_made_good_with_true_times(machine: Machine) -> None:
    machine.freeze()
    hall = planned("outage", LATER)
    planned_at = Step.objects.get(tournament=hall, kind=Step.Kind.PAIR).due_at
    shift_clock(timedelta(minutes=20))
    back_at = now()
    machine.thaw()
    until(lambda: state_of_round(hall) == RoundState.PAIRED, "the round was forgotten")
    rnd = Round.objects.get(stage__tournament=hall)
    publish = Step.objects.get(tournament=hall, kind=Step.Kind.PUBLISH)
    assert planned_at < back_at <= rnd.paired_at
    assert publish.due_at == rnd.paired_at + timedelta(minutes=1)
    shift_clock(timedelta(minutes=1))
    until(lambda: state_of_round(hall) == RoundState.PUBLISHED, "not published")
    shift_clock(timedelta(minutes=5))
    until(runs(hall), "the round does not run")
    rnd.refresh_from_db()
    assert rnd.started_at is not None
    assert rnd.ends_at == rnd.started_at + timedelta(minutes=hall.round_minutes)
    every_round_once(hall)


@pytest.mark.usefixtures("real_time")
def test_clocks_that_are_90_seconds_behind_do_each_step_once(machine: Machine) -> None:
    machine.freeze()
    slow = machine.start("slow beat")
    hall = planned("behind")
    until(runs(hall), "the clock of a slow machine does not tick")
    play(hall)
    until(lambda: state_of_round(hall) == RoundState.CLOSED, "the round is not closed")
    until(runs(hall, 2), "the second round does not run")
    shift_clock(timedelta(seconds=-90))  # the clock of every machine is stepped back in the second round
    play(hall)
    assert state_of_round(hall, 2) == RoundState.RUNNING, "by this clock it has not begun"
    shift_clock(timedelta(seconds=90))
    until(runs(hall, 3), "the third round does not run")
    every_round_once(hall, rounds=3)
    machine.kill(slow)
    machine.thaw()


def by_hand(machine: Machine, hall: Tournament) -> None:
    """A whole round at the desk, no request waits for Redis."""
    assert machine.desk.stdin is not None
    assert machine.desk.stdout is not None
    machine.desk.stdin.write(f"{hall.slug}\n".encode())
    machine.desk.stdin.flush()
    took = dict(json.loads(machine.desk.stdout.readline()))
    assert len(took) >= 7
    assert median(took.values()) < AT_HAND_S, took
    assert max(took.values()) < 2 * AT_HAND_S, took


@pytest.mark.usefixtures("real_time")
def test_the_desk_works_by_hand_while_the_broker_is_gone_and_the_clock_goes_on_after(
    machine: Machine,
) -> None:
    machine.signal_redis(signal.SIGSTOP)
    hung = small_event.running(4, slug="hung")
    by_hand(machine, hung)
    machine.signal_redis(signal.SIGKILL)
    hall, gone = planned("waits"), small_event.running(4, slug="gone")
    by_hand(machine, gone)
    assert state_of_round(hall) is None
    machine.start_redis()
    until(runs(hall), "the round was forgotten")
    for tournament in (hung, hall, gone):
        every_round_once(tournament)
    assert machine.worker.poll() is None
    assert all(beat.poll() is None for beat in machine.beats)
