"""Penalties of one tournament: what each level does to game, match, team, and how they are taken back."""

from typing import Any

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from matches.games import choose_first, games_of, next_right, record_game
from matches.models import Match
from matches.results import enter_result
from rulebook.errors import RuleBroken
from rulebook.penalties import Level
from tests.day import Day, new_day
from tournaments.corrections import correct_result
from tournaments.models import Penalty
from tournaments.penalties import (
    foreseen_penalties,
    give_penalties,
    give_penalty,
    history_of,
    owed_in,
    serve_penalty,
    take_back_penalty,
)
from tournaments.penalty_advice import advised
from tournaments.rounds import close_round

pytestmark = pytest.mark.django_db


def table_one(**more: Any) -> tuple[Day, Match, list[int]]:
    """A running round, its first table, and a player of each side (seat B) in side order."""
    day = new_day(4, **more)
    match = day.run().matches.get(table=1)
    return day, match, [day.players[day.place(team)][-1].pk for team in day.sides(match)]


def penalise(day: Day, players: list[int], level: str, match: Match | None = None, **more: Any) -> Any:
    return give_penalties(
        tournament_id=day.tournament.pk,
        player_ids=players,
        infraction=more.pop("infraction", "game-play-error"),
        level=level,
        match_id=match.pk if match else None,
        actor=COMMAND,
        **more,
    )


def test_a_warning_is_recorded_and_changes_nothing_at_the_table() -> None:
    day, match, players = table_one()
    given = penalise(day, players[:1], "warning", match, note="Drew two cards")
    penalty = given.penalties[0]
    assert (penalty.match, penalty.team, penalty.note) == (match, day.sides(match)[0], "Drew two cards")
    deed = Deed.objects.get(kind="PenaltyGiven")
    assert penalty.deed == deed
    assert not deed.is_public
    match.refresh_from_db()
    assert match.state == "open"
    assert not games_of(match)


def test_a_game_loss_ends_the_running_game_for_the_whole_team_and_its_loser_chooses() -> None:
    day, match, players = table_one()
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    effect = penalise(day, players[:1], "game-loss", match).effect
    game = games_of(match)[0]
    assert (game.winner, game.ended_by) == (1, "penalty")
    assert (effect.game, effect.lost_by, effect.chooser, effect.sideboards) == (1, (0,), 0, True)
    assert next_right(match).by == "penalty"


def test_a_game_loss_before_game_one_keeps_the_sideboard_closed() -> None:
    day, match, players = table_one()
    effect = penalise(day, players[1:], "game-loss", match).effect
    assert games_of(match)[0].ended_by == "penalty-before-it-began"
    assert (effect.chooser, effect.sideboards) == (1, False)
    enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 1))


def test_game_losses_for_both_teams_draw_the_game_and_leave_the_score_alone() -> None:
    day, match, players = table_one()
    effect = penalise(day, players, "game-loss", match).effect
    assert effect.is_draw
    assert not effect.is_decided
    assert [(game.winner, game.is_draw) for game in games_of(match)] == [(None, True)]


def test_two_members_penalised_at_once_lose_one_game() -> None:
    day, match, _ = table_one()
    both = [player.pk for player in day.players[day.place(day.sides(match)[0])]]
    assert len(penalise(day, both, "game-loss", match).penalties) == 2
    assert len(games_of(match)) == 1


@pytest.mark.parametrize(("best_of", "score"), [(1, ()), (3, (0, 1))])
def test_a_game_loss_that_decides_the_match_confirms_it(best_of: int, score: tuple[int, ...]) -> None:
    day, match, players = table_one(best_of=best_of)
    effect = penalise(day, players[:1], "game-loss", match, score=score).effect
    match.refresh_from_db()
    assert effect.is_decided
    assert match.state == "confirmed"
    assert [line[0] for line in day.lines(match).values()] == ["loss", "win"]


def test_a_match_loss_keeps_the_games_won_and_both_penalised_both_lose() -> None:
    day, match, players = table_one()
    record_game(match_id=match.pk, actor=COMMAND, winner=0)
    penalise(day, players[:1], "match-loss", match)
    assert [line[:2] for line in day.lines(match).values()] == [("loss", 1), ("win", 2)]
    other = match.round.matches.get(table=2)
    people = [day.players[day.place(team)][0].pk for team in day.sides(other)]
    penalise(day, people, "match-loss", other)
    assert day.kind(other) == "double-loss"


def test_a_loss_with_no_match_running_is_owed_and_taken_at_the_next_one() -> None:
    day, match, players = table_one()
    enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 0))
    given = penalise(day, players[:1], "match-loss", match)
    assert given.effect.is_owed
    assert owed_in(day.tournament.pk) == list(given.penalties)
    day.win_all(match.round)
    close_round(round_id=match.round_id, actor=COMMAND)
    later = day.match_of(day.sides(match)[0], day.run(2))
    serve_penalty(penalty_id=given.penalties[0].pk, match_id=later.pk, actor=COMMAND)
    assert day.lines(later)[day.sides(match)[0]][0] == "loss"
    assert not owed_in(day.tournament.pk)
    with pytest.raises(RuleBroken, match="owes no game"):
        serve_penalty(penalty_id=given.penalties[0].pk, match_id=later.pk, actor=COMMAND)


