"""One round from its pairing to its close, and what is refused on the way."""

import pytest
from django.db import connection

from journal.actors import COMMAND
from journal.models import Deed
from matches.models import Line, Match, Side
from matches.results import confirm_result, enter_result, report_result
from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind
from tests.day import new_day
from tournaments.corrections import correct_result
from tournaments.models import Round, Step
from tournaments.pairing import pair_round
from tournaments.registration import change_team
from tournaments.rounds import (
    call_time,
    close_round,
    publish_round,
    reopen_round,
    scrap_round,
    start_round,
)
from tournaments.setting_up import reopen_registration, start_tournament
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def refused(code: str, deed: object, **given: object) -> RuleBroken:
    """The deed is refused with the code and a sentence, and nothing is written."""
    before = (Deed.objects.count(), Round.objects.count(), Match.objects.count(), Line.objects.count())
    with pytest.raises(RuleBroken) as error:
        deed(actor=COMMAND, **given)  # type: ignore[operator]
    assert error.value.code == code
    assert error.value.sentence.endswith((".", "?")), error.value.sentence
    after = (Deed.objects.count(), Round.objects.count(), Match.objects.count(), Line.objects.count())
    assert after == before
    return error.value


def test_a_round_goes_from_draft_to_closed_and_every_step_is_in_the_journal() -> None:
    day = new_day(5)
    day.play()
    kinds = list(Deed.objects.order_by("number").values_list("kind", flat=True))
    assert kinds[-6:] == [
        "RoundPaired",
        "RoundPublished",
        "RoundStarted",
        "MatchConfirmed",
        "MatchConfirmed",
        "RoundClosed",
    ]
    numbers = list(Deed.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_bye_is_a_match_of_one_side_scored_at_publishing() -> None:
    day = new_day(5)
    rnd = day.publish()
    bye = rnd.matches.get(kind="bye")
    assert bye.table is None
    assert bye.state == "confirmed"
    (line,) = bye.results.get().lines.all()
    assert (line.outcome, line.wins, line.draws) == ("win", 2, 0)


def test_the_line_up_is_copied_at_publishing_with_a_and_b_side_by_side() -> None:
    day = new_day(4)
    match = day.publish().matches.get(table=1)
    chairs = [(chair.position, chair.label, chair.side.index) for chair in match.chairs.order_by("position")]
    assert chairs == [(1, "A", 0), (2, "B", 0), (3, "A", 1), (4, "B", 1)]


def test_case_008_a_missing_result_is_named_and_no_round_is_paired() -> None:
    day = new_day(16, rounds=6)
    rnd = day.run()
    for match in rnd.matches.exclude(table=5):
        day.enter(match, (2, 0))
    error = refused("results-missing", pair_round, tournament_id=day.tournament.pk)
    assert error.facts["tables"] == [5]
    assert "table 5" in error.sentence
    refused("results-missing", close_round, round_id=rnd.pk)


def test_a_round_is_not_paired_while_the_last_one_is_open() -> None:
    day = new_day(4)
    rnd = day.pair()
    refused("round-still-open", pair_round, tournament_id=day.tournament.pk)
    publish_round(round_id=rnd.pk, actor=COMMAND)
    refused("round-still-open", pair_round, tournament_id=day.tournament.pk)


def test_no_more_rounds_than_planned_are_paired() -> None:
    day = new_day(4, rounds=1)
    day.play()
    refused("all-rounds-played", pair_round, tournament_id=day.tournament.pk)


def test_case_013_when_everybody_has_left_no_round_is_made() -> None:
    day = new_day(2)
    for team in day.teams:
        drop_team(team_id=team.pk, actor=COMMAND)
    refused("not-enough-entrants", pair_round, tournament_id=day.tournament.pk)


def test_a_failure_in_the_middle_of_pairing_leaves_no_round_behind() -> None:
    day = new_day(6)
    with connection.cursor() as cursor:
        # The journal comes last: without its head the deed fails when round and matches are saved.
        cursor.execute("DELETE FROM journal_head WHERE tournament_id = %s", [day.tournament.pk])
    with pytest.raises(RuntimeError, match="has no journal"):
        day.pair()
    assert not Round.objects.exists()
    assert not Match.objects.exists()
    assert not Side.objects.exists()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"wins": (3, 0)}, "too-many-wins"),
        ({"wins": (2, 2)}, "two-winners"),
        ({"wins": (2, 2), "draws": 1}, "two-winners"),
        ({"wins": (-1, 2)}, "negative-count"),
        ({"wins": (2, 0, 0)}, "wrong-number-of-sides"),
        ({"kind": ResultKind.CONCESSION}, "loser-missing"),
        ({"kind": ResultKind.NO_SHOW, "loser": 4}, "unknown-side"),
    ],
    ids=str,
)
def test_impossible_results_are_refused(given: dict[str, object], code: str) -> None:
    day = new_day(4)
    match = day.run().matches.get(table=1)
    refused(code, enter_result, match_id=match.pk, **given)


