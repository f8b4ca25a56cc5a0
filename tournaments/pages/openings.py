"""Who chooses the next opening at a table, in words and before anybody has to ask."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from matches.games import games_of, next_right
from matches.models import Game, Match
from matches.sheets import sheet_of
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState
from rulebook.setup import SetupSheet
from rulebook.turns import GameEnd, OpeningBy, chair_codes, first_chooser, options_of
from teams.selectors import TeamCard
from tournaments.models import Round
from tournaments.patience import first_seed

OPEN_STATES = (MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED)
BY_WORDS: Mapping[str, str] = {
    OpeningBy.RANDOM: "drawn at random",
    OpeningBy.AGREED: "won the roll at the table",
    OpeningBy.LOSER: "lost the game before",
    OpeningBy.KEPT: "the order is kept after a draw",
    OpeningBy.PREVIOUS: "chose before, and the game was drawn",
    OpeningBy.SEED: "the better seed",
    OpeningBy.PENALTY: "by a ruling",
    OpeningBy.CARD: "a card says so",
    OpeningBy.FIXED: "fixed by the mode",
}


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of the match so far: how it began and how it ended."""

    number: int
    order: tuple[str, ...]
    chose: str
    ended: bool
    won_by: str
    is_draw: bool
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpeningState:
    """What the table waits for: a choice, the end of a game, or nothing.

    `chooser` is a side index; `may_roll` says that the table may have rolled its own dice instead.
    `seats` are the positions of the running game with who sits there.
    """

    games: tuple[GameRow, ...]
    next_number: int
    is_playing: bool
    is_decided: bool
    chooser: int | None = None
    by: str = ""
    kept: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    may_roll: bool = False
    order: tuple[str, ...] = ()
    seats: tuple[tuple[str, str], ...] = ()
    in_subgame: bool = False
    can_lose_by_penalty: bool = False


def opening_state(
    match: Match,
    rnd: Round,
    cards: Sequence[TeamCard],
    board: str = "",
    games: Sequence[Game] | None = None,
) -> OpeningState:
    """The openings on the board and who chooses next; a random side follows from the round's seed. `games`
    are those of the board where they are known already."""
    games = games_of(match, board) if games is None else games
    cards = [_at_board(card, board) for card in cards] if board else cards
    rows = tuple(_row(game, cards) for game in games)
    state = _state(match, rnd, cards, board, games, rows)
    terms = match.frozen_terms.on_board(board)
    is_open = match.state in OPEN_STATES and not state.is_decided
    subgames = games[-1].subgames if state.is_playing else []
    return replace(
        state,
        seats=_seats(rows[-1].order, cards) if state.is_playing and state.order else (),
        in_subgame=bool(subgames) and not subgames[-1]["is_over"],
        can_lose_by_penalty=is_open and terms.sides == 2,
    )


def _state(
    match: Match,
    rnd: Round,
    cards: Sequence[TeamCard],
    board: str,
    games: Sequence[Game],
    rows: tuple[GameRow, ...],
) -> OpeningState:
    terms = match.frozen_terms.on_board(board)
    won = [sum(game.winner == side for game in games) for side in range(terms.sides)]
    is_playing = bool(games) and games[-1].state == Game.State.PLAYING
    is_decided = max(won) >= terms.wins_needed
    number = len(games) if is_playing else len(games) + 1
    order = rows[-1].order if is_playing else ()
    if is_playing or is_decided or match.state not in OPEN_STATES:
        return OpeningState(rows, number, is_playing, is_decided, order=order)
    right = next_right(match, board, games)
    if right is not None and right.order is not None:
        return OpeningState(rows, number, False, False, by=BY_WORDS[right.by], kept=right.order)
    side, by = (right.chooser, right.by) if right else (None, OpeningBy.RANDOM)
    is_open = side is None
    if is_open:
        higher = 0 if terms.seed_chooses else None
        chance = Random(first_seed(match, rnd, number, board))
        side, by = first_chooser(terms, rng=chance, higher_seed=higher)
    if by is OpeningBy.FIXED:
        return OpeningState(rows, number, False, False, by=BY_WORDS[by], kept=chair_codes(terms))
    options = options_of(terms, side) if side is not None else ()
    return OpeningState(
        rows,
        number,
        False,
        False,
        chooser=side,
        by=BY_WORDS[by],
        options=tuple((option.key, _named(option.key, option.label, cards)) for option in options),
        may_roll=is_open and by is OpeningBy.RANDOM,
    )


def setup_of(match: Match, board: str = "") -> SetupSheet | None:
    """The set-up sheet of the board; None before it is chosen who starts."""
    try:
        return sheet_of(match, board_label=board)
    except RuleBroken:
        return None


def positions(cards: Sequence[TeamCard]) -> dict[str, str]:
    """Who sits on each position, e.g. "2A"."""
    return {
        f"{index}{member.label}": member.name
        for index, card in enumerate(cards, 1)
        for member in card.members
    }


def _at_board(card: TeamCard, board: str) -> TeamCard:
    """The team as it plays at the board: its one player there, by name."""
    members = tuple(member for member in card.members if member.label == board)
    return replace(card, name="", members=members) if members else card


def _row(game: Game, cards: Sequence[TeamCard]) -> GameRow:
    opening = getattr(game, "opening", None)
    return GameRow(
        number=game.number,
        order=tuple(opening.order) if opening else (),
        chose=_chose(opening.chooser, opening.by, cards) if opening else "",
        ended=game.state == Game.State.ENDED,
        won_by=cards[game.winner].shown_name if game.winner is not None else "",
        is_draw=game.is_draw,
        remarks=tuple(_remarks(game)),
    )


def _remarks(game: Game) -> Iterator[str]:
    """What happened to the game besides being played, in the order it happened."""
    opening = getattr(game, "opening", None)
    yield from (one["what"] for one in (opening.replaced if opening else ()))
    if opening and opening.gone:
        yield f"without {', '.join(opening.gone)}"
    for subgame in game.subgames:
        yield f"subgame {'over' if subgame['is_over'] else 'runs: ' + ', '.join(subgame['order'])}"
    if game.ended_by == GameEnd.PENALTY_BEFORE_IT_BEGAN:
        yield "lost by penalty before it began"
    elif game.ended_by == GameEnd.PENALTY:
        yield "lost by penalty"


def _seats(order: Sequence[str], cards: Sequence[TeamCard]) -> tuple[tuple[str, str], ...]:
    who = positions(cards)
    return tuple((code, f"{who[code]} ({code})" if code in who else code) for code in order)


def _chose(chooser: int | None, by: str, cards: Sequence[TeamCard]) -> str:
    words = BY_WORDS.get(by, by)
    return words if chooser is None else f"{cards[chooser].shown_name} chose: {words}"


def _named(key: str, label: str, cards: Sequence[TeamCard]) -> str:
    who = positions(cards).get(key)
    if who:
        return f"{who} ({key}) starts"
    return label[0].upper() + label[1:]
