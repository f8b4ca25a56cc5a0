"""Standings as everybody reads them: one computation, stored per closed round."""

import random

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from matches.models import Match, Result
from rulebook.errors import RuleBroken
from tests.day import new_day
from tournaments.corrections import correct_result
from tournaments.history import standing_rows
from tournaments.models import Snapshot
from tournaments.rounds import close_round
from tournaments.rows import pasts_of, results_of
from tournaments.standings import latest_snapshot, standings_of

pytestmark = pytest.mark.django_db


def test_case_018_who_sat_out_has_the_points_of_a_win() -> None:
    day = new_day(3, rounds=3)
    rnd = day.play()
    lone = day.sides(rnd.matches.get(kind="bye"))[0]
    row = next(row for row in standings_of(day.swiss) if row.entrant == lone.pk)
    assert (row.points, row.wins, row.losses, row.draws, row.byes) == (3, 1, 0, 0, 1)


def test_case_051_a_best_of_one_win_is_stored_one_to_nothing_and_counts_whole() -> None:
    day = new_day(2, rounds=1, best_of=1, policy="magic")
    rnd = day.play(wins=(1, 0))
    winner, loser = day.teams
    assert day.lines(rnd.matches.get()) == {winner: ("win", 1, 0), loser: ("loss", 0, 0)}
    figures = {row.entrant: dict(row.figures) for row in standings_of(day.swiss)}
    assert figures[winner.pk]["gw"] == 1
    assert float(figures[loser.pk]["gw"]) == 0.33


def test_case_056_every_door_reads_the_table_the_pairing_used() -> None:
    day = new_day(8, rounds=3)
    rng = random.Random(56)
    for seed in range(3):
        rnd = day.run(seed)
        for match in rnd.matches.all():
            day.enter(match, rng.choice([(2, 0), (2, 1), (1, 2), (0, 2)]))
        close_round(round_id=rnd.pk, actor=COMMAND)
    computed = [(row.entrant, row.rank, str(row.points)) for row in standings_of(day.swiss)]
    stored = [(row.team_id, row.rank, row.points) for row in standing_rows(day.fresh)]
    assert stored == computed


def test_case_058_while_a_round_runs_the_table_is_the_one_before_it() -> None:
    day = new_day(6, rounds=4)
    day.play(1)
    before = standings_of(day.swiss)
    rnd = day.run(2)
    day.enter(rnd.matches.get(table=1), (2, 0))
    assert standings_of(day.swiss) == before
    assert [row.team_id for row in standing_rows(day.fresh)] == [row.entrant for row in before]


def test_case_059_equals_stand_in_the_order_of_a_stored_lot_every_time() -> None:
    day = new_day(8, rounds=1)
    rnd = day.run()
    for match in rnd.matches.all():
        day.enter(match, (1, 1), 1)
    close_round(round_id=rnd.pk, actor=COMMAND)
    order = day.ranking()
    assert all(day.ranking() == order for _ in range(20))
    assert order == sorted(day.teams, key=lambda team: team.lot)
    assert {row.rank for row in standings_of(day.swiss)} == {1}


def test_the_lots_follow_from_the_stored_seed() -> None:
    first, second = new_day(4), new_day(4)
    assert [team.lot for team in first.teams] == [team.lot for team in second.teams]


def test_case_060_a_bye_in_a_best_of_three_is_two_games_to_none() -> None:
    day = new_day(3, rounds=1, policy="magic")
    rnd = day.play()
    lone = day.sides(rnd.matches.get(kind="bye"))[0]
    assert day.lines(rnd.matches.get(kind="bye")) == {lone: ("win", 2, 0)}
    assert dict(next(row for row in standings_of(day.swiss) if row.entrant == lone.pk).figures)["gw"] == 1


