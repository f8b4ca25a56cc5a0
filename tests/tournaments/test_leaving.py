"""Every row of "a member leaves", for drop and for disqualification, through the services."""

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from matches.games import choose_first, record_game
from matches.models import Match
from matches.results import report_result
from rulebook.errors import RuleBroken
from teams.models import Seat, Team
from teams.people import add_players
from tests.day import Day, add_team, new_day
from tournaments.models import Penalty, StageEntry
from tournaments.registration import register_team
from tournaments.rounds import close_round, publish_round, start_round
from tournaments.standings import standings_of
from tournaments.withdrawals import disqualify_player, drop_player, drop_team, reinstate_team

pytestmark = pytest.mark.django_db

LEAVINGS = ("drop", "disqualify")


def leave(day: Day, team: Team, how: str, member: int = 1, **more: object) -> Team:
    player = day.players[day.place(team)][member]
    given = {"tournament_id": day.tournament.pk, "player_id": player.pk, "actor": COMMAND, **more}
    left = drop_player(**given) if how == "drop" else disqualify_player(reason="cheating", **given)
    assert left.state == {"drop": "dropped", "disqualify": "disqualified"}[how]
    deed = Deed.objects.filter(tournament=day.tournament).latest("number")
    assert deed.kind == {"drop": "TeamDropped", "disqualify": "TeamDisqualified"}[how]
    assert deed.after["player"] == player.pk
    return left


@pytest.mark.parametrize("how", LEAVINGS)
@pytest.mark.parametrize("member", [0, 1], ids=["A", "B"])
def test_either_member_takes_the_team_out_of_a_tournament_with_nothing_paired(how: str, member: int) -> None:
    day = new_day(4)
    leave(day, day.teams[0], how, member)
    rnd = day.pair()
    assert not Match.objects.filter(round=rnd, sides__team=day.teams[0]).exists()
    assert rnd.matches.filter(kind="bye").count() == 1


@pytest.mark.parametrize("how", LEAVINGS)
def test_a_draft_is_paired_again_without_the_team(how: str) -> None:
    day = new_day(4)
    draft = day.pair()
    leave(day, day.teams[0], how)
    repaired = day.now_round
    assert repaired is not None
    assert repaired.pk != draft.pk
    assert (repaired.number, repaired.state) == (1, "paired")
    draft.refresh_from_db()
    assert draft.state == "scrapped"
    assert set(draft.matches.values_list("state", flat=True)) == {"void"}
    in_round = set(Team.objects.filter(sides__round=repaired, sides__is_live=True))
    assert in_round == set(day.teams[1:])


@pytest.mark.parametrize("how", LEAVINGS)
def test_before_the_start_of_a_published_round_the_opponent_wins_two_games_to_none(how: str) -> None:
    day = new_day(4)
    rnd = day.publish()
    team, other = day.teams[0], day.opponent_of(day.teams[0], rnd)
    leave(day, team, how)
    match = day.match_of(team, rnd)
    assert match.state == "confirmed"
    assert day.kind(match) == {"drop": "no-show", "disqualify": "match-loss"}[how]
    assert day.lines(match) == {team: ("loss", 0, 0), other: ("win", 2, 0)}


@pytest.mark.parametrize("how", LEAVINGS)
@pytest.mark.parametrize(
    ("won", "kept"), [((0, 0), (0, 2)), ((1, 1), (1, 2)), ((1, 0), (1, 2)), ((0, 1), (0, 2))], ids=str
)
def test_in_a_running_round_won_games_are_kept_and_the_opponent_wins(
    how: str, won: tuple[int, int], kept: tuple[int, int]
) -> None:
    day = new_day(4)
    rnd = day.run()
    team, other = day.teams[0], day.opponent_of(day.teams[0], rnd)
    match = day.match_of(team, rnd)
    mine_first = day.sides(match)[0] == team
    leave(day, team, how, score=won if mine_first else won[::-1])
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert day.kind(match) == {"drop": "concession", "disqualify": "match-loss"}[how]
    assert day.lines(match) == {team: ("loss", kept[0], 0), other: ("win", kept[1], 0)}


