"""manage.py add_store NAME --organizer USERNAME: a store, and an account that may run its tournaments."""

import os
import sys
from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from journal.zones import known_zones
from rulebook.errors import RuleBroken
from teams.models import User
from teams.stores import add_store, keep_store


class Command(BaseCommand):
    help = (
        "Add a store and name its organizer. A new account's password is asked for, or read from "
        "TANDEM_PASSWORD; an account that exists keeps its own."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--organizer", required=True, metavar="USERNAME")
        parser.add_argument("--zone", default="UTC", help="time zone, e.g. Europe/Berlin")

    @transaction.atomic
    def handle(self, *, name: str, organizer: str, zone: str, **options: Any) -> None:
        if zone not in known_zones():
            raise CommandError(f"There is no time zone {zone}; write it like Europe/Berlin.")
        try:
            store = add_store(name=name, zone=zone)
            user = User.objects.filter(username=organizer).first() or _account(organizer)
        except RuleBroken as refused:
            raise CommandError(refused.sentence) from refused
        except ValidationError as refused:
            raise CommandError(" ".join(refused.messages)) from refused
        if not user.is_staff:
            User.objects.filter(pk=user.pk).update(is_staff=True)
        keep_store(store_id=store.pk, user_id=user.pk)
        self.stdout.write(f"{user.username} may run tournaments of {store.name} ({store.slug}).")


def _account(username: str) -> User:
    user = User(username=username, is_staff=True)
    password = _password(username)
    validate_password(password, user)
    user.set_password(password)
    user.full_clean()
    user.save()
    return user


def _password(username: str) -> str:
    given = os.environ.get("TANDEM_PASSWORD")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise CommandError(f"{username} is new: set TANDEM_PASSWORD, or run this in a terminal.")
    password = getpass(f"Password of {username}: ")
    if getpass("The same again: ") != password:
        raise CommandError("The two passwords differ; run the command again.")
    return password
