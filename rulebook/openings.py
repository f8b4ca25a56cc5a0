"""The openings of one board, game after game: a small state machine of frozen values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from rulebook.errors import RuleBroken
from rulebook.leaving import allies, going_with
from rulebook.modes import mode_of
from rulebook.modes.blanks import AfterDraw, FirstChooser, Game
from rulebook.terms import Terms
from rulebook.turns import (
    GameEnd,
    Opening,
    OpeningBy,
    PlayedGame,
    Right,
    chair_codes,
    check_side,
    chooser_after,
    first_chooser,
    opening_for,
    starting_with,
)


class Stage(StrEnum):
    """What the board waits for: a random or entered chooser, a choice, the end of a game, or nothing."""

    WHO_CHOOSES = "who-chooses"
    CHOICE = "choice"
    GAME = "game"
    OVER = "over"


UNOPENED = Opening(None, OpeningBy.PENALTY, None, (), is_default=False)


@dataclass(frozen=True)
class Openings:
    """The board so far. `opening` is that of the running game, `gone` who left before a restart."""

    terms: Terms
    stage: Stage
    right: Right | None = None
    opening: Opening | None = None
    played: tuple[PlayedGame, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def game(self) -> int:
        """The number of the game that is open or comes next."""
        return len(self.played) + (self.stage is not Stage.OVER)

    @property
    def order(self) -> tuple[str, ...]:
        """The turn order of the running game without those who are gone."""
        if self.opening is None:
            raise RuleBroken("no-opening", "The opening of this game is not chosen yet.")
        return tuple(code for code in self.opening.order if code not in self.gone)


def begin(terms: Terms) -> Openings:
    """A board before game one; where the mode lets nobody choose, game one is open at once."""
    if mode_of(terms.mode).first_chooser is FirstChooser.FIRST_SIDE_STARTS:
        opening = opening_for(terms, chooser=None, by=OpeningBy.FIXED)
        return Openings(terms, Stage.GAME, Right(None, OpeningBy.FIXED), opening)
    return Openings(terms, Stage.WHO_CHOOSES)


def resume(
    terms: Terms,
    played: Sequence[PlayedGame],
    *,
    opening: Opening | None = None,
    gone: tuple[str, ...] = (),
) -> Openings:
    """The board as its recorded games left it; `opening` is that of the game which runs now."""
    if opening is not None:
        return Openings(terms, Stage.GAME, None, opening, tuple(played), gone)
    if not played:
        return begin(terms)
    before = Openings(terms, Stage.GAME, played=tuple(played[:-1]))
    return _after(before, played[-1])


def name_chooser(
    board: Openings, *, rng: Random | None = None, entered: int | None = None, higher_seed: int | None = None
) -> Openings:
    """The chooser is known: the better seed, who won the roll at the table, or a random side."""
    _expect(board, Stage.WHO_CHOOSES)
    seed = higher_seed if not board.played else None
    chooser, by = first_chooser(board.terms, rng=rng, entered=entered, higher_seed=seed)
    return replace(board, stage=Stage.CHOICE, right=Right(chooser, by))


def choose(board: Openings, option: str | None = None) -> Openings:
    """The game is open in the order `option` gives; None is a chooser who did not choose."""
    _expect(board, Stage.CHOICE)
    assert board.right is not None
    opening = opening_for(board.terms, chooser=board.right.chooser, by=board.right.by, option=option)
    return replace(board, stage=Stage.GAME, opening=opening)


def card_names_starter(board: Openings, position: str) -> Openings:
    """A card names the starting player after the choice and overrules it; the chooser stays on record."""
    _expect(board, Stage.GAME)
    assert board.opening is not None
    order = starting_with(board.terms, position)
    _still_in(board.gone, position)
    return replace(board, opening=replace(board.opening, by=OpeningBy.CARD, option=position, order=order))


def end_game(board: Openings, *, winner: int | None, ended_by: GameEnd = GameEnd.PLAYED) -> Openings:
    """The game ended, drawn when there is no winner; the next right to choose follows from it."""
    _expect(board, Stage.GAME)
    assert board.opening is not None
    if winner is not None:
        check_side(board.terms, winner)
    return _after(board, PlayedGame(board.opening, winner, is_draw=winner is None, ended_by=ended_by))


def forfeit(board: Openings, *, loser: int) -> Openings:
    """A penalty lost a game that had not begun; nobody had opened it."""
    winner, ended_by = lost_by_penalty(board.terms, loser, has_begun=False)
    if board.stage not in (Stage.WHO_CHOOSES, Stage.CHOICE):
        raise RuleBroken("game-has-begun", "Only a game that has not begun can be lost before it begins.")
    return _after(board, PlayedGame(UNOPENED, winner, is_draw=False, ended_by=ended_by))


def lost_by_penalty(terms: Terms, loser: int | None, *, has_begun: bool) -> tuple[int | None, GameEnd]:
    """Who wins a game that `loser` loses by a penalty, and how it ended; penalised all, it is drawn."""
    ended_by = GameEnd.PENALTY if has_begun else GameEnd.PENALTY_BEFORE_IT_BEGAN
    if loser is None:
        return None, ended_by
    check_side(terms, loser)
    if terms.sides != 2:
        raise RuleBroken(
            "wrong-number-of-sides", "With more than two sides nobody wins by it; the others play the game."
        )
    return 1 - loser, ended_by


def restart(board: Openings, *, starter: str, gone: tuple[str, ...] = ()) -> Openings:
    """The game begins anew, the card's controller first; nobody won, lost or drew, who had left stays out."""
    _expect(board, Stage.GAME)
    assert board.opening is not None
    order = starting_with(board.terms, starter)
    left = (*board.gone, *(code for code in dict.fromkeys(gone) if code not in board.gone))
    _still_in(left, starter)
    _can_go_on_without(board.terms, left)
    opening = Opening(board.opening.chooser, OpeningBy.CARD, None, order, is_default=False)
    return replace(board, opening=opening, gone=left)


