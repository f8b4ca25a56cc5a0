"""The last statement of every deed's transaction."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import connection, transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import PUBLIC, DeedKind
from journal.models import LONGEST_REASON, Deed, Head
from journal.wake import wake

# What is done to one of these is of no interest to the other tables of a hall.
OF_ONE = ("match:", "team:", "seat:")


def of_one(subject: str) -> str:
    """The subject where it is one match, team or seat; empty where the deed concerns the whole tournament."""
    return subject if subject.startswith(OF_ONE) else ""


def open_journal(tournament_id: int) -> None:
    """The tournament has a journal that holds nothing yet."""
    Head.objects.create(tournament_id=tournament_id)


def record(
    *,
    tournament_id: int,
    kind: DeedKind,
    actor: Actor,
    subject: str = "",
    before: Any = None,
    after: Any = None,
    reason: str = "",
    undoes: Deed | None = None,
) -> Deed:
    """The deed is the journal's next row, and whoever listens is woken once the transaction commits.

    Bumping the head locks it until the commit, so the order of numbers is the order of commits. Call it last.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("a deed is recorded inside its own transaction")
    deed = Deed.objects.create(
        tournament_id=tournament_id,
        at=now(),
        number=_bumped(tournament_id, 1, is_shared=not of_one(subject)),
        kind=kind,
        actor=actor.who,
        door=actor.door,
        subject=subject,
        before=before,
        after=after,
        reason=reason.replace("\0", "")[:LONGEST_REASON],
        undoes=undoes,
        is_public=kind in PUBLIC,
    )
    transaction.on_commit(partial(wake, tournament_id, deed.number, of_one(subject)), robust=True)
    return deed


def record_many(
    *, tournament_id: int, kind: DeedKind, actor: Actor, deeds: Sequence[tuple[str, Any]]
) -> list[Deed]:
    """One deed for each (subject, after), numbered in this order, in two statements."""
    if not connection.in_atomic_block:
        raise RuntimeError("a deed is recorded inside its own transaction")
    if not deeds:
        return []
    last = _bumped(tournament_id, len(deeds), is_shared=True)
    first, at = last - len(deeds) + 1, now()
    rows = Deed.objects.bulk_create(
        Deed(
            tournament_id=tournament_id,
            at=at,
            number=number,
            kind=kind,
            actor=actor.who,
            door=actor.door,
            subject=subject,
            after=after,
            is_public=kind in PUBLIC,
        )
        for number, (subject, after) in enumerate(deeds, first)
    )
    transaction.on_commit(partial(wake, tournament_id, last), robust=True)
    return rows


def version_of(tournament_id: int) -> int:
    """The number of the tournament's newest deed."""
    return Head.objects.values_list("last", flat=True).get(tournament_id=tournament_id)


def _bumped(tournament_id: int, by: int, *, is_shared: bool) -> int:
    shared = ", shared = last + %s" if is_shared else ""
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE journal_head SET last = last + %s{shared} WHERE tournament_id = %s RETURNING last",
            [by, *([by] if is_shared else []), tournament_id],
        )
        row = cursor.fetchone()
    if row is None:
        raise RuntimeError(f"tournament {tournament_id} has no journal")
    return int(row[0])
