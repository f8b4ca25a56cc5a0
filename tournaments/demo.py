"""The demo of seeds/: loaded once into an empty database, through the services, and shown on a card."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.urls import reverse

from journal.clock import forget_setting, now, reset_clock
from journal.models import ClockSetting
from rulebook.errors import RuleBroken
from teams.links import make_link, seat_behind, token_of
from teams.models import Link, Store, User
from tournaments.models import Tournament
from tournaments.staging import stage

SEEDS = settings.BASE_DIR / "seeds"
HOUSE = "house.json"
PASSWORD = "tandem-demo"  # printed on purpose; never made in production


def load_demo(folder: Path = SEEDS) -> list[Tournament]:
    """An empty database has the demo tournaments, their store and their staff; any other one stays as it is.

    Their times end at the present; the clock is as it was. Refused in production: the password is public.
    """
    if settings.PRODUCTION:
        raise RuleBroken(
            "demo-in-production", "The demo is not loaded in production: its password is public."
        )
    if Tournament.objects.exists():
        return []
    try:
        return _load(folder)
    finally:
        forget_setting()


def demo_card(base_url: str) -> str:
    """What a visitor needs, in lines: the address, and as long as they work the organizer's login and one
    player's personal link."""
    base_url = base_url.rstrip("/")
    lines = [("Tandem", f"{base_url}/")]
    organizer = User.objects.filter(username="organizer", is_active=True).first()
    if not settings.PRODUCTION and organizer is not None and organizer.check_password(PASSWORD):
        lines.append(
            ("Organizer", f"{base_url}{reverse('account_login')}  {organizer.username} / {PASSWORD}")
        )
        lines += [("Player", f"{base_url}{reverse('me', args=[token])}") for token in _tokens()]
    width = max(len(word) for word, _ in lines)
    return "\n".join(f"{word.ljust(width)}  {text}" for word, text in lines)


@transaction.atomic
def _load(folder: Path) -> list[Tournament]:
    setting, present = ClockSetting.objects.filter(pk=1).first(), now()
    store, staff = open_house(folder)
    loaded = [
        stage(_read(path), store_id=store.pk, staff=staff, now=present)
        for path in sorted(folder.glob("*.json"))
        if path.name != HOUSE
    ]
    reset_clock()
    if setting is not None:
        setting.save(force_insert=True)
    return loaded


def open_house(folder: Path = SEEDS) -> tuple[Store, dict[str, User]]:
    """The demo's store is there, with its staff by role; their password is public."""
    house = _read(folder / HOUSE)
    store = Store.objects.create(**house["store"])
    password = make_password(PASSWORD)
    staff = {person["role"]: _account(person, password) for person in house["staff"]}
    store.keepers.add(staff["organizer"])
    return store, staff


def _account(person: Mapping[str, str], password: str) -> User:
    first, _, last = person["name"].partition(" ")
    return User.objects.create(
        username=person["username"], password=password, first_name=first, last_name=last, is_staff=True
    )


def _tokens() -> list[str]:
    """The token of the first link that was not revoked, a new one when the secret key has changed since."""
    store = _read(SEEDS / HOUSE)["store"]["slug"]
    links = Link.objects.filter(seat__tournament__store__slug=store, revoked_at=None, seat__is_live=True)
    link = links.order_by("pk").first()
    if link is None:
        return []
    try:
        seat_behind(token_of(link))
    except RuleBroken:
        return [make_link(seat_id=link.seat_id)]
    return [token_of(link)]


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
