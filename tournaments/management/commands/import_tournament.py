"""manage.py import_tournament FILE --store SLUG [--slug S]: a tournament file becomes a tournament."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rulebook.errors import RuleBroken
from teams.models import Store, User
from tournaments.file_import import import_tournament


class Command(BaseCommand):
    help = "Read a tournament file (docs/tournament-file.md); all of it or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--store", required=True, help="slug of the store that takes it")
        parser.add_argument("--slug", default="", help="address; default: the one in the file")
        parser.add_argument("--organizer", default="", help="name of the account that will run it")

    def handle(self, *, file: Path, store: str, slug: str, organizer: str, **options: Any) -> None:
        found = Store.objects.filter(slug=store).first()
        if found is None:
            raise CommandError(f"There is no store {store}; add it first: manage.py add_store NAME.")
        account = User.objects.filter(username=organizer).first() if organizer else None
        if organizer and account is None:
            raise CommandError(f"There is no account {organizer}.")
        try:
            tournament = import_tournament(
                text=file.read_text(encoding="utf-8"),
                store_id=found.pk,
                slug=slug,
                organizer_id=account.pk if account else None,
            )
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read: {error}.") from error
        except RuleBroken as refused:
            raise CommandError(refused.sentence) from refused
        self.stdout.write(f"{tournament.name} is at /t/{tournament.slug}/ and /desk/{tournament.slug}/.")
