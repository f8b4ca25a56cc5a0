"""The cut, its bracket and the end of the tournament."""

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from matches.results import enter_result
from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind
from teams.models import Team
from tests.day import Day, new_day
from tournaments.corrections import correct_result
from tournaments.cutting import finish_tournament, make_cut, reopen_tournament, undo_cut
from tournaments.models import Slot, Stage, StageEntry
from tournaments.rounds import close_round, publish_round, scrap_round, start_round
from tournaments.standings import final_ranking, standings_of
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def after_swiss(teams: int = 8, rounds: int = 3, **announced: object) -> Day:
    day = new_day(teams, rounds=rounds, **announced)  # type: ignore[arg-type]
    for seed in range(rounds):
        day.play(seed)
    return day


def places(stage: Stage) -> dict[Team, int | None]:
    return {
        entry.team: entry.place for entry in StageEntry.objects.filter(stage=stage).select_related("team")
    }


def test_a_cut_to_four_is_played_to_the_end_and_ranks_the_bracket_first() -> None:
    day = after_swiss(cut=4)
    bracket = day.cut(4)
    seeds = [entry.team for entry in bracket.entries.order_by("seed")]
    assert seeds == day.ranking()[:4]
    semifinal = day.run()
    assert [day.sides(match) for match in semifinal.matches.order_by("table")] == [
        [seeds[0], seeds[3]],
        [seeds[1], seeds[2]],
    ]
    for match in semifinal.matches.order_by("table"):
        day.enter(match, (0, 2))
    close_round(round_id=semifinal.pk, actor=COMMAND)
    final = day.run(2)
    assert [day.sides(match) for match in final.matches.all()] == [[seeds[2], seeds[3]]]
    day.enter(final.matches.get(), (2, 1))
    close_round(round_id=final.pk, actor=COMMAND)
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    ranking = final_ranking(day.fresh, standings_of(day.swiss))
    by_id = {team.pk: team for team in day.teams}
    assert [by_id[place.team_id] for place in ranking[:4]] == [seeds[2], seeds[3], seeds[0], seeds[1]]
    assert [place.place for place in ranking[:5]] == [1, 2, 3, 3, 5]
    assert len(ranking) == 8
    kinds = list(Deed.objects.order_by("number").values_list("kind", flat=True))
    assert kinds[-2:] == ["StandingsFinal", "TournamentFinished"]


def test_a_draw_in_elimination_is_refused() -> None:
    day = after_swiss()
    day.cut(4)
    match = day.run().matches.first()
    assert match is not None
    for given in ({"wins": (1, 1)}, {"kind": ResultKind.INTENTIONAL_DRAW}, {"wins": (0, 0), "draws": 3}):
        with pytest.raises(RuleBroken) as error:
            enter_result(match_id=match.pk, actor=COMMAND, **given)  # type: ignore[arg-type]
        assert error.value.code == "draw-in-elimination"
    match.refresh_from_db()
    assert match.state == "open"


def test_case_062_equals_on_the_last_place_need_a_recorded_decision() -> None:
    day = new_day(4, rounds=1)
    rnd = day.run()
    for match in rnd.matches.all():
        day.enter(match, (1, 1), 1)
    close_round(round_id=rnd.pk, actor=COMMAND)
    with pytest.raises(RuleBroken) as error:
        make_cut(tournament_id=day.tournament.pk, size=2, actor=COMMAND)
    assert error.value.code == "tie-at-cut"
    assert len(error.value.facts["teams"]) == 4  # type: ignore[arg-type]
    assert not Slot.objects.exists()
    stage = make_cut(tournament_id=day.tournament.pk, size=2, tie_decision="by lot", actor=COMMAND)
    assert stage.settings["tie_decision"] == "by lot"
    assert Deed.objects.latest("number").reason == "by lot"


def test_who_won_a_match_for_the_last_place_is_in_the_cut_and_on_record() -> None:
    day = new_day(4, rounds=1)
    rnd = day.run()
    for match in rnd.matches.all():
        day.enter(match, (1, 1), 1)
    close_round(round_id=rnd.pk, actor=COMMAND)
    last = day.ranking()[-1]

    def cut(*won_by: int) -> Stage:
        return make_cut(tournament_id=day.tournament.pk, size=2, won_by=won_by, actor=COMMAND)

    with pytest.raises(RuleBroken, match="equal on the last place"):
        cut(10**6)
    with pytest.raises(RuleBroken, match="2 of them can be in the cut"):
        cut(*(team.pk for team in day.teams[:3]))
    stage = cut(last.pk)
    assert stage.entries.get(seed=1).team == last
    assert stage.entries.count() == 2
    deed = Deed.objects.latest("number")
    assert deed.after["won_by"] == [last.pk]
    assert deed.reason.startswith("Played for: ")


def test_case_068_who_left_before_the_cut_is_not_in_it_and_the_places_are_two_and_four() -> None:
    day = after_swiss(12, 3)
    for team in day.ranking()[:3]:
        drop_team(team_id=team.pk, actor=COMMAND)
    bracket = day.cut(8)
    assert bracket.entries.count() == 8
    for seed in (4, 5, 6):
        day.play(seed)
    assert sorted(place or 0 for place in places(bracket).values()) == [1, 2, 3, 3, 5, 5, 5, 5]


def test_a_cut_larger_than_the_field_is_refused() -> None:
    day = after_swiss(4, 1)
    with pytest.raises(RuleBroken) as error:
        make_cut(tournament_id=day.tournament.pk, size=8, actor=COMMAND)
    assert error.value.code == "cut-too-large"


def test_the_cut_waits_for_the_planned_rounds() -> None:
    day = new_day(8, rounds=3)
    day.play()
    with pytest.raises(RuleBroken) as error:
        make_cut(tournament_id=day.tournament.pk, size=4, actor=COMMAND)
    assert error.value.code == "rounds-missing"


