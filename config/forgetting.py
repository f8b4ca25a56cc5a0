"""What every room keeps no longer than it is needed, forgotten together."""

from collections import Counter
from datetime import datetime
from importlib import import_module

from django.apps import apps
from django.db import transaction
from django.utils.module_loading import module_has_submodule

from journal.actors import Actor

# Each of them may have a module `retention` with `forget_before(*, moment, actor)`: counts by words.
ROOMS = ("teams", "matches", "tournaments", "notices", "integrations")


def forget_before(*, moment: datetime, actor: Actor, dry_run: bool = False) -> Counter[str]:
    """Each room has forgotten what is older, or would have; returns how much of what."""
    told: Counter[str] = Counter()
    for room in ROOMS:
        if module_has_submodule(apps.get_app_config(room).module, "retention"):
            forget = import_module(f"{room}.retention").forget_before
            with transaction.atomic():
                told.update(forget(moment=moment, actor=actor))
                transaction.set_rollback(dry_run)
    return told
