"""The one way to lock a row. Order: Tournament, Round, Team, Match, Head; ids ascending."""

from collections.abc import Iterable
from typing import TypeVar

from django.db import connection, models
from django.db.models import QuerySet

from rulebook.errors import RuleBroken

M = TypeVar("M", bound=models.Model)


def locked(rows: QuerySet[M]) -> list[M]:
    """The rows, locked until the transaction ends, in ascending id.

    A plain lock would deadlock: an inserted row with a key to the locked one needs a share of it, so the
    lock leaves the key alone. SQLite serialises whole transactions instead.
    """
    ordered = rows.order_by("pk")
    if connection.features.has_select_for_update:
        ordered = ordered.select_for_update(of=("self",), no_key=True)
    return list(ordered)


def lock_one(model: type[M], pk: int) -> M:
    """The row `pk`, locked until the transaction ends; `RuleBroken("not-found")` where there is none."""
    found = locked(model._default_manager.filter(pk=pk))
    if not found:
        raise RuleBroken(
            "not-found", f"There is no {model._meta.verbose_name} {pk} any more; reload the page."
        )
    return found[0]


def lock_if_free(model: type[M], pk: int) -> M | None:
    """As `lock_one`, but None at once where somebody else has it (SQLite waits: it has one lock for all)."""
    if not connection.features.has_select_for_update_skip_locked:
        return lock_one(model, pk)
    rows = model._default_manager.filter(pk=pk)
    return rows.select_for_update(of=("self",), no_key=True, skip_locked=True).first()


def lock_all(model: type[M], pks: Iterable[int]) -> dict[int, M]:
    """The rows by id, all locked until the transaction ends."""
    return {row.pk: row for row in locked(model._default_manager.filter(pk__in=list(pks)))}
