"""Time is called: what now for this table, and the result that follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matches.games import score_so_far
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.modes.blanks import Direction
from tournaments.asking.answering import Answer
from tournaments.asking.table import MOMENTS, OVER, RUNS, time_answer
from tournaments.pages.result_form import DRAW, count_in


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """The question as it was asked for one board, its answer, and the counts to enter if it is decided.

    `sides` are the names with games won and score as typed; `draws` counts the running game too.
    """

    sides: tuple[tuple[str, str, str], ...]
    moment: str
    score_word: str
    answer: Answer | None = None
    refused: str = ""
    wins: tuple[int, ...] = ()
    draws: int = 0
    winner: str = ""

    @property
    def moments(self) -> list[tuple[str, str]]:
        return MOMENTS

    @property
    def may_enter(self) -> bool:
        """The answer is a result: nothing more is played."""
        return self.answer is not None and self.answer.facts["play"] == "nothing"


def time_asked(match: Match, names: Sequence[str], asked: Mapping[str, str], board: str) -> TimeAsked:
    """The question of this board with its answer, if it is asked."""
    is_asked = asked.get("time") == (board or "1")
    terms = match.frozen_terms.on_board(board)
    won, drawn = score_so_far(match, board)
    typed = tuple(
        (name, asked.get(f"w{side}", "") if is_asked else str(won[side]), asked.get(f"s{side}", ""))
        for side, name in enumerate(names)
    )
    climbs = mode_of(terms.mode).track.direction is Direction.CLIMBS
    state = TimeAsked(typed, asked.get("moment", RUNS), "Points" if climbs else "Life")
    if not is_asked:
        return state
    try:
        wins = tuple(count_in(games) for _, games, _ in typed)
        scores = _scores(typed) if state.moment == OVER else ()
        answer = time_answer(terms, wins, state.moment, scores, names=tuple(names))
    except RuleBroken as broken:
        return TimeAsked(typed, state.moment, state.score_word, refused=broken.sentence)
    game, facts = answer.facts["game_winner"], answer.facts
    counted = tuple(count + (side == game) for side, count in enumerate(wins))
    best = facts["match_winner"]
    return TimeAsked(
        typed,
        state.moment,
        state.score_word,
        answer,
        wins=counted,
        draws=drawn + bool(facts["game_is_draw"]),
        winner=DRAW if best is None else str(best),
    )


def _scores(typed: Sequence[tuple[str, str, str]]) -> tuple[int, ...]:
    """The score of every side; life may have fallen below zero."""
    scores = []
    for name, _, score in typed:
        text = score.strip()
        if not text:
            raise RuleBroken("score-missing", f"Write the points or life of {name}.")
        scores.append(-count_in(text[1:]) if text.startswith("-") else count_in(text))
    return tuple(scores)
