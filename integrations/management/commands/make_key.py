"""Make a key for store software and show its secret once."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from integrations.keys import issue_key
from integrations.scopes import Scope
from journal.clock import now
from rulebook.errors import RuleBroken
from teams.models import Store
from tournaments.models import Tournament


class Command(BaseCommand):
    help = "Make a key for store software; its secret is shown once, here."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("store", help="the store's address, e.g. corner-shop")
        parser.add_argument(
            "--scopes", nargs="+", required=True, metavar="SCOPE", help=f"some of: {', '.join(Scope)}"
        )
        parser.add_argument("--name", default="store software", help="which software uses it")
        parser.add_argument("--tournament", default="", help="the only tournament it opens, by its address")
        parser.add_argument("--days", type=int, default=0, help="it expires after so many days; 0: never")

    def handle(self, **asked: Any) -> None:
        store = Store.objects.filter(slug=asked["store"]).first()
        if store is None:
            known = ", ".join(Store.objects.values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no store {asked['store']}; known: {known}.")
        try:
            key, secret = issue_key(
                store_id=store.pk,
                name=asked["name"],
                scopes=asked["scopes"],
                tournament_id=_tournament(store, asked["tournament"]),
                expires_at=now() + timedelta(days=asked["days"]) if asked["days"] else None,
            )
        except RuleBroken as broken:
            raise CommandError(broken.sentence) from broken
        self.stdout.write(f"Key {key.prefix} of {store}. Its secret is shown only now:")
        self.stdout.write(secret)


def _tournament(store: Store, slug: str) -> int | None:
    if not slug:
        return None
    found = Tournament.objects.filter(store=store, slug=slug).first()
    if found is None:
        raise CommandError(f"{store} runs no tournament {slug}.")
    return int(found.pk)
