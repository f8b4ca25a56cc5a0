"""What seldom happens to a game: a restart, a card that names the starter, a subgame, a loss by penalty."""

import secrets
from random import Random
from typing import Any

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.recording import record
from matches.games import board_of, games_of, open_match, record_game
from matches.models import Game, Match, Opening
from rulebook.errors import RuleBroken
from rulebook.openings import Openings, card_names_starter, lost_by_penalty, restart, subgame


@transaction.atomic
def restart_game(
    *,
    match_id: int,
    starter: str,
    actor: Actor,
    gone: tuple[str, ...] = (),
    board_label: str = "",
    reason: str = "",
) -> Opening:
    """The running game begins anew with `starter`; nobody won, lost or drew, and who had left stays out."""
    match, game = _running(match_id, board_label)
    after = restart(board_of(match, board_label), starter=starter, gone=gone)
    opening = _replace(game, after, "restarted")
    _tell(match, DeedKind.GAME_RESTARTED, actor, game, board_label, reason, order=opening.order)
    return opening


@transaction.atomic
def name_starter(*, match_id: int, position: str, actor: Actor, board_label: str = "") -> Opening:
    """A card names the starting player after the choice; who chose stays on record."""
    match, game = _running(match_id, board_label)
    if game.subgames:
        raise RuleBroken("wrong-moment", "This game has begun; a starter is named before its first turn.")
    opening = _replace(
        game, card_names_starter(board_of(match, board_label), position), "a card named the starter"
    )
    _tell(match, DeedKind.STARTER_NAMED, actor, game, board_label, order=opening.order)
    return opening


@transaction.atomic
def begin_subgame(*, match_id: int, actor: Actor, seed: int | None = None, board_label: str = "") -> Game:
    """A game inside the running game has begun, a random player first; the journal keeps the seed."""
    match, game = _running(match_id, board_label)
    if _open_subgame(game):
        raise RuleBroken("subgame-runs", "A subgame is played already; record how it ended first.")
    drawn = secrets.randbits(62) if seed is None else seed
    opening = subgame(board_of(match, board_label), Random(drawn))
    begun = {"order": list(opening.order), "seed": drawn, "winner": None, "is_over": False}
    game.subgames = [*game.subgames, begun]
    game.save(update_fields=["subgames"])
    _tell(match, DeedKind.SUBGAME_BEGUN, actor, game, board_label, order=begun["order"], seed=drawn)
    return game


@transaction.atomic
def end_subgame(*, match_id: int, actor: Actor, winner: int | None = None, board_label: str = "") -> Game:
    """The subgame is over and the main game goes on; its winner has won no game of the match."""
    match, game = _running(match_id, board_label)
    if not _open_subgame(game):
        raise RuleBroken("no-subgame", "No subgame is played at this table.")
    if winner is not None and not 0 <= winner < match.frozen_terms.sides:
        raise RuleBroken("unknown-side", f"This match has no side {winner + 1}.")
    game.subgames[-1] |= {"winner": winner, "is_over": True}
    game.save(update_fields=["subgames"])
    _tell(match, DeedKind.SUBGAME_ENDED, actor, game, board_label, winner=winner)
    return game


@transaction.atomic
def lose_game(*, match_id: int, side: int | None, actor: Actor, board_label: str = "") -> Game:
    """The side lost the running game by a penalty, or the next one before it began; None: everybody did.

    All penalised, the game is drawn. In two-sided matches only; elsewhere the others play on.
    """
    match = open_match(match_id)
    games = games_of(match, board_label)
    runs = bool(games) and games[-1].state == Game.State.PLAYING
    terms = match.frozen_terms.on_board(board_label)
    winner, ended_by = lost_by_penalty(terms, side, has_begun=runs)
    return record_game(
        match_id=match_id, actor=actor, winner=winner, ended_by=ended_by, board_label=board_label
    )


def _running(match_id: int, board_label: str) -> tuple[Match, Game]:
    """The locked match and its running game with an opening; refused where none runs."""
    match = open_match(match_id)
    games = games_of(match, board_label)
    if not games or games[-1].state != Game.State.PLAYING or not hasattr(games[-1], "opening"):
        raise RuleBroken("no-game-runs", "No game is running here; first choose who starts.")
    return match, games[-1]


def _open_subgame(game: Game) -> bool:
    return bool(game.subgames) and not game.subgames[-1]["is_over"]


def _replace(game: Game, board: Openings, what: str) -> Opening:
    """The opening of the game is that of `board`; the one before is kept, so that it can come back."""
    assert board.opening is not None
    row = game.opening
    before = {name: getattr(row, name) for name in ("by", "option", "order", "is_default", "gone")}
    row.replaced = [*row.replaced, {**before, "subgames": game.subgames, "what": what}]
    row.by, row.option = board.opening.by, board.opening.option or ""
    row.order, row.gone, row.is_default = list(board.order), list(board.gone), False
    row.save()
    game.subgames = []
    game.save(update_fields=["subgames"])
    return row


def _tell(
    match: Match,
    kind: DeedKind,
    actor: Actor,
    game: Game,
    board_label: str,
    reason: str = "",
    **more: Any,
) -> None:
    after = {"game": game.number, "board": board_label, **more}
    record(
        tournament_id=match.tournament_id,
        kind=kind,
        actor=actor,
        subject=f"match:{match.pk}",
        after=after,
        reason=reason,
    )
