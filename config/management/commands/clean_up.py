"""manage.py clean_up --older-than DAYS: what need not be kept is gone; results, deeds and names stay."""

from argparse import ArgumentParser
from collections import Counter
from importlib import import_module
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.module_loading import module_has_submodule

from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from tournaments.retention import moment_before

# Each of them may have a module `retention` with `forget_before(*, moment, actor)`: counts by words.
ROOMS = ("teams", "matches", "tournaments", "notices", "integrations")


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
        told: Counter[str] = Counter()
        for room in ROOMS:
            if module_has_submodule(apps.get_app_config(room).module, "retention"):
                forget = import_module(f"{room}.retention").forget_before
                with transaction.atomic():
                    told.update(forget(moment=moment, actor=COMMAND))
                    transaction.set_rollback(dry_run)
        gone = ", ".join(f"{count} {words}" for words, count in told.items() if count) or "nothing"
        lead = "Would remove" if dry_run else "Removed"
        self.stdout.write(f"{lead} what is older than {moment:%Y-%m-%d}: {gone}.")
