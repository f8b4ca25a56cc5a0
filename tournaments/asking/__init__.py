"""What a judge asks between games: short forms over the rulebook that answer and store nothing."""

from collections.abc import Mapping

from rulebook.errors import RuleBroken
from tournaments.asking.answering import Answer, Question
from tournaments.asking.decks import DECK
from tournaments.asking.life import LIFE
from tournaments.asking.play import ACTING, COMBAT, LAST_POINT, LEAVING
from tournaments.asking.rulings import LATENESS, PENALTY
from tournaments.asking.table import CHOOSER, MULLIGAN, TIME

__all__ = ["QUESTIONS", "Answer", "Question", "question_of"]

QUESTIONS: Mapping[str, Question] = {
    one.key: one
    for one in (
        TIME,
        MULLIGAN,
        CHOOSER,
        LIFE,
        LAST_POINT,
        COMBAT,
        ACTING,
        LEAVING,
        DECK,
        LATENESS,
        PENALTY,
    )
}


def question_of(key: str) -> Question:
    """The question called `key`; `RuleBroken("unknown-question")` names the known ones."""
    if key not in QUESTIONS:
        raise RuleBroken("unknown-question", f"Ask one of: {', '.join(QUESTIONS)}.", question=key)
    return QUESTIONS[key]