@pytest.mark.parametrize("draws", [1, 3, 7])
def test_drawn_games_are_not_limited(draws: int) -> None:
    day = new_day(4)
    rnd = day.run()
    match = day.enter(rnd.matches.get(table=1), (1, 1), draws)
    assert {line[0] for line in day.lines(match).values()} == {"draw"}


def test_nothing_to_nothing_is_a_draw() -> None:
    day = new_day(4)
    match = day.enter(day.run().matches.get(table=1), (0, 0), 0)
    assert {line[0] for line in day.lines(match).values()} == {"draw"}


def test_a_report_for_a_bye_is_refused() -> None:
    day = new_day(5)
    rnd = day.run()
    bye = rnd.matches.get(kind="bye")
    refused("bye-has-no-report", enter_result, match_id=bye.pk, wins=(0,))
    team = day.sides(bye)[0]
    refused("bye-has-no-report", report_result, match_id=bye.pk, team_id=team.pk, wins={team.pk: 2})


def test_a_result_before_the_round_started_is_refused() -> None:
    day = new_day(4)
    match = day.publish().matches.get(table=1)
    refused("round-not-started", enter_result, match_id=match.pk, wins=(2, 0))


def test_time_is_called_once_and_only_while_the_round_runs() -> None:
    day = new_day(4)
    rnd = day.publish()
    refused("round-not-running", call_time, round_id=rnd.pk)
    start_round(round_id=rnd.pk, actor=COMMAND)
    assert call_time(round_id=rnd.pk, actor=COMMAND).time_called_at is not None
    refused("time-called", call_time, round_id=rnd.pk)


def test_starting_sets_the_end_and_a_step_for_the_clock() -> None:
    day = new_day(4, round_minutes=60)
    rnd = day.run()
    assert rnd.ends_at is not None
    assert rnd.started_at is not None
    assert (rnd.ends_at - rnd.started_at).total_seconds() == 3600
    step = Step.objects.get(round=rnd)
    assert (step.kind, step.due_at, step.state) == ("time", rnd.ends_at, "waiting")
    day.win_all(rnd)
    close_round(round_id=rnd.pk, actor=COMMAND)
    step.refresh_from_db()
    assert step.state == "cancelled"


def test_a_scrapped_round_counts_for_nothing_and_its_pairs_may_meet_again() -> None:
    day = new_day(2)
    rnd = day.publish()
    scrap_round(round_id=rnd.pk, actor=COMMAND)
    again = day.pair(2)
    assert again.number == 1
    assert again.output["report"]["rematches"] == 0


def test_a_round_with_results_cannot_be_scrapped() -> None:
    day = new_day(4)
    rnd = day.run()
    day.enter(rnd.matches.get(table=1), (2, 0))
    refused("round-has-results", scrap_round, round_id=rnd.pk)


