"""The shape of a question and its answer, and the fields that questions share."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms

from rulebook.errors import RuleBroken
from rulebook.modes import Mode, choices
from rulebook.modes.blanks import Game

LONGEST_LINE = 200
LONGEST_TEXT = 20_000
MOST_LINES = 400
Given = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """The answer in one sentence, what follows from it line by line, and where it is printed.

    `facts` say the same as JSON-able values.
    """

    sentence: str
    lines: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The answer as JSON-able values."""
        return {
            "sentence": self.sentence,
            "lines": list(self.lines),
            "citations": list(self.citations),
            "facts": dict(self.facts),
        }


@dataclass(frozen=True)
class Question:
    """One thing to ask: its form checks what is typed, `answer` asks the rulebook."""

    key: str
    title: str
    help: str
    form: type[forms.Form]
    answer: Callable[[Given], Answer]
    topic: str = ""


def mode_field(*, game: Game | None = None, usual: str = "riftbound-2v2") -> forms.ChoiceField:
    """A choice of play mode, of one game where only that has the rule."""
    offered = [(key, name) for key, name in choices() if game is None or key.startswith(game.value)]
    return forms.ChoiceField(label="Play mode", choices=offered, initial=usual)


def seats_field(label: str, *, required: bool = True, hint: str = "") -> forms.CharField:
    """Seats by side number and letter, in any writing: "1A, 2B"."""
    return forms.CharField(label=label, required=required, max_length=LONGEST_LINE, help_text=hint)


def count_field(label: str, *, most: int = 99, usual: int = 0) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=most, initial=usual, required=False)


def yes_field(label: str, hint: str = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, help_text=hint)


def counts_in(text: str) -> tuple[int, ...]:
    """The numbers of "2-1" or "2 1"; a minus sign after a blank belongs to its number."""
    found = re.findall(r"(?:(?<=\s)|^)-\d+|\d+", text.strip())
    return tuple(int(one[:5]) for one in found)


def seats_in(text: str) -> tuple[str, ...]:
    """The seats of "1a, 2B"; the rulebook says whether the game has them."""
    return tuple(one.upper() for one in re.split(r"[\s,;]+", text.strip()) if one)


def seat_in(text: str) -> str:
    """The one seat that was written."""
    found = seats_in(text)
    if len(found) != 1:
        raise RuleBroken("seat-missing", "Name one seat, such as 1A.")
    return found[0]


def cited(mode: Mode, *blanks: str) -> tuple[str, ...]:
    """Where the blanks of the mode are printed."""
    found = [c for c in mode.citations if c.blank in blanks]
    return tuple(dict.fromkeys(f"{c.document} {c.rule} ({c.edition})" for c in found))


def joined(words: Iterable[str], *, nobody: str = "nobody") -> str:
    return ", ".join(words) or nobody
