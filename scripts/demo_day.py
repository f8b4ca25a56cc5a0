"""A day that runs by the clock alone, in the browser: `python -m scripts.demo_day`, or `make demo-day`.

Its database is a file of its own in var/, made anew each time. SPEED=60 makes a minute a second; PORT, HOST,
TEAMS, ROUNDS and CUT are honoured.
"""

import os
import shutil
import sys
from pathlib import Path

VAR = Path(__file__).resolve().parents[1] / "var"
FILE = VAR / "demo-day.sqlite3"


def main() -> int:
    VAR.mkdir(exist_ok=True)
    for ending in ("", "-wal", "-shm"):
        FILE.with_name(FILE.name + ending).unlink(missing_ok=True)
    os.environ["DATABASE_URL"] = f"sqlite:///{FILE}"
    # A day at another speed: its backups and bundles are none of the site's, and not of the last such day.
    shutil.rmtree(VAR / "demo-day", ignore_errors=True)
    for name in ("backups", "bundles"):
        os.environ[f"{name.upper()}_DIR"] = str(VAR / "demo-day" / name)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ["CLOCK_ADJUSTABLE"] = "true"
    # The shown time runs fast: the clock asks more often.
    os.environ.setdefault("TICK_SECONDS", "0.25")
    for name in ("REDIS_URL", "CELERY_BROKER_URL", "TANDEM_PRODUCTION"):
        os.environ.pop(name, None)
    # The settings are chosen before Django is read.
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    given = {
        name: os.environ[name.upper()]
        for name in ("speed", "teams", "rounds", "cut")
        if name.upper() in os.environ
    }
    call_command("demoday", *(f"--{name}={value}" for name, value in given.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
