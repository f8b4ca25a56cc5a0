"""Personal links: one per seat, signed, of which only the hash is kept."""

from datetime import datetime

from django.db import transaction

from journal.actors import COMMAND, Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.recording import record
from rulebook.errors import RuleBroken
from teams.models import Link, Seat
from teams.tokens import hash_of, token_for

TOKEN_LENGTH = 32  # a code that is printed small stays easy to scan


@transaction.atomic
def make_link(*, seat_id: int, actor: Actor = COMMAND, expires_at: datetime | None = None) -> str:
    """The seat has a working personal link; the token it returns is shown once and can be made again with
    `token_of` as long as the secret key stays."""
    unknown = f"new-{seat_id}-{now().timestamp()}"
    link = Link.objects.create(seat_id=seat_id, token_hash=unknown, made_at=now(), expires_at=expires_at)
    token = token_of(link)
    Link.objects.filter(pk=link.pk).update(token_hash=hash_of(token))
    _record(seat_id, DeedKind.LINK_MADE, actor)
    return token


def token_of(link: Link) -> str:
    """The token of a link, derived from the installation's secret, so that slips can be printed again."""
    return token_for(f"link:{link.pk}:{link.seat_id}", TOKEN_LENGTH)


@transaction.atomic
def revoke_links(*, seat_id: int, actor: Actor = COMMAND) -> int:
    """No personal link of the seat works any more; returns how many were revoked."""
    revoked = Link.objects.filter(seat_id=seat_id, revoked_at=None).update(revoked_at=now())
    if revoked:
        _record(seat_id, DeedKind.LINK_REVOKED, actor)
    return revoked


def seat_behind(token: str) -> Seat:
    """The seat a personal link opens; `RuleBroken("link-dead")` when it is unknown, revoked or expired."""
    link = (
        Link.objects.select_related("seat__team", "seat__tournament", "seat__player")
        .filter(token_hash=hash_of(token))
        .first()
    )
    if (
        link is None
        or link.revoked_at is not None
        or (link.expires_at is not None and link.expires_at <= now())
    ):
        raise link_dead()
    return link.seat


def link_dead() -> RuleBroken:
    """What a link says that is unknown, revoked or expired."""
    return RuleBroken("link-dead", "This link does not work any more; ask the scorekeeper for a new one.")


def _record(seat_id: int, kind: DeedKind, actor: Actor) -> None:
    tournament = Seat.objects.values_list("tournament_id", flat=True).get(pk=seat_id)
    record(tournament_id=tournament, kind=kind, actor=actor, subject=f"seat:{seat_id}")
