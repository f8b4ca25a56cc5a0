"""What a deed changed is told with what was before."""

from typing import Any

import pytest

from journal.models import Deed
from tournaments.pages.before_after import changes_of, what_was

TOLD: list[tuple[str, Any, Any, str, str]] = [
    ("TournamentChanged", {"cut": 8, "zone": "UTC"}, {"cut": 4, "zone": "UTC"}, "cut 8 → 4", ""),
    (
        "TournamentChanged",
        {"shows_standings": True},
        {"shows_standings": False},
        "shows standings yes → no",
        "",
    ),
    ("TeamChanged", {"sits_out": None}, {"sits_out": 3}, "sits out none → 3", ""),
    ("TeamChanged", None, {"fields": ["name"]}, "", ""),
    ("MatchCorrected", {"kind": "played", "wins": [2, 1]}, {"wins": [1, 2]}, "", "2–1"),
    ("MatchCorrected", {"kind": "no-show", "wins": [0, 2], "draws": 0}, {}, "", "0–2 (no show)"),
    ("ExtensionGiven", {"extension_s": 180}, {"extension_s": 480, "minutes": 5}, "", "more time 3 min"),
    ("PenaltyTakenBack", {"penalty": 7, "level": "game-loss"}, None, "", "level game-loss"),
    ("TeamDropped", {"state": "playing", "in_round": 4}, {}, "", ""),
]


@pytest.mark.parametrize(("kind", "before", "after", "changed", "was"), TOLD)
def test_old_and_new_stand_side_by_side(kind: str, before: Any, after: Any, changed: str, was: str) -> None:
    deed = Deed(kind=kind, before=before, after=after)
    assert (changes_of(deed), what_was(deed)) == (changed, was)
