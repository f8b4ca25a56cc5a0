"""The form of a result: counts of games, the winner of a pod, or how a match ended without play."""

from collections.abc import Mapping, Sequence
from typing import Any

from rulebook.errors import RuleBroken
from rulebook.scoring import LOST_BY_ONE, ResultKind
from rulebook.terms import Terms
from tournaments.pages.numbers import whole

OF_WHOLE = {
    ResultKind.PLAYED: "Played: as entered above",
    ResultKind.INTENTIONAL_DRAW: "Intentional draw",
    ResultKind.BOTH_ABSENT: "Nobody came",
    ResultKind.DOUBLE_LOSS: "Loss for everybody",
}
OF_ONE = {
    ResultKind.CONCESSION: "Concession by",
    ResultKind.NO_SHOW: "No-show of",
    ResultKind.MATCH_LOSS: "Match loss for",
}
DRAW = "draw"
MOST_DIGITS = 4


def is_pod(terms: Terms) -> bool:
    """Three sides or more meet in one game, so that its winner says everything."""
    return terms.sides > 2 and terms.best_of == 1


def result_choices(names: Sequence[str], *, played: bool = True, draws: bool = True) -> list[tuple[str, str]]:
    """Every kind of result a table can have, with the team it concerns by name; no draw where none is
    allowed."""
    left_out = {*(() if played else (ResultKind.PLAYED,)), *(() if draws else (ResultKind.INTENTIONAL_DRAW,))}
    whole = [(kind.value, words) for kind, words in OF_WHOLE.items() if kind not in left_out]
    of_one = [
        (f"{kind.value}:{index}", f"{words} {name}")
        for kind, words in OF_ONE.items()
        for index, name in enumerate(names)
    ]
    return whole + of_one if played else of_one + whole


def result_of(data: Mapping[str, str], terms: Terms) -> dict[str, Any]:
    """Kind, counts, loser and order of leaving as the services take them; an empty field is 0."""
    kind, _, loser = data.get("kind", ResultKind.PLAYED.value).partition(":")
    if kind not in {*OF_WHOLE, *OF_ONE}:
        raise RuleBroken("unknown-kind", "Choose how the match ended from the list.", kind=kind)
    known = ResultKind(kind)
    said: dict[str, Any] = {
        "kind": known,
        "wins": tuple(count_in(data.get(f"wins_{index}", "")) for index in range(terms.sides)),
        "draws": count_in(data.get("draws", "")),
        "loser": whole(loser),
    }
    if terms.sides > 2:
        said["out_order"] = tuple(
            count_in(data.get(f"out_{index}", "")) or None for index in range(terms.sides)
        )
    return said | _pod_counts(data, terms, known, said) if is_pod(terms) else said


def _pod_counts(
    data: Mapping[str, str], terms: Terms, kind: ResultKind, said: Mapping[str, Any]
) -> dict[str, Any]:
    """The one game of a pod: who won it, or that it was drawn; the order of leaving may say it too."""
    nobody = (0,) * terms.sides
    if kind is not ResultKind.PLAYED and kind not in LOST_BY_ONE:
        return {"wins": nobody, "draws": 0}
    winner = data.get("winner", "")
    if winner == DRAW:
        return {"wins": nobody, "draws": 1}
    won = whole(winner)
    if won is not None and won < terms.sides:
        return {"wins": tuple(int(side == won) for side in range(terms.sides)), "draws": 0}
    if sum(out is None for out in said["out_order"]) == 1:
        return {"wins": tuple(int(out is None) for out in said["out_order"]), "draws": 0}
    raise RuleBroken("winner-missing", "Say who won the pod, or that its game was drawn.")


def count_in(text: str) -> int:
    """The count that was typed, 0 for an empty field; anything but a whole number is refused."""
    typed = text.strip()
    if not typed:
        return 0
    if not typed.isascii() or not typed.isdecimal() or len(typed) > MOST_DIGITS:
        raise RuleBroken("not-a-count", f"{typed[:20]} is no count of games; write a number such as 2.")
    return int(typed)
