"""manage.py backup: one file with everything that the database holds."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from config.backups import BackupFailed, make_backup


class Command(BaseCommand):
    help = "Writes the database into a new file of BACKUPS_DIR, while the site goes on."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(str(make_backup()))
        except BackupFailed as failed:
            raise CommandError(str(failed)) from None
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {str(error).splitlines()[0]}") from None
