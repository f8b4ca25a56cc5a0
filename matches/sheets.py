"""The set-up sheet of a match's game: the same object for the match page, the API and the command."""

from collections.abc import Mapping

from matches.declaring import chairs_by_position, declared_at
from matches.games import board_of, games_of
from matches.models import Game, Match
from rulebook.declared import Declared
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.openings import may_sideboard
from rulebook.setup import SetupSheet, Table, setup_sheet
from rulebook.turns import Opening, OpeningBy


def sheet_of(
    match: Match, *, board_label: str = "", declared: Mapping[str, Declared] | None = None
) -> SetupSheet:
    """The steps for the game that is open or was last opened; refused while nobody has chosen who starts."""
    opened = [game for game in games_of(match, board_label) if hasattr(game, "opening")]
    if not opened:
        raise RuleBroken("no-opening", "Choose who starts before the set-up sheet is made.")
    game = opened[-1]
    return setup_sheet(
        mode_of(match.frozen_terms.mode),
        match.terms.get("options", ()),
        Table(match.table, names_at(match)),
        opening_value(game),
        _brought(match, opening_value(game), declared),
        game=game.number,
        may_sideboard=may_sideboard(board_of(match, board_label), game.number),
    )


def _brought(
    match: Match, opening: Opening, declared: Mapping[str, Declared] | None
) -> Mapping[str, Declared]:
    """What was declared at the table for the positions of this board; the call's own words win."""
    at_table = {seat: what for seat, what in declared_at(match).items() if seat in opening.order}
    return {**at_table, **(declared or {})}


def names_at(match: Match) -> dict[str, str]:
    """Who sits at each position of the match, by the name shown in public: {"1A": "Ana", ...}."""
    return {position: chair.player.shown_name for position, chair in chairs_by_position(match).items()}


def opening_value(game: Game) -> Opening:
    """The opening of the game as the rulebook sees it."""
    row = game.opening
    return Opening(row.chooser, OpeningBy(row.by), row.option or None, tuple(row.order), row.is_default)
