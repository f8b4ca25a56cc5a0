"""What of store software is kept no longer than it is needed: dead keys, answers told again, old messages."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from integrations.models import ApiKey, Delivery, Once
from journal.actors import Actor


@transaction.atomic
def forget_before(*, moment: datetime, actor: Actor) -> Mapping[str, int]:
    """Keys that were dead before, answers and settled messages older than that are gone; returns how many.

    Orders, prizes and endpoints stay: who bought and who was paid is asked for longer."""
    found = {
        "dead keys": _keys(moment),
        "kept answers": Once.objects.filter(created_at__lt=moment).delete()[0],
        "webhook messages": Delivery.objects.filter(
            Q(delivered_at__lt=moment) | Q(dead_at__lt=moment)
        ).delete()[0],
    }
    return {words: count for words, count in found.items() if count}


def _keys(moment: datetime) -> int:
    """A key that replaced a forgotten one goes on without it."""
    dead = ApiKey.objects.filter(Q(expires_at__lt=moment) | Q(revoked_at__lt=moment))
    gone = list(dead.values_list("pk", flat=True))
    ApiKey.objects.filter(replaces__in=gone).update(replaces=None)
    return ApiKey.objects.filter(pk__in=gone).delete()[0]
