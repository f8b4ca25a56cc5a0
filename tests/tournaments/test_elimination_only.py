"""A tournament that is an elimination from its first round on."""

import pytest

from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from teams.models import Team
from tests.day import Day, add_team, new_day
from tournaments.cutting import finish_tournament, undo_cut
from tournaments.models import Round, Slot, Stage, StageEntry
from tournaments.ranking import ranking_of
from tournaments.registration import change_team
from tournaments.rounds import close_round
from tournaments.setting_up import change_tournament, reopen_registration, start_tournament
from tournaments.withdrawals import drop_team, reinstate_team

pytestmark = pytest.mark.django_db


def knockout(teams: int, **announced: object) -> Day:
    return new_day(teams, format="elimination", **announced)  # type: ignore[arg-type]


def seeds(day: Day) -> dict[int, Team]:
    entries = StageEntry.objects.filter(stage=day.swiss, seed__isnull=False).select_related("team")
    return {entry.seed or 0: entry.team for entry in entries}


def play(day: Day) -> Round:
    """A whole round in which the better seed wins."""
    rnd = day.run()
    for match in rnd.matches.filter(kind="table", state="open"):
        day.enter(match, winner=0, wins=())
    return close_round(round_id=rnd.pk, actor=COMMAND)


@pytest.mark.parametrize("teams", [2, 3, 5, 6, 7, 8, 9, 13])
def test_any_number_plays_and_the_top_seeds_have_the_byes(teams: int) -> None:
    day = knockout(teams)
    by_seed = seeds(day)
    assert sorted(by_seed) == list(range(1, teams + 1))
    size = 1 << (teams - 1).bit_length()
    first = play(day)
    resting = {day.sides(match)[0] for match in first.matches.filter(kind="bye")}
    assert resting == {by_seed[seed] for seed in range(1, size - teams + 1)}
    for _ in range(day.stage.planned_rounds - 1):
        play(day)
    tables = sum(rnd.matches.filter(kind="table").count() for rnd in day.stage.rounds.all())
    assert tables == teams - 1
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    ranking = ranking_of(day.fresh)
    assert len(ranking) == teams
    winner = by_seed[1]
    assert ranking[0].team.id == winner.pk
    entry = StageEntry.objects.get(stage=day.swiss, team=winner)
    assert entry.place == 1


def test_seeds_are_drawn_from_the_stored_seed_or_given() -> None:
    drawn = knockout(6)
    assert seeds(drawn) != dict(enumerate(drawn.teams, 1))
    reopen_registration(tournament_id=drawn.tournament.pk, actor=COMMAND)
    before = seeds(drawn)
    start_tournament(tournament_id=drawn.tournament.pk, actor=COMMAND)
    assert seeds(drawn) == before, "the lot does not change when it is drawn again"
    given = knockout(6, started=False)
    order = [team.pk for team in reversed(given.teams)]
    start_tournament(tournament_id=given.tournament.pk, seeds=order, actor=COMMAND)
    assert [seeds(given)[seed].pk for seed in range(1, 7)] == order


def test_seeds_set_for_the_teams_come_first_and_the_rest_is_drawn() -> None:
    day = knockout(6, started=False)
    for seed, team in enumerate((day.teams[4], day.teams[1]), 1):
        change_team(team_id=team.pk, actor=COMMAND, seed=seed)
    with pytest.raises(RuleBroken, match="give every team another seed"):
        change_team(team_id=day.teams[0].pk, actor=COMMAND, seed=2)
    start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    found = seeds(day)
    assert [found[1], found[2]] == [day.teams[4], day.teams[1]]
    assert set(found.values()) == set(day.teams)
    with pytest.raises(RuleBroken, match="frozen at the start"):
        change_team(team_id=day.teams[0].pk, actor=COMMAND, seed=3)


def test_seeds_that_leave_somebody_out_are_refused_and_nothing_is_started() -> None:
    day = knockout(4, started=False)
    with pytest.raises(RuleBroken) as error:
        start_tournament(
            tournament_id=day.tournament.pk, seeds=[team.pk for team in day.teams[:3]], actor=COMMAND
        )
    assert error.value.code == "wrong-seeds"
    assert error.value.facts["teams"] == [day.teams[3].pk]
    assert (day.fresh.state, Stage.objects.count(), Slot.objects.count()) == ("registration", 0, 0)


def test_a_double_elimination_needs_no_swiss_round_either() -> None:
    day = knockout(5, cut_method="double")
    assert day.stage.method == Stage.Method.DOUBLE
    for _ in range(day.stage.planned_rounds):
        play(day)
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    places = StageEntry.objects.filter(stage=day.swiss).order_by("place").values_list("place", flat=True)
    assert list(places) == [1, 2, 3, 4, 5]


def test_pods_are_played_from_the_start_when_their_number_fits() -> None:
    day = knockout(7, mode="magic-commander", best_of=1, policy="topdeck-pods")
    assert day.stage.method == Stage.Method.PODS
    play(day)
    play(day)
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    with pytest.raises(RuleBroken) as error:
        knockout(9, mode="magic-commander", best_of=1)
    assert error.value.code == "pod-cut-size"


def test_nobody_enters_or_is_credited_a_round_once_the_bracket_is_made() -> None:
    day = knockout(4)
    with pytest.raises(RuleBroken) as error:
        add_team(day)
    assert error.value.code == "too-late"
    back = seeds(day)[4]
    drop_team(team_id=back.pk, actor=COMMAND)
    reinstate_team(team_id=back.pk, actor=COMMAND)
    first = play(day)
    assert first.matches.filter(kind="table").count() == 2
    drop_team(team_id=seeds(day)[1].pk, actor=COMMAND)
    assert [day.sides(match) for match in day.pair().matches.all()] == [[seeds(day)[2]]]


def test_an_elimination_has_no_cut_to_make_or_undo() -> None:
    day = knockout(4)
    with pytest.raises(RuleBroken) as undone:
        undo_cut(tournament_id=day.tournament.pk, actor=COMMAND)
    assert undone.value.code == "no-cut"
    with pytest.raises(RuleBroken) as cut:
        day.cut(2)
    assert cut.value.code == "cut-made"
    with pytest.raises(RuleBroken) as planned:
        change_tournament(tournament_id=day.tournament.pk, cut=4, actor=COMMAND)
    assert planned.value.code == "wrong-cut"
