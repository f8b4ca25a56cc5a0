"""Sentences of the rules and services in the language of the reader: as a whole, or by their pattern."""

import re
from functools import lru_cache

from django.utils.translation import get_language, gettext

from tournaments.pages.rule_words import ALWAYS_SAID, PATTERNS

FACT = re.compile(r"%\((\w+)\)s")
# Facts of these names are words of the rules themselves; any other is a name or a number and stays.
TOLD = frozenset({"what", "match", "points", "others"})
NUMBERS = frozenset({"number", "size", "count"})


def said(text: str) -> str:
    """The text in the language of this page; English where nobody has translated it."""
    language = get_language() or "en"
    return text if not text or language == "en" else _said(language, text)


@lru_cache(maxsize=4096)
def _said(language: str, text: str) -> str:
    """The text in the language, which is the active one; the same words come again and again."""
    whole = gettext(text)
    if whole != text or text in ALWAYS_SAID:
        return whole
    for pattern, msgid in _patterns():
        found = pattern.fullmatch(text)
        if found:
            facts = found.groupdict()
            return gettext(msgid) % {key: said(v) if key in TOLD else v for key, v in facts.items()}
    sentences = re.split(r"(?<=[.?]) (?=[A-Z])", text)
    return " ".join(map(said, sentences)) if len(sentences) > 1 else text


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each pattern as an expression; the one with most words of its own first."""
    by_words = sorted(PATTERNS, key=lambda msgid: -len(FACT.sub("", msgid)))
    return tuple((_expression(msgid), msgid) for msgid in by_words)


def _expression(msgid: str) -> re.Pattern[str]:
    parts = FACT.split(msgid)  # words, fact, words, fact, words
    told = (_fact(part) if at % 2 else re.escape(part) for at, part in enumerate(parts))
    return re.compile("".join(told), re.S)


def _fact(name: str) -> str:
    return rf"(?P<{name}>{r'[0-9.]+' if name in NUMBERS else '.+?'})"
