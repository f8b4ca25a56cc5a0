"""Free-for-all rounds through the services."""

import pytest

from journal.actors import COMMAND
from matches.models import Side
from rulebook.errors import RuleBroken
from tests.day import Day, new_day
from tournaments.models import Round
from tournaments.rounds import close_round
from tournaments.setting_up import change_tournament
from tournaments.verifying import verify
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def pods_of(rnd: Round) -> list[int]:
    return [match.sides.count() for match in rnd.matches.filter(kind="table").order_by("table")]


def play_pods(day: Day, seed: int) -> Round:
    rnd = day.run(seed)
    for match in rnd.matches.filter(kind="table"):
        day.enter(match, winner=0)
    return close_round(round_id=rnd.pk, actor=COMMAND)


def test_a_round_of_commander_pods_is_seated_and_its_winners_lead() -> None:
    day = new_day(11, mode="magic-commander", best_of=1, policy="topdeck-pods", rounds=3)
    rnd = play_pods(day, 1)
    assert pods_of(rnd) == [4, 4, 3]
    winners = set(Side.objects.filter(round=rnd, index=0).values_list("team_id", flat=True))
    assert {team.pk for team, points in day.points().items() if points == 5} == winners
    second = play_pods(day, 2)
    assert second.output["report"]["repeats"] <= 3
    assert verify(Round.objects.get(pk=second.pk)).is_good


@pytest.mark.parametrize(
    ("mode", "teams", "sizes", "byes"),
    [("riftbound-ffa3", 7, [3, 3], 1), ("riftbound-ffa4", 9, [4, 4], 1), ("magic-ffa", 10, [4, 3, 3], 0)],
)
def test_pods_have_the_sizes_the_mode_can_play(mode: str, teams: int, sizes: list[int], byes: int) -> None:
    day = new_day(teams, mode=mode, best_of=1)
    rnd = day.publish()
    assert pods_of(rnd) == sizes
    assert rnd.matches.filter(kind="bye").count() == byes
    chairs = [(chair.position, chair.side.index) for chair in rnd.matches.get(table=1).chairs.all()]
    assert chairs == [(n + 1, n) for n in range(sizes[0])]


def test_a_pod_policy_the_mode_cannot_play_is_refused_when_saved() -> None:
    day = new_day(0, mode="riftbound-ffa4", best_of=1, started=False)
    with pytest.raises(RuleBroken) as error:
        change_tournament(tournament_id=day.tournament.pk, pod_policy="short-low", actor=COMMAND)
    assert error.value.code == "wrong-pods"


def test_who_leaves_a_running_pod_is_out_and_the_others_play_on() -> None:
    day = new_day(4, mode="magic-ffa", best_of=1)
    rnd = day.run()
    drop_team(team_id=day.teams[0].pk, actor=COMMAND)
    match = rnd.matches.get()
    assert match.state == "open"
    gone = day.sides(match).index(day.teams[0])
    winner = (gone + 1) % 4
    outs = [0 if side == gone else None for side in range(4)]
    day.enter(match, winner=winner, out_order=outs)
    assert day.lines(match)[day.teams[0]][0] == "loss"


def test_the_last_one_left_in_a_pod_has_won() -> None:
    day = new_day(3, mode="riftbound-ffa3", best_of=1)
    match = day.run().matches.get()
    drop_team(team_id=day.teams[0].pk, actor=COMMAND)
    drop_team(team_id=day.teams[1].pk, actor=COMMAND)
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert day.lines(match)[day.teams[2]][0] == "win"


def test_two_people_do_not_make_a_pod() -> None:
    day = new_day(2, mode="magic-ffa", best_of=1)
    with pytest.raises(RuleBroken) as error:
        day.pair()
    assert error.value.code == "not-enough-entrants"
    assert not Round.objects.exists()
