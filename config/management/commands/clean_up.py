"""manage.py clean_up --older-than DAYS: what need not be kept is gone; results, deeds and names stay."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.forgetting import forget_before
from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from tournaments.retention import moment_before


class Command(BaseCommand):
    help = (
        "Remove contacts, personal links, uploads and invitations of tournaments that ended so many days ago "
        "(92 or more). Results, deeds and names are never removed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--older-than", type=int, required=True, metavar="DAYS")
        parser.add_argument("--dry-run", action="store_true", help="count, and remove nothing")

    def handle(self, *, older_than: int, dry_run: bool, **options: Any) -> None:
        try:
            moment = moment_before(older_than)
        except RuleBroken as refused:
            raise CommandError(refused.sentence) from refused
        told = forget_before(moment=moment, actor=COMMAND, dry_run=dry_run)
        gone = ", ".join(f"{count} {words}" for words, count in told.items() if count) or "nothing"
        lead = "Would remove" if dry_run else "Removed"
        self.stdout.write(f"{lead} what is older than {moment:%Y-%m-%d}: {gone}.")