def test_case_048_a_disqualified_leader_loses_two_to_one_and_keeps_the_game_won() -> None:
    day = new_day(4)
    rnd = day.run()
    team, other = day.teams[0], day.opponent_of(day.teams[0], rnd)
    match = day.match_of(team, rnd)
    choose_first(match_id=match.pk, actor=COMMAND, seed=5)
    record_game(match_id=match.pk, actor=COMMAND, winner=day.sides(match).index(team))
    leave(day, team, "disqualify")
    assert day.lines(match) == {team: ("loss", 1, 0), other: ("win", 2, 0)}


@pytest.mark.parametrize(
    ("how", "outcome"), [("drop", ("win", 2, 0)), ("disqualify", ("loss", 1, 0))], ids=LEAVINGS
)
def test_a_confirmed_result_of_an_open_round_stands_for_a_drop_and_is_lost_by_ruling(
    how: str, outcome: tuple[str, int, int]
) -> None:
    day = new_day(4)
    rnd = day.run()
    day.enter_for(day.teams[0], rnd, 2, 0)
    leave(day, day.teams[0], how)
    assert day.lines(day.match_of(day.teams[0], rnd))[day.teams[0]] == outcome


@pytest.mark.parametrize(("how", "state"), [("drop", "reported"), ("disqualify", "confirmed")], ids=LEAVINGS)
def test_a_report_stands_for_a_drop_and_is_lost_by_ruling(how: str, state: str) -> None:
    day = new_day(4)
    rnd = day.run()
    team, other = day.teams[0], day.opponent_of(day.teams[0], rnd)
    match = day.match_of(team, rnd)
    report_result(match_id=match.pk, team_id=team.pk, actor=COMMAND, wins={team.pk: 2, other.pk: 1})
    leave(day, team, how)
    match.refresh_from_db()
    assert match.state == state
    if how == "disqualify":
        assert day.lines(match) == {team: ("loss", 1, 0), other: ("win", 2, 0)}


@pytest.mark.parametrize("how", LEAVINGS)
def test_a_closed_round_changes_nothing_but_the_ranking_of_a_disqualified_team(how: str) -> None:
    day = new_day(4)
    rnd = day.play()
    winner = day.teams[0]
    before = day.lines(day.match_of(winner, rnd))
    leave(day, winner, how)
    assert day.lines(day.match_of(winner, rnd)) == before
    assert (winner in day.ranking()) is (how == "drop")
    assert len(day.ranking()) == (4 if how == "drop" else 3)
    following = day.pair(2)
    assert not Match.objects.filter(round=following, sides__team=winner).exists()


@pytest.mark.parametrize("how", LEAVINGS)
def test_before_the_cut_is_made_the_next_in_rank_moves_in(how: str) -> None:
    day = new_day(6, rounds=2)
    day.play(1)
    day.play(2)
    third = day.ranking()[2]
    leave(day, day.ranking()[0], how)
    bracket = day.cut(2)
    assert third in [entry.team for entry in bracket.entries.all()]


@pytest.mark.parametrize("how", LEAVINGS)
def test_after_the_cut_nobody_is_promoted_and_the_best_remaining_seed_gets_the_bye(how: str) -> None:
    day = new_day(6, rounds=2)
    day.play(1)
    day.play(2)
    bracket = day.cut(4)
    seeds = [entry.team for entry in bracket.entries.order_by("seed")]
    leave(day, seeds[1], how)
    semifinal = day.pair()
    lone = semifinal.matches.get(kind="bye")
    assert day.sides(lone) == [seeds[0]]
    assert set(day.sides(semifinal.matches.get(kind="table"))) == {seeds[2], seeds[3]}
    assert bracket.entries.count() == 4


@pytest.mark.parametrize("how", LEAVINGS)
def test_in_a_paired_bracket_round_the_opponent_advances(how: str) -> None:
    day = new_day(6, rounds=2)
    day.play(1)
    day.play(2)
    bracket = day.cut(4)
    seeds = [entry.team for entry in bracket.entries.order_by("seed")]
    semifinal = day.run()
    leave(day, seeds[0], how)
    day.win_all(semifinal)
    close_round(round_id=semifinal.pk, actor=COMMAND)
    final = day.run(2)
    assert seeds[3] in day.sides(final.matches.get())
    assert StageEntry.objects.get(stage=bracket, team=seeds[0]).place == 3


