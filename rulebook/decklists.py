"""Decklists by their shape: counts, uniqueness and sideboard size by edition, without a card database."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulebook.deck_formats import BASIC_LANDS, DeckFormat, Section
from rulebook.errors import RuleBroken
from rulebook.modes import Mode
from rulebook.modes.blanks import Limit

CARD = re.compile(r"(?:(?P<count>\d+)\s*[xX]?\s+)?(?P<name>\S.*)")


@dataclass(frozen=True)
class Card:
    line: int
    section: str
    count: int
    name: str


@dataclass(frozen=True)
class Problem:
    """What is wrong, and on which line where one line is to blame."""

    line: int | None
    code: str
    sentence: str


@dataclass(frozen=True)
class Decklist:
    """The cards of a list by section; `problems` were found while reading it."""

    cards: tuple[Card, ...]
    problems: tuple[Problem, ...] = ()

    def names(self, section: str) -> tuple[str, ...]:
        return tuple(card.name for card in self.cards if card.section == section)

    def count(self, section: str) -> int:
        return sum(card.count for card in self.cards if card.section == section)


def read_decklist(body: str, deck: DeckFormat) -> Decklist:
    """The list as cards: one "3 Name" a line below headings; lines nobody can read become problems."""
    headings = {alias: one.key for one in deck.sections for alias in (one.key, *one.aliases)}
    section = deck.sections[0].key
    cards: list[Card] = []
    problems: list[Problem] = []
    for number, raw in enumerate(body.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith(("#", "//")):
            continue
        heading = line.rstrip(":").casefold().replace(" ", "")
        if heading in headings:
            section = headings[heading]
        elif line.endswith(":"):
            problems.append(
                Problem(number, "unknown-section", f"There is no section {line!r} in this format.")
            )
        else:
            cards += _card(number, section, line, problems)
    return Decklist(tuple(cards), tuple(problems))


def _card(number: int, section: str, line: str, problems: list[Problem]) -> list[Card]:
    found = CARD.fullmatch(line)
    count = int(found["count"] or 1) if found else 0
    if not found or count < 1 or found["name"].isdigit():
        problems.append(Problem(number, "unreadable-line", f"Write a number and a name, not {line!r}."))
        return []
    return [Card(number, section, count, found["name"])]


def check_decklist(decklist: Decklist, deck: DeckFormat) -> tuple[Problem, ...]:
    """Every problem of the list, by line; none means that its shape is right."""
    problems = [*decklist.problems]
    for section in deck.sections:
        problems += _section_problems(decklist, section)
    problems += _whole(decklist, deck)
    problems += _copies(decklist, deck)
    return tuple(sorted(problems, key=lambda problem: (problem.line is None, problem.line or 0)))


def _section_problems(decklist: Decklist, section: Section) -> Iterable[Problem]:
    total = decklist.count(section.key)
    if total not in section.sizes:
        yield Problem(
            None, "wrong-count", f"{section.name}: {total} cards, but {section.sizes_in_words} are needed."
        )
    if not section.all_different:
        return
    seen: set[str] = set()
    for card in decklist.cards:
        if card.section != section.key:
            continue
        if card.count > 1 or _key(card.name) in seen:
            yield Problem(card.line, "same-card-twice", f"{section.name}: {card.name} may appear once only.")
        seen.add(_key(card.name))


def _whole(decklist: Decklist, deck: DeckFormat) -> Iterable[Problem]:
    """Sections that make up one deck of a fixed size; a card picked out may also be listed in the deck."""
    if deck.whole is None:
        return
    total = decklist.count("main") + decklist.count(deck.picked)
    if total - len(_listed_twice(decklist, deck)) != deck.whole:
        yield Problem(
            None,
            "wrong-count",
            f"Main deck and {deck.picked}: {total} cards, but exactly {deck.whole} are needed.",
        )


def _listed_twice(decklist: Decklist, deck: DeckFormat) -> frozenset[str]:
    """Cards picked out that the main deck lists again, which the size of the whole shows."""
    total = decklist.count("main") + decklist.count(deck.picked)
    inside = frozenset(map(_key, decklist.names("main"))) & frozenset(map(_key, decklist.names(deck.picked)))
    return inside if total - len(inside) == deck.whole else frozenset()


def _copies(decklist: Decklist, deck: DeckFormat) -> Iterable[Problem]:
    if deck.copies is None:
        return
    again = _listed_twice(decklist, deck)
    total: Counter[str] = Counter()
    for card in decklist.cards:
        if card.section not in deck.copies_of or _key(card.name) in BASIC_LANDS:
            continue
        if card.section == deck.picked and _key(card.name) in again:
            continue
        before = total[_key(card.name)]
        total[_key(card.name)] += card.count
        if before <= deck.copies < total[_key(card.name)]:
            yield Problem(card.line, "too-many-copies", f"{card.name}: more than {deck.copies} copies.")


def check_team_decks(mode: Mode, decks: Mapping[str, Decklist]) -> tuple[Problem, ...]:
    """What the decks of one team may not share, by the mode's registration limits."""
    problems = []
    for limit in mode.registration_limits:
        sections, what = SHARED[limit]
        owners: dict[str, str] = {}
        for label, decklist in sorted(decks.items()):
            for name in {_key(n): n for section in sections for n in decklist.names(section)}.values():
                if _key(name) in BASIC_LANDS:
                    continue
                other = owners.setdefault(_key(name), label)
                if other != label:
                    problems.append(
                        Problem(None, limit.value, f"{what} {name} is registered by {other} and {label}.")
                    )
    return tuple(problems)


def require_legal(problems: Iterable[Problem]) -> None:
    """No problem is left; otherwise `RuleBroken("decklist-wrong")` lists them all."""
    found = tuple(problems)
    if found:
        words = " ".join(f"Line {p.line}: {p.sentence}" if p.line else p.sentence for p in found)
        raise RuleBroken("decklist-wrong", words, problems=found)


SHARED: Mapping[Limit, tuple[tuple[str, ...], str]] = {
    Limit.DIFFERENT_LEGENDS: (("legend",), "The legend"),
    Limit.DIFFERENT_BATTLEFIELDS: (("battlefields",), "The battlefield"),
    Limit.UNIFIED_DECKS: (("main", "sideboard"), "The card"),
}


def _key(name: str) -> str:
    return " ".join(name.casefold().split())
