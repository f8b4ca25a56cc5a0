"""A cut that is played in pods of four, down to one final pod."""

from collections import Counter

import pytest

from journal.actors import COMMAND
from matches.models import Match
from matches.results import enter_result
from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind
from teams.models import Team
from tests.day import Day, new_day
from tournaments.corrections import correct_result
from tournaments.cutting import finish_tournament, make_cut, undo_cut
from tournaments.models import Round, Slot, Stage, StageEntry
from tournaments.rounds import close_round, publish_round, reopen_round, start_round
from tournaments.setting_up import change_tournament
from tournaments.standings import final_ranking, standings_of
from tournaments.withdrawals import drop_team, reinstate_team

pytestmark = pytest.mark.django_db


def after_swiss(teams: int, mode: str = "magic-commander") -> Day:
    """One round of pods, each won by its first seat."""
    day = new_day(teams, mode=mode, best_of=1, policy="topdeck-pods", rounds=1)
    play(day)
    return day


def play(day: Day, winner: int = 0, seed: int = 1) -> Round:
    """A whole round of pods, each won by the side of that number."""
    rnd = day.run(seed)
    for match in rnd.matches.filter(kind="table", state="open"):
        day.enter(match, winner=winner)
    return close_round(round_id=rnd.pk, actor=COMMAND)


def seeds_in(day: Day, rnd: Round) -> list[list[int]]:
    """The seeds of each pod in seat order, by table; who waits is alone at the end."""
    stage = rnd.stage
    seeds = dict(StageEntry.objects.filter(stage=stage).values_list("team_id", "seed"))
    matches = [*rnd.matches.filter(kind="table").order_by("table"), *rnd.matches.filter(kind="bye")]
    return [[seeds[team.pk] or 0 for team in day.sides(match)] for match in matches]


def team_of_seed(stage: Stage, seed: int) -> Team:
    return StageEntry.objects.get(stage=stage, seed=seed).team


def places(stage: Stage) -> dict[int, int | None]:
    """Place by seed."""
    return dict(stage.entries.order_by("seed").values_list("seed", "place"))


@pytest.mark.parametrize(
    ("size", "waiting", "pods", "at_the_end"),
    [
        (4, 0, [1], {1: 1, 2: 3}),
        (7, 3, [1, 1], {1: 1, 2: 3, 5: 3}),
        (10, 2, [2, 1], {1: 1, 2: 3, 5: 6}),
        (13, 1, [3, 1], {1: 1, 2: 3, 5: 9}),
        (16, 0, [4, 1], {1: 1, 2: 3, 5: 12}),
        (40, 8, [8, 4, 1], {1: 1, 2: 3, 5: 12, 17: 24}),
    ],
)
def test_a_cut_is_played_down_to_one_final_pod(
    size: int, waiting: int, pods: list[int], at_the_end: dict[int, int]
) -> None:
    day = after_swiss(size + 2)
    bracket = day.cut(size)
    assert (bracket.method, bracket.planned_rounds) == (Stage.Method.PODS, len(pods))
    for number, count in enumerate(pods, 1):
        rnd = play(day)
        assert rnd.matches.filter(kind="table").count() == count
        assert rnd.matches.filter(kind="bye").count() == (waiting if number == 1 else 0)
    assert Counter(places(bracket).values()) == at_the_end
    assert places(bracket)[1] == 1
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    ranking = final_ranking(day.fresh, standings_of(day.swiss))
    assert [place.place for place in ranking[:5]] == [1, 2, 2, 2, 5]
    assert len(ranking) == size + 2


