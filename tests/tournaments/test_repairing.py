"""A published round mended with the fewest changed tables."""

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from journal.recording import version_of
from matches.models import Match
from rulebook.errors import RuleBroken
from tests.day import Day, add_team, new_day
from tournaments.corrections import correct_result
from tournaments.given import pair_given
from tournaments.models import Round
from tournaments.repairing import repair_plan, repair_round, swap_cautions, swap_in_round, undo_repair
from tournaments.rounds import publish_round, start_round
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def shown(day: Day) -> tuple[Round, int]:
    rnd = day.now_round
    assert rnd is not None
    rnd.stage = day.stage
    return rnd, version_of(day.tournament.pk)


def live(rnd: Round) -> dict[int, frozenset[int]]:
    found = {}
    for match in rnd.matches.exclude(state="void"):
        found[match.pk] = frozenset(match.sides.filter(is_live=True).values_list("team_id", flat=True))
    return found


def test_a_late_team_meets_whoever_had_the_bye_and_no_other_table_changes() -> None:
    day = new_day(5, rounds=4)
    rnd = day.publish()
    resting = day.sides(rnd.matches.get(kind="bye"))[0]
    before = live(rnd)
    late = add_team(day)
    late.refresh_from_db()
    assert late.entered_round == 2
    rnd, version = shown(day)
    plan = repair_plan(rnd)
    assert [made.sides for made in plan.plan.made] in ([(resting.pk, late.pk)], [(late.pk, resting.pk)])
    repair_round(round_id=rnd.pk, version=version, actor=COMMAND)
    after = live(rnd)
    assert frozenset({resting.pk, late.pk}) in after.values()
    assert len([pk for pk in before if pk in after]) == 2
    late.refresh_from_db()
    assert late.entered_round == 1


def test_a_wrong_result_found_after_publishing_moves_few_tables_and_keeps_the_ids_of_the_others() -> None:
    day = new_day(12, rounds=5)
    first = day.play(1)
    day.publish(2)
    match = first.matches.order_by("table").first()
    assert match is not None
    won = day.lines(match)[day.sides(match)[0]][0] == "win"
    correct_result(match_id=match.pk, wins=(0, 2) if won else (2, 0), reason="slip misread", actor=COMMAND)
    rnd, version = shown(day)
    before = live(rnd)
    plan = repair_plan(rnd).plan
    assert 0 < plan.changed_tables <= 4
    assert all(made.reason.endswith(".") for made in plan.made)
    repair_round(round_id=rnd.pk, version=version, actor=COMMAND, reason="result corrected")
    after = live(rnd)
    assert {pk: sides for pk, sides in after.items() if pk in before} == {
        pk: sides for pk, sides in before.items() if pk in plan.kept
    }
    assert sorted(team for sides in after.values() for team in sides) == sorted(t.pk for t in day.teams)
    assert Match.objects.filter(round=rnd, state="void").count() == len(plan.voided)
    deed = Deed.objects.latest("number")
    assert (deed.kind, deed.reason) == ("RoundRepaired", "result corrected")


def test_who_was_left_alone_by_a_drop_gets_an_opponent_or_the_bye_by_repair() -> None:
    day = new_day(7, rounds=4)
    rnd = day.publish()
    resting = day.sides(rnd.matches.get(kind="bye"))[0]
    gone = next(team for team in day.teams if team != resting)
    alone = day.opponent_of(gone, rnd)
    drop_team(team_id=gone.pk, actor=COMMAND)
    rnd, version = shown(day)
    repair_round(round_id=rnd.pk, version=version, actor=COMMAND)
    assert frozenset({alone.pk, resting.pk}) in live(rnd).values()
    assert not rnd.matches.filter(kind="bye").exclude(state="void").exists()


def test_started_tables_are_never_touched() -> None:
    day = new_day(7, rounds=4)
    rnd = day.publish()
    start_round(round_id=rnd.pk, actor=COMMAND)
    late = add_team(day)
    rnd, version = shown(day)
    started = {pk: sides for pk, sides in live(rnd).items() if len(sides) == 2}
    repair_round(round_id=rnd.pk, version=version, actor=COMMAND)
    after = live(rnd)
    assert {pk: after[pk] for pk in started} == started
    assert day.match_of(late, rnd).state == "open"
    assert not rnd.matches.exclude(kind="table").exclude(state="void").exists()


