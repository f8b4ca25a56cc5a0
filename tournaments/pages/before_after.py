"""What was and what is, in words: results, extensions, settings, names of seats, penalties."""

from collections.abc import Mapping, Sequence
from typing import Any

from journal.kinds import DeedKind
from journal.models import Deed

# Ids with which a deed is taken back; they say nothing to a reader.
UNTOLD = frozenset(
    {
        *("round", "state", "in_round", "round_state", "repair", "match_id", "match_state", "result"),
        *("left_round", "checked_in", "penalty", "solos", "was"),
    }
)
# Deeds that keep the old and the new value of each thing that was changed.
COMPARED = frozenset({DeedKind.TOURNAMENT_CHANGED, DeedKind.TEAM_CHANGED, DeedKind.STEP_CHANGED})
UNITS = {"extension_s": ("more time", 60, "min"), "given_back_s": ("given back", 60, "min")}


def score_of(told: Mapping[str, Any]) -> str:
    """A result as it is read: 2–1, or 1–2 (concession); empty without one."""
    wins = told.get("wins")
    if not wins:
        return ""
    draws = told.get("draws") or 0
    counts = "–".join(map(str, (*wins, draws) if draws else wins))
    kind = told.get("kind", "played")
    return counts if kind == "played" else f"{counts} ({kind.replace('-', ' ')})"


def changes_of(deed: Deed) -> str:
    """Each changed setting with its old and its new value; empty where the deed does not keep both."""
    before, after = _kept(deed.before), _kept(deed.after)
    if deed.kind not in COMPARED or not before.keys() & after.keys():
        return ""
    both = [key for key in before if key in after and before[key] != after[key]]
    return "; ".join(f"{_plain(key, before[key])} → {_value(key, after[key])}" for key in both)


def what_was(deed: Deed) -> str:
    """What the deed replaced, where its own sentence does not tell."""
    before = _kept(deed.before)
    if "wins" in before:
        return score_of(before)
    if changes_of(deed):
        return ""
    told = ((key, value) for key, value in before.items() if key not in UNTOLD)
    return ", ".join(_plain(key, value) for key, value in told if value not in (None, [], ""))


def _kept(told: Any) -> Mapping[str, Any]:
    return told if isinstance(told, dict) else {}


def _plain(key: str, value: Any) -> str:
    return f"{_name(key)} {_value(key, value)}"


def _name(key: str) -> str:
    return UNITS[key][0] if key in UNITS else key.replace("_", " ")


def _value(key: str, value: Any) -> str:
    """A stored value as people say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in (None, "", [], {}):
        return "none"
    if key in UNITS and isinstance(value, int):
        _, divisor, unit = UNITS[key]
        return f"{value // divisor} {unit}"
    if isinstance(value, Mapping):
        return ", ".join(f"{inner.replace('_', ' ')} {_value(inner, one)}" for inner, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_value(key, one) for one in value)
    return str(value)
