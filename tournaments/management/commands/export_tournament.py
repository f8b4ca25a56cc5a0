"""manage.py export_tournament SLUG [FILE] [--contacts]: a whole tournament as one JSON file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.models import Tournament
from tournaments.tournament_file import export_tournament


class Command(BaseCommand):
    help = "Write a tournament file (docs/tournament-file.md), to standard output when no FILE is named."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", nargs="?", type=Path)
        parser.add_argument("--contacts", action="store_true", help="with the players' e-mail addresses")

    def handle(self, *, slug: str, file: Path | None, contacts: bool, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=slug).select_related("store").first()
        if tournament is None:
            raise CommandError(f"There is no tournament {slug}.")
        text = export_tournament(tournament, with_contacts=contacts)
        if file is None:
            self.stdout.write(text, ending="")
            return
        try:
            file.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{tournament.name}: written to {file}.")