@pytest.mark.parametrize("how", LEAVINGS)
def test_a_draft_of_the_bracket_is_paired_again_without_the_team(how: str) -> None:
    day = new_day(6, rounds=2)
    day.play(1)
    day.play(2)
    bracket = day.cut(4)
    seeds = [entry.team for entry in bracket.entries.order_by("seed")]
    day.pair()
    leave(day, seeds[3], how)
    draft = day.now_round
    assert draft is not None
    assert day.sides(draft.matches.get(kind="bye")) == [seeds[0]]
    assert set(day.sides(draft.matches.get(kind="table"))) == {seeds[1], seeds[2]}


@pytest.mark.parametrize("how", LEAVINGS)
def test_the_bracket_goes_on_when_a_semifinal_winner_leaves_before_the_final_is_paired(how: str) -> None:
    day = new_day(6, rounds=2)
    day.play(1)
    day.play(2)
    bracket = day.cut(4)
    seeds = [entry.team for entry in bracket.entries.order_by("seed")]
    day.play(3)
    finalists = [team for team in seeds if StageEntry.objects.get(stage=bracket, team=team).place is None]
    leave(day, finalists[0], how)
    final = day.publish(4)
    assert day.sides(final.matches.get(kind="bye")) == [finalists[1]]
    start_round(round_id=final.pk, actor=COMMAND)
    close_round(round_id=final.pk, actor=COMMAND)
    assert StageEntry.objects.get(stage=bracket, team=finalists[1]).place == 1
    assert StageEntry.objects.get(stage=bracket, team=finalists[0]).place == 2


def test_case_030_a_drop_before_publishing_leaves_the_opponent_paired_or_with_the_bye() -> None:
    day = new_day(6)
    day.play(1)
    draft = day.pair(2)
    team = day.teams[2]
    opponent = day.opponent_of(team, draft)
    leave(day, team, "drop")
    now = day.now_round
    assert now is not None
    publish_round(round_id=now.pk, actor=COMMAND)
    assert day.match_of(opponent, now).kind in ("table", "bye")
    assert not Match.objects.filter(round=now, sides__team=team).exists()


def test_case_033_a_mistaken_drop_is_undone_with_identity_and_history() -> None:
    day = new_day(6, rounds=4)
    day.play(1)
    day.play(2)
    team = day.teams[3]
    met = {day.opponent_of(team, rnd) for rnd in day.stage.rounds.all()}
    leave(day, team, "drop")
    back = reinstate_team(team_id=team.pk, actor=COMMAND)
    assert back.pk == team.pk
    third = day.pair(3)
    assert day.opponent_of(team, third) not in met
    assert Team.objects.filter(tournament=day.tournament).count() == 6
    assert Match.objects.filter(sides__team=team, sides__is_live=True).count() == 3


def test_case_046_an_earlier_result_against_a_disqualified_team_stands() -> None:
    day = new_day(4, rounds=3)
    first = day.play(1)
    cheat = day.teams[0]
    victim = day.opponent_of(cheat, first)
    day.play(2)
    day.run(3)
    leave(day, cheat, "disqualify")
    assert day.lines(day.match_of(victim, first)) == {victim: ("loss", 0, 0), cheat: ("win", 2, 0)}
    assert cheat not in day.ranking()


def test_case_049_the_disqualified_team_still_counts_in_its_opponents_percentages() -> None:
    day = new_day(4, rounds=3, policy="magic")
    first = day.play(1)
    cheat = day.teams[0]
    victim = day.opponent_of(cheat, first)
    leave(day, cheat, "disqualify")
    rows = {row.entrant: dict(row.figures) for row in standings_of(day.swiss)}
    assert rows[victim.pk]["omw"] == 1
    assert cheat.pk not in rows


