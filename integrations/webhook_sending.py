"""From the journal to the endpoints: at least once, and in order for one tournament and endpoint.

A message that fails holds back the later ones of its own stream alone, until it is delivered or given up
after `MAX_TRIES`; then the later ones go on, and it stays in the list of dead letters."""

import json
import logging
import secrets
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from standardwebhooks.webhooks import Webhook

from integrations.models import Delivery, Endpoint, Stream
from integrations.webhook_events import EVENTS, payload_of
from integrations.webhook_targets import Answer, post
from integrations.webhooks import disable_endpoint, secrets_of
from journal.clock import now, real_now
from journal.kinds import DeedKind
from journal.models import Deed
from tournaments.models import Tournament

log = logging.getLogger(__name__)

MAX_TRIES = 12
LONGEST_WAIT_S = 600
LEASE = timedelta(seconds=60)
AT_ONCE = 8
READ_AT_ONCE = 500
GONE = 410


@dataclass(frozen=True, slots=True)
class Message:
    """One try: what is posted where, and under which claim."""

    delivery: Delivery
    stream: Stream
    claim: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


def deliver_due(budget_s: float = 20.0) -> int:
    """Whatever is due was tried, a few endpoints at a time, until nothing is or the time is up; returns how
    many messages were posted."""
    note_new_deeds()
    tried, end = 0, time.monotonic() + budget_s
    while time.monotonic() < end:
        batch = claim_due()
        if not batch:
            break
        with ThreadPoolExecutor(max_workers=len(batch)) as pool:
            answers = list(pool.map(lambda one: post(one.url, one.headers, one.body), batch))
        for message, answer in zip(batch, answers, strict=True):
            settle(message, answer)
        tried += len(batch)
    return tried


# --- what there is to send ----------------------------------------------------------------------------


def note_new_deeds() -> int:
    """Every event in the journals up to now has its message; returns how many are new."""
    for endpoint in Endpoint.objects.filter(disabled_at=None):
        _follow_new_tournaments(endpoint)
    behind = Stream.objects.filter(endpoint__disabled_at=None, tournament__head__last__gt=F("cursor"))
    return sum(_read_on(stream) for stream in behind.select_related("endpoint"))


def _follow_new_tournaments(endpoint: Endpoint) -> None:
    """A tournament made after the endpoint is told from its start, an imported one from its import."""
    followed = Stream.objects.filter(endpoint=endpoint).values("tournament")
    new = list(Tournament.objects.filter(store_id=endpoint.store_id).exclude(pk__in=followed))
    if not new:
        return
    imports = dict(
        Deed.objects.filter(tournament__in=new, kind=DeedKind.TOURNAMENT_IMPORTED)
        .order_by("number")
        .values_list("tournament_id", "number")
    )
    Stream.objects.bulk_create(
        [Stream(endpoint=endpoint, tournament=one, cursor=imports.get(one.pk, 0)) for one in new],
        ignore_conflicts=True,
    )


@transaction.atomic
def _read_on(stream: Stream) -> int:
    deeds = Deed.objects.filter(tournament=stream.tournament_id, number__gt=stream.cursor)
    rows = list(deeds.order_by("number").values_list("number", "kind")[:READ_AT_ONCE])
    if not rows:
        return 0
    moved = Stream.objects.filter(pk=stream.pk, cursor=stream.cursor).update(cursor=rows[-1][0])
    if not moved:
        return 0  # another worker was faster
    wanted = stream.endpoint.events
    fresh = [
        Delivery(
            stream=stream,
            number=number,
            event=EVENTS[kind],
            message_id=f"msg_{stream.endpoint_id}_{stream.tournament_id}_{number}",
        )
        for number, kind in rows
        if kind in EVENTS and (not wanted or EVENTS[kind] in wanted)
    ]
    Delivery.objects.bulk_create(fresh, ignore_conflicts=True)
    return len(fresh)


# --- one try ------------------------------------------------------------------------------------------


