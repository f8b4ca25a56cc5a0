"""What concerns one seat: its page and its event stream pass over what happens at other tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.core.signing import BadSignature, Signer
from django.db import connection

_signer = Signer(salt="live-subjects", sep="~")
LETTERS = {"m": "match", "t": "team", "s": "seat"}
MOST = 16

# Asked by every phone of a hall at every event, so one statement, and no models.
_DOOR = """
    SELECT seat.id, seat.tournament_id, link.revoked_at, link.expires_at, head.shared, (
        SELECT max(deed.number) FROM (
            SELECT 'seat:' || seat.id AS subject
            UNION ALL SELECT 'team:' || seat.team_id
            UNION ALL SELECT 'match:' || mine.match_id FROM matches_side mine
                WHERE mine.team_id = seat.team_id
            UNION ALL SELECT 'team:' || other.team_id FROM matches_side mine
                JOIN matches_side other ON other.match_id = mine.match_id AND other.team_id <> mine.team_id
                WHERE mine.team_id = seat.team_id
        ) own
        JOIN journal_deed deed ON deed.tournament_id = seat.tournament_id AND deed.subject = own.subject
    )
    FROM teams_link link
    JOIN teams_seat seat ON seat.id = link.seat_id
    JOIN journal_head head ON head.tournament_id = seat.tournament_id
    WHERE link.token_hash = %s
"""


@dataclass(frozen=True, slots=True)
class Door:
    """What a working link opens, and the newest deed that concerns its seat: of the whole tournament, of the
    team, or of anybody it has met."""

    seat_id: int
    tournament_id: int
    version: int
    shared: int


def door_behind(token_hash: str, at: datetime) -> Door | None:
    """The door of a link that works at the moment; one query."""
    with connection.cursor() as cursor:
        cursor.execute(_DOOR, [token_hash])
        found = cursor.fetchone()
    if found is None or found[2] is not None or (found[3] is not None and _moment(found[3]) <= at):
        return None
    return Door(found[0], found[1], max(found[4], found[5] or 0), found[4])


def signed(subjects: Iterable[str]) -> str:
    """The subjects as a page tells them to its event stream: nobody else can ask for them."""
    return _signer.sign(".".join(sorted(f"{one[0]}{one.partition(':')[2]}" for one in subjects)))


def subjects_in(text: str) -> frozenset[str]:
    """The subjects that a page has signed; `BadSignature` for anything else."""
    parts = _signer.unsign(text).split(".")
    if not parts or len(parts) > MOST:
        raise BadSignature
    return frozenset(f"{LETTERS[part[0]]}:{part[1:]}" for part in parts)


def _moment(value: datetime | str) -> datetime:
    """SQLite tells a moment as text."""
    return value if isinstance(value, datetime) else datetime.fromisoformat(value).replace(tzinfo=UTC)