def test_a_plan_that_is_not_the_newest_is_not_applied() -> None:
    day = new_day(5, rounds=4)
    day.publish()
    add_team(day)
    rnd, version = shown(day)
    drop_team(team_id=day.teams[0].pk, actor=COMMAND)
    before = live(rnd)
    with pytest.raises(RuleBroken) as error:
        repair_round(round_id=rnd.pk, version=version, actor=COMMAND)
    assert error.value.code == "plan-outdated"
    assert live(rnd) == before


def test_a_round_that_is_right_needs_no_repair() -> None:
    day = new_day(6, rounds=4)
    day.publish()
    rnd, version = shown(day)
    assert repair_plan(rnd).is_empty
    with pytest.raises(RuleBroken) as error:
        repair_round(round_id=rnd.pk, version=version, actor=COMMAND)
    assert error.value.code == "nothing-to-repair"


def test_a_repair_is_undone_and_the_earlier_pairs_meet() -> None:
    day = new_day(5, rounds=4)
    rnd = day.publish()
    before = set(live(rnd).values())
    late = add_team(day)
    rnd, version = shown(day)
    repair_round(round_id=rnd.pk, version=version, actor=COMMAND)
    undo_repair(round_id=rnd.pk, actor=COMMAND)
    assert {sides for sides in live(rnd).values() if late.pk not in sides} == before
    assert Deed.objects.latest("number").undoes is not None


def test_two_teams_change_places_by_hand_with_their_warnings() -> None:
    day = new_day(4, rounds=3)
    first = day.play(1)
    rnd = publish_round(round_id=day.pair(2).pk, actor=COMMAND)
    team = day.teams[0]
    old = day.opponent_of(team, first)
    now = day.opponent_of(team, rnd)
    rnd, _ = shown(day)
    codes = {caution.code for _, caution in swap_cautions(rnd, now.pk, old.pk)}
    assert "rematch" in codes
    swap_in_round(round_id=rnd.pk, team_id=now.pk, other_id=old.pk, actor=COMMAND, reason="brothers")
    assert day.opponent_of(team, rnd) == old
    assert day.match_of(team, rnd).chairs.count() == 4


def test_a_swap_or_an_undo_of_a_stale_page_is_refused() -> None:
    day = new_day(4, rounds=3)
    rnd = day.publish()
    one, met = day.teams[0].pk, day.opponent_of(day.teams[0], rnd)
    other = next(team.pk for team in day.teams[1:] if team != met)
    seen = version_of(day.tournament.pk)
    swap_in_round(round_id=rnd.pk, team_id=one, other_id=other, actor=COMMAND, version=seen)
    with pytest.raises(RuleBroken) as error:
        swap_in_round(round_id=rnd.pk, team_id=one, other_id=other, actor=COMMAND, version=seen)
    assert error.value.code == "plan-outdated"
    with pytest.raises(RuleBroken, match="look at the new plan"):
        undo_repair(round_id=rnd.pk, actor=COMMAND, version=seen)


def test_a_swap_of_one_team_with_itself_is_refused() -> None:
    day = new_day(4)
    rnd = day.publish()
    with pytest.raises(RuleBroken) as error:
        swap_in_round(round_id=rnd.pk, team_id=day.teams[0].pk, other_id=day.teams[0].pk, actor=COMMAND)
    assert error.value.code == "cannot-swap"


def test_a_draft_given_by_hand_keeps_its_other_tables_when_a_team_leaves() -> None:
    day = new_day(6)
    a, b, c, d, e, f = (team.pk for team in day.teams)
    given = pair_given(
        tournament_id=day.tournament.pk, tables=[(a, b), (c, d), (e, f)], byes=[], actor=COMMAND
    )
    drop_team(team_id=f, actor=COMMAND)
    rnd = day.now_round
    assert rnd is not None
    assert rnd.pk == given.pk
    assert set(live(rnd).values()) == {frozenset({a, b}), frozenset({c, d}), frozenset({e})}
