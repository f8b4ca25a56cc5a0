"""Deeds at a table: results, reports, openings and games, calls, extra time."""

from functools import partial
from random import Random
from typing import Any

from rest_framework.exceptions import ValidationError

from integrations.api.answers import MATCH_TOLD, TEAMS_TOLD
from integrations.api.fields import Because, Body, Flag, Id, Many, Number, One, Words, ids
from integrations.api.operations import Answer, Call, Operation
from integrations.api.places import CALL, MATCH
from integrations.api.results import TWO_TO_ONE, ResultBody, counted, side_of, sides_in_order
from integrations.api.rows import CALL_TOLD
from integrations.scopes import Scope
from matches.boards import enter_board
from matches.calls import call_judge, end_call, take_call
from matches.games import choose_first, games_of, record_game, undo_game
from matches.models import Match, Opening
from matches.results import confirm_result, dispute_result, enter_result, report_result
from matches.unusual import begin_subgame, end_subgame, lose_game, name_starter, restart_game
from rulebook.turns import GameEnd
from teams.models import User
from tournaments.api.rules import GamesSerializer, told_games
from tournaments.clockwork import extend_table
from tournaments.corrections import correct_board, correct_result
from tournaments.featuring import feature_match
from tournaments.resolving import enter_and_drop
from tournaments.staff import Can, may

AT = "matches/<int:pk>"
RESULTS = partial(Operation, scope=Scope.RESULTS_WRITE, can=Can.RESULTS, place=MATCH, answer=MATCH_TOLD)
GAMES_TOLD = Answer(GamesSerializer, lambda done, call: {"results": told_games(call.row)})
GAMES = partial(RESULTS, answer=GAMES_TOLD)
BOARD = {"required": False, "allow_blank": True, "default": "", "help_text": "A, B or C in trios"}


class CorrectBody(ResultBody):
    reason = Words()
    version = Id(required=False, help_text="refused once anything has changed since this version")


class BoardResultBody(ResultBody):
    board = Words(max_length=1, help_text="A, B or C")


class CorrectBoardBody(CorrectBody):
    board = Words(max_length=1, help_text="A, B or C")


class ReportBody(ResultBody):
    team = Id(help_text="who reports")


class DisputeBody(Because):
    team = Id(help_text="who does not agree")


class EnterAndDropBody(ResultBody):
    leaving = ids(min_length=1, max_length=12, help_text="teams of this match that leave after it")
    has_result = Flag(required=False, default=True, help_text="false: the leaving teams concede")


class JudgeBody(Body):
    team = Id(required=False, help_text="who asks")
    note = Words(max_length=200, required=False, allow_blank=True, default="")


class TakeBody(Body):
    username = Words(max_length=150, required=False, help_text="who goes; default: whoever is signed in")


class ExtendBody(Because):
    minutes = Number(min_value=1, max_value=600)


class ChooseBody(Body):
    """Game one: `chooser` is who won the roll; left out, it is drawn by lot. Later the mode says who."""

    chooser = Id(required=False, allow_null=True, default=None, help_text="a team")
    option = Words(max_length=20, required=False, help_text="what it chose; left out: the default")
    board = Words(max_length=1, **BOARD)


class BoardBody(Body):
    board = Words(max_length=1, **BOARD)


class GameBody(BoardBody):
    winner = Id(allow_null=True, help_text="a team; null: a drawn game")
    ended_by = One(choices=[end.value for end in GameEnd], required=False, default=GameEnd.PLAYED.value)


class LoseBody(BoardBody):
    team = Id(allow_null=True, help_text="who lost the game by penalty; null: everybody did")


class RestartBody(BoardBody):
    starter = Words(max_length=3, help_text="a position, such as 2A")
    gone = Many(child=Words(max_length=3), max_length=12, required=False, default=list)
    reason = Words(required=False, allow_blank=True, default="")


class StarterBody(BoardBody):
    position = Words(max_length=3, help_text="a position, such as 2A")


class SubgameEndBody(BoardBody):
    winner = Id(allow_null=True, help_text="a team; null: nobody won it")


def _result(call: Call) -> dict[str, Any]:
    return counted(call.data, sides_in_order(call.row))


def _on_board(call: Call) -> dict[str, Any]:
    said = _result(call)
    return {key: said[key] for key in ("kind", "wins", "draws", "loser")}


def _correct(call: Call) -> Match:
    more = {key: call.data[key] for key in ("reason", "version") if key in call.data}
    return correct_result(match_id=call.row.pk, actor=call.actor, **_result(call), **more)


def _correct_board(call: Call) -> Match:
    more = {key: call.data[key] for key in ("reason", "version") if key in call.data}
    return correct_board(
        match_id=call.row.pk,
        board_label=call.data["board"],
        actor=call.actor,
        **_on_board(call),
        **more,
    )