def claim_due() -> list[Message]:
    """The first pending message of a few free streams, each stream claimed for this caller alone."""
    claimed = []
    for stream in _due_streams().select_related("endpoint", "tournament")[:AT_ONCE]:
        claim = secrets.token_hex(16)
        taken = _free(Stream.objects.filter(pk=stream.pk)).update(
            claim=claim, claimed_until=real_now() + LEASE
        )
        if not taken:
            continue
        message = _message(stream, claim)
        if message is not None:
            claimed.append(message)
    return claimed


def settle(message: Message, answer: Answer) -> bool:
    """What came of the try is written down, and the stream is free; False when the claim was lost
    meanwhile, in which case the message is sent once more under the same id."""
    delivery = message.delivery
    attempts = delivery.attempts + 1
    change: dict[str, object] = {
        "attempts": attempts,
        "last_status": answer.status,
        "last_error": answer.error[:120],
    }
    wait: datetime | None = None
    if answer.is_delivered:
        change |= {"state": Delivery.State.DELIVERED, "delivered_at": now()}
    elif attempts >= MAX_TRIES:
        change |= {"state": Delivery.State.DEAD, "dead_at": now()}
    else:
        wait = now() + timedelta(seconds=wait_s(delivery.message_id, attempts))
    with transaction.atomic():
        if not _release(message.stream, message.claim, wait):
            return False
        Delivery.objects.filter(pk=delivery.pk).update(**change)
    if answer.status == GONE:
        disable_endpoint(endpoint_id=message.stream.endpoint_id, why="it answered 410 Gone")
    return True


def wait_s(message_id: str, attempts: int) -> float:
    """Seconds until the next try: doubling, never beyond ten minutes, a quarter more or less by chance."""
    jitter = Random(f"{message_id}:{attempts}").uniform(0.75, 1.25)
    return float(min(2**attempts, LONGEST_WAIT_S)) * jitter


def _message(stream: Stream, claim: str) -> Message | None:
    pending = Delivery.objects.filter(stream=stream, state=Delivery.State.PENDING)
    delivery = pending.order_by("number").first()
    if delivery is None:
        _release(stream, claim)
        return None
    message = Message(delivery, stream, claim, stream.endpoint.url)
    try:
        body = _body(stream, delivery)
    except Exception:
        # One message that cannot be made must not hold back what goes elsewhere.
        log.exception("the message %s was not made", delivery.message_id)
        settle(message, Answer(None, "it could not be made"))
        return None
    headers = signed_headers(delivery.message_id, body, secrets_of(stream.endpoint), real_now())
    return replace(message, headers=headers, body=body)


def _body(stream: Stream, delivery: Delivery) -> str:
    deed = Deed.objects.get(tournament=stream.tournament_id, number=delivery.number)
    return json.dumps(payload_of(stream.tournament, deed), ensure_ascii=False, separators=(",", ":"))


def signed_headers(message_id: str, body: str, keys: Sequence[str], at: datetime) -> dict[str, str]:
    """The headers of a signed message; `at` is UTC, and each secret signs."""
    return {
        "content-type": "application/json",
        "user-agent": "Tandem-Webhooks/1",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(Webhook(one).sign(message_id, at, body) for one in keys),
    }


def _due_streams() -> QuerySet[Stream]:
    pending = Delivery.objects.filter(stream=OuterRef("pk"), state=Delivery.State.PENDING)
    return _free(Stream.objects.filter(Exists(pending), endpoint__disabled_at=None)).filter(
        Q(next_try_at=None) | Q(next_try_at__lte=now())
    )


def _free(streams: QuerySet[Stream]) -> QuerySet[Stream]:
    """Those that no worker holds; one that holds for longer than any may has claimed by a clock that was set
    back since."""
    at = real_now()
    return streams.filter(
        Q(claimed_until=None) | Q(claimed_until__lte=at) | Q(claimed_until__gt=at + 2 * LEASE)
    )


def _release(stream: Stream, claim: str, wait: datetime | None = None) -> bool:
    mine = Stream.objects.filter(pk=stream.pk, claim=claim)
    return bool(mine.update(claim="", claimed_until=None, next_try_at=wait))
