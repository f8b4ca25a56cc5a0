"""Endpoints of store software: made, changed, rotated, switched off, and sent to again."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Least

from integrations.models import Delivery, Endpoint, Stream
from integrations.webhook_events import EVENTS
from integrations.webhook_targets import check_url
from journal.clock import now
from journal.locks import lock_one, locked
from journal.models import Head
from rulebook.errors import RuleBroken
from teams.models import Store
from tournaments.models import Tournament

KNOWN_EVENTS = tuple(EVENTS.values())
OVERLAP_HOURS = 24
MOST_OVERLAP_HOURS = 24 * 14
MOST_ENDPOINTS = 20


def secret_of(salt: str) -> str:
    """The secret as receivers keep it, made from the salt and the installation's key."""
    key = hmac.new(settings.SECRET_KEY.encode(), f"webhook:{salt}".encode(), hashlib.sha256).digest()
    return "whsec_" + base64.b64encode(key).decode()


def secrets_of(endpoint: Endpoint) -> list[str]:
    """What signs now: the secret, and the one before while the overlap lasts."""
    salts = [endpoint.salt]
    if endpoint.old_salt and endpoint.old_until is not None and endpoint.old_until > now():
        salts.append(endpoint.old_salt)
    return [secret_of(salt) for salt in salts]


@transaction.atomic
def add_endpoint(*, store_id: int, url: str, events: Sequence[str] = ()) -> tuple[Endpoint, str]:
    """The address is told of everything from now on in the store's tournaments; returned with its secret."""
    lock_one(Store, store_id)
    if Endpoint.objects.filter(store_id=store_id, disabled_at=None).count() >= MOST_ENDPOINTS:
        raise RuleBroken("too-many-endpoints", f"A store has at most {MOST_ENDPOINTS} endpoints.")
    endpoint = Endpoint.objects.create(
        store_id=store_id,
        url=check_url(url),
        events=_known(events),
        salt=secrets.token_hex(16),
        made_at=now(),
    )
    heads = dict(Head.objects.filter(tournament__store_id=store_id).values_list("tournament_id", "last"))
    ids = Tournament.objects.filter(store_id=store_id).values_list("pk", flat=True)
    Stream.objects.bulk_create(
        Stream(endpoint=endpoint, tournament_id=pk, cursor=heads.get(pk, 0)) for pk in ids
    )
    return endpoint, secret_of(endpoint.salt)


@transaction.atomic
def change_endpoint(
    *, endpoint_id: int, url: str | None = None, events: Sequence[str] | None = None
) -> Endpoint:
    """The endpoint has the new address and listens to these events; what is None stays."""
    endpoint = lock_one(Endpoint, endpoint_id)
    if url is not None:
        endpoint.url = check_url(url)
    if events is not None:
        endpoint.events = _known(events)
    endpoint.save(update_fields=["url", "events"])
    return endpoint


@transaction.atomic
def rotate_secret(*, endpoint_id: int, overlap_hours: int = OVERLAP_HOURS) -> tuple[Endpoint, str]:
    """The endpoint has a new secret, which is returned; for so many hours the old one signs beside it."""
    if not 0 <= overlap_hours <= MOST_OVERLAP_HOURS:
        raise RuleBroken("wrong-overlap", f"The old secret can stay up to {MOST_OVERLAP_HOURS} hours.")
    endpoint = lock_one(Endpoint, endpoint_id)
    endpoint.old_salt = endpoint.salt if overlap_hours else ""
    endpoint.old_until = now() + timedelta(hours=overlap_hours) if overlap_hours else None
    endpoint.salt = secrets.token_hex(16)
    endpoint.save(update_fields=["salt", "old_salt", "old_until"])
    return endpoint, secret_of(endpoint.salt)


@transaction.atomic
def disable_endpoint(*, endpoint_id: int, why: str = "") -> Endpoint:
    """Nothing is sent to the endpoint any more."""
    endpoint = lock_one(Endpoint, endpoint_id)
    if endpoint.disabled_at is None:
        endpoint.disabled_at = now()
        endpoint.disabled_why = why
        endpoint.save(update_fields=["disabled_at", "disabled_why"])
    return endpoint


@transaction.atomic
def enable_endpoint(*, endpoint_id: int) -> Endpoint:
    """The endpoint is told again, first of all it missed while it was off."""
    endpoint = lock_one(Endpoint, endpoint_id)
    endpoint.disabled_at = None
    endpoint.disabled_why = ""
    endpoint.save(update_fields=["disabled_at", "disabled_why"])
    Stream.objects.filter(endpoint=endpoint).update(next_try_at=None)
    return endpoint


@transaction.atomic
def replay(*, endpoint_id: int, tournament_id: int, from_number: int) -> Stream:
    """Every message of the tournament from that number on is sent again, in order and under its old id."""
    if from_number < 1:
        raise RuleBroken("wrong-number", "Deeds are numbered from 1.")
    found = locked(Stream.objects.filter(endpoint_id=endpoint_id, tournament_id=tournament_id))
    if not found:
        raise RuleBroken("not-found", "This endpoint was told nothing of that tournament yet.")
    stream = found[0]
    again = Delivery.objects.filter(stream=stream, number__gte=from_number)
    again.update(state=Delivery.State.PENDING, attempts=0, delivered_at=None, dead_at=None)
    # Whoever is sending right now has lost the claim, so that its message is pending all the same.
    Stream.objects.filter(pk=stream.pk).update(
        cursor=Least(F("cursor"), from_number - 1), next_try_at=None, claim="", claimed_until=None
    )
    stream.refresh_from_db()
    return stream


@transaction.atomic
def retry_delivery(*, delivery_id: int) -> Delivery:
    """A message that was given up is sent again, before what waits behind it."""
    delivery = lock_one(Delivery, delivery_id)
    if delivery.state != Delivery.State.DEAD:
        raise RuleBroken("not-given-up", f"{delivery} is {delivery.get_state_display()}.")
    delivery.state = Delivery.State.PENDING
    delivery.attempts = 0
    delivery.dead_at = None
    delivery.save(update_fields=["state", "attempts", "dead_at"])
    return delivery


def dead_letters(endpoint_id: int) -> QuerySet[Delivery]:
    """What was given up, oldest first."""
    return Delivery.objects.filter(stream__endpoint_id=endpoint_id, state=Delivery.State.DEAD).order_by("pk")


def _known(events: Sequence[str]) -> list[str]:
    unknown = sorted(set(events) - set(KNOWN_EVENTS))
    if unknown:
        raise RuleBroken(
            "unknown-event", f"There is no event {unknown[0]}; choose of {', '.join(KNOWN_EVENTS)}."
        )
    return sorted(set(events))
