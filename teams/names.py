"""How names are compared and searched."""

import unicodedata

from rulebook.errors import RuleBroken

LONGEST = 120


def folded(name: str) -> str:
    """The name as comparison sees it: composed, case folded, inner blanks single. "Müller" is not
    "Mueller"."""
    composed = unicodedata.normalize("NFC", name)
    return " ".join(unicodedata.normalize("NFC", composed.casefold()).split())


def clean_name(name: str, what: str = "name") -> str:
    """The name composed and without stray blanks or control characters; empty or overlong ones are
    refused."""
    shown = "".join(
        c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) not in ("Cc", "Cs")
    )
    shown = " ".join(shown.split())
    if not shown:
        raise RuleBroken("name-missing", f"Enter a {what}.")
    if len(shown) > LONGEST:
        raise RuleBroken(
            "name-too-long", f"Shorten the {what} to at most {LONGEST} characters.", length=len(shown)
        )
    return shown
