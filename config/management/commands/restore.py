"""manage.py restore FILE: the database holds what a backup holds."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from config.backups import BackupFailed, restore, what_is_there


class Command(BaseCommand):
    help = "Fills an empty database from a backup. Stop the site first; its secret key must be the old one."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="even if it holds tournaments")

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        try:
            restore(file, replace=replace)
            self.stdout.write(f"{file.name} is restored: {what_is_there()}.")
        except BackupFailed as failed:
            raise CommandError(str(failed)) from None
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {str(error).splitlines()[0]}") from None
