"""Deeds of what seldom happens to a game: a restart, a named starter, a subgame, a game lost by penalty."""

from collections.abc import Mapping

from matches.unusual import begin_subgame, end_subgame, lose_game, name_starter, restart_game
from rulebook.errors import RuleBroken
from rulebook.turns import chair_codes
from tournaments.pages.asked import Asked, DeskDeed, own_match
from tournaments.pages.desk_scene import Desk
from tournaments.staff import Can

EVERYBODY = "all"


def _restart(desk: Desk, asked: Asked) -> str:
    match, board = own_match(desk, asked), asked.get("board", "")
    codes = chair_codes(match.frozen_terms.on_board(board))
    opening = restart_game(
        match_id=match.pk,
        starter=asked.get("starter", ""),
        gone=tuple(code for code in codes if asked.get(f"gone_{code}")),
        actor=desk.actor,
        board_label=board,
        reason=asked.get("reason", ""),
    )
    return f"The game begins anew: {', '.join(opening.order)}."


def _name_starter(desk: Desk, asked: Asked) -> str:
    opening = name_starter(
        match_id=own_match(desk, asked).pk,
        position=asked.get("starter", ""),
        actor=desk.actor,
        board_label=asked.get("board", ""),
    )
    return f"By the card the turn order is {', '.join(opening.order)}."


def _begin_subgame(desk: Desk, asked: Asked) -> str:
    match = own_match(desk, asked)
    game = begin_subgame(match_id=match.pk, actor=desk.actor, board_label=asked.get("board", ""))
    return f"The subgame begins in the order {', '.join(game.subgames[-1]['order'])}."


def _end_subgame(desk: Desk, asked: Asked) -> str:
    end_subgame(
        match_id=own_match(desk, asked).pk,
        actor=desk.actor,
        winner=_side(asked, nobody="draw"),
        board_label=asked.get("board", ""),
    )
    return "The subgame is over; the main game goes on in its own order."


def _lose_game(desk: Desk, asked: Asked) -> str:
    game = lose_game(
        match_id=own_match(desk, asked).pk,
        side=_side(asked, nobody=EVERYBODY),
        actor=desk.actor,
        board_label=asked.get("board", ""),
    )
    return f"Game {game.number} is recorded as lost by penalty."


def _side(asked: Asked, *, nobody: str) -> int | None:
    """The side the form names, None for its word that means no single one."""
    text = asked.get("winner", "")
    if text == nobody:
        return None
    if not (text.isdecimal() and len(text) == 1):
        raise RuleBroken("side-missing", "Say which side it was.")
    return int(text)


UNUSUAL_DEEDS: Mapping[str, DeskDeed] = {
    "restart-game": DeskDeed(Can.RESULTS, _restart),
    "name-starter": DeskDeed(Can.RESULTS, _name_starter),
    "begin-subgame": DeskDeed(Can.RESULTS, _begin_subgame),
    "end-subgame": DeskDeed(Can.RESULTS, _end_subgame),
    "lose-game": DeskDeed(Can.RESULTS, _lose_game),
}
