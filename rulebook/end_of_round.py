"""What happens when time is called: what is still played, and who has won when it has been.

Riftbound Tournament Rules 408.2-408.4 (2026-04-29); Magic Tournament Rules 2.4 (2026-02-27).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rulebook.errors import RuleBroken
from rulebook.modes import Mode, mode_of
from rulebook.modes.blanks import Direction, Elimination, Unfinished
from rulebook.terms import Terms

TURNS_OF_A_TIEBREAK_GAME = 5  # Riftbound Tournament Rules 408.4.d


class Play(StrEnum):
    """What the table does next."""

    NOTHING = "nothing"
    EXTRA_TURNS = "extra-turns"
    NEXT_POINT = "next-point"
    SUDDEN_DEATH = "sudden-death"
    TIEBREAK_GAME = "tiebreak-game"


@dataclass(frozen=True)
class AtTime:
    """The table when time is called or the extra turns are over.

    `scores` are points or life per side of the running game, None between games.
    """

    wins: tuple[int, ...]
    scores: tuple[int, ...] | None = None
    turns_left: int | None = None
    slow_play_turns: int = 0


@dataclass(frozen=True)
class EndOfRound:
    """What is played and for how many turns, and who won game and match (None while open or drawn)."""

    play: Play
    turns: int
    game_winner: int | None
    game_is_draw: bool
    match_winner: int | None
    match_is_draw: bool
    sentence: str


def end_of_round(terms: Terms, table: AtTime) -> EndOfRound:
    """Extra turns while a game runs and none were played; afterwards the decision of the mode."""
    _check(terms, table)
    if terms.wins_needed in table.wins:
        return _decided(replace(table, scores=None), None)
    mode = mode_of(terms.mode)
    if table.scores is not None and table.turns_left != 0 and _won_by_score(mode, table.scores) is None:
        turns = table.turns_left
        if turns is None:
            turns = mode.end_of_round.extra_turns + table.slow_play_turns
        return _playing(Play.EXTRA_TURNS, turns, f"Finish the current turn, then play {turns} more turns.")
    if terms.draws_allowed:
        return _swiss(mode, table)
    if mode.end_of_round.elimination is Elimination.POINTS_THEN_GAMES_THEN_NEXT_POINT:
        return _points(table)
    return _life(mode, table)


def _check(terms: Terms, table: AtTime) -> None:
    if len(table.wins) != terms.sides or (table.scores is not None and len(table.scores) != terms.sides):
        raise RuleBroken(
            "wrong-number-of-sides", f"This match has {terms.sides} sides. Count for each of them."
        )
    if min(*table.wins, table.turns_left or 0, table.slow_play_turns) < 0:
        raise RuleBroken("negative-count", "Game wins and turns left cannot be negative.")
    if table.scores and min(table.scores) < 0 and _climbs(terms):
        raise RuleBroken("negative-count", "Points cannot be negative. Check them.", scores=table.scores)
    if max(table.wins) > terms.wins_needed or table.wins.count(terms.wins_needed) > 1:
        raise RuleBroken(
            "too-many-wins",
            f"One side wins a best of {terms.best_of} with {terms.wins_needed} games. Check the counts.",
            wins=table.wins,
        )


def _climbs(terms: Terms) -> bool:
    return mode_of(terms.mode).track.direction is Direction.CLIMBS


def _swiss(mode: Mode, table: AtTime) -> EndOfRound:
    """An unfinished game goes to a clear leader or is drawn; then more game wins win the match."""
    winner = _leader(mode, table.scores) if table.scores is not None else None
    return _decided(table, winner)


def _won_by_score(mode: Mode, scores: Sequence[int]) -> int | None:
    """Who has won the running game outright: alone in front at the goal, or alone with life left."""
    if mode.track.direction is Direction.CLIMBS:
        return _sole_best(scores) if max(scores) >= mode.track.goal else None
    return _sole_best([int(life > 0) for life in scores])


def _leader(mode: Mode, scores: Sequence[int]) -> int | None:
    won = _won_by_score(mode, scores)
    if won is not None:
        return won
    if mode.end_of_round.unfinished is Unfinished.DRAW:
        return None
    first, second = sorted(scores, reverse=True)[:2]
    return list(scores).index(first) if first - second >= mode.end_of_round.margin else None


def _points(table: AtTime) -> EndOfRound:
    """Riftbound: the points leader wins the game; then game wins; both level, the next point wins."""
    ahead = _sole_best(table.scores) if table.scores is not None else None
    decided = _decided(table, ahead)
    if decided.match_winner is not None:
        return decided
    if table.scores is not None and ahead is None:
        return _playing(Play.NEXT_POINT, 0, "Play on: the next point scored wins.")
    again = _playing(
        Play.TIEBREAK_GAME,
        TURNS_OF_A_TIEBREAK_GAME,
        "Play one more game: five turns after the first player's turn, then the next point wins.",
    )
    return replace(again, game_winner=ahead)


def _life(mode: Mode, table: AtTime) -> EndOfRound:
    """Magic: more game wins; then the highest life; level or between games, play until one is ahead."""
    won = _won_by_score(mode, table.scores) if table.scores is not None else None
    if won is None and _sole_best(table.wins) is not None:
        return _decided(table, None)
    ahead = _sole_best(table.scores) if table.scores is not None else None
    decided = _decided(table, ahead)
    if decided.match_winner is not None:
        return decided
    sentence = "Play on: whoever does not have the highest life total loses as soon as life totals differ."
    return replace(_playing(Play.SUDDEN_DEATH, 0, sentence), game_winner=ahead)


def _decided(table: AtTime, game_winner: int | None) -> EndOfRound:
    wins = [count + (side == game_winner) for side, count in enumerate(table.wins)]
    match_winner = _sole_best(wins)
    drawn = table.scores is not None and game_winner is None
    sentence = f"Side {match_winner + 1} wins the match." if match_winner is not None else "A drawn match."
    return EndOfRound(Play.NOTHING, 0, game_winner, drawn, match_winner, match_winner is None, sentence)


def _playing(play: Play, turns: int, sentence: str) -> EndOfRound:
    return EndOfRound(play, turns, None, False, None, False, sentence)


def _sole_best(counts: Sequence[int]) -> int | None:
    best = max(counts)
    return list(counts).index(best) if list(counts).count(best) == 1 else None
