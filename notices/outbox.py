"""From the journal to notices: a deed that concerns a player makes one for each person and channel."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery

from journal.clock import now
from journal.kinds import DeedKind
from journal.models import Deed, Head
from matches.models import Match, Side
from notices.channels import mail_is_set_up
from notices.models import Channel, Notice, NoticeKind, Reader, Subscription
from rulebook.lifecycle import RoundState, TournamentState
from teams.models import Seat, Team
from tournaments.registration import TAKES_A_PLACE

KINDS = {
    DeedKind.ROUND_PUBLISHED: NoticeKind.TABLE,
    DeedKind.ROUND_STARTED: NoticeKind.START,
    DeedKind.TIME_CALLED: NoticeKind.TIME,
    DeedKind.CALL_TAKEN: NoticeKind.JUDGE,
    DeedKind.TEAM_PROMOTED: NoticeKind.PLACE,
}
# Minutes after which it is worthless, even if the round goes on.
WORTH = {
    NoticeKind.TABLE: 60,
    NoticeKind.START: 10,
    NoticeKind.TIME: 10,
    NoticeKind.JUDGE: 10,
    NoticeKind.PLACE: 24 * 60,
}
# A mail takes its time and is read late: it tells what is still true then.
MAILED = frozenset({NoticeKind.TABLE, NoticeKind.START, NoticeKind.PLACE})
OPEN = (TournamentState.REGISTRATION, TournamentState.RUNNING)
LIVE_ROUNDS = (RoundState.PUBLISHED, RoundState.RUNNING)
# No tournament's day is read from its beginning because somebody subscribes late.
OLDEST = timedelta(minutes=max(WORTH.values()))


def read_news() -> int:
    """What happened since the last reading has become notices; returns how many. One query when idle."""
    seen = Reader.objects.filter(tournament=OuterRef("tournament_id")).values("last")[:1]
    heads = Head.objects.filter(tournament__state__in=OPEN).annotate(seen=Subquery(seen))
    news = heads.filter(Q(seen=None) | Q(last__gt=F("seen"))).values_list("tournament_id", "seen", "last")
    return sum(_read(tournament_id, seen, last) for tournament_id, seen, last in news)


@transaction.atomic
def _read(tournament_id: int, seen: int | None, last: int) -> int:
    """The deeds up to `last` have their notices; 0 when another worker has read them."""
    reader, _ = Reader.objects.get_or_create(tournament_id=tournament_id)
    if not Reader.objects.filter(pk=reader.pk, last=seen or 0).update(last=last):
        return 0
    deeds = Deed.objects.filter(
        tournament=tournament_id,
        number__gt=seen or 0,
        number__lte=last,
        kind__in=KINDS,
        at__gt=now() - OLDEST,
    )
    fresh = [deed for deed in deeds.order_by("number") if _worthless_at(deed) > now()]
    made = [notice for deed in fresh for notice in notices_for(deed)]
    Notice.objects.bulk_create(made, ignore_conflicts=True, batch_size=500)
    return len(made)


def _worthless_at(deed: Deed) -> datetime:
    return deed.at + timedelta(minutes=WORTH[KINDS[DeedKind(deed.kind)]])


def notices_for(deed: Deed) -> Iterable[Notice]:
    """One notice for each person the deed concerns and each channel the person wants."""
    kind = KINDS[DeedKind(deed.kind)]
    tables = _tables(deed, kind)
    seats = dict(
        Seat.objects.filter(team__in=tables, is_live=True, is_reserve=False).values_list("pk", "team_id")
    )
    for seat_id, channel in _wanted(seats, kind):
        round_id, table = tables[seats[seat_id]]
        yield Notice(
            tournament_id=deed.tournament_id,
            round_id=round_id,
            seat_id=seat_id,
            kind=kind,
            channel=channel,
            table=table,
            due_at=deed.at,
            expires_at=_worthless_at(deed),
        )


def _tables(deed: Deed, kind: NoticeKind) -> dict[int, tuple[int | None, int | None]]:
    """Round and table by team, for the teams whom the deed concerns; neither before the first round."""
    about, _, pk = deed.subject.partition(":")
    if about == "team":
        still_in = Team.objects.filter(pk=pk, state__in=TAKES_A_PLACE)
        return dict.fromkeys(still_in.values_list("pk", flat=True), (None, None))
    matches = Match.objects.filter(pk=pk) if about == "match" else Match.objects.filter(round_id=pk)
    sides = Side.objects.filter(match__in=matches, is_live=True, match__round__state__in=LIVE_ROUNDS)
    rows = sides.values_list("team_id", "match__round_id", "match__table")
    return {team: (round_id, table) for team, round_id, table in rows}


def _wanted(seats: Iterable[int], kind: NoticeKind) -> list[tuple[int, Channel]]:
    browsers = Subscription.objects.filter(seat__in=list(seats)).values_list("seat_id", flat=True)
    wanted = [(seat_id, Channel.PUSH) for seat_id in sorted(set(browsers))]
    if kind in MAILED and mail_is_set_up():
        wanted += [(seat_id, Channel.MAIL) for seat_id in mail_languages(seats, kind)]
    return wanted


def mail_languages(seats: Iterable[int], kind: NoticeKind) -> dict[int, str]:
    """The seats whose players get mails of that kind, and in which language: who agreed, and of a place that
    came free also those of a team that signed up with an address and confirmed it."""
    known = Seat.objects.filter(pk__in=list(seats)).exclude(player__contact="")
    wants = Q(mail_agreement__isnull=False)
    if kind == NoticeKind.PLACE:
        wants |= Q(team__sign_up__confirmed_at__isnull=False) & ~Q(team__sign_up__confirm_hash="")
    rows = known.filter(wants).order_by("pk")
    languages = rows.values_list("pk", "mail_agreement__language", "team__sign_up__language")
    return {pk: of_player or of_team for pk, of_player, of_team in languages}
