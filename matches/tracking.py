"""The table tracker: life or points of the running game, tapped by both sides and taken back one by one.

A tap is no deed: the journal is not told, and only the phones of the one table are woken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Count

from journal.actors import Actor
from journal.clock import now
from journal.wake import wake_table
from matches.declaring import declared_at
from matches.games import games_of, open_match
from matches.models import Board, Entry, Game, Match
from rulebook.errors import RuleBroken
from rulebook.tracker import Table, Tap, Tapped, open_table, replay, tapped, untapped


@dataclass(frozen=True, slots=True)
class Tracked:
    """The running game of a board with its table and every entry so far."""

    board_id: int
    game: int
    start: Table
    table: Table
    taps: tuple[Tapped, ...]


@transaction.atomic
def note_tap(
    *,
    match_id: int,
    actor: Actor,
    tap: Tap,
    position: str,
    amount: int = 0,
    source: str = "",
    game: int | None = None,
    board_label: str = "",
) -> Entry:
    """The tap counts, with what it was worth by the rules of the mode; `game` is the one it was meant for."""
    match = open_match(match_id)
    tracked = _of_game(match, board_label, game)
    new = Tapped(len(tracked.taps) + 1, position, tap, amount, source)
    _, valued = tapped(tracked.start, tracked.taps, new)
    return _kept(match, tracked, valued, actor)


@transaction.atomic
def undo_tap(
    *, match_id: int, actor: Actor, number: int | None = None, game: int | None = None, board_label: str = ""
) -> Entry:
    """Entry `number`, or the last that counts, counts no more."""
    match = open_match(match_id)
    tracked = _of_game(match, board_label, game)
    _, new = untapped(tracked.start, tracked.taps, number)
    return _kept(match, tracked, new, actor)


def tracked_game(match: Match, board_label: str = "") -> Tracked | None:
    """What is tracked now; None while no game runs whose opening is known."""
    games = games_of(match, board_label)
    if not games or games[-1].state != Game.State.PLAYING or not hasattr(games[-1], "opening"):
        return None
    last = games[-1]
    terms = match.frozen_terms.on_board(board_label)
    start = open_table(terms, last.opening.order, _modifiers(match))
    rows = Entry.objects.filter(board=last.board, game=last.number).order_by("number")
    taps = tuple(
        Tapped(row.number, row.position, Tap(row.kind), row.amount, row.source, row.undoes) for row in rows
    )
    return Tracked(last.board_id, last.number, start, replay(start, taps), taps)


def taps_at(match_ids: list[int]) -> dict[int, int]:
    """How many entries each of the matches has: a number that only grows."""
    rows = Entry.objects.filter(board__match_id__in=match_ids).values("board__match_id").order_by()
    return {
        **dict.fromkeys(match_ids, 0),
        **dict(rows.annotate(taps=Count("id")).values_list("board__match_id", "taps")),
    }


def _modifiers(match: Match) -> Mapping[str, int]:
    """What a vanguard adds to the starting life, as far as it was declared."""
    if "vanguard" not in match.terms.get("options", ()):
        return {}
    return {position: what.life_modifier for position, what in declared_at(match).items()}


def _of_game(match: Match, board_label: str, game: int | None) -> Tracked:
    tracked = tracked_game(match, board_label)
    if tracked is None:
        raise RuleBroken("no-game", "No game runs now; choose who starts, then the table is tracked.")
    if game is not None and game != tracked.game:
        raise RuleBroken("other-game", f"Game {game} is over; this is game {tracked.game} now.")
    return tracked


def _kept(match: Match, tracked: Tracked, new: Tapped, actor: Actor) -> Entry:
    entry = Entry.objects.create(
        board=Board(pk=tracked.board_id, match=match),
        game=tracked.game,
        number=new.number,
        position=new.position,
        kind=new.tap,
        amount=new.amount,
        source=new.source,
        undoes=new.undoes,
        at=now(),
        actor=actor.who,
    )
    count = taps_at([match.pk])[match.pk]
    transaction.on_commit(partial(wake_table, match.pk, count), robust=True)
    return entry
