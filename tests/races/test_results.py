"""Results against each other, against the close and against an undo, on PostgreSQL with real threads."""

from collections import Counter
from functools import partial

import pytest

from integrations.once import Answered, Request, answer_once
from journal.actors import COMMAND
from journal.models import Deed
from matches.models import Match, Result
from matches.results import confirm_result, enter_result, report_result
from teams.models import Team
from tests.day import new_day
from tests.races.test_rounds import Run, consistent, outcome
from tournaments.models import Round
from tournaments.rounds import close_round, reopen_round, start_round
from tournaments.undoing import undo

pytestmark = pytest.mark.django_db(transaction=True)

TRIES = 8


def open_again(match: Match) -> None:
    """The table plays as if nobody had said anything."""
    Match.objects.filter(pk=match.pk).update(state="open")
    Result.objects.filter(match=match).update(is_current=False)
    match.reports.update(is_current=False)


def report(match: Match, by: Team, wins: dict[int, int]) -> partial[Match]:
    return partial(report_result, match_id=match.pk, team_id=by.pk, wins=wins, actor=COMMAND)


def test_case_106_both_sides_of_a_semifinal_and_the_close_at_once_let_exactly_one_advance(
    run_threads: Run,
) -> None:
    day = new_day(4, rounds=1)
    day.play()
    bracket = day.cut(4)
    rnd = day.run(2)
    match, other = rnd.matches.order_by("table")
    day.enter(other, (2, 0))
    first, second = day.sides(match)
    wins = {first.pk: 2, second.pk: 1}
    for _ in range(TRIES):
        open_again(match)
        *reports, closed = run_threads(
            report(match, first, wins),
            report(match, second, wins),
            partial(close_round, round_id=rnd.pk, actor=COMMAND),
        )
        assert [outcome(one) for one in reports] == ["done", "done"]
        if outcome(closed) != "done":
            assert outcome(closed) == "results-missing"
            close_round(round_id=rnd.pk, actor=COMMAND)
        final = [team for team in bracket.slots.filter(round_number=2).values_list("team", flat=True) if team]
        assert len(final) == 2
        assert len({first.pk, second.pk} & set(final)) == 1
        assert Result.objects.filter(match=match, is_current=True).count() == 1
        reopen_round(round_id=rnd.pk, actor=COMMAND)
    consistent(day)


def test_case_109_a_result_sent_again_at_the_same_moment_is_one_result_and_another_is_refused(
    run_threads: Run,
) -> None:
    day = new_day(2)
    match = day.run().matches.get()
    first, second = day.sides(match)

    def post(*, key: str, wins: tuple[int, int]) -> Answered:
        def deed() -> Answered:
            enter_result(match_id=match.pk, wins=wins, actor=COMMAND)
            return Answered(201, {"wins": list(wins)})

        return answer_once(Request("key:till", key, "post", f"/matches/{match.pk}/result/", list(wins)), deed)

    send = partial(post, key="retry-1", wins=(2, 1))
    answers = run_threads(send, send, send)
    assert [outcome(answer) for answer in answers] == ["done"] * 3
    assert sorted(answer.replayed for answer in answers) == [False, True, True]
    assert Result.objects.filter(match=match).count() == 1
    assert Deed.objects.filter(kind="MatchConfirmed", subject=f"match:{match.pk}").count() == 1
    turned = {first.pk: 0, second.pk: 2}
    late = run_threads(
        report(match, second, turned),
        partial(enter_result, match_id=match.pk, wins=(0, 2), actor=COMMAND),
        partial(post, key="another", wins=(0, 2)),
        partial(post, key="retry-1", wins=(0, 2)),
    )
    assert [outcome(one) for one in late] == [*["already-confirmed"] * 3, "idempotency-key-reused"]
    assert day.lines(match)[first] == ("win", 2, 0)
    consistent(day)


def test_an_undone_confirmation_against_a_new_report_keeps_one_story(run_threads: Run) -> None:
    day = new_day(2)
    match = day.run().matches.get()
    first, second = day.sides(match)
    seen: Counter[str] = Counter()
    for _ in range(TRIES):
        open_again(match)
        report(match, first, {first.pk: 2, second.pk: 0})()
        confirm_result(match_id=match.pk, team_id=second.pk, actor=COMMAND)
        confirmed = Deed.objects.filter(kind="MatchConfirmed").latest("number")
        undone, reported = run_threads(
            partial(undo, deed_id=confirmed.pk, actor=COMMAND),
            report(match, second, {first.pk: 1, second.pk: 2}),
        )
        assert outcome(undone) == "done"
        seen[outcome(reported)] += 1
        state = Match.objects.get(pk=match.pk).state
        assert state == {"done": "disputed", "already-confirmed": "reported"}[outcome(reported)]
        assert not Result.objects.filter(match=match, is_current=True).exists()
    assert sum(seen.values()) == TRIES
    consistent(day)


def test_an_undone_start_against_a_report_never_leaves_a_report_in_a_round_that_waits(
    run_threads: Run,
) -> None:
    day = new_day(4)
    rnd = day.run()
    match = rnd.matches.get(table=1)
    first, second = day.sides(match)
    for _ in range(TRIES):
        started = Deed.objects.filter(kind="RoundStarted").latest("number")
        undone, reported = run_threads(
            partial(undo, deed_id=started.pk, actor=COMMAND),
            report(match, first, {first.pk: 2, second.pk: 0}),
        )
        told = (outcome(undone), outcome(reported))
        assert told in (
            ("done", "round-not-started"),
            ("undo-blocked", "done"),
            ("round-has-results", "done"),
        )
        match.refresh_from_db()
        waits = told[0] == "done"
        assert (Round.objects.get(pk=rnd.pk).state, match.state) == (
            ("published", "paired") if waits else ("running", "reported")
        )
        if waits:
            start_round(round_id=rnd.pk, actor=COMMAND)
        else:
            open_again(match)
    consistent(day)
