"""Every play mode Tandem knows, one record each; a module of this package with RECORDS adds its own."""

import importlib
import pkgutil
from collections.abc import Iterable

from rulebook.errors import RuleBroken
from rulebook.modes.blanks import Game, Mode

__all__ = ["MODES", "Mode", "choices", "load", "mode_of"]


def load(records: Iterable[Mode]) -> dict[str, Mode]:
    """The records by key, by game and then name; two records of one key do not load."""
    games = list(Game)
    loaded: dict[str, Mode] = {}
    for record in sorted(records, key=lambda mode: (games.index(mode.game), mode.name)):
        if record.key in loaded:
            raise ValueError(f"two play modes are called {record.key}")
        loaded[record.key] = record
    return loaded


def _records() -> Iterable[Mode]:
    for module in pkgutil.iter_modules(__path__):
        yield from getattr(importlib.import_module(f"{__name__}.{module.name}"), "RECORDS", ())


MODES: dict[str, Mode] = load(_records())


def mode_of(key: str) -> Mode:
    """The record called `key`; `RuleBroken("unknown-mode")` names the known ones."""
    if key not in MODES:
        raise RuleBroken(
            "unknown-mode",
            f"There is no play mode {key!r}. Choose one of: {', '.join(MODES)}.",
            mode=key,
            known=tuple(MODES),
        )
    return MODES[key]


def choices() -> list[tuple[str, str]]:
    """Key and name of every mode, for forms and the API."""
    return [(mode.key, mode.name) for mode in MODES.values()]
