"""A result line is shown with both names before it is entered at its table, and a second entry asks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from matches.boards import enter_board
from matches.games import check_games
from matches.models import Match
from matches.results import confirm_result, enter_result, judged_report
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState, RoundState
from rulebook.scoring import LOST_BY_ONE, Line, Outcome, ResultKind, lines_for
from rulebook.terms import Terms
from tournaments.corrections import correct_result
from tournaments.models import Round
from tournaments.pages.desk_scene import Desk
from tournaments.pages.result_form import is_pod
from tournaments.pages.result_line import HOW, HOW_IN_BOARDS, HOW_IN_PODS, Typed, typed
from tournaments.pages.scenes import name_of
from tournaments.pages.sheets import KIND_WORDS, SideRow, TableRow, counts_text, row_of
from tournaments.resolving import enter_and_drop
from tournaments.staff import Can


@dataclass(frozen=True, slots=True)
class SideShown:
    """One side of the previewed result: the team, its games, whether it wins and whether it leaves."""

    side: SideRow
    wins: int
    outcome: str
    leaves: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A typed line fitted to its table. `is_second` where a confirmed result would be replaced."""

    said: Typed
    round_name: str
    row: TableRow
    match: Match
    kind: ResultKind | None = None
    lines: tuple[Line, ...] = ()
    fitted: dict[str, Any] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Enter does something: there is a result, a report to confirm or a team that leaves."""
        return self.kind is not None or bool(self.said.drops)

    @property
    def is_second(self) -> bool:
        return self.match.state == MatchState.CONFIRMED and self.kind is not None

    @property
    def sides(self) -> list[SideShown]:
        """Both sides in the order of slip and pairings, with what the line gives them."""
        by = {line.side: line for line in self.lines}
        return [
            SideShown(
                side,
                by[side.index].wins if side.index in by else 0,
                by[side.index].outcome if side.index in by else "",
                side.index in self.said.drops,
            )
            for side in self.row.sides
        ]

    @property
    def draws(self) -> int:
        return self.lines[0].draws if self.lines else 0

    @property
    def counts(self) -> str:
        return counts_text([line.wins for line in self.lines], self.draws) if self.lines else ""

    @property
    def verdict(self) -> str:
        """Who wins, and how it ended without play, in words."""
        if self.kind is None:
            return ""
        how = KIND_WORDS.get(self.kind, "")
        won = [shown.side.card.shown_name for shown in self.sides if shown.outcome == Outcome.WIN]
        drawn = any(line.outcome == Outcome.DRAW for line in self.lines)
        who = f"{won[0]} wins" if won else "a draw" if drawn else "nobody wins"
        if self.said.board:
            who = f"board {self.said.board}: {who}"
        return f"{who} ({how})" if how and how not in who else who


def read_line(desk: Desk, line: str) -> Entry:
    """The line fitted to its table of the running round; refused in words where it cannot be entered."""
    said = typed(line)
    scene = desk.scene()
    rnd = scene.last_round
    if rnd is None or rnd.state != RoundState.RUNNING:
        raise RuleBroken("round-not-running", "No round is running; start it before you enter results.")
    match = _at_table(rnd, said.table)
    entry = Entry(said, name_of(rnd), row_of(match, scene.labels), match)
    if said.drops:
        _may_drop(desk, entry)
    if said.is_bare and match.state != MatchState.REPORTED:
        return entry
    if said.confirms:
        kind, lines = judged_report(match)
        return Entry(said, entry.round_name, entry.row, match, kind, lines)
    if said.kind is None:
        return entry
    terms = match.frozen_terms
    fitted = _fitted(said, terms)
    if said.kind is ResultKind.PLAYED and not is_pod(terms):
        check_games(match, said.wins, said.draws, said.board)
    lines = lines_for(terms, **fitted)
    entry = Entry(said, entry.round_name, entry.row, match, said.kind, lines, fitted)
    if entry.is_second:
        _asks(desk, entry)
    return entry


def commit(desk: Desk, entry: Entry, reason: str) -> str:
    """The shown entry is done; returns what is said about it."""
    said, match = entry.said, entry.match
    if not entry.is_complete:
        raise RuleBroken("unreadable-line", HOW)
    teams = [entry.row.sides[index].card for index in said.drops]
    if said.confirms:
        confirm_result(match_id=match.pk, actor=desk.actor)
    elif entry.is_second:
        correct_result(match_id=match.pk, actor=desk.actor, reason=reason, **entry.fitted)
    elif said.board:
        enter_board(match_id=match.pk, board_label=said.board, actor=desk.actor, **entry.fitted)
    elif teams:
        enter_and_drop(
            match_id=match.pk, team_ids=[card.id for card in teams], actor=desk.actor, **entry.fitted
        )
    else:
        enter_result(match_id=match.pk, actor=desk.actor, **entry.fitted)
    left = f" {' and '.join(card.shown_name for card in teams)} left." if teams else ""
    return _told(entry) + left


def _at_table(rnd: Round, table: int) -> Match:
    found = Match.objects.filter(round=rnd, table=table).exclude(state=MatchState.VOID).first()
    if found is None:
        raise RuleBroken("unknown-table", f"{name_of(rnd)} has no table {table}.")
    return found


def _may_drop(desk: Desk, entry: Entry) -> None:
    if Can.DROP not in desk.powers:
        raise RuleBroken("not-allowed", "Your role does not let you drop a team; enter the result alone.")
    if entry.said.board or entry.match.state == MatchState.CONFIRMED:
        raise RuleBroken("drop-alone", "Drop the team on its own page; this line enters a result.")
    sides = entry.match.frozen_terms.sides
    if max(entry.said.drops) >= sides:
        raise RuleBroken("unknown-side", f"This table has {sides} sides.")


def _asks(desk: Desk, entry: Entry) -> None:
    """A confirmed table takes another result only as a correction."""
    row = entry.row
    if len(entry.match.frozen_terms.boards) > 1 or entry.said.drops:
        raise RuleBroken("already-confirmed", f"Table {row.table} is in; correct it on its page.")
    same = [side.wins for side in row.sides] == [line.wins for line in entry.lines]
    if same and row.draws == entry.draws and row.result_kind == entry.kind:
        raise RuleBroken("already-confirmed", f"Table {row.table} has this result already.")
    if Can.CORRECT not in desk.powers:
        raise RuleBroken(
            "already-confirmed", f"Table {row.table} has {row.score or 'a result'}; ask the desk."
        )


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


def _told(entry: Entry) -> str:
    said, row = entry.said, entry.row
    names: Sequence[str] = [side.card.shown_name for side in row.sides]
    board = f", board {said.board}" if said.board else ""
    if entry.kind is None:
        return f"Table {said.table}:"
    if row.is_pod or entry.kind in KIND_WORDS:
        return f"Table {said.table}{board}: {entry.verdict}."
    first, *others = names
    return f"Table {said.table}{board}: {first} {entry.counts} {' '.join(others)}."
