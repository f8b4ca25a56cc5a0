"""What happened in a tournament since a version, so that little of it has to be read again."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection


@dataclass(frozen=True, slots=True)
class Changes:
    """The newest version, and the subjects of the deeds since the one asked about, each once."""

    version: int
    subjects: frozenset[str]


def changes_since(tournament_id: int, version: int, most: int) -> Changes | None:
    """The deeds after the version; None where there are more than `most`, or the journal is behind it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT number, subject FROM journal_deed WHERE tournament_id = %s AND number >= %s"
            " ORDER BY number LIMIT %s",
            [tournament_id, version, most + 2],
        )
        found = cursor.fetchall()
    if len(found) > most + 1 or (version and (not found or found[0][0] != version)):
        return None
    later = [row for row in found if row[0] > version]
    return Changes(later[-1][0] if later else version, frozenset(subject for _, subject in later))


def newest_of(tournament_id: int, subjects: Collection[str]) -> int:
    """The number of the newest deed that is about the tournament as a whole or about one of the subjects."""
    wanted = ", ".join(["%s"] * len(subjects)) or "NULL"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT shared, (SELECT max(number) FROM journal_deed"
            f" WHERE tournament_id = journal_head.tournament_id AND subject IN ({wanted}))"
            " FROM journal_head WHERE tournament_id = %s",
            [*subjects, tournament_id],
        )
        shared, own = cursor.fetchone()
    return max(shared, own or 0)
