"""manage.py simulate: a whole tournament by chance from one seed, and what the pairing made of it."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from journal.actors import COMMAND
from rulebook import modes
from rulebook.errors import RuleBroken
from tournaments.simulating import Plan, simulate

COLUMNS = (
    "number",
    "paired",
    "byes",
    "rematches",
    "pair_downs",
    "dropped",
    "seconds_pairing",
    "seconds_saving",
)


class Command(BaseCommand):
    help = (
        "Play a tournament by chance through the services and print its rounds; rolled back without --keep."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        keys = ", ".join(key for key, _ in modes.choices())
        parser.add_argument("--mode", required=True, help=f"one of: {keys}")
        parser.add_argument("--entrants", type=int, required=True)
        parser.add_argument("--rounds", type=int, required=True)
        parser.add_argument("--seed", type=int, required=True, help="equal seeds give equal tournaments")
        parser.add_argument("--drop-rate", type=float, default=0.0, help="chance of a team after each round")
        parser.add_argument("--draw-rate", type=float, default=0.0, help="chance of a match")
        parser.add_argument("--format", choices=["json", "table"], default="json")
        parser.add_argument("--keep", action="store_true", help="leave the tournament in the database")

    def handle(self, *, format: str, keep: bool, **options: Any) -> None:
        words = ("mode", "entrants", "rounds", "seed", "drop_rate", "draw_rate")
        try:
            told = simulate(Plan(**{word: options[word] for word in words}), actor=COMMAND, keep=keep)
        except RuleBroken as refused:
            raise CommandError(refused.sentence) from refused
        slug = told.pop("tournament")
        if format == "json":
            self.stdout.write(json.dumps(told, indent=1))
        else:
            self._table(told)
        fate = f"See: manage.py standings {slug}" if keep else f"{slug} was rolled back; --keep keeps it."
        self.stderr.write(fate)

    def _table(self, told: dict[str, Any]) -> None:
        self.stdout.write("  ".join(COLUMNS))
        for row in told["rounds"]:
            shown = [f"{row[key]:.3f}" if isinstance(row[key], float) else str(row[key]) for key in COLUMNS]
            self.stdout.write(
                "  ".join(cell.rjust(len(key)) for cell, key in zip(shown, COLUMNS, strict=True))
            )
