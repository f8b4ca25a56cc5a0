"""The hall from the desk: clock, judge calls, announcements, deck checks, several tables at once."""

from datetime import timedelta
from typing import Any

import pytest

from journal.actors import COMMAND
from journal.clock import now, reset_clock, shift_clock
from journal.models import Deed
from matches.calls import call_judge, end_call, take_call
from matches.games import record_game
from matches.models import Call, Match
from matches.results import dispute_result, enter_result, report_result
from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind
from teams.models import User
from tests.day import Day, new_day
from tournaments.announcements import announce, shown_announcements, take_down
from tournaments.clockwork import extend_round, extend_table, has_time_left, pause_clock, resume_clock
from tournaments.deck_checks import end_deck_check, pick_deck_checks
from tournaments.models import Round, Step
from tournaments.resolving import Resolution, enter_and_drop, resolve_tables
from tournaments.rounds import call_time, close_round
from tournaments.schedule import tick

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _real_time() -> Any:
    yield
    reset_clock()


def running(teams: int = 4, **more: Any) -> tuple[Day, Round, list[Match]]:
    day = new_day(teams, **more)
    rnd = day.run()
    return day, rnd, list(rnd.matches.filter(kind="table").order_by("table"))


def step_of(rnd: Round) -> Step:
    return Step.objects.get(round=rnd, kind=Step.Kind.TIME)


def test_the_clock_pauses_with_what_is_left_and_resumes_with_it() -> None:
    _, rnd, _ = running()
    shift_clock(timedelta(minutes=20))
    rnd = pause_clock(round_id=rnd.pk, actor=COMMAND, reason="Fire alarm")
    assert rnd.ends_at is None
    assert rnd.left_when_paused == pytest.approx(30 * 60, abs=5)
    shift_clock(timedelta(minutes=90))
    assert tick() == []
    rnd = extend_round(round_id=rnd.pk, minutes=5, actor=COMMAND)
    rnd = resume_clock(round_id=rnd.pk, actor=COMMAND)
    assert rnd.ends_at - now() == pytest.approx(timedelta(minutes=35), abs=timedelta(seconds=5))
    assert (step_of(rnd).due_at, step_of(rnd).state) == (rnd.ends_at, "waiting")
    with pytest.raises(RuleBroken, match="runs already"):
        resume_clock(round_id=rnd.pk, actor=COMMAND)
    assert list(Deed.objects.filter(kind__startswith="Clock").values_list("kind", flat=True)) == [
        "ClockPaused",
        "ClockResumed",
    ]


def test_more_time_for_all_moves_the_end_and_the_call_of_time() -> None:
    _, rnd, _ = running()
    before = rnd.ends_at
    rnd = extend_round(round_id=rnd.pk, minutes=10, actor=COMMAND)
    assert rnd.ends_at - before == timedelta(minutes=10)
    shift_clock(timedelta(minutes=55))
    assert tick() == []
    shift_clock(timedelta(minutes=6))
    assert tick() == [step_of(rnd).pk]
    with pytest.raises(RuleBroken, match="called already"):
        extend_round(round_id=rnd.pk, minutes=5, actor=COMMAND)


def test_a_table_with_extra_time_has_time_left_when_time_is_called() -> None:
    _, rnd, (first, second) = running()
    extend_table(match_id=first.pk, minutes=3, actor=COMMAND)
    extend_table(match_id=first.pk, minutes=2, actor=COMMAND, reason="Long ruling")
    first.refresh_from_db()
    assert first.extension_s == 300
    shift_clock(timedelta(minutes=51))
    tick()
    rnd.refresh_from_db()
    assert has_time_left(rnd, first.extension_s, now())
    assert not has_time_left(rnd, second.extension_s, now())
    shift_clock(timedelta(minutes=5))
    assert not has_time_left(rnd, first.extension_s, now())
    with pytest.raises(RuleBroken, match="from 1 to"):
        extend_table(match_id=first.pk, minutes=0, actor=COMMAND)


def test_time_called_while_the_clock_stands_ends_the_pause() -> None:
    _, rnd, _ = running()
    pause_clock(round_id=rnd.pk, actor=COMMAND)
    rnd = call_time(round_id=rnd.pk, actor=COMMAND)
    assert (rnd.left_when_paused, rnd.ends_at) == (None, rnd.time_called_at)


def test_a_call_is_opened_once_taken_and_ended() -> None:
    day, _, (first, _) = running()
    call = call_judge(match_id=first.pk, team_id=day.sides(first)[0].pk, actor=COMMAND, note="Ruling, please")
    assert call_judge(match_id=first.pk, actor=COMMAND) == call
    judge, other = (User.objects.create_user(name) for name in ("judge", "other"))
    take_call(call_id=call.pk, user_id=judge.pk, actor=COMMAND)
    taken = take_call(call_id=call.pk, user_id=other.pk, actor=COMMAND)
    assert taken.taken_by == other
    end_call(call_id=call.pk, actor=COMMAND)
    with pytest.raises(RuleBroken, match="ended already"):
        take_call(call_id=call.pk, user_id=judge.pk, actor=COMMAND)
    assert list(Deed.objects.filter(subject=f"match:{first.pk}").values_list("kind", flat=True)) == [
        "JudgeCalled",
        "CallTaken",
        "CallTaken",
        "CallEnded",
    ]


