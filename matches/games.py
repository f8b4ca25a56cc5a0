"""Openings and games of one match: optional detail, which must agree with the counts of the result."""

import secrets
from collections.abc import Sequence
from random import Random

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Board, Game, Match, Opening
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.turns import GameEnd, OpeningBy, PlayedGame, Right, chooser_after, first_chooser, opening_for
from rulebook.turns import Opening as OpeningValue


@transaction.atomic
def choose_first(
    *,
    match_id: int,
    actor: Actor,
    chooser: int | None = None,
    option: str | None = None,
    seed: int | None = None,
    board_label: str = "",
) -> Opening:
    """The next game has its opening: who chose, by what right, and the order.

    In game one `chooser` is the side that won the roll at the table; without it a side is drawn from
    `seed`, or from a fresh one, which the journal keeps. Later the rules of the mode say who chooses.
    Without `option` the default holds."""
    match = _open_match(match_id)
    board, games = _board_games(match, board_label)
    if games and games[-1].state == Game.State.PLAYING:
        raise RuleBroken(
            "opening-known", f"Game {games[-1].number} has its opening; record how it ended first."
        )
    _check_undecided(match, games)
    right, drawn = _right(match, board_label, games, chooser, seed)
    value = opening_for(
        match.frozen_terms.on_board(board_label),
        chooser=right.chooser,
        by=right.by,
        option=option if right.order is None else None,
        order=right.order,
    )
    game = Game.objects.create(board=board, number=len(games) + 1)
    opening = Opening.objects.create(
        game=game,
        chooser=value.chooser,
        by=value.by,
        option=value.option or "",
        order=list(value.order),
        is_default=value.is_default,
    )
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.OPENING_CHOSEN,
        actor=actor,
        subject=f"match:{match.pk}",
        after={
            "game": game.number,
            "board": board_label,
            "chooser": value.chooser,
            "by": value.by,
            "order": list(value.order),
            "seed": drawn,
        },
    )
    return opening


@transaction.atomic
def record_game(
    *,
    match_id: int,
    actor: Actor,
    winner: int | None,
    ended_by: GameEnd = GameEnd.PLAYED,
    board_label: str = "",
) -> Game:
    """The running game, or the next one if none has an opening, has ended: `winner` is a side index, None
    a draw."""
    match = _open_match(match_id)
    if winner is not None and not 0 <= winner < match.frozen_terms.sides:
        raise RuleBroken("unknown-side", f"This match has no side {winner + 1}.")
    board, games = _board_games(match, board_label)
    _check_undecided(match, games)
    if games and games[-1].state == Game.State.PLAYING:
        game = games[-1]
    else:
        game = Game(board=board, number=len(games) + 1)
    game.state = Game.State.ENDED
    game.winner = winner
    game.is_draw = winner is None
    game.ended_by = ended_by
    game.save()
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.GAME_RECORDED,
        actor=actor,
        subject=f"match:{match.pk}",
        after={"game": game.number, "board": board_label, "winner": winner},
    )
    return game


@transaction.atomic
def undo_game(*, match_id: int, actor: Actor, board_label: str = "") -> Game | None:
    """The last thing recorded on the board is taken back: an opening whose game is not over, else the end of
    the last game, which is open again. Returns the game that is open now, if there is one."""
    match = _open_match(match_id)
    _, games = _board_games(match, board_label)
    if not games:
        raise RuleBroken("nothing-to-undo", "No game is recorded on this board yet.")
    last = games[-1]
    number, open_now = last.number, None
    if last.state == Game.State.ENDED and hasattr(last, "opening"):
        last.state, last.winner, last.is_draw, last.ended_by = Game.State.PLAYING, None, False, ""
        last.save()
        open_now = last
    else:
        # Detail of a match that is still open; the journal keeps what was recorded.
        Opening.objects.filter(game=last).delete()
        last.delete()
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.GAME_UNDONE,
        actor=actor,
        subject=f"match:{match.pk}",
        after={"game": number, "board": board_label},
    )
    return open_now