def test_case_061_a_correction_makes_every_later_table_new_and_leaves_the_pairings() -> None:
    day = new_day(8, rounds=5)
    for seed in range(4):
        day.play(seed)
    day.run(9)
    second = day.swiss.rounds.get(number=2)
    match = second.matches.order_by("table").first()
    assert match is not None
    pairs = {rnd.number: rnd.output for rnd in day.swiss.rounds.all()}
    digests = {n: latest_snapshot(day.swiss, n).digest for n in range(1, 5)}  # type: ignore[union-attr]
    first_won = day.lines(match)[day.sides(match)[0]][0] == "win"
    correct_result(
        match_id=match.pk, wins=(1, 2) if first_won else (2, 1), reason="slip read wrongly", actor=COMMAND
    )
    now = {n: latest_snapshot(day.swiss, n) for n in range(1, 5)}
    assert now[1].digest == digests[1]  # type: ignore[union-attr]
    assert all(now[n].version == 2 and now[n].digest != digests[n] for n in (2, 3, 4))  # type: ignore[union-attr]
    assert {rnd.number: rnd.output for rnd in day.swiss.rounds.all()} == pairs
    deed = Deed.objects.latest("number")
    assert (deed.kind, deed.reason) == ("MatchCorrected", "slip read wrongly")
    assert Result.objects.filter(match=match).count() == 2


def test_case_101_a_bye_cannot_be_given_another_result() -> None:
    day = new_day(3)
    bye = day.play().matches.get(kind="bye")
    with pytest.raises(RuleBroken) as error:
        correct_result(match_id=bye.pk, kind="unplayed", reason="none", actor=COMMAND)  # type: ignore[arg-type]
    assert error.value.code == "bye-has-no-report"


def test_closing_a_round_again_without_a_change_keeps_its_snapshot() -> None:
    day = new_day(4)
    rnd = day.play()
    from tournaments.rounds import reopen_round

    reopen_round(round_id=rnd.pk, actor=COMMAND)
    close_round(round_id=rnd.pk, actor=COMMAND)
    assert Snapshot.objects.count() == 1


def test_a_correction_needs_a_reason_and_a_confirmed_result() -> None:
    day = new_day(4)
    rnd = day.run()
    match = rnd.matches.get(table=1)
    for reason, code in (("", "reason-missing"), ("typo", "not-confirmed")):
        with pytest.raises(RuleBroken) as error:
            correct_result(match_id=match.pk, wins=(2, 0), reason=reason, actor=COMMAND)
        assert error.value.code == code


def test_the_policy_frozen_at_the_start_decides() -> None:
    day = new_day(4, policy="melee")
    day.play()
    assert day.fresh.rules["policy"]["key"] == "melee"  # type: ignore[index]
    assert latest_snapshot(day.swiss, 1).policy == "melee"  # type: ignore[union-attr]


@pytest.mark.parametrize("teams", [8, 64])
def test_reading_the_standings_takes_the_same_queries_however_many_teams(
    teams: int, django_assert_num_queries: object
) -> None:
    day = new_day(teams, rounds=1, mode="magic-1v1", best_of=1)
    day.play(wins=(1, 0))
    stage = day.swiss
    with django_assert_num_queries(3):  # type: ignore[operator]  # rounds, results, teams
        standings_of(stage)


def test_who_met_whom_is_the_same_from_the_results_and_from_the_sides() -> None:
    day = new_day(7, rounds=3, mode="magic-1v1", best_of=1)
    day.play(wins=(1, 0))
    day.play(wins=(1, 0))
    known = results_of(day.swiss)
    assert pasts_of(day.swiss, known=known) == pasts_of(day.swiss)
    day.swiss.rounds.filter(number=2).update(state="running")
    fewer = results_of(day.swiss)
    assert 0 < len(fewer.rows) < len(known.rows)
    assert pasts_of(day.swiss, known=fewer) == pasts_of(day.swiss)
    Match.objects.filter(round__number=1, table=1).update(state="void")
    assert pasts_of(day.swiss, known=results_of(day.swiss)) == pasts_of(day.swiss)
