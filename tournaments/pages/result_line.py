"""The result line of the desk: `12 2-1`, `12 id`, `12 noshow A`, `12 0-2 drop B`, `12 ok`, `12b 2-1`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind

HOW = (
    "Write the table and the result: 12 2-1, 12 1-1-1, 12 id, 12 noshow A, 12 conc B, 12 loss A or 12 dl; "
    "behind it drop B for who leaves. 12 ok confirms a report."
)
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
_LINE = re.compile(r"^(?P<table>\d{1,5})(?P<board>[a-c]?)(?:[\s:]+(?P<rest>\S.*))?$")
_DROPS = re.compile(r"^(?P<rest>.*?)\s*(?P<drops>(?:\bdrop\s+(?:[ab]|[1-9]|both)\s*)+)$")
_OUT = re.compile(r"^out(?:\s+[1-9])+$")
_COUNTS = re.compile(r"^\d{1,2}(?:[-–:/ ]\d{1,2}){1,2}$")


@dataclass(frozen=True, slots=True)
class Typed:
    """What a result line says; `loser` and `winner` are side indexes, `out` those who left, in order.

    `drops` are the sides that leave the tournament, `confirms` asks for the report that is there, a bare line
    is the table's number alone.
    """

    table: int
    kind: ResultKind | None
    wins: tuple[int, ...] = ()
    draws: int = 0
    loser: int | None = None
    board: str = ""
    winner: int | None = None
    is_draw: bool = False
    out: tuple[int, ...] = ()
    drops: tuple[int, ...] = ()
    confirms: bool = False
    is_bare: bool = False


def typed(line: str) -> Typed:
    """The table and its result; `RuleBroken("unreadable-line")` says how to write one."""
    found = _LINE.match(line.strip().casefold())
    if found is None:
        raise RuleBroken("unreadable-line", HOW)
    table, rest = int(found["table"]), (found["rest"] or "").strip()
    leaves = _DROPS.match(rest)
    drops: tuple[int, ...] = ()
    if leaves:
        rest, drops = leaves["rest"], _drops(leaves["drops"])
    no_result = Typed(table, None, confirms=not drops, is_bare=not rest and not drops)
    said = no_result if rest in ("", "ok") else _said(table, rest)
    return replace(said, board=found["board"].upper(), drops=drops)


def _drops(words: str) -> tuple[int, ...]:
    named = re.findall(r"drop\s+(\w+)", words)
    sides = (
        [0, 1]
        if "both" in named
        else [SIDES.get(one, int(one) - 1 if one.isdecimal() else 0) for one in named]
    )
    return tuple(dict.fromkeys(sides))


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
