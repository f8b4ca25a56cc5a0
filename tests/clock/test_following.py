"""How the steps of the clock follow the deeds of people: nothing is done twice, nothing against them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from journal.actors import CLOCK, COMMAND
from journal.clock import now, reset_clock, set_clock, shift_clock
from journal.kinds import DeedKind
from journal.models import Deed
from matches.results import enter_result
from rulebook.errors import RuleBroken
from tests import small_event
from tournaments import schedule
from tournaments.clockwork import extend_table, pause_clock, resume_clock
from tournaments.day_plan import DayPlan
from tournaments.models import Round, Step, Tournament
from tournaments.pairing import pair_round
from tournaments.planning import cancel_step, change_plan, hold_clock, release_clock, set_step
from tournaments.registration import check_in_team
from tournaments.rounds import close_round, publish_round, reopen_round, start_round
from tournaments.setting_up import cancel_tournament
from tournaments.taking_back import take_back_pairing, take_back_start

pytestmark = pytest.mark.django_db

PLAN = DayPlan(
    warnings=(10,), look_minutes=2, walk_minutes=5, break_minutes=10, overdue_minutes=10,
    modes=dict.fromkeys(Step.Kind.values, Step.Mode.AUTOMATIC),
)  # fmt: skip


@pytest.fixture(autouse=True)
def still_clock() -> Iterator[None]:
    set_clock(speed=0)
    yield
    reset_clock()


def planned(tournament: Tournament, plan: DayPlan = PLAN) -> Tournament:
    return change_plan(tournament_id=tournament.pk, plan=plan, actor=COMMAND)


def waiting(tournament: Tournament) -> dict[str, tuple[str, float]]:
    """Each open step with its mode and the minutes until it is due."""
    steps = Step.objects.filter(tournament=tournament, state__in=["waiting", "blocked"])
    return {
        step.kind: (step.mode, round((step.due_at - now()).total_seconds() / 60, 1))
        for step in steps.order_by("due_at")
    }


def tick_after(minutes: float) -> list[str]:
    """The kinds of steps done after so many minutes."""
    shift_clock(timedelta(minutes=minutes))
    done = schedule.tick()
    return [Step.objects.get(pk=pk).kind for pk in done]


def kinds(tournament: Tournament, kind: DeedKind) -> list[Deed]:
    return list(Deed.objects.filter(tournament=tournament, kind=kind).order_by("number"))


def test_a_round_runs_by_the_clock_with_extension_pause_warning_and_overdue() -> None:
    tournament = planned(small_event.running(4))
    assert tick_after(0) == ["pair"]
    assert waiting(tournament) == {"publish": ("automatic", 2)}
    assert tick_after(2) == ["publish"]
    assert tick_after(5) == ["start"]
    rnd = Round.objects.get()
    assert waiting(tournament) == {
        "close": ("automatic", 0), "warn": ("automatic", 40), "time": ("automatic", 50),
        "overdue": ("automatic", 60),
    }  # fmt: skip
    first, second = rnd.matches.order_by("table")
    extend_table(match_id=first.pk, minutes=5, actor=COMMAND)
    assert waiting(tournament)["table-time"] == ("automatic", 55)
    assert waiting(tournament)["overdue"] == ("automatic", 65)
    shift_clock(timedelta(minutes=10))
    pause_clock(round_id=rnd.pk, actor=COMMAND)
    assert waiting(tournament) == {"close": ("automatic", -10)}
    assert tick_after(30) == []
    resume_clock(round_id=rnd.pk, actor=COMMAND)
    assert waiting(tournament)["time"] == ("automatic", 40)
    assert tick_after(30) == ["warn"]
    assert tick_after(10) == ["time"]
    enter_result(match_id=first.pk, wins=(2, 0), actor=COMMAND)
    assert tick_after(5) == [], "the table with extra time has its result"
    assert tick_after(10) == ["overdue"]
    [deed] = kinds(tournament, DeedKind.ROUND_OVERDUE)
    assert (deed.actor, deed.after) == (CLOCK.who, {"missing_tables": [second.table]})
    assert tick_after(60) == [], "no result is made up"
    enter_result(match_id=second.pk, wins=(2, 1), actor=COMMAND)
    assert tick_after(0) == ["close"]
    assert waiting(tournament) == {"pair": ("automatic", 10)}
    for step in Step.objects.filter(tournament=tournament, state="done").select_related("deed"):
        assert step.deed is not None
        assert step.deed.actor == CLOCK.who
    assert not kinds(tournament, DeedKind.STEP_BLOCKED)


@pytest.mark.parametrize("plan", [None, PLAN], ids=["no plan", "a plan"])
def test_of_a_cancelled_tournament_the_clock_does_nothing_more(plan: DayPlan | None) -> None:
    tournament = small_event.running(4)
    if plan:
        planned(tournament, plan)
    rnd = small_event.started(tournament)
    set_step(step_id=Step.objects.get(kind="time").pk, actor=COMMAND, due_at=now() + timedelta(hours=1))
    cancel_tournament(tournament_id=tournament.pk, actor=COMMAND)
    assert waiting(tournament) == {}
    assert tick_after(180) == []
    assert Round.objects.get(pk=rnd.pk).time_called_at is None


def test_what_was_taken_back_is_asked_and_what_was_done_by_hand_is_not_done_again() -> None:
    tournament = planned(small_event.running(4))
    assert tick_after(0) == ["pair"]
    take_back_pairing(round_id=Round.objects.get().pk, actor=COMMAND)
    assert waiting(tournament) == {"pair": ("asked", 0)}
    assert tick_after(10) == []
    rnd = pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=1)
    publish_round(round_id=rnd.pk, actor=COMMAND)
    start_round(round_id=rnd.pk, actor=COMMAND)
    assert tick_after(0) == []
    take_back_start(round_id=rnd.pk, actor=COMMAND)
    assert waiting(tournament) == {"start": ("asked", 5)}
    start_round(round_id=rnd.pk, actor=COMMAND)
    for match in rnd.matches.all():
        enter_result(match_id=match.pk, wins=(2, 0), actor=COMMAND)
    assert tick_after(1) == ["close"]
    reopen_round(round_id=rnd.pk, actor=COMMAND)
    assert waiting(tournament)["close"] == ("asked", 0)
    assert tick_after(1) == []
    close_round(round_id=rnd.pk, actor=COMMAND)
    assert waiting(tournament) == {"pair": ("automatic", 10)}


def test_a_person_cancels_sets_and_holds_and_the_plan_respects_it(django_assert_max_num_queries: Any) -> None:
    tournament = planned(small_event.running(4))
    pair = Step.objects.get(tournament=tournament, kind="pair")
    cancel_step(step_id=pair.pk, actor=COMMAND)
    planned(tournament, replace(PLAN, break_minutes=1))
    assert waiting(tournament) == {}
    with pytest.raises(RuleBroken):
        cancel_step(step_id=pair.pk, actor=COMMAND)
    rnd = pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=1)
    publish = Step.objects.get(tournament=tournament, kind="publish", state="waiting")
    set_step(step_id=publish.pk, due_at=now() + timedelta(minutes=30), actor=COMMAND)
    planned(tournament, replace(PLAN, look_minutes=0))
    assert waiting(tournament) == {"publish": ("automatic", 30)}
    hold_clock(tournament_id=tournament.pk, actor=COMMAND)
    with django_assert_max_num_queries(2):
        assert schedule.tick() == []
    assert tick_after(30) == []
    with pytest.raises(RuleBroken):
        hold_clock(tournament_id=tournament.pk, actor=COMMAND)
    release_clock(tournament_id=tournament.pk, actor=COMMAND, shifts=False)
    assert tick_after(0) == ["publish"]
    hold_clock(tournament_id=tournament.pk, actor=COMMAND)
    shift_clock(timedelta(minutes=20))
    release_clock(tournament_id=tournament.pk, actor=COMMAND)
    assert waiting(tournament) == {"start": ("automatic", 5)}
    assert tick_after(5) == ["start"]
    now()
    with django_assert_max_num_queries(2):
        assert schedule.tick() == [], "an idle tick beside a running round"
    change_plan(tournament_id=tournament.pk, plan=None, actor=COMMAND)
    assert set(waiting(tournament)) == {"time"}
    assert Round.objects.get(pk=rnd.pk).state == "running"


def test_the_start_waits_for_check_in_and_a_step_past_its_grace_is_missed() -> None:
    begins = now() + timedelta(minutes=60)
    tournament = small_event.registered(4, starts_at=begins)
    planned(tournament, replace(PLAN, check_in_until=begins - timedelta(minutes=20), drops_no_shows=True))
    assert tick_after(40) == []
    ends = Step.objects.get(tournament=tournament, kind="end-check-in")
    assert (ends.state, ends.blocked_why.startswith("No team is checked in")) == ("blocked", True)
    assert tick_after(1) == [], "nothing has changed"
    *here, absent = tournament.teams.order_by("number")
    for team in here:
        check_in_team(team_id=team.pk, actor=COMMAND)
    assert tick_after(1) == ["end-check-in", "start-tournament"]
    absent.refresh_from_db()
    assert absent.state == "withdrawn"
    assert waiting(tournament) == {"pair": ("automatic", 11)}, "in time for round 1"
    assert tick_after(11 + 7 * 60) == []
    pair = Step.objects.get(tournament=tournament, kind="pair")
    [deed] = kinds(tournament, DeedKind.STEP_MISSED)
    assert (pair.state, deed.actor, deed.subject) == ("missed", CLOCK.who, f"step:{pair.pk}")
    assert tick_after(1) == []
    assert schedule.do_step(pair.pk, COMMAND)
    pair.refresh_from_db()
    assert (pair.state, pair.deed.kind) == ("done", DeedKind.ROUND_PAIRED)  # type: ignore[union-attr]
