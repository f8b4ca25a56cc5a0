"""What one match is played under, frozen when it is paired."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulebook.errors import RuleBroken
from rulebook.modes import Mode
from rulebook.modes.blanks import PlayoffChooser


@dataclass(frozen=True)
class Terms:
    """Mode, edition, length and shape of one match; `seed_chooses` lets the better seed open."""

    mode: str
    edition: str
    best_of: int
    draws_allowed: bool
    sides: int
    labels: tuple[str, ...]
    boards: tuple[str, ...] = ("",)
    seed_chooses: bool = False

    @property
    def wins_needed(self) -> int:
        """Game wins that end a match."""
        return self.best_of // 2 + 1

    def on_board(self, board: str) -> "Terms":
        """The terms of one board of a team match, or of the whole match where it has one board."""
        if board not in self.boards:
            known = ", ".join(self.boards)
            raise RuleBroken(
                "unknown-board", f"This match has no board {board!r}, only {known}.", board=board
            )
        return self if self.boards == ("",) else replace(self, labels=(board,), boards=("",))

    def as_dict(self) -> dict[str, object]:
        """The terms as JSON-able values, to be stored with the match."""
        return {
            "mode": self.mode,
            "edition": self.edition,
            "best_of": self.best_of,
            "draws_allowed": self.draws_allowed,
            "sides": self.sides,
            "labels": list(self.labels),
            "boards": list(self.boards),
            "seed_chooses": self.seed_chooses,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Terms":
        """The terms that `as_dict` wrote."""
        return cls(
            mode=str(stored["mode"]),
            edition=str(stored["edition"]),
            best_of=int(stored["best_of"]),
            draws_allowed=bool(stored["draws_allowed"]),
            sides=int(stored["sides"]),
            labels=tuple(stored["labels"]),
            boards=tuple(stored.get("boards", ("",))),
            seed_chooses=bool(stored.get("seed_chooses", False)),
        )


def terms_for(
    mode: Mode,
    *,
    best_of: int | None = None,
    elimination: bool = False,
    high_level: bool = False,
    sides: int | None = None,
) -> Terms:
    """The terms of a match of `mode`; elimination allows no draw and may let the better seed choose."""
    games = mode.best_of if best_of is None else best_of
    if games < 1:
        raise RuleBroken("best-of-too-small", "A match has at least one game.", best_of=games)
    count = mode.sides if sides is None else sides
    if not mode.fewest_sides <= count <= mode.most_sides:
        raise RuleBroken(
            "wrong-number-of-sides",
            f"{mode.name} is played by {_range(mode)} sides, not by {count}.",
            mode=mode.key,
            sides=count,
        )
    return Terms(
        mode=mode.key,
        edition=mode.edition,
        best_of=games,
        draws_allowed=not elimination,
        sides=count,
        labels=mode.labels,
        boards=mode.boards,
        seed_chooses=elimination and _seed_chooses(mode, high_level),
    )


def _seed_chooses(mode: Mode, high_level: bool) -> bool:
    if mode.playoff_chooser is PlayoffChooser.HIGHER_SEED_AT_HIGH_LEVEL:
        return high_level
    return mode.playoff_chooser is PlayoffChooser.HIGHER_SEED


def _range(mode: Mode) -> str:
    if mode.fewest_sides == mode.most_sides:
        return str(mode.fewest_sides)
    return f"{mode.fewest_sides} to {mode.most_sides}"
