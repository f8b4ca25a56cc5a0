"""The result line of the desk: `12 2-1`, `12 1-1-1`, `12 id`, `12 noshow 1`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind

HOW = "Write the table and the result: 12 2-1, 12 1-1-1, 12 id, 12 noshow 1, 12 conc 2, 12 loss 1 or 12 dl."
WHOLE: Mapping[str, ResultKind] = {
    "id": ResultKind.INTENTIONAL_DRAW,
    "dl": ResultKind.DOUBLE_LOSS,
    "absent": ResultKind.BOTH_ABSENT,
}
OF_ONE: Mapping[str, ResultKind] = {
    "noshow": ResultKind.NO_SHOW,
    "conc": ResultKind.CONCESSION,
    "loss": ResultKind.MATCH_LOSS,
}
SIDES: Mapping[str, int] = {"1": 0, "2": 1, "a": 0, "b": 1}
_LINE = re.compile(r"^(?P<table>\d{1,5})[\s:]+(?P<rest>\S.*)$")
_COUNTS = re.compile(r"^\d{1,2}(?:[-–:/ ]\d{1,2}){1,2}$")


@dataclass(frozen=True, slots=True)
class Typed:
    """What a result line says; `loser` is a side index."""

    table: int
    kind: ResultKind
    wins: tuple[int, ...] = ()
    draws: int = 0
    loser: int | None = None


def typed(line: str) -> Typed:
    """The table and its result; `RuleBroken("unreadable-line")` says how to write one."""
    found = _LINE.match(line.strip().casefold())
    if found is None:
        raise RuleBroken("unreadable-line", HOW)
    table, rest = int(found["table"]), found["rest"].strip()
    if _COUNTS.match(rest):
        counts = [int(number) for number in re.findall(r"\d+", rest)]
        return Typed(table, ResultKind.PLAYED, tuple(counts[:2]), counts[2] if len(counts) > 2 else 0)
    if rest in WHOLE:
        return Typed(table, WHOLE[rest])
    word, _, side = rest.replace("no-show", "noshow").partition(" ")
    if word == "noshow" and side == "both":
        return Typed(table, ResultKind.BOTH_ABSENT)
    if word in OF_ONE and side in SIDES:
        return Typed(table, OF_ONE[word], loser=SIDES[side])
    raise RuleBroken("unreadable-line", HOW)