def _report(call: Call) -> Match:
    sides = sides_in_order(call.row)
    side_of(call.data["team"], sides, "team")
    said = counted(call.data, sides)
    return report_result(
        match_id=call.row.pk,
        team_id=call.data["team"],
        actor=call.actor,
        kind=said["kind"],
        wins=dict(zip(sides, said["wins"], strict=True)),
        draws=said["draws"],
        loser=call.data["loser"],
    )


def _dispute(call: Call) -> Match:
    side_of(call.data["team"], sides_in_order(call.row), "team")
    return dispute_result(
        match_id=call.row.pk, team_id=call.data["team"], actor=call.actor, reason=call.data["reason"]
    )


def _enter_and_drop(call: Call) -> Any:
    sides = sides_in_order(call.row)
    for team in call.data["leaving"]:
        side_of(team, sides, "leaving")
    call.require(call.row.tournament_id, Scope.TEAMS_WRITE, Can.DROP)
    result = counted(call.data, sides) if call.data["has_result"] else {}
    return enter_and_drop(match_id=call.row.pk, team_ids=call.data["leaving"], actor=call.actor, **result)


def _take(call: Call) -> Any:
    """The person named, or whoever is signed in, goes; he has to serve there."""
    name = call.data.get("username", "" if call.caller.key else call.caller.user.username)
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None or not may(user, call.row.match.tournament_id, Can.VIEW):
        raise ValidationError({"username": "Nobody of that name serves in this tournament."})
    return take_call(call_id=call.row.pk, user_id=user.pk, actor=call.actor)


def _choose(call: Call) -> Opening:
    match, board = call.row, call.data["board"]
    number = len(games_of(match, board)) + 1 if board in match.frozen_terms.boards else 1
    # Drawn from the round, so that nobody can draw again until it suits; the desk and the phone do the same.
    seed = Random(f"first:{match.round.seed}:{match.pk}:{number}{board}").getrandbits(62)
    return choose_first(
        match_id=match.pk,
        actor=call.actor,
        chooser=side_of(call.data["chooser"], sides_in_order(match), "chooser"),
        option=call.data.get("option"),
        seed=seed,
        board_label=board,
    )


def _record_game(call: Call) -> Any:
    return record_game(
        match_id=call.row.pk,
        actor=call.actor,
        winner=side_of(call.data["winner"], sides_in_order(call.row), "winner"),
        ended_by=GameEnd(call.data["ended_by"]),
        board_label=call.data["board"],
    )


def _lose(call: Call) -> Any:
    side = side_of(call.data["team"], sides_in_order(call.row), "team")
    return lose_game(match_id=call.row.pk, side=side, actor=call.actor, board_label=call.data["board"])


def _end_subgame(call: Call) -> Any:
    winner = side_of(call.data["winner"], sides_in_order(call.row), "winner")
    return end_subgame(match_id=call.row.pk, actor=call.actor, winner=winner, board_label=call.data["board"])


