"""Stores and who keeps them."""

from django.db import transaction
from django.utils.text import slugify

from rulebook.errors import RuleBroken
from teams.models import Store, User
from teams.names import clean_name

LONGEST_SLUG = 50


@transaction.atomic
def add_store(*, name: str, zone: str = "UTC") -> Store:
    """The store is there, under an address made from its name; one with that address is refused."""
    shown = clean_name(name, "store name")
    slug = slugify(shown, allow_unicode=False)[:LONGEST_SLUG] or "store"
    if Store.objects.filter(slug=slug).exists():
        raise RuleBroken("store-exists", f"There is a store {slug} already; choose another name.", slug=slug)
    return Store.objects.create(name=shown, slug=slug, zone=zone)


def keep_store(*, store_id: int, user_id: int) -> None:
    """The user may run tournaments of the store."""
    Store.objects.get(pk=store_id).keepers.add(User.objects.get(pk=user_id))
