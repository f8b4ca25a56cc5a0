"""Openings and games of one match: optional detail, which must agree with the counts of the result."""

import secrets
from collections.abc import Sequence
from random import Random

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Board, Game, Match, Opening
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.openings import UNOPENED, Openings, resume
from rulebook.turns import (
    GameEnd,
    OpeningBy,
    PlayedGame,
    Right,
    chooser_after,
    first_chooser,
    opening_for,
    starting_with,
)
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
    match = open_match(match_id)
    board, games = _board_games(match, board_label)
    if games and games[-1].state == Game.State.PLAYING:
        raise RuleBroken(
            "opening-known", f"Game {games[-1].number} has its opening; record how it ended first."
        )
    _check_undecided(match, games)
    right, drawn = _right(match, board_label, games, chooser, seed)
    _check_choice(right, chooser, option)
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
    match = open_match(match_id)
    if winner is not None and not 0 <= winner < match.frozen_terms.sides:
        raise RuleBroken("unknown-side", f"This match has no side {winner + 1}.")
    board, games = _board_games(match, board_label)
    _check_undecided(match, games)
    if games and games[-1].state == Game.State.PLAYING:
        game = games[-1]
    else:
        game = Game(board=board, number=len(games) + 1)
    _check_subgame(game, ended_by)
    game.state = Game.State.ENDED
    game.winner = winner
    game.is_draw = winner is None
    game.ended_by = ended_by
    game.ended_at = now()
    game.save()
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.GAME_RECORDED,
        actor=actor,
        subject=f"match:{match.pk}",
        after={"game": game.number, "board": board_label, "winner": winner, "ended_by": ended_by},
    )
    return game


@transaction.atomic
def undo_game(*, match_id: int, actor: Actor, board_label: str = "") -> Game | None:
    """The last thing recorded on the board is taken back, and the game that is open now is returned, if any.

    That is a subgame, a restart or a card that named the starter, else an opening whose game is not over,
    else the end of the last game, which is open again.
    """
    match = open_match(match_id)
    _, games = _board_games(match, board_label)
    if not games:
        raise RuleBroken("nothing-to-undo", "No game is recorded on this board yet.")
    last = games[-1]
    number, open_now = last.number, None
    if last.state == Game.State.PLAYING and _take_back_unusual(last):
        open_now = last
    elif last.state == Game.State.ENDED and hasattr(last, "opening"):
        last.state, last.winner, last.is_draw, last.ended_by = Game.State.PLAYING, None, False, ""
        last.ended_at = None
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
        .select_related("opening", "board")
        .order_by("number")
    )


def score_so_far(match: Match, board_label: str = "") -> tuple[tuple[int, ...], int]:
    """Games won by each side and games drawn on the board, as far as games were recorded."""
    return score_of(match.frozen_terms.sides, games_of(match, board_label))


def score_of(sides: int, games: Sequence[Game]) -> tuple[tuple[int, ...], int]:
    """Games won by each of the sides and games drawn."""
    ended = [game for game in games if game.state == Game.State.ENDED]
    won = tuple(sum(1 for game in ended if game.winner == side) for side in range(sides))
    return won, sum(game.is_draw for game in ended)


def next_right(match: Match, board_label: str = "", games: Sequence[Game] | None = None) -> Right | None:
    """Who chooses the next opening; None where game one's chooser is still to be rolled. `games` are those of
    the board where they are known already."""
    found = games_of(match, board_label) if games is None else games
    ended = [game for game in found if game.state == Game.State.ENDED]
    if not ended:
        return None
    previous = played(match, ended[-1])
    if previous is None:
        return _loser_right(match, ended[-1])
    return chooser_after(match.frozen_terms, previous)


def check_games(match: Match, wins: Sequence[int], draws: int, board_label: str = "") -> None:
    """The recorded games are among the counted ones, all of them where they decide the match; otherwise
    `RuleBroken("games-disagree")`. Games nobody recorded are no contradiction, nor is what a judge rules."""
    told = "" if match.state == MatchState.DISPUTED else _contradiction(match, wins, draws, board_label)
    if told:
        raise RuleBroken("games-disagree", f"The recorded games say {told}; correct the games or the result.")


def forget_contradicted(match: Match, wins: Sequence[int], draws: int) -> None:
    """Games that contradict what a judge ruled are detail no more; the journal keeps who noted them."""
    if _contradiction(match, wins, draws, ""):
        games = Game.objects.filter(board__match=match, board__label="")
        Opening.objects.filter(game__in=games).delete()
        games.delete()


