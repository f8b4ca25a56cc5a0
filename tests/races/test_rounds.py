"""Two people at once, on PostgreSQL with real threads: one outcome, no deadlock, many times over."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError

from journal.actors import COMMAND
from journal.models import Deed
from journal.recording import version_of
from matches.models import Match, Result, Side
from matches.results import confirm_result, enter_result, report_result
from rulebook.errors import RuleBroken
from teams.models import Team
from tests.day import Day, new_day
from tournaments.corrections import correct_result
from tournaments.models import Round
from tournaments.pairing import pair_round
from tournaments.repairing import repair_round, swap_in_round
from tournaments.rounds import close_round, publish_round, scrap_round, start_round
from tournaments.schedule import do_step, schedule_publish
from tournaments.withdrawals import drop_team, reinstate_team

pytestmark = pytest.mark.django_db(transaction=True)

TRIES = 60
SLOW_TRIES = 20  # where one try is a dozen deeds
REPAIRS = 4
Run = Callable[..., list[Any]]


def outcome(result: Any) -> str:
    """What became of one deed; anything but success and a refusal fails the test."""
    if isinstance(result, RuleBroken):
        return result.code
    if isinstance(result, OperationalError):
        pytest.fail(f"deadlock or lost lock: {result}")
    if isinstance(result, Exception):
        raise result
    return "done"


def consistent(day: Day) -> None:
    """The journal has no gap and nobody sits at two tables of one live round."""
    numbers = list(
        Deed.objects.filter(tournament=day.tournament).order_by("number").values_list("number", flat=True)
    )
    assert numbers == list(range(1, len(numbers) + 1))
    live = Side.objects.filter(is_live=True).values_list("round_id", "team_id")
    assert max(Counter(live).values(), default=1) == 1


def test_two_pairings_of_one_round_make_one_round(run_threads: Run) -> None:
    day = new_day(6, rounds=4)

    def pair() -> Round:
        return pair_round(tournament_id=day.tournament.pk, actor=COMMAND)

    for _ in range(TRIES):
        results = sorted(outcome(result) for result in run_threads(pair, pair))
        assert results == ["done", "round-still-open"]
        live = Round.objects.exclude(state="scrapped")
        assert live.count() == 1
        scrap_round(round_id=live.get().pk, actor=COMMAND)
    consistent(day)


def test_a_report_against_the_close_is_in_the_round_or_refused(run_threads: Run) -> None:
    day = new_day(4, rounds=2)
    seen: Counter[tuple[str, str]] = Counter()
    rnd = day.run()
    first, second = rnd.matches.order_by("table")
    day.enter(first, (2, 0))
    for _ in range(TRIES):
        Match.objects.filter(pk=second.pk).update(state="open")
        Result.objects.filter(match=second, is_current=True).update(is_current=False)
        Round.objects.filter(pk=rnd.pk).update(state="running")
        report, close = run_threads(
            lambda: enter_result(match_id=second.pk, wins=(2, 1), actor=COMMAND),
            lambda: close_round(round_id=rnd.pk, actor=COMMAND),
        )
        assert outcome(report) == "done"
        closed = outcome(close)
        seen[outcome(report), closed] += 1
        assert closed in ("done", "results-missing")
        assert Round.objects.get(pk=rnd.pk).state == ("closed" if closed == "done" else "running")
        assert Result.objects.filter(match=second, is_current=True).count() == 1
    consistent(day)
    assert sum(seen.values()) == TRIES


def test_a_drop_against_the_pairing_leaves_the_team_out_of_the_round(run_threads: Run) -> None:
    day = new_day(6, rounds=4)
    team = day.teams[2]
    for _ in range(SLOW_TRIES):
        dropped, paired = run_threads(
            lambda: drop_team(team_id=team.pk, actor=COMMAND),
            lambda: pair_round(tournament_id=day.tournament.pk, actor=COMMAND),
        )
        assert (outcome(dropped), outcome(paired)) == ("done", "done")
        live = Round.objects.exclude(state="scrapped").get()
        in_round = set(Team.objects.filter(sides__round=live, sides__is_live=True))
        assert in_round == set(day.teams) - {team}
        scrap_round(round_id=live.pk, actor=COMMAND)
        reinstate_team(team_id=team.pk, actor=COMMAND)
    consistent(day)


def test_both_sides_reporting_at_once_confirm_once(run_threads: Run) -> None:
    day = new_day(4, rounds=2)
    match = day.run().matches.get(table=1)
    first, second = day.sides(match)
    wins = {first.pk: 2, second.pk: 0}
    for _ in range(50):
        Match.objects.filter(pk=match.pk).update(state="open")
        Result.objects.filter(match=match).update(is_current=False)
        match.reports.update(is_current=False)
        results = run_threads(
            lambda: report_result(match_id=match.pk, team_id=first.pk, wins=wins, actor=COMMAND),
            lambda: report_result(match_id=match.pk, team_id=second.pk, wins=wins, actor=COMMAND),
        )
        assert [outcome(result) for result in results] == ["done", "done"]
        assert Match.objects.get(pk=match.pk).state == "confirmed"
        assert Result.objects.filter(match=match, is_current=True).count() == 1
    consistent(day)


def test_case_105_the_last_result_sent_by_player_and_staff_counts_once(run_threads: Run) -> None:
    day = new_day(2, rounds=2)
    match = day.run().matches.get()
    first, second = day.sides(match)
    report_result(match_id=match.pk, team_id=first.pk, wins={first.pk: 2, second.pk: 1}, actor=COMMAND)
    results = run_threads(
        lambda: confirm_result(match_id=match.pk, team_id=second.pk, actor=COMMAND),
        lambda: enter_result(match_id=match.pk, wins=(2, 1), actor=COMMAND),
    )
    assert {outcome(result) for result in results} <= {"done", "already-confirmed"}
    assert Result.objects.filter(match=match, is_current=True).count() == 1
    close_round(round_id=match.round_id, actor=COMMAND)
    assert day.points()[first] == 3


def test_two_schedulers_publish_a_round_once(run_threads: Run) -> None:
    day = new_day(4, rounds=2)
    for _ in range(20):
        rnd = day.pair()
        step = schedule_publish(round_id=rnd.pk, at=rnd.paired_at, actor=COMMAND)
        done = run_threads(lambda pk=step.pk: do_step(pk), lambda pk=step.pk: do_step(pk))
        assert sorted(done) == [False, True]
        assert Deed.objects.filter(kind="RoundPublished", subject=f"round:{rnd.pk}").count() == 1
        scrap_round(round_id=rnd.pk, actor=COMMAND)
    consistent(day)


def test_results_at_different_tables_never_wait_for_each_other(run_threads: Run) -> None:
    day = new_day(16, rounds=2)
    matches = list(day.run().matches.order_by("table"))
    deeds = [lambda m=match: enter_result(match_id=m.pk, wins=(2, 0), actor=COMMAND) for match in matches]
    assert [outcome(result) for result in run_threads(*deeds)] == ["done"] * 8
    consistent(day)


def test_publishing_against_a_drop_never_publishes_the_dropped_team(run_threads: Run) -> None:
    day = new_day(6, rounds=3)
    team = day.teams[0]
    for _ in range(SLOW_TRIES):
        rnd = day.pair()
        published, dropped = run_threads(
            lambda pk=rnd.pk: publish_round(round_id=pk, actor=COMMAND),
            lambda: drop_team(team_id=team.pk, actor=COMMAND),
        )
        assert outcome(dropped) == "done"
        assert outcome(published) in ("done", "wrong-state")
        live = Round.objects.exclude(state="scrapped").get()
        own = Match.objects.filter(round=live, sides__team=team).first()
        if live.state == "paired":
            assert own is None
        else:
            assert own is not None
            assert own.state == "confirmed"
        _clear(live, own)
        reinstate_team(team_id=team.pk, actor=COMMAND)
    consistent(day)


def test_publishing_while_a_repair_is_applied_puts_every_team_at_one_table(run_threads: Run) -> None:
    """One desk publishes, two others apply the repair they both were shown."""
    day = new_day(8, rounds=4)
    first = day.play()
    match = first.matches.order_by("table")[0]
    seen: Counter[tuple[str, ...]] = Counter()
    for attempt in range(REPAIRS):
        rnd = day.pair(seed=attempt)
        one, other = (day.sides(table)[0] for table in rnd.matches.order_by("table")[:2])
        published, swapped = run_threads(
            partial(publish_round, round_id=rnd.pk, actor=COMMAND),
            partial(swap_in_round, round_id=rnd.pk, team_id=one.pk, other_id=other.pk, actor=COMMAND),
        )
        assert (outcome(published), outcome(swapped)) == ("done", "done")
        assert _seated(rnd) == Counter(team.pk for team in day.teams)
        turned = (0, 2) if attempt % 2 == 0 else (2, 0)
        correct_result(match_id=match.pk, wins=turned, reason="misread", actor=COMMAND)
        repair = partial(repair_round, round_id=rnd.pk, version=version_of(day.tournament.pk), actor=COMMAND)
        start = partial(start_round, round_id=rnd.pk, actor=COMMAND)
        results = tuple(outcome(result) for result in run_threads(repair, repair, start))
        seen[results] += 1
        assert results[2] == "done"
        assert sorted(results[:2])[0] in ("done", "plan-outdated")
        assert results[:2].count("done") <= 1
        assert _seated(rnd) == Counter(team.pk for team in day.teams)
        scrap_round(round_id=rnd.pk, actor=COMMAND)
    assert sum(seen.values()) == REPAIRS
    assert Deed.objects.filter(kind="RoundPublished").count() == REPAIRS + 1
    consistent(day)


def _seated(rnd: Round) -> Counter[int]:
    """How often each team sits at a live table of the round."""
    return Counter(Side.objects.filter(round=rnd, is_live=True).values_list("team_id", flat=True))


def _clear(live: Round, own: Match | None) -> None:
    if own is not None:
        Result.objects.filter(match=own).update(is_current=False)
        Match.objects.filter(pk=own.pk).update(state="paired")
    scrap_round(round_id=live.pk, actor=COMMAND)


def test_starting_twice_at_once_starts_once(run_threads: Run) -> None:
    day = new_day(4)
    rnd = day.publish()
    results = run_threads(
        lambda: start_round(round_id=rnd.pk, actor=COMMAND),
        lambda: start_round(round_id=rnd.pk, actor=COMMAND),
    )
    assert sorted(outcome(result) for result in results) == ["done", "wrong-state"]
