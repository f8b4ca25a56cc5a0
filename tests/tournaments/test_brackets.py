"""Double elimination, the match for the third place, and a bracket in the order of a draft's seats."""

from collections import Counter

import pytest
from django.db.models import F

from journal.actors import COMMAND
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind
from teams.models import Team
from tests.day import Day, new_day
from tournaments.corrections import correct_result
from tournaments.cutting import finish_tournament, make_cut
from tournaments.models import Round, Slot, Stage, StageEntry
from tournaments.pairing import pair_round
from tournaments.rounds import close_round, reopen_round, scrap_round
from tournaments.setting_up import change_tournament
from tournaments.standings import final_ranking, standings_of
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def cut_day(size: int, method: str, teams: int = 0) -> tuple[Day, Stage]:
    """One Swiss round and the cut."""
    day = new_day(teams or size, rounds=1, cut_method=method)
    day.play()
    return day, day.cut(size)


def seeds(day: Day, match: Match) -> list[int]:
    known = dict(StageEntry.objects.filter(stage__number=2).values_list("team_id", "seed"))
    return [known[team.pk] or 0 for team in day.sides(match)]


def pairs(day: Day, rnd: Round) -> list[list[int]]:
    live = rnd.matches.exclude(state="void").order_by(F("table").asc(nulls_last=True), "id")
    return [seeds(day, match) for match in live]


def play(day: Day, *upsets: int) -> Round:
    """A whole round in which the better seed wins, but at the tables named the worse one."""
    rnd = day.run()
    for match in rnd.matches.filter(kind="table", state="open"):
        one, other = seeds(day, match)
        first_wins = (one < other) != (match.table in upsets)
        day.enter(match, (2, 0) if first_wins else (0, 2))
    return close_round(round_id=rnd.pk, actor=COMMAND)


def places(stage: Stage) -> dict[int, int | None]:
    return dict(stage.entries.order_by("seed").values_list("seed", "place"))


def team_of(stage: Stage, seed: int) -> Team:
    return StageEntry.objects.get(stage=stage, seed=seed).team


def test_a_double_elimination_of_eight_is_played_by_waves_of_both_brackets() -> None:
    day, bracket = cut_day(8, "double")
    assert (bracket.method, bracket.planned_rounds) == (Stage.Method.DOUBLE, 6)
    waves = [pairs(day, play(day)) for _ in range(6)]
    assert waves == [
        [[1, 8], [4, 5], [2, 7], [3, 6]],
        [[1, 4], [2, 3], [5, 8], [6, 7]],
        [[1, 2], [3, 5], [4, 6]],
        [[3, 4]],
        [[2, 3]],
        [[1, 2]],
    ]
    assert places(bracket) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 7, 8: 7}
    with pytest.raises(RuleBroken) as error:
        day.pair()
    assert error.value.code == "all-rounds-played"
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    ranking = final_ranking(day.fresh, standings_of(day.swiss))
    assert [place.place for place in ranking] == [1, 2, 3, 4, 5, 5, 7, 7]


@pytest.mark.parametrize("challenger_wins_again", [True, False])
def test_the_grand_final_is_played_again_only_when_the_undefeated_side_lost_it(
    challenger_wins_again: bool,
) -> None:
    day, bracket = cut_day(4, "double")
    for _ in range(3):
        play(day)
    play(day, 1)
    bracket.refresh_from_db()
    assert bracket.planned_rounds == 5
    assert [places(bracket)[seed] for seed in (1, 2)] == [None, None]
    again = play(day, *([1] if challenger_wins_again else []))
    assert pairs(day, again) == [[1, 2]]
    champion = 2 if challenger_wins_again else 1
    assert places(bracket)[champion] == 1
    assert places(bracket)[3 - champion] == 2
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)


