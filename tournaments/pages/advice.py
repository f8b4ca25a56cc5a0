"""How many rounds and which cut are recommended for so many teams, with the table that says so."""

from dataclasses import dataclass

from rulebook.errors import RuleBroken
from rulebook.modes import MODES, Mode
from rulebook.modes.blanks import Game
from rulebook.pairing.rounds import ROUND_TABLES, RoundTable, recommended


@dataclass(frozen=True, slots=True)
class Advice:
    """What the table says for the field: a hint, which the organizer may change."""

    teams: int
    rounds: int
    cut: int
    table: RoundTable

    @property
    def sentence(self) -> str:
        """The hint in words, with where it comes from."""
        cut = f"a cut to the top {self.cut}" if self.cut else "no cut"
        if self.cut and self.table.is_cut_optional:
            cut = f"if you like, {cut}"
        what = f"{self.rounds} Swiss rounds and {cut}" if self.rounds else "elimination only"
        doubt = "" if self.table.is_verified else ", not an official rule"
        return f"{self.teams} teams: {what}. From “{self.table.name}” ({self.table.citation}{doubt})."

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The whole table: from so many teams on, and what is recommended then."""
        return [
            (
                f"from {step.entrants}",
                f"{step.rounds} rounds, {f'top {step.cut}' if step.cut else 'no cut'}"
                if step.rounds
                else "elimination only",
            )
            for step in self.table.steps
        ]


def advice_for(mode_key: str, teams: int | None) -> Advice | None:
    """The recommendation for so many teams of the mode; None where the table says nothing about them."""
    mode = MODES.get(mode_key)
    if mode is None or teams is None:
        return None
    try:
        found = recommended(teams, _table_for(mode))
    except RuleBroken:
        return None
    return Advice(teams, found.rounds, found.cut, ROUND_TABLES[found.table])


def _table_for(mode: Mode) -> str:
    """Pods have a table of their own, else every game has one."""
    if mode.sides > 2:
        return "store-pods"
    return "magic" if mode.game is Game.MAGIC else "riftbound"
