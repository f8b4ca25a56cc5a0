"""A program with a database of its own: what an organizer does while the embedded clock runs.

python -m tests.clock.played_by_clock prepare     a tournament "friday" with a draft, and a personal link
python -m tests.clock.played_by_clock play        publishes by the clock, starts, waits until time is called
"""

import json
import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()

from django.core.management import call_command  # noqa: E402

from journal.actors import COMMAND  # noqa: E402
from journal.clock import now, set_clock  # noqa: E402
from journal.models import Deed  # noqa: E402
from rulebook.lifecycle import RoundState  # noqa: E402
from teams.links import make_link  # noqa: E402
from teams.models import Seat  # noqa: E402
from tests import small_event  # noqa: E402
from tournaments.models import Round  # noqa: E402
from tournaments.rounds import start_round  # noqa: E402
from tournaments.schedule import schedule_publish  # noqa: E402

PATIENCE_S = 60
FAST = 120


def prepare() -> None:
    call_command("migrate", verbosity=0)
    friday = small_event.running(4, round_minutes=1)
    small_event.drafted(friday)
    seat = Seat.objects.filter(tournament=friday).order_by("id")[0]
    json.dump({"seat": seat.pk, "token": make_link(seat_id=seat.pk)}, sys.stdout)


def play() -> None:
    """The clock does both deeds; whatever is said here is a schedule or the start."""
    rnd = Round.objects.get()
    schedule_publish(round_id=rnd.pk, at=now() + timedelta(seconds=1), actor=COMMAND)
    until(lambda: Round.objects.filter(state=RoundState.PUBLISHED).exists())
    set_clock(speed=FAST)
    start_round(round_id=rnd.pk, actor=COMMAND)
    until(lambda: Round.objects.filter(time_called_at__isnull=False).exists())
    deeds = Deed.objects.filter(subject=f"round:{rnd.pk}").order_by("number")
    told = [[deed.number, deed.kind, deed.actor, deed.at.timestamp()] for deed in deeds]
    json.dump(told, sys.stdout)


def until(is_true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_true():
        if time.monotonic() > end:
            sys.exit("the clock did not do it")
        time.sleep(0.05)


if __name__ == "__main__":
    {"prepare": prepare, "play": play}[sys.argv[1]]()
