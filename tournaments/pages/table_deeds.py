"""Deeds at one table: confirm a report, openings and games, the boards of a team match."""

from collections.abc import Mapping

from matches.boards import enter_board
from matches.games import choose_first, record_game, undo_game
from matches.results import confirm_result
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState
from tournaments.pages.asked import Asked, DeskDeed, number_in, own_match
from tournaments.pages.desk_scene import Desk
from tournaments.pages.numbers import whole
from tournaments.pages.result_form import result_of
from tournaments.pages.unusual_deeds import UNUSUAL_DEEDS
from tournaments.patience import first_seed
from tournaments.staff import Can


def _confirm(desk: Desk, asked: Asked) -> str:
    match = confirm_result(match_id=own_match(desk, asked).pk, actor=desk.actor)
    return f"Table {match.table} is confirmed."


def _choose(desk: Desk, asked: Asked) -> str:
    match = own_match(desk, asked)
    entered, board = asked.get("chooser", ""), asked.get("board", "")
    number = number_in(asked, "game")
    opening = choose_first(
        match_id=match.pk,
        actor=desk.actor,
        chooser=whole(entered),
        option=asked.get("option") or None,
        seed=first_seed(match, match.round, number, board),
        board_label=board,
    )
    return f"Turn order: {', '.join(opening.order)}."


def _record_game(desk: Desk, asked: Asked) -> str:
    winner = asked.get("winner", "")
    if winner != "draw" and not (winner.isdecimal() and len(winner) == 1):
        raise RuleBroken("winner-missing", "Say who won the game, or that it was drawn.")
    game = record_game(
        match_id=own_match(desk, asked).pk,
        actor=desk.actor,
        winner=None if winner == "draw" else int(winner),
        board_label=asked.get("board", ""),
    )
    return f"Game {game.number} is recorded."


def _undo_game(desk: Desk, asked: Asked) -> str:
    game = undo_game(match_id=own_match(desk, asked).pk, actor=desk.actor, board_label=asked.get("board", ""))
    return f"Game {game.number} is open again." if game else "The last entry is taken back."


def _enter_board(desk: Desk, asked: Asked) -> str:
    match, board = own_match(desk, asked), asked.get("board", "")
    said = result_of(asked, match.frozen_terms)
    match = enter_board(
        match_id=match.pk,
        board_label=board,
        actor=desk.actor,
        kind=said["kind"],
        wins=said["wins"],
        draws=said["draws"],
        loser=said["loser"],
    )
    decided = match.state == MatchState.CONFIRMED
    return f"Table {match.table}, board {board} is in." + (" The match is decided." if decided else "")


TABLE_DEEDS: Mapping[str, DeskDeed] = {
    "confirm": DeskDeed(Can.RESULTS, _confirm),
    "choose-first": DeskDeed(Can.RESULTS, _choose),
    "record-game": DeskDeed(Can.RESULTS, _record_game),
    "undo-game": DeskDeed(Can.RESULTS, _undo_game),
    "enter-board": DeskDeed(Can.RESULTS, _enter_board),
    **UNUSUAL_DEEDS,
}