MATCHES = [
    RESULTS(
        name="matches_result",
        path=f"{AT}/result/",
        body=ResultBody,
        run=lambda call: enter_result(match_id=call.row.pk, actor=call.actor, **_result(call)),
        status=201,
        says="The result is entered and counts.",
        example=TWO_TO_ONE,
    ),
    RESULTS(
        name="matches_confirm",
        path=f"{AT}/confirm/",
        run=lambda call: confirm_result(match_id=call.row.pk, actor=call.actor),
        says="What was reported counts.",
    ),
    RESULTS(
        name="matches_correct",
        path=f"{AT}/correct/",
        can=Can.CORRECT,
        body=CorrectBody,
        run=_correct,
        says="The match has another result; every later table of standings is new.",
        example={**TWO_TO_ONE, "reason": "entered the wrong way round"},
    ),
    RESULTS(
        name="matches_report",
        path=f"{AT}/report/",
        body=ReportBody,
        run=_report,
        says="The team's report is known; an equal one of the other side confirms it.",
        example={"team": 17, **TWO_TO_ONE},
    ),
    RESULTS(
        name="matches_dispute",
        path=f"{AT}/dispute/",
        body=DisputeBody,
        run=_dispute,
        says="The side does not agree with the report; a judge decides.",
        example={"team": 21, "reason": "it was 1-1"},
    ),
    RESULTS(
        name="matches_enter_and_drop",
        path=f"{AT}/enter-and-drop/",
        body=EnterAndDropBody,
        run=_enter_and_drop,
        answer=TEAMS_TOLD,
        says="The result counts, and the teams leave after it.",
        example={**TWO_TO_ONE, "leaving": [21]},
    ),
    RESULTS(
        name="boards_result",
        path=f"{AT}/boards/result/",
        body=BoardResultBody,
        run=lambda call: enter_board(
            match_id=call.row.pk, board_label=call.data["board"], actor=call.actor, **_on_board(call)
        ),
        status=201,
        says="One board of a trio has its result; the match is decided once no board can turn it.",
        example={"board": "A", **TWO_TO_ONE},
    ),
    RESULTS(
        name="boards_correct",
        path=f"{AT}/boards/correct/",
        can=Can.CORRECT,
        body=CorrectBoardBody,
        run=_correct_board,
        says="One board of the decided match has another result, and the team's follows.",
        example={"board": "A", **TWO_TO_ONE, "reason": "entered the wrong way round"},
    ),
    RESULTS(
        name="matches_extend",
        path=f"{AT}/extend/",
        body=ExtendBody,
        run=lambda call: extend_table(match_id=call.row.pk, actor=call.actor, **call.data),
        says="The table has so many minutes more than the round.",
        example={"minutes": 6, "reason": "a long ruling"},
    ),
    RESULTS(
        name="matches_feature",
        path=f"{AT}/feature/",
        scope=Scope.ROUNDS_WRITE,
        can=Can.PAIR,
        run=lambda call: feature_match(match_id=call.row.pk, actor=call.actor),
        says="The match is played at the feature table.",
    ),
    RESULTS(
        name="calls_open",
        path=f"{AT}/calls/",
        body=JudgeBody,
        run=lambda call: call_judge(
            match_id=call.row.pk, team_id=call.data.get("team"), note=call.data["note"], actor=call.actor
        ),
        answer=CALL_TOLD,
        status=201,
        says="A judge is called to the table; a second call is the open one.",
        example={"note": "card text"},
    ),
    RESULTS(
        name="calls_take",
        path="calls/<int:pk>/take/",
        place=CALL,
        body=TakeBody,
        run=_take,
        answer=CALL_TOLD,
        says="Somebody of the staff goes to the table.",
        example={"username": "judge"},
    ),
    RESULTS(
        name="calls_end",
        path="calls/<int:pk>/end/",
        place=CALL,
        run=lambda call: end_call(call_id=call.row.pk, actor=call.actor),
        answer=CALL_TOLD,
        says="The judge is done at the table.",
    ),
    GAMES(
        name="openings_choose",
        path=f"{AT}/openings/",
        body=ChooseBody,
        run=_choose,
        status=201,
        says="The next game has its opening: who chose, by what right, and the order.",
        example={"chooser": 17},
    ),
    GAMES(
        name="games_record",
        path=f"{AT}/games/",
        body=GameBody,
        run=_record_game,
        status=201,
        says="The running game has ended, or the next one where no opening was recorded.",
        example={"winner": 17},
    ),
    GAMES(
        name="games_undo",
        path=f"{AT}/games/undo/",
        body=BoardBody,
        run=lambda call: undo_game(match_id=call.row.pk, actor=call.actor, board_label=call.data["board"]),
        says="The last thing recorded at the table is taken back.",
        example={"board": ""},
    ),
    GAMES(
        name="games_lose",
        path=f"{AT}/games/lose/",
        body=LoseBody,
        run=_lose,
        says="The side lost the running game by a penalty, or the next one before it began.",
        example={"team": 21},
    ),
    GAMES(
        name="games_restart",
        path=f"{AT}/games/restart/",
        body=RestartBody,
        run=lambda call: restart_game(
            match_id=call.row.pk,
            starter=call.data["starter"],
            gone=tuple(call.data["gone"]),
            board_label=call.data["board"],
            reason=call.data["reason"],
            actor=call.actor,
        ),
        says="The running game begins anew; nobody won it.",
        example={"starter": "2A"},
    ),
    GAMES(
        name="games_name_starter",
        path=f"{AT}/games/starter/",
        body=StarterBody,
        run=lambda call: name_starter(
            match_id=call.row.pk,
            position=call.data["position"],
            board_label=call.data["board"],
            actor=call.actor,
        ),
        says="A card names the starting player after the choice.",
        example={"position": "2A"},
    ),
    GAMES(
        name="subgames_begin",
        path=f"{AT}/games/subgame/",
        body=BoardBody,
        run=lambda call: begin_subgame(
            match_id=call.row.pk, actor=call.actor, board_label=call.data["board"]
        ),
        says="A game inside the running game has begun.",
        example={"board": ""},
    ),
    GAMES(
        name="subgames_end",
        path=f"{AT}/games/subgame/end/",
        body=SubgameEndBody,
        run=_end_subgame,
        says="The subgame is over, and the main game goes on.",
        example={"winner": 17},
    ),
]
