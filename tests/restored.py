"""python -m tests.restored FILE: restores a backup into the empty DATABASE_URL and tells what it finds."""

import json
import os
import sys
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()

from config.backups import restore  # noqa: E402
from journal.models import Deed  # noqa: E402
from tournaments.models import Stage  # noqa: E402
from tournaments.standings import standings_of  # noqa: E402


def found() -> dict[str, list[str]]:
    """Standings and journal, word for word."""
    ranked = [repr(row) for stage in Stage.objects.order_by("pk") for row in standings_of(stage)]
    deeds = Deed.objects.order_by("tournament_id", "number").values_list()
    return {"standings": ranked, "journal": [repr(deed) for deed in deeds]}


if __name__ == "__main__":
    restore(Path(sys.argv[1]))
    json.dump(found(), sys.stdout)
