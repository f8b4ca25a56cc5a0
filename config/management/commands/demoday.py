"""manage.py demoday: rundemo with a day that runs by the clock alone, at speed, and a crowd of phones."""

import logging
import threading
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError
from django.db import close_old_connections

from config.management.commands import rundemo
from journal.clock import now, set_clock
from rulebook.errors import RuleBroken
from tournaments.demo import open_house
from tournaments.demo_day import Crowd, next_quarter, plan_day
from tournaments.models import Tournament

log = logging.getLogger(__name__)

EVERY_S = 0.4


class Command(rundemo.Command):
    help = "Serves a tournament that nobody attends: the clock runs it, simulated phones send the results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--teams", type=int, default=64)
        parser.add_argument("--rounds", type=int, default=6)
        parser.add_argument("--cut", type=int, default=8)
        parser.add_argument("--speed", type=float, default=60.0, help="60: a minute a second")

    def handle(self, *args: Any, **options: Any) -> None:
        if Tournament.objects.exists():
            raise CommandError("The demo day needs a database of its own; start it by `make demo-day`.")
        store, staff = open_house()
        set_clock(now(), speed=options["speed"])
        begins = next_quarter(now(), timedelta(minutes=40))
        tournament = plan_day(
            store=store, staff=staff, begins=begins, rounds=options["rounds"], cut=options["cut"]
        )
        crowd = Crowd(tournament.pk, options["teams"])
        threading.Thread(target=_played, args=(crowd,), name="crowd", daemon=True).start()
        self.stdout.write(
            f"A minute lasts {60 / options['speed']:g} s. See the plan at /desk/{tournament.slug}/plan/ "
            f"and the tournament at /t/{tournament.slug}/ once registration is open."
        )
        super().handle(*args, **options)


def _played(crowd: Crowd) -> None:
    """The crowd does what it would do by now, again and again; it ends with the process."""
    wait = threading.Event()
    while not wait.wait(EVERY_S):
        try:
            crowd.act()
        except RuleBroken as refused:
            log.info("somebody was faster: %s", refused.sentence)
        except Exception:
            log.exception("the crowd stumbled and goes on")
        finally:
            close_old_connections()
