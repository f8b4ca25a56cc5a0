"""Who chooses, what may be chosen, and the turn order that follows.

A position is a side number before a seat label: "1A" is the A player of the first side.
"""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.modes.blanks import AfterDraw, AfterLoss, FirstChooser, Options, TurnOrder
from rulebook.terms import Terms


class OpeningBy(StrEnum):
    RANDOM = "random"
    AGREED = "agreed"
    LOSER = "loser"
    KEPT = "kept"
    PREVIOUS = "previous"
    SEED = "seed"
    PENALTY = "penalty"
    CARD = "card"
    FIXED = "fixed"


class GameEnd(StrEnum):
    PLAYED = "played"
    CONCESSION = "concession"
    PENALTY = "penalty"
    PENALTY_BEFORE_IT_BEGAN = "penalty-before-it-began"
    TIME = "time"

    @property
    def is_penalty(self) -> bool:
        return self in (GameEnd.PENALTY, GameEnd.PENALTY_BEFORE_IT_BEGAN)


@dataclass(frozen=True)
class Option:
    key: str
    label: str


@dataclass(frozen=True)
class Opening:
    """How one game starts: `chooser` is a side index or None, `order` begins with the first turn."""

    chooser: int | None
    by: OpeningBy
    option: str | None
    order: tuple[str, ...]
    is_default: bool


@dataclass(frozen=True)
class PlayedGame:
    """One ended game: `winner` is a side index, None when drawn or decided for nobody."""

    opening: Opening
    winner: int | None
    is_draw: bool
    ended_by: GameEnd = GameEnd.PLAYED


@dataclass(frozen=True)
class Right:
    """Who may choose the next opening; with an `order` nobody chooses and the order stays."""

    chooser: int | None
    by: OpeningBy
    order: tuple[str, ...] | None = None


def chair_codes(terms: Terms) -> tuple[str, ...]:
    """Every position of the match in the order in which turns go round, beginning with the first side."""
    numbers = range(1, terms.sides + 1)
    if mode_of(terms.mode).turn_order is TurnOrder.TEAM_BY_TEAM:
        return tuple(f"{number}{label}" for number in numbers for label in terms.labels)
    return tuple(f"{number}{label}" for label in terms.labels for number in numbers)


def side_of(position: str) -> int:
    """The side index of a position: 0 for "1A"."""
    return int(position.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) - 1


def options_of(terms: Terms, chooser: int) -> tuple[Option, ...]:
    """What side `chooser` may name, in the order shown; the first that lets it begin is the default."""
    check_side(terms, chooser)
    kind = mode_of(terms.mode).options
    if kind is Options.FIRST_OR_LAST:
        return (Option("first", "take the first turn"), Option("last", "take the last turn"))
    if kind in (Options.CYCLE_POINT, Options.ANY_PLAYER):
        return tuple(Option(code, f"{code} starts") for code in chair_codes(terms))
    if kind is Options.STARTING_TEAM:
        return tuple(Option(str(n), f"team {n} starts") for n in range(1, terms.sides + 1))
    return ()


def first_chooser(
    terms: Terms, *, rng: Random | None = None, entered: int | None = None, higher_seed: int | None = None
) -> tuple[int | None, OpeningBy]:
    """Who chooses in game one: the better seed by the terms, else who was entered, else a random side.

    Where the mode lets nobody choose, the side is None.
    """
    if mode_of(terms.mode).first_chooser is FirstChooser.FIRST_SIDE_STARTS:
        return None, OpeningBy.FIXED
    if terms.seed_chooses and higher_seed is not None:
        check_side(terms, higher_seed)
        return higher_seed, OpeningBy.SEED
    if entered is not None:
        check_side(terms, entered)
        return entered, OpeningBy.AGREED
    if rng is None:
        raise RuleBroken("no-chooser", "Enter which side won the roll, or ask for a random pick.")
    return rng.randrange(terms.sides), OpeningBy.RANDOM


