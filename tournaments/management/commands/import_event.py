"""manage.py import_event FILE [--slug S]: a real event becomes a finished tournament."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.text import slugify

from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from teams.models import Store
from tournaments.eventfile import read_event
from tournaments.importing import import_event

LONGEST_SLUG = 80


class Command(BaseCommand):
    help = "Play an event file through the services of an organizer; all of it or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--slug", default="", help="address of the tournament; default: the file's name")
        parser.add_argument("--store", default="", help="slug of the store; default: imported-events")
        parser.add_argument("--policy", help="standings policy instead of the one of the file's system")

    def handle(self, *, file: Path, slug: str, store: str, policy: str | None, **options: Any) -> None:
        try:
            text = file.read_text(encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{file} cannot be read: it is not UTF-8 text.") from error
        address = slug or slugify(file.stem)
        if slugify(address) != address or len(address) > LONGEST_SLUG:
            raise CommandError(
                f"--slug {address!r} is no address: at most {LONGEST_SLUG} small letters, digits, - and _."
            )
        try:
            event = read_event(text)
            tournament = import_event(
                event,
                slug=address,
                store_id=_store(store).pk if store else None,
                actor=COMMAND,
                policy=policy,
            )
        except RuleBroken as refused:
            raise CommandError(refused.sentence) from refused
        self.stdout.write(
            f"{tournament.name}: {tournament.teams.count()} entrants, {len(event.swiss)} Swiss rounds. "
            f"See: manage.py standings {tournament.slug}"
        )


def _store(slug: str) -> Store:
    found = Store.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no store {slug}; add it first: manage.py add_store NAME.")
    return found