def subgame(board: Openings, rng: Random) -> Opening:
    """The opening of a game inside the game: a random player first; the board itself is unchanged."""
    starter = rng.choice(board.order)
    order = tuple(code for code in starting_with(board.terms, starter) if code not in board.gone)
    return Opening(None, OpeningBy.RANDOM, starter, order, is_default=False)


def may_sideboard(board: Openings, game: int | None = None) -> bool:
    """Cards may be swapped before the coming game, or were before the game of that number.

    Never before game one, nor after a game one lost before it began. Riftbound also keeps the deck after a
    drawn game (Riftbound Tournament Rules 403, edition 2026-04-29).
    """
    before = board.played if game is None else board.played[: game - 1]
    if not before:
        return False
    last = before[-1]
    if len(before) == 1 and last.ended_by is GameEnd.PENALTY_BEFORE_IT_BEGAN:
        return False
    return not (last.is_draw and mode_of(board.terms.mode).game is Game.RIFTBOUND)


def keeps_battlefields(board: Openings) -> bool:
    """The coming game is played on the battlefields of the last one: after a drawn Riftbound game."""
    kept = mode_of(board.terms.mode).after_draw is AfterDraw.ORDER_KEPT
    return kept and bool(board.played) and board.played[-1].is_draw


def wins(board: Openings) -> tuple[int, ...]:
    """Games won so far, per side."""
    return tuple(sum(game.winner == side for game in board.played) for side in range(board.terms.sides))


def _after(board: Openings, game: PlayedGame) -> Openings:
    played = (*board.played, game)
    done = replace(board, stage=Stage.OVER, right=None, opening=None, played=played, gone=())
    if max(wins(done)) >= board.terms.wins_needed:
        return done
    return _with_right(done, chooser_after(board.terms, game))


def _with_right(board: Openings, right: Right) -> Openings:
    """The next game is open where the order is kept or fixed, else it waits for chooser or choice."""
    if right.order:
        opening = opening_for(board.terms, chooser=right.chooser, by=right.by, order=right.order)
        return replace(board, stage=Stage.GAME, right=right, opening=opening)
    stage = Stage.WHO_CHOOSES if right.chooser is None else Stage.CHOICE
    return replace(board, stage=stage, right=right)


def _still_in(gone: Sequence[str], position: str) -> None:
    if position in gone:
        raise RuleBroken("seat-has-left", f"{position} has left the game and cannot start it.", seat=position)


def _can_go_on_without(terms: Terms, gone: Sequence[str]) -> None:
    """Who loses with one that left is gone too, and there are opponents left to play."""
    for code in gone:
        if missing := [one for one in going_with(terms, code) if one not in gone]:
            raise RuleBroken(
                "team-left", f"When {code} leaves, {missing[0]} is out too. Name both.", seat=missing[0]
            )
    stay = [code for code in chair_codes(terms) if code not in gone]
    if gone and set(stay) <= set(allies(terms, stay[0])):
        raise RuleBroken("game-ended", "Nobody is left to play against: record who won the game instead.")


def _expect(board: Openings, stage: Stage) -> None:
    if board.stage is not stage:
        raise RuleBroken(
            "wrong-moment", f"The board waits for: {board.stage}.", stage=board.stage, expected=stage
        )