def chooser_after(terms: Terms, previous: PlayedGame) -> Right:
    """Who chooses after `previous`; a right without chooser and order asks for a new random pick."""
    mode = mode_of(terms.mode)
    if mode.first_chooser is FirstChooser.FIRST_SIDE_STARTS:
        return Right(None, OpeningBy.FIXED, previous.opening.order)
    if previous.is_draw:
        return _after_draw(mode.after_draw, previous)
    if previous.winner is None:
        raise RuleBroken("game-not-ended", "Say who won the previous game, or that it was drawn.")
    check_side(terms, previous.winner)
    if terms.sides != 2 or mode.after_loss is AfterLoss.NO_RULE:
        return Right(None, OpeningBy.RANDOM)
    by = OpeningBy.PENALTY if previous.ended_by.is_penalty else OpeningBy.LOSER
    return Right(1 - previous.winner, by)


def _after_draw(rule: AfterDraw, previous: PlayedGame) -> Right:
    if rule is AfterDraw.ORDER_KEPT:
        return Right(None, OpeningBy.KEPT, previous.opening.order)
    if rule is AfterDraw.PREVIOUS_CHOOSER and previous.opening.chooser is not None:
        return Right(previous.opening.chooser, OpeningBy.PREVIOUS)
    return Right(None, OpeningBy.RANDOM)


def opening_for(
    terms: Terms,
    *,
    chooser: int | None,
    by: OpeningBy,
    option: str | None = None,
    order: tuple[str, ...] | None = None,
) -> Opening:
    """The opening of one board by `option`; without one the chooser begins; `order` is taken as given."""
    check_one_board(terms)
    by, codes = OpeningBy(by), chair_codes(terms)
    if order is not None:
        if sorted(order) != sorted(codes):
            raise RuleBroken(
                "wrong-order", "The order must name every position of the match once.", order=order
            )
        return Opening(chooser, by, None, order, is_default=False)
    if chooser is None:
        if by is not OpeningBy.FIXED:
            raise RuleBroken("no-chooser", "Say which side chooses who starts.", by=by)
        return Opening(None, by, None, codes, is_default=False)
    check_side(terms, chooser)
    if option is None:
        return Opening(chooser, by, None, _rotated(codes, f"{chooser + 1}{terms.labels[0]}"), is_default=True)
    known = tuple(choice.key for choice in options_of(terms, chooser))
    if option not in known:
        raise RuleBroken(
            "unknown-option",
            f"{option!r} cannot be chosen. Choose one of: {', '.join(known)}.",
            options=known,
        )
    return Opening(chooser, by, option, _order(terms, codes, chooser, option), is_default=False)


def check_one_board(terms: Terms) -> None:
    """These are the terms of one board; otherwise `RuleBroken("board-missing")` names the boards."""
    if len(terms.boards) > 1:
        boards = ", ".join(terms.boards)
        raise RuleBroken(
            "board-missing", f"Each board has its own game. Name the board: {boards}.", boards=terms.boards
        )


def _order(terms: Terms, codes: tuple[str, ...], chooser: int, option: str) -> tuple[str, ...]:
    own = f"{chooser + 1}{terms.labels[0]}"
    if option == "first":
        return _rotated(codes, own)
    if option == "last":
        return _rotated(codes, codes[(codes.index(own) + 1) % len(codes)])
    return _rotated(codes, option if option in codes else f"{option}{terms.labels[0]}")


def _rotated(codes: tuple[str, ...], start: str) -> tuple[str, ...]:
    at = codes.index(start)
    return codes[at:] + codes[:at]


def starting_with(terms: Terms, position: str) -> tuple[str, ...]:
    """The turn order that begins with `position`, or with its team where turns are shared."""
    check_seat(terms, position)
    if mode_of(terms.mode).turn_order is TurnOrder.TEAM_BY_TEAM:
        position = f"{side_of(position) + 1}{terms.labels[0]}"
    return _rotated(chair_codes(terms), position)


def check_seat(terms: Terms, position: str) -> None:
    """The match has this seat; otherwise `RuleBroken("unknown-seat")` names the seats it has."""
    codes = chair_codes(terms)
    if position not in codes:
        raise RuleBroken(
            "unknown-seat",
            f"This match has no seat {position!r}. Its seats are {', '.join(codes)}.",
            seat=position,
            seats=codes,
        )


def check_side(terms: Terms, side: int) -> None:
    """The match has this side; otherwise `RuleBroken("unknown-side")`."""
    if not 0 <= side < terms.sides:
        raise RuleBroken("unknown-side", f"This match has no side {side + 1}.", side=side, sides=terms.sides)