def test_a_disqualification_is_a_penalty_on_record_and_keeps_the_person_out() -> None:
    day = new_day(4)
    leave(day, day.teams[0], "disqualify")
    penalty = Penalty.objects.get()
    assert (penalty.level, penalty.team, penalty.player) == (
        "disqualification",
        day.teams[0],
        day.players[0][1],
    )
    newcomer = add_players(store_id=day.tournament.store_id, names=["New"])[0]
    with pytest.raises(RuleBroken, match="already plays in") as refused:
        register_team(
            tournament_id=day.tournament.pk,
            members={"A": newcomer.pk, "B": day.players[0][1].pk},
            actor=COMMAND,
        )
    assert refused.value.code == "player-in-another-team"


def test_a_dropped_member_may_enter_with_somebody_else_and_then_the_old_team_cannot_return() -> None:
    day = new_day(4)
    leave(day, day.teams[0], "drop")
    newcomer = add_players(store_id=day.tournament.store_id, names=["New"])[0]
    members = {"A": day.players[0][0].pk, "B": newcomer.pk}
    register_team(tournament_id=day.tournament.pk, members=members, actor=COMMAND)
    with pytest.raises(RuleBroken) as refused:
        reinstate_team(team_id=day.teams[0].pk, actor=COMMAND)
    assert refused.value.code == "player-in-another-team"
    assert Team.objects.get(pk=day.teams[0].pk).state == "dropped"


def test_reinstated_after_a_missed_round_the_round_counts_by_policy() -> None:
    day = new_day(6, rounds=4, late_policy="loss")
    day.play(1)
    leave(day, day.teams[0], "drop")
    second = day.play(2)
    reinstate_team(team_id=day.teams[0].pk, actor=COMMAND)
    assert day.match_of(day.teams[0], second).kind == "assigned-loss"
    assert day.points()[day.teams[0]] == 3


@pytest.mark.parametrize("how", LEAVINGS)
def test_a_disqualified_team_can_be_reinstated_and_is_ranked_again(how: str) -> None:
    day = new_day(4)
    day.play(1)
    leave(day, day.teams[0], how)
    reinstate_team(team_id=day.teams[0].pk, actor=COMMAND, reason="wrong person")
    assert day.teams[0] in day.ranking()[:2]
    assert Seat.objects.filter(team=day.teams[0], is_live=True).count() == 2


def test_who_has_left_cannot_leave_again_and_a_disqualification_needs_a_reason() -> None:
    day = new_day(4)
    leave(day, day.teams[0], "drop")
    with pytest.raises(RuleBroken) as refused:
        drop_team(team_id=day.teams[0].pk, actor=COMMAND)
    assert refused.value.code == "already-out"
    deeds = Deed.objects.count()
    with pytest.raises(RuleBroken) as refused:
        disqualify_player(
            tournament_id=day.tournament.pk, player_id=day.players[1][0].pk, actor=COMMAND, reason=" "
        )
    assert refused.value.code == "reason-missing"
    assert Deed.objects.count() == deeds


def test_a_stranger_cannot_be_dropped() -> None:
    day = new_day(4)
    stranger = add_players(store_id=day.tournament.store_id, names=["Stranger"])[0]
    with pytest.raises(RuleBroken) as refused:
        drop_player(tournament_id=day.tournament.pk, player_id=stranger.pk, actor=COMMAND)
    assert refused.value.code == "unknown-player"


def test_case_032_a_dropped_team_keeps_its_rounds_and_a_newcomer_enters_with_losses_before() -> None:
    day = new_day(6, rounds=6, late_policy="loss")
    for seed in (1, 2, 3):
        day.play(seed)
    gone = day.teams[4]
    leave(day, gone, "drop")
    new = add_team(day)
    new.refresh_from_db()
    assert (new.state, new.entered_round) == ("playing", 4)
    kinds = [day.match_of(new, rnd).kind for rnd in day.stage.rounds.order_by("number")]
    assert kinds == ["assigned-loss"] * 3
    assert day.points()[new] == 0
    rows = {row.entrant: row for row in standings_of(day.swiss)}
    assert rows[gone.pk].played == 3
    fourth = day.pair(4)
    assert day.match_of(new, fourth).kind == "table"