def test_a_disqualification_takes_the_team_and_taking_it_back_lets_it_play_on() -> None:
    day, match, players = table_one()
    penalty = penalise(day, players[:1], "disqualification", match, infraction="cheating").penalties[0]
    team = day.sides(match)[0]
    team.refresh_from_db()
    assert (team.state, penalty.infraction, penalty.given_at is not None) == (
        "disqualified",
        "cheating",
        True,
    )
    assert Penalty.objects.count() == 1
    take_back_penalty(penalty_id=penalty.pk, actor=COMMAND, reason="Mistaken identity")
    team.refresh_from_db()
    assert team.state == "playing"
    deed = Deed.objects.get(kind="PenaltyTakenBack")
    assert (deed.undoes, deed.reason) == (penalty.deed, "Mistaken identity")
    with pytest.raises(RuleBroken, match="taken back already"):
        take_back_penalty(penalty_id=penalty.pk, actor=COMMAND)


def test_a_foreseen_penalty_has_not_happened() -> None:
    day, match, players = table_one()
    deeds = Deed.objects.count()
    effect = foreseen_penalties(
        tournament_id=day.tournament.pk,
        player_ids=players[:1],
        infraction="decklist",
        level="game-loss",
        match_id=match.pk,
        actor=COMMAND,
    )
    assert effect.lost_by == (0,)
    assert (Deed.objects.count(), Penalty.objects.count(), games_of(match)) == (deeds, 0, [])


def test_in_a_pod_the_others_play_on() -> None:
    day = new_day(8, mode="magic-commander", best_of=1)
    match = day.run().matches.filter(kind="table").first()
    assert match is not None
    player = day.players[day.place(day.sides(match)[0])][0].pk
    effect = penalise(day, [player], "match-loss", match, infraction="bribery").effect
    match.refresh_from_db()
    assert effect.in_pod
    assert match.state == "open"


def test_the_history_of_a_player_raises_what_is_advised() -> None:
    day, match, players = table_one(level="competitive")
    usual = advised(day.fresh, "late", [], minutes_late=2)
    assert usual.level is Level.WARNING
    assert usual.has_extension
    assert advised(day.fresh, "late", [], minutes_late=5).level is Level.GAME_LOSS
    assert advised(day.fresh, "late", [], never_came=True).leaves_unless_reporting
    for _ in range(2):
        penalise(day, players[:1], "warning", match, infraction="slow-play")
    taken = penalise(day, players[1:], "warning", match, infraction="slow-play").penalties[0]
    take_back_penalty(penalty_id=taken.pk, actor=COMMAND)
    history = history_of(day.tournament.pk, players[:1])
    third = advised(day.fresh, "slow-play", history)
    assert third.level is Level.GAME_LOSS
    assert "2 warnings for the same" in third.sentence
    assert not history_of(day.tournament.pk, players[1:])


def test_who_is_in_no_team_and_an_unknown_level_are_refused() -> None:
    day, match, players = table_one()
    for asked in ({"level": "scolding"}, {"player_id": 10**6}, {"infraction": " "}):
        more = {"level": "warning", "player_id": players[0], "infraction": "late", **asked}
        with pytest.raises(RuleBroken):
            give_penalty(tournament_id=day.tournament.pk, actor=COMMAND, **more)
    other = day.players[day.place(day.sides(match.round.matches.get(table=2))[0])][0].pk
    with pytest.raises(RuleBroken, match="plays at that table"):
        penalise(day, [other], "warning", match)


def test_a_double_disqualification_entered_by_mistake_is_corrected_in_the_bracket() -> None:
    """case-047: the winner goes on, no further match appears and nobody comes back."""
    day = new_day(4, rounds=1, cut=4)
    day.play()
    day.cut(4)
    semifinal = day.run(2)
    match = semifinal.matches.get(table=1)
    enter_result(match_id=match.pk, actor=COMMAND, kind="double-loss")
    day.win_all(semifinal)
    correct_result(match_id=match.pk, actor=COMMAND, reason="Only B was out", kind="match-loss", loser=1)
    close_round(round_id=semifinal.pk, actor=COMMAND)
    final = day.publish(3)
    tables = list(final.matches.filter(kind="table"))
    assert len(tables) == 1
    assert day.sides(match)[0] in day.sides(tables[0])
    assert day.sides(match)[1] not in day.sides(tables[0])


def test_the_score_does_not_decide_when_the_leader_is_disqualified() -> None:
    """case-048: the leader by games is out, the other side wins the match."""
    day, match, players = table_one()
    record_game(match_id=match.pk, actor=COMMAND, winner=0)
    penalise(day, players[:1], "disqualification", match, infraction="cheating")
    assert [line[:2] for line in day.lines(match).values()] == [("loss", 1), ("win", 2)]


def test_earlier_results_against_somebody_disqualified_later_stand() -> None:
    """case-046 and case-049: they count for the opponent's figures, and the organizer may correct one."""
    day = new_day(4)
    first = day.play(1)
    gone = day.sides(first.matches.get(table=1))[0]
    met = day.opponent_of(gone, first)
    before = day.lines(day.match_of(gone, first))
    day.run(2)
    penalise(day, [day.players[day.place(gone)][0].pk], "disqualification", infraction="cheating")
    assert day.lines(day.match_of(gone, first)) == before
    assert gone not in day.ranking()
    assert met in day.ranking()
    corrected = day.match_of(gone, first)
    correct_result(match_id=corrected.pk, actor=COMMAND, reason="Ruled a win", wins=(1, 1))
    assert day.lines(corrected)[met][0] == "draw"