def test_case_096_seats_go_by_seed_in_the_pods_and_in_the_final() -> None:
    day = after_swiss(18)
    day.cut(16)
    rnd = day.run()
    assert seeds_in(day, rnd) == [[1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [4, 8, 12, 16]]
    for match, winner in zip(rnd.matches.order_by("table"), (3, 2, 1, 0), strict=True):
        day.enter(match, winner=winner)
    close_round(round_id=rnd.pk, actor=COMMAND)
    assert seeds_in(day, day.pair()) == [[4, 7, 10, 13]]


def test_the_top_seeds_wait_and_then_sit_down_with_the_winners() -> None:
    day = after_swiss(12)
    day.cut(10)
    first = day.run()
    assert seeds_in(day, first) == [[3, 5, 7, 9], [4, 6, 8, 10], [1], [2]]
    assert first.matches.filter(kind="bye").first().why.endswith("waits for the next round.")  # type: ignore[union-attr]
    for match in first.matches.filter(kind="table"):
        day.enter(match, winner=3)
    close_round(round_id=first.pk, actor=COMMAND)
    assert seeds_in(day, day.pair()) == [[1, 2, 9, 10]]


def test_who_left_before_the_cut_is_not_in_it_and_afterwards_nobody_is_promoted() -> None:
    day = after_swiss(13)
    gone = day.ranking()[0]
    drop_team(team_id=gone.pk, actor=COMMAND)
    bracket = day.cut(10)
    assert not bracket.entries.filter(team=gone).exists()
    leaver = team_of_seed(bracket, 3)
    drop_team(team_id=leaver.pk, actor=COMMAND)
    first = day.run()
    assert seeds_in(day, first) == [[5, 7, 9], [4, 6, 8, 10], [1], [2]]
    assert places(bracket)[3] == 5


def test_a_waiting_seed_who_leaves_makes_the_final_pod_smaller() -> None:
    day = after_swiss(12)
    bracket = day.cut(10)
    play(day)
    drop_team(team_id=team_of_seed(bracket, 1).pk, actor=COMMAND)
    assert seeds_in(day, day.pair()) == [[2, 3, 4]]
    assert places(bracket)[1] == 2


def test_a_seed_that_is_reinstated_before_its_pod_is_paired_sits_in_it() -> None:
    day = after_swiss(12)
    bracket = day.cut(10)
    back = team_of_seed(bracket, 4)
    drop_team(team_id=back.pk, actor=COMMAND)
    reinstate_team(team_id=back.pk, actor=COMMAND)
    assert [3, 5, 7, 9] in seeds_in(day, day.pair())
    assert places(bracket)[4] is None


def test_a_pod_that_the_mode_cannot_play_smaller_keeps_the_chair_of_whoever_left() -> None:
    day = after_swiss(8, mode="riftbound-ffa4")
    bracket = day.cut(7)
    drop_team(team_id=team_of_seed(bracket, 5).pk, actor=COMMAND)
    rnd = day.run()
    assert seeds_in(day, rnd)[0] == [4, 5, 6, 7]
    day.enter(rnd.matches.get(kind="table"), winner=2)
    close_round(round_id=rnd.pk, actor=COMMAND)
    assert seeds_in(day, day.pair()) == [[1, 2, 3, 6]]
    assert places(bracket)[5] == 5


def final_pod(day: Day) -> Match:
    day.cut(4)
    return day.run().matches.get()


@pytest.mark.parametrize(
    "given",
    [
        {"kind": ResultKind.PLAYED},
        {"kind": ResultKind.INTENTIONAL_DRAW},
        {"out_order": [None, 1, None, None]},
    ],
    ids=["no-winner", "intentional", "of-the-survivors"],
)
def test_a_draw_in_a_playoff_pod_is_refused_and_the_sentence_names_the_way_out(
    given: dict[str, object],
) -> None:
    match = final_pod(after_swiss(6))
    with pytest.raises(RuleBroken) as error:
        enter_result(match_id=match.pk, actor=COMMAND, **given)  # type: ignore[arg-type]
    assert error.value.code == "draw-in-elimination"
    assert "better seed" in error.value.sentence
    match.refresh_from_db()
    assert match.state == "open"


def test_staff_give_a_drawn_playoff_pod_to_the_better_seed() -> None:
    day = after_swiss(6)
    match = final_pod(day)
    enter_result(match_id=match.pk, actor=COMMAND, kind=ResultKind.AGREED, winner=0)
    close_round(round_id=match.round_id, actor=COMMAND)
    assert day.kind(match) is ResultKind.AGREED
    assert places(day.stage) == {1: 1, 2: 2, 3: 2, 4: 2}


def test_a_pod_in_which_nobody_is_left_sends_nobody_on() -> None:
    day = after_swiss(12)
    bracket = day.cut(10)
    rnd = day.run()
    one, other = rnd.matches.filter(kind="table").order_by("table")
    day.enter(one, kind=ResultKind.DOUBLE_LOSS)
    day.enter(other, winner=0)
    close_round(round_id=rnd.pk, actor=COMMAND)
    assert seeds_in(day, day.pair()) == [[1, 2, 4]]
    assert [places(bracket)[seed] for seed in (3, 5, 7, 9)] == [5, 5, 5, 5]


def test_a_reopened_pod_round_makes_the_next_pods_unknown_again() -> None:
    day = after_swiss(12)
    bracket = day.cut(10)
    rnd = play(day)
    assert bracket.slots.filter(round_number=2, is_settled=True).count() == 4
    reopen_round(round_id=rnd.pk, actor=COMMAND)
    assert bracket.slots.filter(round_number=2, is_settled=False, team=None).count() == 4
    assert set(places(bracket).values()) == {None}


def test_a_corrected_pod_sends_its_other_winner_on_until_the_next_pod_is_paired() -> None:
    day = after_swiss(12)
    bracket = day.cut(10)
    rnd = play(day)
    match = rnd.matches.get(table=1)
    correct_result(match_id=match.pk, winner=1, reason="slip misread", actor=COMMAND)
    assert (places(bracket)[3], places(bracket)[5]) == (5, None)
    final = day.pair()
    assert seeds_in(day, final) == [[1, 2, 4, 5]]
    with pytest.raises(RuleBroken) as error:
        correct_result(match_id=match.pk, winner=0, reason="no, it was right", actor=COMMAND)
    assert error.value.code == "bracket-moved-on"


def test_pods_cut_and_undone_leave_nothing() -> None:
    day = after_swiss(18)
    day.cut(16)
    undo_cut(tournament_id=day.tournament.pk, actor=COMMAND)
    assert not Slot.objects.exists()
    day.cut(7)
    assert Slot.objects.count() == 3 + 4 + 4


@pytest.mark.parametrize("size", [2, 5, 8, 32])
def test_a_cut_that_ends_in_no_final_pod_is_refused(size: int) -> None:
    day = after_swiss(12)
    with pytest.raises(RuleBroken) as error:
        make_cut(tournament_id=day.tournament.pk, size=size, actor=COMMAND)
    assert error.value.code == "wrong-cut"
    assert error.value.facts["sizes"] == [4, 7, 10, 13, 16, 40]
    assert not StageEntry.objects.exists()


@pytest.mark.parametrize(
    ("mode", "method"),
    [
        ("magic-1v1", "pods"),
        ("riftbound-ffa3", "pods"),
        ("magic-commander", "double"),
        ("magic-ffa", "single"),
    ],
)
def test_a_bracket_that_the_mode_cannot_play_is_refused_when_saved(mode: str, method: str) -> None:
    day = new_day(0, mode=mode, best_of=1, started=False)
    with pytest.raises(RuleBroken) as error:
        change_tournament(tournament_id=day.tournament.pk, cut_method=method, actor=COMMAND)
    assert error.value.code == "wrong-cut-method"
    assert day.fresh.cut_method == ""


def test_a_published_playoff_round_shows_its_sides_in_seat_order() -> None:
    day = after_swiss(12)
    day.cut(10)
    rnd = start_round(round_id=publish_round(round_id=day.pair().pk, actor=COMMAND).pk, actor=COMMAND)
    chairs = rnd.matches.get(table=1).chairs.order_by("position").values_list("side__index", flat=True)
    assert list(chairs) == [0, 1, 2, 3]
