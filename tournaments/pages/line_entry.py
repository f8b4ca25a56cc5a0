"""A result line is entered at its table: what was typed is fitted to how the table plays."""

from typing import Any

from matches.boards import enter_board
from matches.models import Match
from matches.results import enter_result
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState
from rulebook.scoring import LOST_BY_ONE, ResultKind
from rulebook.terms import Terms
from tournaments.pages.desk_scene import Desk
from tournaments.pages.result_form import is_pod
from tournaments.pages.result_line import HOW_IN_BOARDS, HOW_IN_PODS, Typed, typed
from tournaments.pages.scenes import name_of
from tournaments.pages.sheets import TableRow, counts_text, sheet_of


def enter_line(desk: Desk, line: str) -> str:
    """The line is entered at the table of the running round; returns what is said about it."""
    said = typed(line)
    scene = desk.scene()
    rnd = scene.last_round
    if rnd is None or rnd.state != RoundState.RUNNING:
        raise RuleBroken("round-not-running", "No round is running; start it before you enter results.")
    row = next((row for row in sheet_of(rnd, scene.labels).tables if row.table == said.table), None)
    if row is None:
        raise RuleBroken("unknown-table", f"{name_of(rnd)} has no table {said.table}.")
    terms = Match.objects.get(pk=row.match_id).frozen_terms
    fitted = _fitted(said, terms)
    if said.board:
        enter_board(match_id=row.match_id, board_label=said.board, actor=desk.actor, **fitted)
    else:
        enter_result(match_id=row.match_id, actor=desk.actor, **fitted)
    return _told(said, row, fitted)


def _fitted(said: Typed, terms: Terms) -> dict[str, Any]:
    """The line as the services take it; a line of another kind of table says how to write one."""
    plain = {"kind": said.kind, "wins": said.wins, "draws": said.draws, "loser": said.loser}
    if is_pod(terms):
        return plain | _of_pod(said, terms)
    if said.winner is not None or said.is_draw or said.out:
        raise RuleBroken("unreadable-line", "Write the games of both sides, like 12 2-1.")
    if len(terms.boards) > 1 and said.kind is ResultKind.PLAYED and not said.board:
        raise RuleBroken("unreadable-line", HOW_IN_BOARDS)
    return plain


def _of_pod(said: Typed, terms: Terms) -> dict[str, Any]:
    numbers = {*said.out, *([] if said.winner is None else [said.winner])}
    if said.wins or said.kind in LOST_BY_ONE or not numbers <= set(range(terms.sides)):
        raise RuleBroken("unreadable-line", HOW_IN_PODS)
    if said.kind is not ResultKind.PLAYED:
        return {}
    left = [side for side in range(terms.sides) if side not in said.out]
    if said.out and (len(left) != 1 or len(said.out) != terms.sides - 1):
        raise RuleBroken("unreadable-line", "Name everybody who left, in that order; who is missing has won.")
    winner = left[0] if said.out else said.winner
    order = [said.out.index(side) + 1 if side in said.out else None for side in range(terms.sides)]
    return {
        "wins": tuple(int(side == winner) for side in range(terms.sides)),
        "draws": int(said.is_draw),
        "out_order": tuple(order) if said.out else (),
    }


def _told(said: Typed, row: TableRow, fitted: dict[str, Any]) -> str:
    names = [side.card.shown_name for side in row.sides]
    board = f", board {said.board}" if said.board else ""
    if row.is_pod:
        won = [name for name, wins in zip(names, fitted["wins"], strict=False) if wins]
        how = f"{won[0]} won" if won else "drawn" if said.is_draw else said.kind.value.replace("-", " ")
        return f"Table {said.table}: {how}"
    first, *others = names
    counts = counts_text(said.wins, said.draws) if said.wins else said.kind.value.replace("-", " ")
    return f"Table {said.table}{board}: {first} {counts} {' '.join(others)}"
