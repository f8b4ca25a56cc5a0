"""Leaving, winning and losing inside a game: what happens to a member happens to the team, by mode."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.modes.blanks import Formation, MemberLoss
from rulebook.scoring import Outcome
from rulebook.terms import Terms
from rulebook.turns import chair_codes, check_one_board, check_seat, side_of


class Ban(StrEnum):
    CANNOT_WIN = "cannot-win"
    CANNOT_LOSE = "cannot-lose"


@dataclass(frozen=True)
class Contest:
    """Who is still in one game: `order` goes round, `out` left or lost in that order, `winners` have won."""

    terms: Terms
    order: tuple[str, ...]
    out: tuple[str, ...] = ()
    bans: frozenset[tuple[str, Ban]] = frozenset()
    winners: tuple[str, ...] = ()
    is_draw: bool = False

    @property
    def in_game(self) -> tuple[str, ...]:
        return tuple(position for position in self.order if position not in self.out)

    @property
    def is_over(self) -> bool:
        return bool(self.winners) or self.is_draw


def begin_contest(terms: Terms, order: tuple[str, ...] | None = None) -> Contest:
    """Everybody is in; of several boards each is a game of its own."""
    check_one_board(terms)
    seats = order or chair_codes(terms)
    if len(set(seats)) != len(seats) or not set(seats) <= set(chair_codes(terms)):
        raise RuleBroken("wrong-order", "Name seats of this game, each of them once.", order=seats)
    return Contest(terms, seats)


def allies(terms: Terms, position: str) -> tuple[str, ...]:
    """The seats that win together with `position`, itself included."""
    check_seat(terms, position)
    if mode_of(terms.mode).formation is Formation.ONE_AGAINST_THE_REST:
        first = side_of(position) == 0
        return tuple(code for code in chair_codes(terms) if (side_of(code) == 0) is first)
    return tuple(code for code in chair_codes(terms) if side_of(code) == side_of(position))


def going_with(terms: Terms, position: str) -> tuple[str, ...]:
    """The seats that lose when `position` loses: the team, or in some modes the player alone."""
    check_seat(terms, position)
    if mode_of(terms.mode).member_loss is MemberLoss.SIDE_PLAYS_ON:
        return (position,)
    return tuple(code for code in chair_codes(terms) if side_of(code) == side_of(position))


def lose(game: Contest, *positions: str) -> Contest:
    """These players lose at the same time, and their teams by the mode; who cannot lose stays."""
    _still_played(game)
    going: list[str] = []
    for position in positions:
        check_seat(game.terms, position)
        if not is_banned(game, position, Ban.CANNOT_LOSE):
            going += going_with(game.terms, position)
    return _without(game, going)


def concede(game: Contest, *positions: str) -> Contest:
    """These players leave at the same time; no card keeps a player from conceding (Magic 104.3a)."""
    _still_played(game)
    return _without(game, [code for position in positions for code in going_with(game.terms, position)])


def lose_by_penalty(game: Contest, *positions: str) -> Contest:
    """A game loss: teammates concede too; when it hits everybody the game is a draw (Riftbound 701.2.b)."""
    return concede(game, *(ally for position in positions for ally in allies(game.terms, position)))


def win(game: Contest, position: str) -> Contest:
    """The player's team has won, unless it cannot win."""
    _still_played(game)
    if position not in game.in_game:
        raise RuleBroken("seat-has-left", f"{position} is not in the game any more.", seat=position)
    if is_banned(game, position, Ban.CANNOT_WIN):
        return game
    return replace(game, winners=allies(game.terms, position))


def ban(game: Contest, position: str, what: Ban) -> Contest:
    """A card says this player cannot win, or cannot lose: it holds for the team (606.8b, 810.8a)."""
    check_seat(game.terms, position)
    return replace(game, bans=game.bans | {(position, what)})


def lift(game: Contest, position: str, what: Ban) -> Contest:
    """The card's effect is over."""
    return replace(game, bans=game.bans - {(position, what)})


def is_banned(game: Contest, position: str, what: Ban) -> bool:
    """The player or one who wins and loses with him cannot win, or cannot lose."""
    return any((one, what) in game.bans for one in going_with(game.terms, position))


def affected_by(terms: Terms, position: str) -> tuple[str, ...]:
    """Whose turn is extra, skipped or controlled when a card says so of `position` (606.6g, 805.4)."""
    formation = mode_of(terms.mode).formation
    if formation in (Formation.TEAM_SHARED_TURN, Formation.ONE_AGAINST_THE_REST):
        return allies(terms, position)
    check_seat(terms, position)
    return (position,)


def next_turn(game: Contest, current: str) -> str:
    """Who takes the turn after `current`: the next in order who is still in the game."""
    check_seat(game.terms, current)
    at = game.order.index(current)
    for position in game.order[at + 1 :] + game.order[: at + 1]:
        if position in game.in_game:
            return position
    raise RuleBroken("nobody-left", "Nobody is left in this game.")


def outcomes(game: Contest) -> tuple[Outcome, ...]:
    """How an ended game went for each side."""
    if not game.is_over:
        raise RuleBroken("game-not-ended", "The game is still played.")
    if game.is_draw:
        return (Outcome.DRAW,) * game.terms.sides
    won = {side_of(position) for position in game.winners}
    return tuple(Outcome.WIN if side in won else Outcome.LOSS for side in range(game.terms.sides))


def _without(game: Contest, going: Iterable[str]) -> Contest:
    out = game.out + tuple(dict.fromkeys(code for code in going if code in game.in_game))
    after = replace(game, out=out)
    if not after.in_game:
        return replace(after, is_draw=True)
    team = allies(game.terms, after.in_game[0])
    if set(after.in_game) <= set(team):
        return replace(after, winners=team)
    return after


def _still_played(game: Contest) -> None:
    if game.is_over:
        raise RuleBroken("game-ended", "The game has ended already.")
