"""A tournament in which everybody meets everybody."""

from itertools import combinations

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind
from teams.models import Team
from tests.day import Day, add_team, new_day
from tournaments.cutting import finish_tournament
from tournaments.given import pair_given
from tournaments.models import Round, Stage
from tournaments.robin import removed_teams
from tournaments.rounds import (
    close_round,
    current_round,
    publish_round,
    reopen_round,
    scrap_round,
    start_round,
)
from tournaments.setting_up import change_tournament, start_tournament
from tournaments.verifying import verify
from tournaments.withdrawals import disqualify_player, drop_team, reinstate_team

pytestmark = pytest.mark.django_db


def robin_day(teams: int, **announced: object) -> Day:
    return new_day(teams, format="round-robin", **announced)  # type: ignore[arg-type]


def play_next(day: Day) -> Round:
    """The waiting draft is published and played; the better registered team of each table wins."""
    rnd = current_round(day.stage)
    assert rnd is not None
    start_round(round_id=publish_round(round_id=rnd.pk, actor=COMMAND).pk, actor=COMMAND)
    rnd.refresh_from_db()
    day.win_all(rnd)
    return close_round(round_id=rnd.pk, actor=COMMAND)


def live_matches(stage: Stage) -> list[Match]:
    return list(
        Match.objects.filter(round__stage=stage).exclude(state="void").order_by("round__number", "id")
    )


@pytest.mark.parametrize("teams", [2, 3, 4, 5, 6, 7, 8])
def test_all_rounds_are_drafts_at_once_and_everybody_meets_everybody_once(teams: int) -> None:
    day = robin_day(teams)
    first = day.pair()
    assert (first.number, day.stage.method) == (1, Stage.Method.ROUND_ROBIN)
    rounds = list(day.stage.rounds.order_by("number"))
    assert [rnd.state for rnd in rounds] == ["paired"] * (teams - 1 + teams % 2)
    tables = [day.sides(match) for match in live_matches(day.stage) if match.kind == "table"]
    met = {frozenset(team.pk for team in table) for table in tables}
    assert met == {frozenset(pair) for pair in combinations((team.pk for team in day.teams), 2)}
    assert len(tables) == len(met)
    rests = [day.sides(match)[0] for match in live_matches(day.stage) if match.kind == "bye"]
    assert sorted(team.pk for team in rests) == sorted(team.pk for team in day.teams if teams % 2)
    assert Deed.objects.filter(kind="RoundPaired").count() == 1


def test_the_rounds_are_published_one_by_one_and_the_tournament_is_played_to_its_end() -> None:
    day = robin_day(4)
    day.pair()
    second = day.stage.rounds.get(number=2)
    with pytest.raises(RuleBroken) as error:
        publish_round(round_id=second.pk, actor=COMMAND)
    assert error.value.code == "round-still-open"
    for number in (1, 2, 3):
        assert play_next(day).number == number
    assert [points for _, points in sorted((day.place(t), p) for t, p in day.points().items())] == [
        9,
        6,
        3,
        0,
    ]
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)


def test_every_round_is_the_same_when_it_is_paired_again() -> None:
    day = robin_day(5)
    day.pair(3)
    for rnd in day.stage.rounds.all():
        assert verify(rnd).is_good
        rnd.output["pairs"].reverse()
        assert not verify(rnd).is_good


def test_a_cut_follows_a_round_robin() -> None:
    day = robin_day(5, cut=4)
    day.pair()
    for _ in range(5):
        play_next(day)
    bracket = day.cut(4)
    assert bracket.entries.count() == 4
    assert bracket.planned_rounds == 2


def test_who_leaves_before_half_of_his_matches_has_his_results_removed() -> None:
    day = robin_day(5)
    day.pair()
    play_next(day)
    before = day.points()
    gone = next(
        team for team in day.teams if len(day.sides(day.match_of(team, day.stage.rounds.get(number=1)))) > 1
    )
    other = day.opponent_of(gone, day.stage.rounds.get(number=1))
    drop_team(team_id=gone.pk, actor=COMMAND)
    assert removed_teams(day.swiss) == {gone.pk}
    after = day.points()
    assert (after[gone], after[other]) == (0, 0)
    assert {t: p for t, p in after.items() if t not in (gone, other)} == {
        t: p for t, p in before.items() if t not in (gone, other)
    }
    reinstate_team(team_id=gone.pk, actor=COMMAND)
    assert day.points() == before


def test_who_leaves_after_half_of_his_matches_loses_the_rest() -> None:
    day = robin_day(4)
    day.pair()
    play_next(day)
    play_next(day)
    gone = day.teams[0]
    before = day.points()[gone]
    drop_team(team_id=gone.pk, actor=COMMAND)
    assert removed_teams(day.swiss) == frozenset()
    third = play_next(day)
    match = day.match_of(gone, third)
    assert day.kind(match) is ResultKind.NO_SHOW
    assert day.lines(match)[gone][0] == "loss"
    assert day.points()[gone] == before


