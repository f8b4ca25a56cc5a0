"""The result line of the desk: `12 2-1`, `12 1-1-1`, `12 id`, `12 noshow 1`, `12 3`, `12b 2-1`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind

HOW = "Write the table and the result: 12 2-1, 12 1-1-1, 12 id, 12 noshow 1, 12 conc 2, 12 loss 1 or 12 dl."
HOW_IN_PODS = (
    "Write the table and who won the pod: 12 3, 12 draw, 12 id, or who left in which order: 12 out 2 4 1."
)
HOW_IN_BOARDS = "Write the table with its board: 12a 2-1, 12b 2-0, 12c 1-1-1."
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
_LINE = re.compile(r"^(?P<table>\d{1,5})(?P<board>[a-c]?)[\s:]+(?P<rest>\S.*)$")
_OUT = re.compile(r"^out(?:\s+[1-9])+$")
_COUNTS = re.compile(r"^\d{1,2}(?:[-–:/ ]\d{1,2}){1,2}$")


@dataclass(frozen=True, slots=True)
class Typed:
    """What a result line says; `loser` and `winner` are side indexes, `out` those who left, in order."""

    table: int
    kind: ResultKind
    wins: tuple[int, ...] = ()
    draws: int = 0
    loser: int | None = None
    board: str = ""
    winner: int | None = None
    is_draw: bool = False
    out: tuple[int, ...] = ()


def typed(line: str) -> Typed:
    """The table and its result; `RuleBroken("unreadable-line")` says how to write one."""
    found = _LINE.match(line.strip().casefold())
    if found is None:
        raise RuleBroken("unreadable-line", HOW)
    said = _said(int(found["table"]), found["rest"].strip())
    return replace(said, board=found["board"].upper())


def _said(table: int, rest: str) -> Typed:
    if rest.isdecimal() and len(rest) == 1:
        return Typed(table, ResultKind.PLAYED, winner=int(rest) - 1)
    if rest == "draw":
        return Typed(table, ResultKind.PLAYED, is_draw=True)
    if _OUT.match(rest):
        return Typed(table, ResultKind.PLAYED, out=tuple(int(side) - 1 for side in rest.split()[1:]))
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