def test_case_075_the_first_bracket_round_is_scrapped_and_paired_again_with_the_same_seeds() -> None:
    day = after_swiss()
    bracket = day.cut(4)
    first = day.pair()
    pairs = [day.sides(match) for match in first.matches.order_by("table")]
    scrap_round(round_id=first.pk, actor=COMMAND)
    again = day.pair(9)
    assert [day.sides(match) for match in again.matches.order_by("table")] == pairs
    assert bracket.entries.count() == 4


def test_case_076_a_cut_to_eight_undone_and_made_to_four_leaves_nothing_of_the_eight() -> None:
    day = after_swiss(10)
    day.cut(8)
    undo_cut(tournament_id=day.tournament.pk, actor=COMMAND)
    bracket = day.cut(4)
    rounds = [day.play(seed) for seed in (5, 6)]
    assert sum(rnd.matches.count() for rnd in rounds) == 3
    assert sorted(place or 0 for place in places(bracket).values()) == [1, 2, 3, 3]


def test_case_047_a_corrected_double_loss_puts_the_winner_in_the_final() -> None:
    day = after_swiss()
    bracket = day.cut(4)
    seeds = [entry.team for entry in bracket.entries.order_by("seed")]
    semifinal = day.run()
    wrong, other = semifinal.matches.order_by("table")
    day.enter(wrong, kind=ResultKind.DOUBLE_LOSS)
    day.enter(other, (2, 0))
    close_round(round_id=semifinal.pk, actor=COMMAND)
    correct_result(
        match_id=wrong.pk,
        kind=ResultKind.MATCH_LOSS,
        loser=1,
        reason="only B was disqualified",
        actor=COMMAND,
    )
    final = day.pair()
    assert set(day.sides(final.matches.get())) == {seeds[0], seeds[1]}
    assert places(bracket)[seeds[0]] is None
    assert places(bracket)[seeds[3]] == 3


def test_case_074_a_double_loss_lets_the_neighbour_pass_alone() -> None:
    day = after_swiss(8)
    bracket = day.cut(8)
    quarter = day.run()
    matches = list(quarter.matches.order_by("table"))
    gone = day.sides(matches[0])
    day.enter(matches[0], kind=ResultKind.DOUBLE_LOSS)
    for match in matches[1:]:
        day.enter(match, (2, 0))
    close_round(round_id=quarter.pk, actor=COMMAND)
    semifinal = day.pair()
    assert day.sides(semifinal.matches.get(kind="bye")) == [day.sides(matches[1])[0]]
    assert [places(bracket)[team] for team in gone] == [5, 5]


def test_case_073_two_finalists_who_do_not_show_are_both_ranked_first() -> None:
    day = after_swiss(4, 1)
    bracket = day.cut(2)
    final = day.run()
    day.enter(final.matches.get(), kind=ResultKind.BOTH_ABSENT)
    close_round(round_id=final.pk, actor=COMMAND)
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    assert sorted(place or 0 for place in places(bracket).values()) == [1, 1]
    assert len(final_ranking(day.fresh, standings_of(day.swiss))) == 4


def test_a_bracket_result_cannot_change_its_winner_once_the_next_round_is_paired() -> None:
    day = after_swiss()
    day.cut(4)
    semifinal = day.play()
    final = day.pair()
    match = semifinal.matches.order_by("table").first()
    assert match is not None
    won = day.lines(match)[day.sides(match)[0]][0] == "win"
    with pytest.raises(RuleBroken) as error:
        correct_result(match_id=match.pk, wins=(0, 2) if won else (2, 0), reason="typo", actor=COMMAND)
    assert error.value.code == "bracket-moved-on"
    scrap_round(round_id=final.pk, actor=COMMAND)
    correct_result(match_id=match.pk, wins=(0, 2) if won else (2, 0), reason="typo", actor=COMMAND)
    now_final = day.pair()
    assert day.sides(match)[1 if won else 0] in day.sides(now_final.matches.get())


def test_case_079_seeds_stay_when_a_swiss_result_is_corrected_after_the_cut() -> None:
    day = after_swiss()
    bracket = day.cut(4)
    before = list(bracket.entries.order_by("seed").values_list("seed", "team_id"))
    match = day.swiss.rounds.get(number=1).matches.order_by("table").first()
    assert match is not None
    won = day.lines(match)[day.sides(match)[0]][0] == "win"
    correct_result(match_id=match.pk, wins=(0, 2) if won else (2, 0), reason="slip misread", actor=COMMAND)
    assert list(bracket.entries.order_by("seed").values_list("seed", "team_id")) == before


def test_a_tournament_is_not_finished_before_its_cut_is_played() -> None:
    day = after_swiss(cut=4)
    with pytest.raises(RuleBroken) as error:
        finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    assert error.value.code == "cut-not-played"


def test_a_finished_tournament_is_reopened_to_mend_a_mistake() -> None:
    day = after_swiss(4, 1)
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    reopen_tournament(tournament_id=day.tournament.pk, actor=COMMAND, reason="wrong result")
    assert day.stage.state == "running"
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)


def test_the_better_seed_is_the_first_side_whatever_finished_first() -> None:
    day = after_swiss()
    bracket = day.cut(4)
    seeds = [entry.team for entry in bracket.entries.order_by("seed")]
    semifinal = publish_round(round_id=day.pair().pk, actor=COMMAND)
    start_round(round_id=semifinal.pk, actor=COMMAND)
    for match in semifinal.matches.order_by("-table"):
        day.enter(match, (2, 0))
    close_round(round_id=semifinal.pk, actor=COMMAND)
    assert day.sides(day.pair().matches.get()) == seeds[:2]
