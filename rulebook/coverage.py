"""Which paragraph of the rules texts is answered where: by a topic, by a function, or by both."""

import csv
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files

from rulebook.errors import RuleBroken


@dataclass(frozen=True)
class Covered:
    """One paragraph as "text:number", the stable key of what it is about, and its answers."""

    paragraph: str
    concept: str
    topic: str
    function: str


def coverage() -> tuple[Covered, ...]:
    """Every row of coverage.csv, in its order."""
    text = files("rulebook").joinpath("coverage.csv").read_text(encoding="utf-8")
    return tuple(Covered(**row) for row in csv.DictReader(text.splitlines()))


def paragraphs_of(concept: str, rows: Iterable[Covered] | None = None) -> tuple[str, ...]:
    """Where the texts speak of `concept`, whatever number the rule has in an edition."""
    found = tuple(row.paragraph for row in (coverage() if rows is None else rows) if row.concept == concept)
    if not found:
        raise RuleBroken("unknown-concept", f"No paragraph is about {concept!r}.", concept=concept)
    return found


def function_of(name: str) -> Callable[..., object]:
    """The function or method that a row names; a name that leads nowhere raises `LookupError`."""
    try:
        found = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise LookupError(name) from error
    if not callable(found):
        raise LookupError(name)
    return found  # type: ignore[no-any-return]
