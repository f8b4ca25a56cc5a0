"""How names are compared and searched."""

import unicodedata

from rulebook.errors import RuleBroken

LONGEST = 120


def folded(name: str) -> str:
    """The name as comparison sees it: as it is stored, case folded. "Müller" is not "Mueller"."""
    return unicodedata.normalize("NFC", _tidy(name).casefold())


def clean_name(name: str, what: str = "name") -> str:
    """The name composed and without stray blanks or control characters; empty or overlong ones are
    refused."""
    shown = _tidy(name)
    if not shown:
        raise RuleBroken("name-missing", f"Enter a {what}.")
    if len(shown) > LONGEST:
        raise RuleBroken(
            "name-too-long", f"Shorten the {what} to at most {LONGEST} characters.", length=len(shown)
        )
    return shown


def _tidy(name: str) -> str:
    """Composed, inner blanks single (a pasted tab or line break is one), nothing a database refuses."""
    if name.isascii() and name.isprintable():
        return " ".join(name.split())
    kept = (c for c in unicodedata.normalize("NFC", name) if c.isspace() or not _is_refused(c))
    return " ".join("".join(kept).split())


def _is_refused(character: str) -> bool:
    """Control characters and halves of a pair, which cannot be shown or saved."""
    return unicodedata.category(character) in ("Cc", "Cs")