def test_the_undefeated_side_is_first_in_the_grand_final_whatever_its_seed() -> None:
    day, _ = cut_day(4, "double")
    play(day)
    play(day, 1)  # seed 2 beats seed 1 in the winners' final
    play(day)
    assert pairs(day, day.pair()) == [[2, 1]]


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_every_double_elimination_gives_everybody_a_place(size: int) -> None:
    day, bracket = cut_day(size, "double")
    for _ in range(bracket.planned_rounds):
        play(day)
    assert None not in places(bracket).values()
    assert places(bracket)[1] == 1
    matches = Match.objects.filter(round__stage=bracket, kind="table").count()
    assert matches == 2 * size - 2


def test_who_waits_in_the_losers_bracket_has_no_match_and_no_bye() -> None:
    day, _ = cut_day(8, "double")
    for _ in range(3):
        play(day)
    fourth = day.pair()
    assert pairs(day, fourth) == [[3, 4]]
    assert not fourth.matches.filter(kind="bye").exists()


def test_a_reset_that_a_correction_makes_needless_is_not_planned() -> None:
    day, bracket = cut_day(4, "double")
    for _ in range(3):
        play(day)
    final = play(day, 1)
    match = final.matches.get()
    correct_result(match_id=match.pk, wins=(2, 0), reason="slip misread", actor=COMMAND)
    bracket.refresh_from_db()
    assert (bracket.planned_rounds, places(bracket)[1], places(bracket)[2]) == (4, 1, 2)
    correct_result(match_id=match.pk, wins=(1, 2), reason="it was right", actor=COMMAND)
    day.pair()
    with pytest.raises(RuleBroken) as error:
        correct_result(match_id=match.pk, wins=(2, 0), reason="no", actor=COMMAND)
    assert error.value.code == "bracket-moved-on"
    bracket.refresh_from_db()
    assert bracket.planned_rounds == 5


def test_a_reopened_grand_final_takes_its_reset_back() -> None:
    day, bracket = cut_day(4, "double")
    for _ in range(3):
        play(day)
    final = play(day, 1)
    reopen_round(round_id=final.pk, actor=COMMAND)
    bracket.refresh_from_db()
    assert bracket.planned_rounds == 4
    assert not bracket.slots.filter(node="reset", is_settled=True).exists()


def test_a_result_can_be_corrected_until_the_next_wave_is_paired() -> None:
    day, bracket = cut_day(4, "double")
    first = play(day)
    match = first.matches.get(table=1)
    correct_result(match_id=match.pk, wins=(0, 2), reason="slip misread", actor=COMMAND)
    second = day.pair()
    assert pairs(day, second) == [[2, 4], [1, 3]]
    with pytest.raises(RuleBroken) as error:
        correct_result(match_id=match.pk, wins=(2, 0), reason="no", actor=COMMAND)
    assert error.value.code == "bracket-moved-on"
    scrap_round(round_id=second.pk, actor=COMMAND)
    correct_result(match_id=match.pk, wins=(2, 1), reason="no", actor=COMMAND)
    assert pairs(day, day.pair()) == [[1, 2], [3, 4]]
    assert set(places(bracket).values()) == {None}


def test_who_leaves_while_he_waits_lets_his_opponent_pass_and_keeps_a_place() -> None:
    day, bracket = cut_day(8, "double")
    play(day)
    drop_team(team_id=team_of(bracket, 8).pk, actor=COMMAND)
    drop_team(team_id=team_of(bracket, 1).pk, actor=COMMAND)
    second = play(day)
    assert pairs(day, second) == [[2, 3], [6, 7], [4], [5]]
    assert (places(bracket)[8], places(bracket)[1]) == (7, 5)
    for _ in range(4):
        play(day)
    assert places(bracket)[2] == 1
    assert None not in places(bracket).values()


