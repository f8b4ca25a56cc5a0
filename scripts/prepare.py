"""The database is migrated and holds the demo tournaments; static files are where they are served from."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.utils import OperationalError


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    try:
        connection.ensure_connection()
    except OperationalError as error:
        print(f"The database of DATABASE_URL does not answer: {str(error).splitlines()[0]}", file=sys.stderr)
        return 1
    call_command("migrate", verbosity=0, interactive=False)
    call_command("load_demo")
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    if not settings.WHITENOISE_USE_FINDERS:
        call_command("collectstatic", verbosity=0, interactive=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
