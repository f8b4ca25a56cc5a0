"""manage.py load_demo: an empty database has the demo tournaments of seeds/; any other one stays as it is."""

from typing import Any

from django.core.management.base import BaseCommand

from rulebook.errors import RuleBroken
from tournaments.demo import load_demo


class Command(BaseCommand):
    help = "Load the demo tournaments when there is no tournament yet; nothing otherwise."

    def handle(self, **options: Any) -> None:
        try:
            loaded = load_demo()
        except RuleBroken as refused:
            self.stderr.write(refused.sentence)  # a setup goes on without a demo
            return
        if loaded:
            self.stdout.write("The demo is loaded: " + ", ".join(one.name for one in loaded) + ".")
