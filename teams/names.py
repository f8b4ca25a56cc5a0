"""How names are compared and searched."""

import unicodedata
from collections.abc import Mapping

from rulebook.errors import RuleBroken

LONGEST, LONGEST_GROUP = 120, 60
# What is shown as nothing, and what turns the direction of everything behind it.
UNSEEN = frozenset("\u00ad\u115f\u1160\u200b\u2060\u2800\u3164\ufeff\uffa0")
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def folded(name: str) -> str:
    """The name as comparison sees it: as it is stored, case folded, without the marks between letters that
    nobody sees. "Müller" is not "Mueller"."""
    seen = tidy(name).casefold()
    if seen.isascii():
        return seen
    return unicodedata.normalize("NFC", "".join(c for c in seen if unicodedata.category(c) != "Cf"))


def clean_name(name: str, what: str = "name") -> str:
    """The name composed and without stray blanks, control characters and what nobody sees; empty or
    overlong ones are refused."""
    shown = tidy(name)
    if not folded(shown).strip():
        raise RuleBroken("name-missing", f"Enter a {what}.")
    if len(shown) > LONGEST:
        raise RuleBroken(
            "name-too-long", f"Shorten the {what} to at most {LONGEST} characters.", length=len(shown)
        )
    return shown


def repeated(names: Mapping[str, str]) -> list[str]:
    """The seats, of names by seat, on which a name stands that an earlier seat has too."""
    seen: set[str] = set()
    found = []
    for label, name in names.items():
        words = folded(name)
        if words in seen:
            found.append(label)
        seen |= {words} - {""}
    return found


def clean_group(group: str) -> str:
    """The club or family as it is kept, empty for none; an overlong one is refused."""
    shown = clean_name(group, "group") if group.strip() else ""
    if len(shown) > LONGEST_GROUP:
        raise RuleBroken("group-too-long", f"Shorten the group to at most {LONGEST_GROUP} characters.")
    return shown


def tidy(name: str) -> str:
    """Composed, inner blanks single (a pasted tab or line break is one), nothing a database refuses."""
    if name.isascii() and name.isprintable():
        return " ".join(name.split())
    kept = (c for c in unicodedata.normalize("NFC", name) if c.isspace() or not _is_refused(c))
    return " ".join("".join(kept).split())


def _is_refused(character: str) -> bool:
    """Control characters and halves of a pair, which cannot be shown or saved, and what would make two names
    look alike or a page run backwards; a joiner stays, since letters and emoji need it."""
    return character in UNSEEN or character in TURNING or unicodedata.category(character) in ("Cc", "Cs")
