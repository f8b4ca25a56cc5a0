"""Safe repeats: an equal request gets the answer the first one got."""

import hashlib
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction

from integrations.models import Once
from journal.clock import now
from rulebook.errors import RuleBroken

KEPT_FOR = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what; `key` is the Idempotency-Key."""

    caller: str
    key: str
    method: str
    path: str
    body: Any

    @property
    def body_hash(self) -> str:
        """Equal for equal bodies, whatever the order of their keys."""
        plain = json.dumps([self.method, self.path, self.body], sort_keys=True, default=str)
        return hashlib.sha256(plain.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Answered:
    """The status and body of an answer; `replayed` when the deed had been done before."""

    status: int
    answer: Any
    replayed: bool = False


class KeyReused(RuleBroken):
    """The Idempotency-Key stands for another request."""


def answer_once(asked: Request, deed: Callable[[], Answered], *, secrets: Collection[str] = ()) -> Answered:
    """The deed is done at most once for this caller and key; a failed one may be tried again.

    The row of the key is written first in the deed's own transaction, so an equal request waits for it, and
    a deed that fails takes the row with it. The fields `secrets` of the answer are told once and not kept.
    """
    with transaction.atomic():
        row, is_new = Once.objects.get_or_create(
            caller=asked.caller,
            key=asked.key,
            defaults={
                "method": asked.method,
                "path": asked.path[:300],
                "body_hash": asked.body_hash,
                "created_at": now(),
            },
        )
        if not is_new:
            if row.body_hash != asked.body_hash:
                raise KeyReused(
                    "idempotency-key-reused",
                    "This Idempotency-Key was used for another request; take a new one.",
                )
            return Answered(row.status, json.loads(row.answer), replayed=True)
        done = deed()
        # As text: a database would give the fields of an object back in an order of its own.
        row.status, row.answer = done.status, json.dumps(_without(done.answer, secrets))
        row.save(update_fields=["status", "answer"])
        return done


def _without(answer: Any, secrets: Collection[str]) -> Any:
    if not secrets or not isinstance(answer, dict):
        return answer
    return {name: "" if name in secrets else value for name, value in answer.items()}


def forget_answers(*, older_than: timedelta = KEPT_FOR) -> int:
    """Answers nobody will ask for again are gone; returns how many."""
    gone, _ = Once.objects.filter(created_at__lt=now() - older_than).delete()
    return gone