def test_a_tournament_may_keep_the_results_of_whoever_left_early() -> None:
    day = robin_day(4, keeps_results=True)
    day.pair()
    play_next(day)
    gone = day.teams[0]
    drop_team(team_id=gone.pk, actor=COMMAND)
    assert day.points()[gone] == 3
    second = play_next(day)
    assert day.lines(day.match_of(gone, second))[gone][0] == "loss"


def test_a_rest_of_a_team_that_left_is_no_bye() -> None:
    day = robin_day(3, keeps_results=True)
    day.pair()
    play_next(day)
    last = day.stage.rounds.get(number=3)
    rests = day.sides(last.matches.get(kind="bye"))[0]
    drop_team(team_id=rests.pk, actor=COMMAND)
    before = day.points()[rests]
    play_next(day)
    play_next(day)
    assert day.lines(day.match_of(rests, last))[rests][0] == "loss"
    assert day.points()[rests] == before


def test_two_that_both_left_have_both_lost() -> None:
    day = robin_day(4)
    day.pair()
    play_next(day)
    third = day.stage.rounds.get(number=3)
    match = third.matches.get(table=1)
    for team in day.sides(match):
        drop_team(team_id=team.pk, actor=COMMAND)
    play_next(day)
    play_next(day)
    assert day.kind(match) is ResultKind.BOTH_ABSENT


def test_a_disqualified_team_is_out_of_the_ranking_and_its_results_go_by_the_same_rule() -> None:
    day = robin_day(4)
    day.pair()
    play_next(day)
    gone, player = day.teams[0], day.players[0][0]
    disqualify_player(tournament_id=day.tournament.pk, player_id=player.pk, reason="cheating", actor=COMMAND)
    assert gone not in day.ranking()
    assert set(day.points().values()) == {0, 3}


def test_who_comes_or_leaves_before_the_first_round_is_published_changes_the_whole_schedule() -> None:
    day = robin_day(4)
    day.pair()
    add_team(day)
    assert day.stage.planned_rounds == 5
    assert day.stage.rounds.exclude(state="scrapped").count() == 5
    drop_team(team_id=day.teams[0].pk, actor=COMMAND)
    assert day.stage.planned_rounds == 3
    assert all(day.teams[0] not in day.sides(match) for match in live_matches(day.stage))


def test_nobody_enters_a_round_robin_under_way() -> None:
    day = robin_day(4)
    day.pair()
    play_next(day)
    with pytest.raises(RuleBroken) as error:
        add_team(day)
    assert error.value.code == "too-late"
    assert Team.objects.count() == 4


def test_scrapped_drafts_come_back_as_they_were() -> None:
    day = robin_day(6)
    day.pair()
    play_next(day)
    before = [
        [day.sides(m) for m in r.matches.order_by("table")] for r in day.stage.rounds.order_by("number")
    ]
    second = current_round(day.stage)
    assert second is not None
    scrap_round(round_id=second.pk, actor=COMMAND)
    assert day.stage.rounds.exclude(state="scrapped").count() == 1
    assert day.pair(99).number == 2
    rounds = day.stage.rounds.exclude(state="scrapped").order_by("number")
    assert [[day.sides(m) for m in r.matches.order_by("table")] for r in rounds] == before


def test_the_round_before_a_draft_can_be_reopened() -> None:
    day = robin_day(4)
    day.pair()
    first = play_next(day)
    reopen_round(round_id=first.pk, actor=COMMAND)
    assert day.now_round == first
    close_round(round_id=first.pk, actor=COMMAND)
    play_next(day)
    with pytest.raises(RuleBroken) as error:
        reopen_round(round_id=first.pk, actor=COMMAND)
    assert error.value.code == "later-round"


def test_a_round_robin_is_not_paired_twice_nor_by_hand() -> None:
    day = robin_day(4)
    tables = [(day.teams[0].pk, day.teams[1].pk), (day.teams[2].pk, day.teams[3].pk)]
    with pytest.raises(RuleBroken) as by_hand:
        pair_given(tournament_id=day.tournament.pk, tables=tables, actor=COMMAND)
    assert by_hand.value.code == "round-robin"
    day.pair()
    with pytest.raises(RuleBroken) as twice:
        day.pair()
    assert twice.value.code == "round-still-open"


def test_what_cannot_be_a_round_robin_is_refused() -> None:
    pods = new_day(0, mode="magic-ffa", best_of=1, started=False)
    with pytest.raises(RuleBroken) as error:
        change_tournament(tournament_id=pods.tournament.pk, format="round-robin", actor=COMMAND)
    assert error.value.code == "wrong-format"
    running = robin_day(3)
    with pytest.raises(RuleBroken) as frozen:
        change_tournament(tournament_id=running.tournament.pk, format="swiss", actor=COMMAND)
    assert frozen.value.code == "frozen-at-start"
    waiting = new_day(2, started=False)
    with pytest.raises(RuleBroken) as seeded:
        start_tournament(tournament_id=waiting.tournament.pk, seeds=[1, 2], actor=COMMAND)
    assert seeded.value.code == "no-seeds"
