"""Every deed that can be undone, walked by the table: done, undone, everything as before, done again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from journal.actors import COMMAND, user_actor
from journal.kinds import DeedKind
from journal.models import Deed
from matches.models import Match
from matches.results import confirm_result, enter_result, report_result
from rulebook.errors import RuleBroken
from teams.models import Team
from teams.people import add_players
from tests.day import Day, add_team, new_day
from tests.tournaments.what_counts import what_counts
from tournaments.cutting import make_cut
from tournaments.models import Penalty
from tournaments.pairing import pair_round
from tournaments.penalties import give_penalty
from tournaments.registration import check_in_team
from tournaments.repairing import repair_plan, repair_round
from tournaments.rounds import close_round, publish_round, scrap_round, start_round
from tournaments.setting_up import reopen_registration, start_tournament
from tournaments.solos import enter_solo, join_solos, solos_of
from tournaments.staff import ALL, Can
from tournaments.undoing import UNDO, newest_undoable, undo
from tournaments.withdrawals import disqualify_player, drop_team

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Walk:
    """`before` sets the scene, `deed` does it, `block` makes it too late; the refusal says `says`."""

    before: Callable[[], Day]
    deed: Callable[[Day], Any]
    block: Callable[[Day], Any]
    says: str


def last_round(day: Day) -> Any:
    found = day.now_round
    assert found is not None
    return found


def table(day: Day, number: int = 1) -> Match:
    return Match.objects.get(round=last_round(day), table=number, state__in=["paired", "open", "confirmed"])


def closed(teams: int = 4, played: int = 1, **more: Any) -> Day:
    day = new_day(teams, **more)
    for number in range(played):
        day.play(seed=number + 1)
    return day


def drafted(teams: int = 5, **more: Any) -> Day:
    day = new_day(teams, **more)
    day.pair()
    return day


def published(teams: int = 5, **more: Any) -> Day:
    day = new_day(teams, **more)
    day.publish()
    return day


def running(teams: int = 5, **more: Any) -> Day:
    day = new_day(teams, **more)
    day.run()
    return day


def robin() -> Day:
    return new_day(5, format="round-robin")


def registering() -> Day:
    day = new_day(4, started=False)
    check_in_team(team_id=day.teams[1].pk, actor=COMMAND)
    return day


def full(day: Day) -> Day:
    day.win_all(last_round(day))
    return day


def with_a_leaver() -> Day:
    """The opponent of the leaver and the team with the bye can meet."""
    day = published(7)
    leaver = day.sides(table(day, 3))[0]
    drop_team(team_id=leaver.pk, actor=COMMAND)
    return day


def pair(day: Day) -> Any:
    return pair_round(tournament_id=day.tournament.pk, actor=COMMAND, seed=5)


def publish(day: Day) -> Any:
    return publish_round(round_id=last_round(day).pk, actor=COMMAND)


def start(day: Day) -> Any:
    return start_round(round_id=last_round(day).pk, actor=COMMAND)


def close(day: Day) -> Any:
    return close_round(round_id=last_round(day).pk, actor=COMMAND)


def enter(day: Day) -> Any:
    return enter_result(match_id=table(day).pk, actor=COMMAND, wins=(2, 1))


def repair(day: Day) -> Any:
    rnd = last_round(day)
    rnd.stage.tournament = day.fresh
    return repair_round(round_id=rnd.pk, version=repair_plan(rnd).version, actor=COMMAND)


def cut(day: Day) -> Any:
    return make_cut(tournament_id=day.tournament.pk, actor=COMMAND, size=4, tie_decision="by lot")


def start_all(day: Day) -> Any:
    return start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)


def drop(day: Day) -> Any:
    return drop_team(team_id=day.teams[0].pk, actor=COMMAND)


def disqualify(day: Day) -> Any:
    return disqualify_player(
        tournament_id=day.tournament.pk, player_id=day.players[0][1].pk, actor=COMMAND, reason="Cheating"
    )


def check_in(day: Day) -> Any:
    return check_in_team(team_id=day.teams[0].pk, actor=COMMAND)


def with_solos() -> Day:
    day = registering()
    for player in add_players(store_id=day.tournament.store_id, names=["Solo Sam", "Solo Kim"]):
        enter_solo(tournament_id=day.tournament.pk, player_id=player.pk, actor=COMMAND)
    return day


def join(day: Day) -> Any:
    first, second = solos_of(day.tournament)
    members = [("B", first.pk), ("A", second.pk)]
    return join_solos(tournament_id=day.tournament.pk, members=members, actor=COMMAND)


def warn(day: Day) -> Any:
    return give_penalty(
        tournament_id=day.tournament.pk,
        player_id=day.players[0][0].pk,
        infraction="Tardiness",
        level="warning",
        actor=COMMAND,
    )


def finish_round(day: Day) -> Any:
    return (full(day), close(day))


def take_penalty_back(day: Day) -> Any:
    from tournaments.penalties import take_back_penalty

    return take_back_penalty(penalty_id=Penalty.objects.get(taken_back_at=None).pk, actor=COMMAND)


def report_one(day: Day) -> Any:
    match = table(day)
    team = day.sides(match)[0]
    return report_result(match_id=match.pk, team_id=team.pk, wins={team.pk: 2}, actor=COMMAND)


def both_report(day: Day) -> Any:
    match = table(day)
    mine, theirs = day.sides(match)
    return [
        report_result(match_id=match.pk, team_id=team.pk, wins={mine.pk: 2}, actor=COMMAND)
        for team in (mine, theirs)
    ][-1]


WALKS = [
    (DeedKind.ROUND_PAIRED, "draft", Walk(closed, pair, publish, "is published already")),
    (
        DeedKind.ROUND_PAIRED,
        "robin",
        Walk(lambda: new_day(5, format="round-robin"), pair, publish, "published"),
    ),
    (DeedKind.ROUND_PUBLISHED, "with a bye", Walk(drafted, publish, start, "is running already")),
    (DeedKind.ROUND_PUBLISHED, "a leaver", Walk(drafted, publish, drop, "left since round 1")),
    (DeedKind.ROUND_STARTED, "nothing in", Walk(published, start, enter, "has begun")),
    (DeedKind.ROUND_CLOSED, "swiss", Walk(lambda: full(running()), close, pair, "is paired already")),
    (DeedKind.ROUND_REPAIRED, "a leaver", Walk(with_a_leaver, repair, start, "have started")),
    (DeedKind.MATCH_CONFIRMED, "by staff", Walk(running, enter, finish_round, "is closed with this result")),
    (DeedKind.TEAM_DROPPED, "in a draft", Walk(drafted, drop, publish, "since the team left")),
    (DeedKind.TEAM_DROPPED, "published", Walk(published, drop, start, "since the team left")),
    (DeedKind.TEAM_DROPPED, "playing", Walk(running, drop, finish_round, "since the team left")),
    (DeedKind.TEAM_DROPPED, "result in", Walk(lambda: full(running()), drop, close, "since the team left")),
    (DeedKind.TEAM_DROPPED, "between rounds", Walk(closed, drop, pair, "since the team left")),
    (DeedKind.TEAM_DISQUALIFIED, "playing", Walk(running, disqualify, finish_round, "since the team left")),
    (
        DeedKind.TEAM_DISQUALIFIED,
        "result in",
        Walk(lambda: full(running(4)), disqualify, close, "since the team left"),
    ),
    (DeedKind.CUT_MADE, "top 4", Walk(lambda: closed(8, 3, cut=4), cut, pair, "is paired; undo")),
    (DeedKind.TOURNAMENT_STARTED, "one checked in", Walk(registering, start_all, pair, "is paired; undo")),
    (DeedKind.TEAM_CHECKED_IN, "", Walk(registering, check_in, start_all, "not checked in any more")),
    (DeedKind.TEAMS_JOINED, "two solos", Walk(with_solos, join, start_all, "is playing; drop it")),
    (DeedKind.PENALTY_GIVEN, "warning", Walk(running, warn, take_penalty_back, "undone already")),
]


def last_deed(day: Day, kind: str) -> Deed:
    return Deed.objects.filter(tournament=day.tournament, kind=kind).latest("number")


@pytest.mark.parametrize(
    ("kind", "walk"), [pytest.param(kind, walk, id=f"{kind}: {name}") for kind, name, walk in WALKS]
)
def test_a_deed_is_undone_done_again_and_refused_when_it_is_too_late(kind: DeedKind, walk: Walk) -> None:
    day = walk.before()
    was = what_counts(day.tournament)
    walk.deed(day)
    deed = last_deed(day, kind)
    assert what_counts(day.tournament) != was
    undone = undo(deed_id=deed.pk, actor=user_actor(1), reason="a slip")
    assert (undone.undoes, undone.actor, undone.reason) == (deed, "user:1", "a slip")
    assert what_counts(day.tournament) == was
    with pytest.raises(RuleBroken, match="undone already"):
        undo(deed_id=deed.pk, actor=COMMAND)
    walk.deed(day)
    again = last_deed(day, kind)
    assert again.number > undone.number
    walk.block(day)
    before = what_counts(day.tournament)
    with pytest.raises(RuleBroken) as refused:
        undo(deed_id=again.pk, actor=COMMAND)
    assert walk.says in refused.value.sentence
    assert what_counts(day.tournament) == before


def test_every_entry_of_the_table_is_walked_and_names_what_it_changes() -> None:
    assert {kind for kind, *_ in WALKS} == set(UNDO)
    assert all(way.changes.endswith(".") for way in UNDO.values())


@pytest.mark.parametrize(
    ("steps", "state", "reports"),
    [
        pytest.param([report_one, "confirm"], "reported", 1, id="staff confirmed a report"),
        pytest.param([both_report], "reported", 1, id="the other side agreed"),
        pytest.param([enter], "open", 0, id="staff entered it"),
    ],
)
def test_a_confirmation_taken_back_leaves_what_was_reported(
    steps: list[Any], state: str, reports: int
) -> None:
    day = running(4)
    for step in steps:
        if step == "confirm":
            confirm_result(match_id=table_any(day).pk, actor=COMMAND)
        else:
            step(day)
    undo(deed_id=last_deed(day, DeedKind.MATCH_CONFIRMED).pk, actor=COMMAND)
    match = table_any(day)
    assert (match.state, match.reports.filter(is_current=True).count()) == (state, reports)
    assert not match.results.filter(is_current=True).exists()
    assert match.results.count() == 1


def table_any(day: Day) -> Match:
    return Match.objects.get(round=last_round(day), table=1)


def test_a_corrected_result_is_not_taken_back_by_undoing_its_first_confirmation() -> None:
    from tournaments.corrections import correct_result

    day = running(4)
    enter(day)
    correct_result(match_id=table(day).pk, wins=(0, 2), reason="Swapped", actor=COMMAND)
    with pytest.raises(RuleBroken, match="undo the later one"):
        undo(deed_id=last_deed(day, DeedKind.MATCH_CONFIRMED).pk, actor=COMMAND)


def test_the_desk_offers_the_last_deed_that_can_be_undone_and_the_role_includes() -> None:
    day = running(4)
    found = newest_undoable(day.fresh, ALL)
    assert found is not None
    assert found[0].kind == DeedKind.ROUND_STARTED
    undo(deed_id=found[0].pk, actor=COMMAND)
    found = newest_undoable(day.fresh, ALL)
    assert found is not None
    assert found[0].kind == DeedKind.ROUND_PUBLISHED
    assert newest_undoable(day.fresh, {Can.VIEW, Can.RESULTS}) is None


@pytest.mark.parametrize("how", ["undo", "scrap"])
@pytest.mark.parametrize("case", ["case-098"])
def test_a_round_that_nobody_played_is_deleted_the_typo_fixed_and_the_round_paired_anew(
    case: str, how: str
) -> None:
    from tournaments.corrections import correct_result

    day = closed(8, 3, rounds=5)
    third = last_round(day)
    wrong = Match.objects.get(round=third, table=1)
    rnd = day.publish(seed=4)
    met = {frozenset(team.pk for team in day.sides(match)) for match in rnd.matches.all()}
    if how == "undo":
        undo(deed_id=last_deed(day, DeedKind.ROUND_PUBLISHED).pk, actor=COMMAND)
        undo(deed_id=last_deed(day, DeedKind.ROUND_PAIRED).pk, actor=COMMAND)
    else:
        scrap_round(round_id=rnd.pk, actor=COMMAND, reason="typo")
    before = day.points()
    first, second = day.sides(wrong)
    won = wrong.results.get(is_current=True).lines.get(outcome="win").side.index
    correct_result(match_id=wrong.pk, wins=(0, 2) if won == 0 else (2, 0), reason="typo", actor=COMMAND)
    after = day.points()
    assert {team for team in after if after[team] != before[team]} == {first, second}
    again = day.pair(seed=4)
    drawn = {row["id"]: row for row in again.inputs["entrants"]}
    assert again.number == 4
    assert {pk: int(row["points"]) for pk, row in drawn.items()} == {t.pk: int(p) for t, p in after.items()}
    assert not any(set(row["met"]) & (pair - {pk}) for pair in met for pk, row in drawn.items() if pk in pair)


@pytest.mark.parametrize("case", ["case-099"])
def test_the_only_round_deleted_and_back_at_registration_it_starts_again(case: str) -> None:
    day = drafted(4)
    undo(deed_id=last_deed(day, DeedKind.ROUND_PAIRED).pk, actor=COMMAND)
    undo(deed_id=last_deed(day, DeedKind.TOURNAMENT_STARTED).pk, actor=COMMAND)
    assert day.fresh.state == "registration"
    add_team(day)
    start_all(day)
    assert day.play().number == 1
    assert Team.objects.filter(tournament=day.tournament, state="playing").count() == 5


@pytest.mark.parametrize("case", ["case-101"])
def test_the_result_of_a_bye_is_never_taken_away_alone(case: str) -> None:
    from tournaments.taking_back import take_back_confirm

    day = running(5)
    bye = last_round(day).matches.get(kind="bye")
    with pytest.raises(RuleBroken, match="no result to take back"):
        take_back_confirm(match_id=bye.pk, actor=COMMAND)
    bye.refresh_from_db()
    assert (bye.state, bye.results.filter(is_current=True).count()) == ("confirmed", 1)


@pytest.mark.parametrize("case", ["case-075"])
def test_a_cut_whose_first_round_was_deleted_starts_again_with_the_same_seeds(case: str) -> None:
    day = closed(8, 3, cut=4)
    cut(day)
    seeds = list(day.stage.entries.order_by("seed").values_list("team_id", flat=True))
    pair(day)
    undo(deed_id=last_deed(day, DeedKind.ROUND_PAIRED).pk, actor=COMMAND)
    undo(deed_id=last_deed(day, DeedKind.CUT_MADE).pk, actor=COMMAND)
    cut(day)
    assert list(day.stage.entries.order_by("seed").values_list("team_id", flat=True)) == seeds
    assert pair(day).matches.count() == 2


@pytest.mark.parametrize("case", ["case-076"])
def test_a_cut_of_eight_undone_and_made_as_four_plays_three_matches_and_no_more(case: str) -> None:
    day = closed(8, 3, cut=8)
    day.cut(8)
    undo(deed_id=last_deed(day, DeedKind.CUT_MADE).pk, actor=COMMAND)
    day.cut(4)
    semifinals, final = day.play(), day.play()
    matches = Match.objects.filter(round__in=[semifinals, final]).exclude(state="void")
    winners = {
        day.sides(m)[0] if day.lines(m)[day.sides(m)[0]][0] == "win" else day.sides(m)[1]
        for m in semifinals.matches.all()
    }
    assert matches.count() == 3
    assert set(day.sides(final.matches.get())) == winners
    assert day.stage.slots.values("node").distinct().count() == 3
    assert day.stage.planned_rounds == 2


def test_registration_reopened_by_hand_keeps_who_was_here() -> None:
    day = registering()
    start_all(day)
    reopen_registration(tournament_id=day.tournament.pk, actor=COMMAND)
    assert Team.objects.get(pk=day.teams[1].pk).state == "checked-in"