def games_of(match: Match, board_label: str = "") -> list[Game]:
    """The games of the board in their order, with their openings."""
    return list(
        Game.objects.filter(board__match=match, board__label=board_label)
        .select_related("opening")
        .order_by("number")
    )


def score_so_far(match: Match, board_label: str = "") -> tuple[tuple[int, ...], int]:
    """Games won by each side and games drawn on the board, as far as games were recorded."""
    ended = [game for game in games_of(match, board_label) if game.state == Game.State.ENDED]
    sides = range(match.frozen_terms.sides)
    return tuple(sum(1 for g in ended if g.winner == side) for side in sides), sum(g.is_draw for g in ended)


def next_right(match: Match, board_label: str = "") -> Right | None:
    """Who chooses the next opening; None where game one's chooser is still to be rolled."""
    ended = [game for game in games_of(match, board_label) if game.state == Game.State.ENDED]
    if not ended:
        return None
    previous = played(match, ended[-1])
    return chooser_after(match.frozen_terms, previous) if previous else None


def check_games(match: Match, wins: Sequence[int], draws: int, board_label: str = "") -> None:
    """Recorded games agree with the counts, or there are none; otherwise `RuleBroken("games-disagree")`."""
    won, drawn = score_so_far(match, board_label)
    if not any(won) and not drawn:
        return
    counts = tuple(wins) or (0,) * len(won)
    if counts != won or draws != drawn:
        told = "-".join(map(str, (*won, drawn)))
        raise RuleBroken("games-disagree", f"The recorded games say {told}; correct the games or the result.")


def played(match: Match, game: Game) -> PlayedGame | None:
    """The game as the rulebook sees it; None where no opening was recorded."""
    opening = getattr(game, "opening", None)
    if opening is None:
        return None
    value = OpeningValue(
        opening.chooser,
        OpeningBy(opening.by),
        opening.option or None,
        tuple(opening.order),
        opening.is_default,
    )
    return PlayedGame(value, game.winner, game.is_draw, GameEnd(game.ended_by or GameEnd.PLAYED))


def _right(
    match: Match, board_label: str, games: list[Game], chooser: int | None, seed: int | None
) -> tuple[Right, int | None]:
    terms = match.frozen_terms.on_board(board_label)
    if games:
        previous = played(match, games[-1])
        right = chooser_after(terms, previous) if previous else _loser_right(match, games[-1])
        if right.chooser is not None or right.order is not None:
            return right, None
    drawn = secrets.randbits(62) if seed is None else seed
    higher = 0 if terms.seed_chooses else None
    side, by = first_chooser(terms, rng=Random(drawn), entered=chooser, higher_seed=higher)
    return Right(side, by), drawn if by is OpeningBy.RANDOM else None


def _loser_right(match: Match, game: Game) -> Right:
    """After a game without a recorded opening only its winner tells who chooses."""
    order = ("1A",)
    unknown = OpeningValue(None, OpeningBy.FIXED, None, order, is_default=False)
    right = chooser_after(match.frozen_terms, PlayedGame(unknown, game.winner, game.is_draw))
    return right if right.order is None else Right(None, OpeningBy.RANDOM)


def _check_undecided(match: Match, games: Sequence[Game]) -> None:
    won = [sum(1 for game in games if game.winner == side) for side in range(match.frozen_terms.sides)]
    if max(won) >= match.frozen_terms.wins_needed:
        raise RuleBroken("match-decided", "One side has won the match already; report the result.")


def _open_match(match_id: int) -> Match:
    match = lock_one(Match, match_id)
    if match.kind != MatchKind.TABLE:
        raise RuleBroken("bye-has-no-games", "A bye or an assigned loss has no games.")
    if match.state not in (MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED):
        raise RuleBroken(
            "match-not-open", f"This match is {match.state}; games are recorded while it is open."
        )
    return match


def _board_games(match: Match, label: str) -> tuple[Board, list[Game]]:
    if label not in match.frozen_terms.boards:
        raise RuleBroken("unknown-board", f"This match has no board {label!r}.")
    board, _ = Board.objects.get_or_create(match=match, label=label)
    return board, games_of(match, label)
