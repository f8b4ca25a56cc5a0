"""Prizes: the payout table of a tournament, and the ledger of what was won and what is paid."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from integrations.models import Payout, Prize
from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record, record_many
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TournamentState
from teams.selectors import Member, members_of, team_cards
from tournaments.exporting import csv_of
from tournaments.models import Tournament
from tournaments.standings import Place, final_ranking, standings_of, swiss_stage

Status = Prize.Status
HEAD = (
    "Place",
    "Team number",
    "Team",
    "Seat",
    "Player",
    "Amount",
    "Currency",
    "Prize",
    "Status",
    "Reference",
)


@dataclass(frozen=True, slots=True)
class Share:
    """A row of the payout table as it is given: what each place from `first` to `last` wins."""

    first: int
    last: int
    amount_minor: int = 0
    currency: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class Won:
    """What one team has won: money in one currency, and things in words."""

    place: Place
    amount_minor: int
    currency: str
    what: str


@transaction.atomic
def set_payouts(*, tournament_id: int, rows: Sequence[Share], actor: Actor) -> list[Payout]:
    """The tournament pays out exactly these rows; refused while prizes by the old table stand."""
    tournament = lock_one(Tournament, tournament_id)
    _nothing_awarded(tournament)
    _check(rows)
    Payout.objects.filter(tournament=tournament).delete()
    made = Payout.objects.bulk_create(
        Payout(
            tournament=tournament,
            first=row.first,
            last=row.last,
            amount_minor=row.amount_minor,
            currency=row.currency.upper() if row.amount_minor else "",
            what=row.what.strip(),
        )
        for row in sorted(rows, key=lambda row: row.first)
    )
    record(
        tournament_id=tournament_id,
        kind=DeedKind.PAYOUTS_CHANGED,
        actor=actor,
        subject=f"tournament:{tournament_id}",
        after={"rows": len(made)},
    )
    return made


@transaction.atomic
def award_prizes(*, tournament_id: int, actor: Actor) -> list[Prize]:
    """The ledger holds what each team of the final ranking has won, one row a member for money and one a
    team for things. Teams on a shared place share what their places win."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state != TournamentState.FINISHED:
        raise RuleBroken("not-finished", f"{tournament.name} is {tournament.state}; finish it first.")
    _nothing_awarded(tournament)
    payouts = list(Payout.objects.filter(tournament=tournament))
    if not payouts:
        raise RuleBroken("no-payouts", "Say first what each place wins.")
    swiss = swiss_stage(tournament)
    assert swiss is not None
    swiss.tournament = tournament
    won = shared_out(payouts, final_ranking(tournament, standings_of(swiss)))
    seated = members_of([one.place.team_id for one in won])
    rows = [row for one in won for row in _rows(tournament, one, seated.get(one.place.team_id, ()))]
    made = Prize.objects.bulk_create(rows)
    by_team: dict[tuple[int, int], list[int]] = {}
    for row in made:
        by_team.setdefault((row.place, row.team_id), []).append(row.pk)
    record_many(
        tournament_id=tournament_id,
        kind=DeedKind.PRIZE_AWARDED,
        actor=actor,
        deeds=[(f"team:{team}", {"place": place, "prizes": ids}) for (place, team), ids in by_team.items()],
    )
    return made


@transaction.atomic
def pay_prize(*, prize_id: int, actor: Actor, external_ref: str = "") -> Prize:
    """The prize is paid, under the reference of whatever paid it."""
    prize = _lock(prize_id)
    if prize.status != Status.OPEN:
        raise RuleBroken("not-open", f"This prize is {prize.status} already.")
    if len(external_ref) > 120:
        raise RuleBroken("wrong-reference", "A reference has at most 120 characters.")
    prize.paid_at = now()
    prize.external_ref = external_ref.strip()
    return _moved(prize, Status.PAID, DeedKind.PRIZE_PAID, actor)


@transaction.atomic
def reopen_prize(*, prize_id: int, actor: Actor, reason: str = "") -> Prize:
    """A prize that was marked as paid by mistake is open again."""
    prize = _lock(prize_id)
    if prize.status != Status.PAID:
        raise RuleBroken("not-paid", f"This prize is {prize.status}, not paid.")
    prize.paid_at = None
    prize.external_ref = ""
    return _moved(prize, Status.OPEN, DeedKind.PRIZE_OPENED, actor, reason)


@transaction.atomic
def void_prize(*, prize_id: int, actor: Actor, reason: str) -> Prize:
    """The prize is not paid; its row stays. When no row stands any more, prizes can be awarded anew."""
    prize = _lock(prize_id)
    if prize.status != Status.OPEN:
        raise RuleBroken("not-open", f"This prize is {prize.status}; only an open one can be made void.")
    if not reason.strip():
        raise RuleBroken("reason-missing", "Write down why the prize is void.")
    return _moved(prize, Status.VOID, DeedKind.PRIZE_VOIDED, actor, reason)


@transaction.atomic
def void_open_prizes(*, tournament_id: int, actor: Actor, reason: str) -> list[Prize]:
    """Every open prize is void, as after a correction of the final ranking; paid ones stand."""
    lock_one(Tournament, tournament_id)
    ids = Prize.objects.filter(tournament_id=tournament_id, status=Status.OPEN).values_list("pk", flat=True)
    if not ids:
        raise RuleBroken("nothing-open", "No prize is open.")
    return [void_prize(prize_id=pk, actor=actor, reason=reason) for pk in list(ids)]


