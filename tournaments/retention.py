"""What is kept no longer than it is needed: contacts, links, uploads and invitations go; results, deeds and
names stay."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.lifecycle import OVER
from teams.models import Link, Player, Seat
from tournaments.large_imports import ASKED_FOR
from tournaments.models import Invitation, SignUp, Tournament, Upload

LEAST_DAYS = 92
ENDS = (DeedKind.TOURNAMENT_FINISHED, DeedKind.TOURNAMENT_CANCELLED)


def moment_before(days: int) -> datetime:
    """So many days ago; refused where that is less than three months, for which a dispute may need it all."""
    if days < LEAST_DAYS:
        raise RuleBroken(
            "kept-three-months",
            f"What is younger than {LEAST_DAYS} days is kept: for three months results, and who played them, "
            f"may be asked for. Say {LEAST_DAYS} days or more.",
            least=LEAST_DAYS,
        )
    return now() - timedelta(days=days)


def forget_before(*, moment: datetime, actor: Actor) -> Mapping[str, int]:
    """Whatever `FORGETS` names is gone as far as it is older; returns how much of each.

    Each tournament is cleaned alone, with one deed where something went; a second call finds nothing."""
    over = _over_before(moment)
    told: Counter[str] = Counter()
    if files := _old_uploads(moment).filter(tournament=None).delete()[0]:
        told["uploads"] += files
    for tournament_id in sorted(over | _with_leftovers(moment)):
        told.update(_forget_in(tournament_id, moment, frozenset(over), actor))
    return told


@transaction.atomic
def _forget_in(tournament_id: int, moment: datetime, over: frozenset[int], actor: Actor) -> Mapping[str, int]:
    tournament = lock_one(Tournament, tournament_id)
    found = {words: forget(tournament, moment, over) for words, forget in FORGETS.items()}
    gone = {words: count for words, count in found.items() if count}
    if gone:
        record(
            tournament_id=tournament_id,
            kind=DeedKind.DATA_FORGOTTEN,
            actor=actor,
            subject=f"tournament:{tournament_id}",
            after=gone,
        )
    return gone


def _over_before(moment: datetime) -> set[int]:
    """The tournaments that ended before, by their last end; one that was imported without its end by its last
    deed."""
    over = Tournament.objects.filter(state__in=OVER)
    deeds = Deed.objects.filter(tournament__in=over).order_by().values("tournament")
    newest = deeds.annotate(end=Max("at", filter=Q(kind__in=ENDS)), last=Max("at"))
    return {row["tournament"] for row in newest if (row["end"] or row["last"]) < moment}


def _with_leftovers(moment: datetime) -> set[int]:
    """The tournaments, over or not, that hold an old upload or a dead invitation."""
    uploads = _old_uploads(moment).exclude(tournament=None).values_list("tournament_id", flat=True)
    return {*uploads, *_dead_invitations(moment).values_list("tournament_id", flat=True)}


def _contacts(tournament: Tournament, moment: datetime, over: frozenset[int]) -> int:
    """Of players who entered nothing since."""
    if tournament.pk not in over:
        return 0
    here = Seat.objects.filter(tournament=tournament).values("player")
    since = Seat.objects.exclude(tournament__in=over).values("player")
    known = Player.objects.filter(pk__in=here).exclude(pk__in=since).exclude(contact="")
    return known.update(contact="")


def _links(tournament: Tournament, moment: datetime, over: frozenset[int]) -> int:
    if tournament.pk not in over:
        return 0
    return Link.objects.filter(seat__tournament=tournament).delete()[0]


def _addresses(tournament: Tournament, moment: datetime, over: frozenset[int]) -> int:
    """Of sign-ups, with the links that were sent there."""
    if tournament.pk not in over:
        return 0
    told = SignUp.objects.filter(tournament=tournament).exclude(email="", confirm_hash="", invite_hash="")
    return told.update(email="", confirm_hash="", invite_hash="")


def _uploads(tournament: Tournament, moment: datetime, over: frozenset[int]) -> int:
    """An abandoned one is gone; of one that was applied there is only left that it was."""
    old = _old_uploads(moment).filter(tournament=tournament)
    emptied = old.filter(applied_at__isnull=False).update(body=b"", choices={})
    return emptied + old.filter(applied_at=None).delete()[0]


def _invitations(tournament: Tournament, moment: datetime, over: frozenset[int]) -> int:
    return _dead_invitations(moment).filter(tournament=tournament).delete()[0]


def _old_uploads(moment: datetime) -> QuerySet[Upload]:
    """One that waits for a worker is not forgotten, however old."""
    old = Upload.objects.filter(made_at__lt=moment).exclude(ASKED_FOR)
    return old.exclude(applied_at__isnull=False, body=b"")


def _dead_invitations(moment: datetime) -> QuerySet[Invitation]:
    gone = Q(used_at__lt=moment) | Q(revoked_at__lt=moment) | Q(expires_at__lt=moment)
    return Invitation.objects.filter(gone)


Forget = Callable[[Tournament, datetime, frozenset[int]], int]
# One small function for each thing that is forgotten, by the words in which it is counted.
FORGETS: Mapping[str, Forget] = {
    "contacts": _contacts,
    "personal links": _links,
    "sign-up addresses": _addresses,
    "uploads": _uploads,
    "invitations": _invitations,
}
