"""A worked track: events line by line, with the totals of every side after each."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from django import forms

from rulebook import shared_life
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.modes.blanks import Direction, Holder
from rulebook.terms import terms_for
from rulebook.tracks import EntryKind, Sheet, beaten, open_sheet, record, redo, undo, winner_by_points
from rulebook.turns import side_of
from tournaments.asking.answering import LONGEST_TEXT, MOST_LINES, Answer, Given, Question, cited, mode_field

HELP = (
    "One event a line. 1A -4, 2B +3; all -2 happens to each player; 1A double; 1A pays half; "
    "1A pays 2 1B pays 3; 1A = 10; all = 7 of 1A 2B sets each player (a team names one); swap 1A 2A; "
    "1A poison 2; 1A commander 5 Krenko; 1A cannot gain; 1A cannot lose; 1A can gain; undo; redo."
)


class LifeForm(forms.Form):
    mode = mode_field(usual="magic-2hg")
    sides = forms.IntegerField(label="Sides", min_value=2, max_value=20, required=False)
    events = forms.CharField(
        label="What happened",
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=HELP,
        initial="all -4\n1A double",
    )


def answer_life(given: Given) -> Answer:
    """The totals after every event; an event against the rules names its line."""
    mode = mode_of(given["mode"])
    terms = terms_for(mode, sides=given["sides"])
    sheet = open_sheet(terms.on_board(terms.boards[0]))
    told = []
    for number, line in enumerate(given["events"].splitlines()[:MOST_LINES], start=1):
        if not line.strip():
            continue
        try:
            sheet = happen(sheet, line.split())
        except RuleBroken as broken:
            raise RuleBroken(broken.code, f"Line {number}: {broken.sentence}", line=number) from broken
        told.append(f"{line.strip()}: {_totals(sheet)}.")
    lines = (*told, *_ends(sheet))
    facts = {"totals": {p: sheet.total(p) for p in sheet.positions}, "beaten": list(beaten(sheet))}
    word = "Life" if sheet.track.direction is Direction.FALLS else "Points"
    return Answer(f"{word}: {_totals(sheet)}.", lines, _where(sheet), facts)


def happen(sheet: Sheet, words: list[str]) -> Sheet:
    """The sheet after one event in words."""
    first, rest = words[0].casefold(), [word.casefold() for word in words[1:]]
    if first == "undo" and not rest:
        return undo(sheet)
    if first == "redo" and not rest:
        return redo(sheet)
    if first == "swap" and len(rest) == 2:
        return shared_life.exchange(sheet, rest[0].upper(), rest[1].upper())
    if first in ("all", "each"):
        return _to_all(sheet, rest)
    if "pays" in rest and rest[1:] != ["half"]:
        return shared_life.pay(sheet, _payments([first, *rest]))
    return _to_one(sheet, first.upper(), rest, words)


def _to_all(sheet: Sheet, rest: list[str]) -> Sheet:
    if rest[:1] == ["="] and len(rest) >= 2:
        named = [word.upper() for word in rest[2:] if word != "of"]
        for position in named:
            sheet.sharing(position)
        return shared_life.set_each(sheet, _number(rest[1]), {side_of(p): p for p in named})
    if len(rest) == 2 and rest[0] == "lose" and "/" in rest[1]:
        return shared_life.each_player_loses_share(sheet, _share(rest[1]), round_up=True)
    if len(rest) == 1:
        return shared_life.each_player(sheet, _number(rest[0]))
    raise _unread()


def _to_one(sheet: Sheet, seat: str, rest: list[str], words: list[str]) -> Sheet:
    sheet.sharing(seat)
    fixed: Mapping[str, Callable[[], Sheet]] = {
        "double": lambda: shared_life.double(sheet, seat),
        "pays half": lambda: shared_life.pay_half(sheet, seat),
        "cannot gain": lambda: shared_life.ban(sheet, seat, EntryKind.CANNOT_GAIN),
        "cannot lose": lambda: shared_life.ban(sheet, seat, EntryKind.CANNOT_LOSE),
        "can gain": lambda: shared_life.ban(sheet, seat, EntryKind.CANNOT_GAIN, ends=True),
        "can lose": lambda: shared_life.ban(sheet, seat, EntryKind.CANNOT_LOSE, ends=True),
    }
    if " ".join(rest) in fixed:
        return fixed[" ".join(rest)]()
    if len(rest) == 1:
        return record(sheet, seat, _number(rest[0]))
    if len(rest) == 2 and rest[0] == "=":
        return shared_life.set_life(sheet, seat, _number(rest[1]))
    if len(rest) == 2 and rest[0] == "poison":
        return record(sheet, seat, _number(rest[1]), kind=EntryKind.POISON)
    if len(rest) >= 3 and rest[0] == "commander":
        source = " ".join(words[3:])
        after = record(sheet, seat, _number(rest[1]), kind=EntryKind.COMMANDER, source=source)
        return record(after, seat, -_number(rest[1]))
    raise _unread()


def _payments(words: list[str]) -> dict[str, int]:
    if len(words) % 3 or any(word != "pays" for word in words[1::3]):
        raise _unread()
    return {words[at].upper(): _number(words[at + 2]) for at in range(0, len(words), 3)}


def _number(text: str) -> int:
    digits = text.lstrip("+-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 6 or len(text) - len(digits) > 1:
        raise RuleBroken("not-a-number", f"{text[:20]} is no number.")
    return int(text)


def _share(text: str) -> Fraction:
    above, _, below = text.partition("/")
    if _number(above) < 0 or _number(below) < 1:
        raise RuleBroken("not-a-number", f"{text[:20]} is no share.")
    return Fraction(_number(above), _number(below))


def _unread() -> RuleBroken:
    return RuleBroken("unreadable-event", "Write an event such as 1A -3, all -2, 1A double or swap 1A 2A.")


def _totals(sheet: Sheet) -> str:
    """The total of every side, with poison where there is any."""
    shown: dict[object, str] = {}
    for position in sheet.positions:
        shared = sheet.track.holder is Holder.SIDE
        key = side_of(position) if shared else position
        who = f"side {side_of(position) + 1}" if shared else position
        poison = sheet.poison(position) if sheet.track.poison is not None else 0
        words = f"{who} {sheet.total(position)}{f', {poison} poison' if poison else ''}"
        shown.setdefault(key, words)
    return "; ".join(shown.values())


def _ends(sheet: Sheet) -> list[str]:
    out, winner = beaten(sheet), winner_by_points(sheet)
    lines = [f"Has lost: {', '.join(out)}."] if out else []
    return [*lines, f"Side {winner + 1} wins."] if winner is not None else lines


def _where(sheet: Sheet) -> tuple[str, ...]:
    mode = mode_of(sheet.mode)
    shared = mode.track.holder is Holder.SIDE and mode.track.direction is Direction.FALLS
    more = ("Magic Comprehensive Rules 810.9 (text 002)",) if shared else ()
    return (*cited(mode, "track"), *more)


LIFE = Question(
    "life",
    "Life and points",
    "What a total is after doubling, setting, paying, exchanging: with shared life as 810.9 has it.",
    LifeForm,
    answer_life,
    "giant-life",
)