def _contradiction(match: Match, wins: Sequence[int], draws: int, board_label: str) -> str:
    """What the recorded games say where the counts deny it; empty where they do not."""
    won, drawn = score_so_far(match, board_label)
    if not any(won) and not drawn:
        return ""
    counts = tuple(wins) or (0,) * len(won)
    is_decided = max(won) >= match.frozen_terms.wins_needed
    agree = counts == won and draws == drawn
    if not is_decided:
        agree = draws >= drawn and all(count >= known for count, known in zip(counts, won, strict=False))
    return "" if agree else "-".join(map(str, (*won, drawn)))


def played(match: Match, game: Game) -> PlayedGame | None:
    """The game as the rulebook sees it; None where no opening was recorded."""
    opening = getattr(game, "opening", None)
    if opening is None:
        return None
    value = OpeningValue(
        opening.chooser,
        OpeningBy(opening.by),
        opening.option or None,
        _whole_order(match, game.board.label, opening),
        opening.is_default,
    )
    return PlayedGame(value, game.winner, game.is_draw, GameEnd(game.ended_by or GameEnd.PLAYED))


def board_of(match: Match, board_label: str = "") -> Openings:
    """The openings of the board as the rulebook sees them, with the game that runs."""
    games = games_of(match, board_label)
    terms = match.frozen_terms.on_board(board_label)
    ended = [
        played(match, game)
        or PlayedGame(UNOPENED, game.winner, game.is_draw, GameEnd(game.ended_by or GameEnd.PLAYED))
        for game in games
        if game.state == Game.State.ENDED
    ]
    if not games or games[-1].state == Game.State.ENDED:
        return resume(terms, ended)
    runs = played(match, games[-1])
    if runs is None:
        raise RuleBroken("no-opening", "The opening of this game is not chosen yet.")
    return resume(terms, ended, opening=runs.opening, gone=tuple(games[-1].opening.gone))


def _whole_order(match: Match, label: str, opening: Opening) -> tuple[str, ...]:
    """The order of the opening with those who stay out of a restarted game."""
    if not opening.gone:
        return tuple(opening.order)
    return starting_with(match.frozen_terms.on_board(label), opening.order[0])


def _check_subgame(game: Game, ended_by: GameEnd) -> None:
    """A game ends while a subgame runs only by leaving or a ruling, which ends the subgame too."""
    if not game.subgames or game.subgames[-1]["is_over"]:
        return
    if ended_by is GameEnd.PLAYED:
        raise RuleBroken("subgame-runs", "A subgame is still played; record how it ended first.")
    game.subgames[-1]["is_over"] = True


def _take_back_unusual(game: Game) -> bool:
    """The last unusual thing in the running game is undone; False where there is none."""
    if game.subgames:
        if game.subgames[-1]["is_over"]:
            game.subgames[-1] |= {"is_over": False, "winner": None}
        else:
            game.subgames.pop()
        game.save(update_fields=["subgames"])
        return True
    opening = getattr(game, "opening", None)
    if opening is None or not opening.replaced:
        return False
    before = opening.replaced.pop()
    game.subgames, _ = before.pop("subgames"), before.pop("what")
    game.save(update_fields=["subgames"])
    for name, value in before.items():
        setattr(opening, name, value)
    opening.save()
    return True


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


def _check_choice(right: Right, chooser: int | None, option: str | None) -> None:
    """Nobody chooses in the place of who may, nor where the order is kept."""
    if right.order is not None and option is not None:
        raise RuleBroken("order-kept", "Nobody chooses before this game; the turn order stays as it was.")
    if None not in (chooser, right.chooser) and chooser != right.chooser:
        raise RuleBroken(
            "not-the-chooser",
            f"Side {(right.chooser or 0) + 1} chooses before this game.",
            side=right.chooser,
        )


def _loser_right(match: Match, game: Game) -> Right:
    """After a game without a recorded opening only its winner tells who chooses."""
    order = ("1A",)
    unknown = OpeningValue(None, OpeningBy.FIXED, None, order, is_default=False)
    end = GameEnd(game.ended_by or GameEnd.PLAYED)
    right = chooser_after(match.frozen_terms, PlayedGame(unknown, game.winner, game.is_draw, end))
    return right if right.order is None else Right(None, OpeningBy.RANDOM)


def _check_undecided(match: Match, games: Sequence[Game]) -> None:
    won = [sum(1 for game in games if game.winner == side) for side in range(match.frozen_terms.sides)]
    if max(won) >= match.frozen_terms.wins_needed:
        raise RuleBroken("match-decided", "One side has won the match already; report the result.")


def open_match(match_id: int) -> Match:
    """The locked match, whose games may be recorded now."""
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
