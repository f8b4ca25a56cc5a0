"""manage.py verify_round: pair a round again from what was stored with it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rulebook.errors import RuleBroken
from tournaments.models import Tournament
from tournaments.verifying import round_of, verify


class Command(BaseCommand):
    help = "Pair a round again from its stored inputs and seed, and say whether the result is the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("round", type=int)

    def handle(self, *args: Any, **given: Any) -> None:
        tournament = Tournament.objects.filter(slug=given["slug"]).first()
        if tournament is None:
            raise CommandError(f"There is no tournament {given['slug']}.")
        try:
            verdict = verify(round_of(tournament, given["round"]))
        except RuleBroken as refused:
            raise CommandError(refused.sentence) from refused
        if not verdict.is_replayed:
            self.stdout.write(f"Paired by {verdict.engine}, another version: checked, not replayed.")
        elif verdict.is_same:
            self.stdout.write(f"Round {given['round']}: the same pairings, byte for byte ({verdict.engine}).")
        for problem in verdict.problems:
            self.stdout.write(f"The checker says: {problem}")
        if not verdict.is_good:
            raise CommandError(f"Round {given['round']} does not follow from its stored inputs.")
