"""What the desk says to everybody, until it is taken down."""

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.errors import RuleBroken
from teams.names import tidy
from tournaments.models import Announcement, Tournament

LONGEST = 300


@transaction.atomic
def announce(*, tournament_id: int, text: str, actor: Actor) -> Announcement:
    """The text stands on every phone page, the public pages and the big screen."""
    said = tidy(text)
    if not said:
        raise RuleBroken("text-missing", "Write what is to be announced.")
    if len(said) > LONGEST:
        raise RuleBroken("text-too-long", f"An announcement has at most {LONGEST} characters.")
    lock_one(Tournament, tournament_id)
    made = Announcement.objects.create(tournament_id=tournament_id, text=said, made_at=now())
    record(
        tournament_id=tournament_id, kind=DeedKind.ANNOUNCED, actor=actor, subject=f"announcement:{made.pk}"
    )
    return made


@transaction.atomic
def take_down(*, announcement_id: int, actor: Actor) -> Announcement:
    """Nobody sees the announcement any more."""
    found = Announcement.objects.filter(pk=announcement_id).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such announcement any more; reload the page.")
    lock_one(Tournament, found.tournament_id)
    found.refresh_from_db()
    if found.taken_down_at is not None:
        return found
    found.taken_down_at = now()
    found.save(update_fields=["taken_down_at"])
    record(
        tournament_id=found.tournament_id,
        kind=DeedKind.ANNOUNCEMENT_TAKEN_DOWN,
        actor=actor,
        subject=f"announcement:{found.pk}",
    )
    return found


def shown_announcements(tournament_id: int) -> list[Announcement]:
    """What is announced now, newest first."""
    return list(Announcement.objects.filter(tournament_id=tournament_id, taken_down_at=None).order_by("-id"))