@pytest.mark.parametrize("how", ["refused", "reported-otherwise"])
def test_a_dispute_opens_a_call_and_the_result_ends_it(how: str) -> None:
    day, rnd, (first, second) = running()
    ours, theirs = day.sides(first)
    report_result(match_id=first.pk, team_id=ours.pk, actor=COMMAND, wins={ours.pk: 2})
    if how == "refused":
        dispute_result(match_id=first.pk, team_id=theirs.pk, actor=COMMAND)
    else:
        report_result(match_id=first.pk, team_id=theirs.pk, actor=COMMAND, wins={theirs.pk: 2})
    assert Call.objects.get(match=first).kind == "dispute"
    call_judge(match_id=second.pk, actor=COMMAND)
    enter_result(match_id=first.pk, actor=COMMAND, wins=(2, 1))
    assert Call.objects.get(match=first).ended_at is not None
    assert Call.objects.get(match=second).ended_at is None
    enter_result(match_id=second.pk, actor=COMMAND, wins=(2, 1))
    close_round(round_id=rnd.pk, actor=COMMAND)
    assert not Call.objects.filter(ended_at=None).exists()


def test_an_announcement_stands_until_it_is_taken_down() -> None:
    day = new_day(2, started=False)
    made = announce(tournament_id=day.tournament.pk, text="  Lunch\n until 13:00 ", actor=COMMAND)
    assert [one.text for one in shown_announcements(day.tournament.pk)] == ["Lunch until 13:00"]
    take_down(announcement_id=made.pk, actor=COMMAND)
    take_down(announcement_id=made.pk, actor=COMMAND)
    assert not shown_announcements(day.tournament.pk)
    assert Deed.objects.filter(kind="AnnouncementTakenDown").count() == 1
    with pytest.raises(RuleBroken):
        announce(tournament_id=day.tournament.pk, text=" ", actor=COMMAND)


def test_tables_for_deck_checks_follow_from_the_seed_and_come_once_a_round() -> None:
    day, rnd, tables = running(12)
    day.tournament.__class__.objects.filter(pk=day.tournament.pk).update(feature_table=1)
    fixed = day.sides(tables[1])[0]
    fixed.fixed_table = 2
    fixed.save()
    seen = [
        check.match.table
        for check in pick_deck_checks(round_id=rnd.pk, count=2, seed=5, skip_fixed=True, actor=COMMAND)
    ]
    assert seen == sorted(seen)
    assert not {1, 2} & set(seen)
    rest = pick_deck_checks(round_id=rnd.pk, count=9, seed=5, actor=COMMAND)
    assert sorted([*seen, *(check.match.table for check in rest)]) == [2, 3, 4, 5, 6]
    with pytest.raises(RuleBroken, match="no table left"):
        pick_deck_checks(round_id=rnd.pk, count=1, actor=COMMAND)
    assert not Deed.objects.filter(kind="DeckCheckPicked", is_public=True).exists()


@pytest.mark.parametrize(("minutes", "given"), [(None, 8), (3, 3), (0, 0)])
def test_the_minutes_of_a_deck_check_are_given_back(minutes: int | None, given: int) -> None:
    _, rnd, _ = running()
    check = pick_deck_checks(round_id=rnd.pk, count=1, seed=1, actor=COMMAND)[0]
    shift_clock(timedelta(minutes=7, seconds=30))
    end_deck_check(check_id=check.pk, minutes=minutes, actor=COMMAND)
    check.refresh_from_db()
    assert (check.given_back_s, check.match.extension_s) == (given * 60, given * 60)
    with pytest.raises(RuleBroken, match="ended already"):
        end_deck_check(check_id=check.pk, actor=COMMAND)


def test_the_remaining_tables_are_resolved_together_or_not_at_all() -> None:
    day, rnd, (first, second, third) = running(6)
    ours = day.sides(first)[0]
    report_result(match_id=first.pk, team_id=ours.pk, actor=COMMAND, wins={ours.pk: 2})
    record_game(match_id=second.pk, actor=COMMAND, winner=1)
    bad = Resolution(third.pk, ResultKind.NO_SHOW)
    good = [Resolution(first.pk, as_reported=True), Resolution(second.pk, as_played=True)]
    with pytest.raises(RuleBroken, match="Table 3: Say which side lost"):
        resolve_tables(round_id=rnd.pk, resolutions=[*good, bad], actor=COMMAND)
    assert not rnd.matches.filter(state="confirmed").exists()
    last = Resolution(third.pk, ResultKind.DOUBLE_LOSS)
    resolve_tables(round_id=rnd.pk, resolutions=[*good, last], actor=COMMAND)
    assert [day.kind(match) for match in (first, second, third)] == ["played", "played", "double-loss"]
    assert day.lines(second)[day.sides(second)[1]] == ("win", 1, 0)
    assert Deed.objects.filter(kind="MatchConfirmed").count() == 3
    close_round(round_id=rnd.pk, actor=COMMAND)


def test_a_table_settled_meanwhile_is_named_and_nothing_is_resolved() -> None:
    _day, rnd, (first, second) = running()
    enter_result(match_id=first.pk, actor=COMMAND, wins=(2, 0))
    both = [Resolution(match.pk, ResultKind.BOTH_ABSENT) for match in (first, second)]
    with pytest.raises(RuleBroken, match="Table 1 is confirmed"):
        resolve_tables(round_id=rnd.pk, resolutions=both, actor=COMMAND)
    second.refresh_from_db()
    assert second.state == "open"


def test_a_team_leaves_after_its_result() -> None:
    day, _, (first, second) = running()
    loser = day.sides(first)[1]
    enter_and_drop(match_id=first.pk, team_ids=[loser.pk], wins=(2, 0), actor=COMMAND)
    loser.refresh_from_db()
    assert (loser.state, day.lines(first)[loser]) == ("dropped", ("loss", 0, 0))
    gone = day.sides(second)[0]
    enter_and_drop(match_id=second.pk, team_ids=[gone.pk], actor=COMMAND)
    assert day.kind(second) == "concession"