def test_case_098_a_mistake_found_after_pairing_is_mended_by_scrapping_the_draft() -> None:
    day = new_day(8, rounds=5)
    first = day.play(1)
    draft = day.pair(2)
    scrap_round(round_id=draft.pk, actor=COMMAND)
    match = day.match_of(day.teams[0], first)
    other = day.opponent_of(day.teams[0], first)
    wins = (0, 2) if day.sides(match)[0] == day.teams[0] else (2, 0)
    correct_result(match_id=match.pk, wins=wins, reason="typed the wrong way round", actor=COMMAND)
    second = day.pair(2)
    assert day.points()[other] == 3
    assert second.output["report"]["rematches"] == 0


def test_case_099_the_only_round_is_scrapped_registration_reopened_and_started_again() -> None:
    day = new_day(4)
    rnd = day.pair()
    refused("rounds-exist", reopen_registration, tournament_id=day.tournament.pk)
    scrap_round(round_id=rnd.pk, actor=COMMAND)
    reopen_registration(tournament_id=day.tournament.pk, actor=COMMAND)
    start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    assert day.pair().number == 1


def test_a_closed_round_is_reopened_until_the_next_one_is_paired() -> None:
    day = new_day(4)
    rnd = day.play()
    reopen_round(round_id=rnd.pk, actor=COMMAND, reason="wrong result")
    assert Round.objects.get(pk=rnd.pk).state == "running"
    close_round(round_id=rnd.pk, actor=COMMAND)
    day.pair(2)
    refused("later-round", reopen_round, round_id=rnd.pk)


def test_two_taps_by_the_same_side_never_confirm_and_the_other_side_does() -> None:
    day = new_day(4)
    match = day.run().matches.get(table=1)
    first, second = day.sides(match)
    body = {"match_id": match.pk, "wins": {first.pk: 2, second.pk: 1}, "actor": COMMAND}
    report_result(team_id=first.pk, **body)  # type: ignore[arg-type]
    assert report_result(team_id=first.pk, **body).state == "reported"  # type: ignore[arg-type]
    refused("own-report", confirm_result, match_id=match.pk, team_id=first.pk)
    assert confirm_result(match_id=match.pk, team_id=second.pk, actor=COMMAND).state == "confirmed"
    assert day.lines(match) == {first: ("win", 2, 0), second: ("loss", 1, 0)}


def test_different_reports_are_a_dispute_and_equal_ones_a_result() -> None:
    day = new_day(4)
    rnd = day.run()
    for table, theirs, state in ((1, (2, 1), "disputed"), (2, (2, 0), "confirmed")):
        match = rnd.matches.get(table=table)
        first, second = day.sides(match)
        report_result(match_id=match.pk, team_id=first.pk, wins={first.pk: 2, second.pk: 0}, actor=COMMAND)
        wins = {first.pk: theirs[0], second.pk: theirs[1]}
        assert report_result(match_id=match.pk, team_id=second.pk, wins=wins, actor=COMMAND).state == state


def test_a_report_about_somebody_elses_table_is_refused() -> None:
    day = new_day(4)
    rnd = day.run()
    match = rnd.matches.get(table=1)
    stranger = day.sides(rnd.matches.get(table=2))[0]
    refused("not-your-match", report_result, match_id=match.pk, team_id=stranger.pk, wins={stranger.pk: 2})
    own = day.sides(match)[0]
    refused("not-your-match", report_result, match_id=match.pk, team_id=own.pk, wins={stranger.pk: 2})


def test_a_fixed_table_goes_to_its_owner_and_the_others_skip_it() -> None:
    day = new_day(8)
    change_team(team_id=day.teams[6].pk, fixed_table=2, actor=COMMAND)
    for seed in (1, 2):
        rnd = day.play(seed)
        assert day.match_of(day.teams[6], rnd).table == 2
        numbers = list(rnd.matches.values_list("table", flat=True))
        assert len(set(numbers)) == 4
        # The number the match would have had stays empty, so that nobody else moves.
        assert max(numbers) <= 5