def test_an_undefeated_finalist_who_leaves_needs_no_second_final() -> None:
    day, bracket = cut_day(4, "double")
    for _ in range(3):
        play(day)
    final = day.run()
    drop_team(team_id=team_of(bracket, 1).pk, actor=COMMAND)
    close_round(round_id=final.pk, actor=COMMAND)
    bracket.refresh_from_db()
    assert (bracket.planned_rounds, places(bracket)[2], places(bracket)[1]) == (4, 1, 2)


def test_two_who_both_lose_in_the_winners_bracket_are_out() -> None:
    day, bracket = cut_day(4, "double")
    rnd = day.run()
    day.enter(rnd.matches.get(table=1), kind=ResultKind.DOUBLE_LOSS)
    day.enter(rnd.matches.get(table=2), (2, 0))
    close_round(round_id=rnd.pk, actor=COMMAND)
    assert (places(bracket)[1], places(bracket)[4]) == (4, 4)
    assert pairs(day, day.pair()) == [[2], [3]]


def test_the_losers_of_the_semifinals_play_for_the_third_place() -> None:
    day, bracket = cut_day(4, "third-place")
    play(day)
    assert set(places(bracket).values()) == {None}
    last = day.run()
    assert pairs(day, last) == [[1, 2], [3, 4]]
    day.enter(last.matches.get(table=1), (2, 0))
    day.enter(last.matches.get(table=2), (1, 2))
    close_round(round_id=last.pk, actor=COMMAND)
    assert places(bracket) == {1: 1, 2: 2, 3: 4, 4: 3}


def test_two_who_both_lose_a_semifinal_leave_one_to_the_third_place() -> None:
    day, _ = cut_day(4, "third-place")
    rnd = day.run()
    day.enter(rnd.matches.get(table=1), kind=ResultKind.DOUBLE_LOSS)
    day.enter(rnd.matches.get(table=2), (2, 0))
    close_round(round_id=rnd.pk, actor=COMMAND)
    last = day.pair()
    assert pairs(day, last) == [[2], [3]]


def test_a_finalist_who_leaves_does_not_bring_a_loser_back_into_the_final() -> None:
    day, bracket = cut_day(4, "third-place")
    play(day)
    drop_team(team_id=team_of(bracket, 1).pk, actor=COMMAND)
    last = play(day)
    assert pairs(day, last) == [[3, 4], [2]]
    assert places(bracket) == {1: 2, 2: 1, 3: 3, 4: 4}


def test_a_cut_of_a_draft_meets_by_seats() -> None:
    day, _ = cut_day(8, "draft")
    assert pairs(day, day.pair()) == [[1, 5], [3, 7], [2, 6], [4, 8]]
    other = new_day(4, rounds=1, cut_method="draft")
    other.play()
    with pytest.raises(RuleBroken) as error:
        make_cut(tournament_id=other.tournament.pk, size=4, actor=COMMAND)
    assert error.value.code == "wrong-cut"


def test_how_the_cut_is_played_can_be_changed_until_it_is_made() -> None:
    day = new_day(4, rounds=1)
    change_tournament(tournament_id=day.tournament.pk, cut_method="double", actor=COMMAND)
    day.play()
    day.cut(4)
    with pytest.raises(RuleBroken) as error:
        change_tournament(tournament_id=day.tournament.pk, cut_method="single", actor=COMMAND)
    assert error.value.code == "cut-made"


def test_a_pairing_that_crashes_half_way_leaves_the_bracket_as_it_was() -> None:
    day, bracket = cut_day(4, "double")
    play(day)
    before = list(Slot.objects.order_by("pk").values())

    def crash(_: object) -> None:
        raise RuntimeError("power cut")

    drop_team(team_id=team_of(bracket, 4).pk, actor=COMMAND)
    with pytest.raises(RuntimeError):
        pair_round(tournament_id=day.tournament.pk, actor=COMMAND, drawn=crash)
    assert list(Slot.objects.order_by("pk").values()) == before
    assert Round.objects.filter(stage=bracket).count() == 1
    assert Counter(places(bracket).values()) == {None: 4}