def ledger_of(tournament: Tournament) -> list[Prize]:
    """The rows of the ledger by place, with teams and players, in one query."""
    rows = Prize.objects.filter(tournament=tournament).select_related("team", "player")
    return list(rows.order_by("place", "team__number", "label", "pk"))


def ledger_csv(tournament: Tournament) -> str:
    """The ledger as a table that a spreadsheet opens safely; amounts in whole units."""
    rows = ledger_of(tournament)
    cards = team_cards(list({row.team_id: row.team for row in rows}.values()), ())
    return csv_of(
        HEAD,
        (
            (
                row.place,
                row.team.number,
                cards[row.team_id].shown_name,
                row.label,
                row.player.shown_name if row.player else "",
                money(row.amount_minor) if row.amount_minor else "",
                row.currency,
                row.what,
                row.status,
                row.external_ref,
            )
            for row in rows
        ),
    )


def money(amount_minor: int) -> str:
    """12345 as 123.45."""
    return f"{amount_minor // 100}.{amount_minor % 100:02d}"


def shared_out(payouts: Iterable[Payout], ranking: Sequence[Place]) -> list[Won]:
    """What each team wins, in the order of the ranking.

    Teams on one shared place put together what the places they cover win and divide it equally; what cannot
    be divided goes, a unit each, to those who stand first in the order of the ranking."""
    table = list(payouts)
    by_place: dict[int, list[Place]] = {}
    for place in ranking:
        by_place.setdefault(place.place, []).append(place)
    won: list[Won] = []
    for equals in by_place.values():
        covered = {place.position for place in equals}
        hits = [row for row in table for at in sorted(covered) if row.first <= at <= row.last]
        if not hits:
            continue
        total = sum(row.amount_minor for row in hits)
        currency = next((row.currency for row in hits if row.currency), "")
        words = list(dict.fromkeys(row.what for row in hits if row.what))
        what = words[0] if len(words) == 1 and all(row.what for row in hits) else _together(words, equals)
        each, left = divmod(total, len(equals))
        won += [Won(one, each + (at < left), currency, what) for at, one in enumerate(equals)]
    return [one for one in won if one.amount_minor or one.what]


def split(amount_minor: int, members: int) -> list[int]:
    """The amount in equal parts; what cannot be divided goes to the first member, who sits on A."""
    each, left = divmod(amount_minor, members)
    return [each + left, *([each] * (members - 1))]


def _together(words: Sequence[str], equals: Sequence[Place]) -> str:
    if not words:
        return ""
    listed = " + ".join(words)
    return listed if len(equals) == 1 else f"{listed}, shared by {len(equals)} teams"


def _rows(tournament: Tournament, won: Won, members: Sequence[Member]) -> list[Prize]:
    fixed = {
        "tournament": tournament,
        "team_id": won.place.team_id,
        "place": won.place.place,
        "awarded_at": now(),
    }
    rows = [Prize(**fixed, what=won.what)] if won.what else []
    if not won.amount_minor:
        return rows
    money_of: dict[str, object] = {"currency": won.currency}
    if not members:
        return [*rows, Prize(**fixed, **money_of, amount_minor=won.amount_minor)]
    parts = split(won.amount_minor, len(members))
    return rows + [
        Prize(**fixed, **money_of, amount_minor=part, label=one.label, player_id=one.player_id)
        for one, part in zip(members, parts, strict=True)
        if part
    ]


def _check(rows: Sequence[Share]) -> None:
    last, currencies = 0, set()
    for row in sorted(rows, key=lambda row: row.first):
        if row.first < 1 or row.last < row.first:
            raise RuleBroken("wrong-places", "Places are numbered from 1, the better one first.")
        if row.first <= last:
            raise RuleBroken("place-twice", f"Place {row.first} stands in two rows; give each place one.")
        if row.amount_minor < 0 or row.amount_minor > 10**12:
            raise RuleBroken("wrong-amount", "Give an amount of at least 0, in cents.")
        if not row.amount_minor and not row.what.strip():
            raise RuleBroken("nothing-won", f"Say what place {row.first} wins.")
        if row.amount_minor and not (
            len(row.currency) == 3 and row.currency.isascii() and row.currency.isalpha()
        ):
            raise RuleBroken("wrong-currency", "Give the currency by its three letters, for example EUR.")
        if row.amount_minor:
            currencies.add(row.currency.upper())
        last = row.last
    if len(currencies) > 1:
        raise RuleBroken("two-currencies", "One tournament pays out in one currency.")


def _nothing_awarded(tournament: Tournament) -> None:
    if Prize.objects.filter(tournament=tournament).exclude(status=Status.VOID).exists():
        raise RuleBroken("prizes-awarded", "The prizes are awarded; make the open ones void first.")


def _lock(prize_id: int) -> Prize:
    found = Prize.objects.filter(pk=prize_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such prize.")
    lock_one(Tournament, found)
    return lock_one(Prize, prize_id)


def _moved(prize: Prize, to: Status, kind: DeedKind, actor: Actor, reason: str = "") -> Prize:
    before = prize.status
    prize.status = to
    prize.save(update_fields=["status", "paid_at", "external_ref"])
    record(
        tournament_id=prize.tournament_id,
        kind=kind,
        actor=actor,
        subject=f"team:{prize.team_id}",
        before={"status": before},
        after={"prize": prize.pk, "place": prize.place},
        reason=reason,
    )
    return prize
