"""Places that a store's software sells: reserved for a while, confirmed, given back.

A reservation registers its team at once. So a place is counted in one way, whoever gave it, and the row of
the tournament is locked before it is counted: no place is sold twice. What expires withdraws its team."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F

from integrations.models import Order
from journal.actors import CLOCK, Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState, TournamentState
from teams.models import Player, Team
from teams.people import add_player
from tournaments.models import Tournament
from tournaments.registration import fill_seat, readmit_team, register_team, withdraw_team

State = Order.State

HOLD_MINUTES = 15
MOST_HOLD_MINUTES = 7 * 24 * 60
# A team in one of these is in no round yet and can go without anybody noticing.
NOT_PLAYING = (TeamState.WAITLISTED, TeamState.REGISTERED, TeamState.CHECKED_IN)


@dataclass(frozen=True, slots=True)
class Buyer:
    """Somebody a place is for: known by (source, external id), or new by name. Without a label he takes the
    first free seat."""

    name: str = ""
    source: str = ""
    external_id: str = ""
    label: str = ""
    contact: str = ""


@transaction.atomic
def reserve_place(
    *,
    tournament_id: int,
    external_order_id: str,
    members: Sequence[Buyer],
    actor: Actor,
    team_name: str = "",
    hold_minutes: int = HOLD_MINUTES,
) -> Order:
    """The order holds a place for its team until it expires, or waits for one when all are taken.

    Who is missing in the team may be named later. `RuleBroken("order-known")` for an id that was used."""
    tournament = lock_one(Tournament, tournament_id)
    number = external_order_id.strip()
    if not number or len(number) > 80:
        raise RuleBroken("wrong-order-id", "Give the id of the order in your software, up to 80 characters.")
    if not 1 <= hold_minutes <= MOST_HOLD_MINUTES:
        raise RuleBroken("wrong-hold", f"A place is held from 1 to {MOST_HOLD_MINUTES} minutes.")
    if Order.objects.filter(store_id=tournament.store_id, external_order_id=number).exists():
        raise RuleBroken("order-known", f"There is an order {number} already; read it instead.")
    team = register_team(
        tournament_id=tournament_id,
        members=_seated(tournament, members),
        name=team_name,
        actor=actor,
    )
    order = _created(tournament, team, number, hold_minutes)
    _record(order, DeedKind.ORDER_RESERVED, actor)
    return order


@transaction.atomic
def confirm_order(*, order_id: int, actor: Actor) -> Order:
    """The place is the team's for good. An expired order has one again while one is free; one that waits for
    a place is refused, so that nobody pays for none, and so is one of a cancelled tournament."""
    order = _lock(order_id)
    if order.state == State.CONFIRMED:
        return order
    if order.state not in (State.RESERVED, State.EXPIRED):
        raise RuleBroken("order-over", f"The order is {order.state}; make a new one.")
    if order.tournament.state == TournamentState.CANCELLED:
        raise RuleBroken(
            "tournament-over", f"{order.tournament.name} is cancelled; cancel the order, and take no money."
        )
    if order.state == State.EXPIRED and order.team.state == TeamState.WITHDRAWN:
        order.team = readmit_team(team_id=order.team_id, actor=actor)
        if order.team.state == TeamState.WAITLISTED:
            raise RuleBroken("place-gone", "The held place has expired and all places are taken now.")
    if order.team.state == TeamState.WAITLISTED:
        raise RuleBroken("still-waiting", "The team is on the waiting list; confirm when it has a place.")
    if order.team.state == TeamState.WITHDRAWN:
        raise RuleBroken("team-withdrawn", "The team was withdrawn meanwhile; cancel the order.")
    return _moved(order, State.CONFIRMED, DeedKind.ORDER_CONFIRMED, actor)


@transaction.atomic
def cancel_order(*, order_id: int, actor: Actor, reason: str = "") -> Order:
    """The order is cancelled and its place free for the next; refused once the team plays."""
    order = _lock(order_id)
    if order.state == State.CANCELLED:
        return order
    if order.state not in (State.RESERVED, State.CONFIRMED):
        raise RuleBroken("order-over", f"The order is {order.state} already.")
    if order.team.state not in (*NOT_PLAYING, TeamState.WITHDRAWN):
        raise RuleBroken(
            "already-playing", f"{order.team} is {order.team.state}; drop it, and refund if you wish."
        )
    _give_back(order, actor, reason)
    return _moved(order, State.CANCELLED, DeedKind.ORDER_CANCELLED, actor, reason)


@transaction.atomic
def refund_order(*, order_id: int, actor: Actor, reason: str = "") -> Order:
    """The money is given back: a team that does not play yet is out, one that plays or played stays."""
    order = _lock(order_id)
    if order.state == State.REFUNDED:
        return order
    if order.confirmed_at is None:
        raise RuleBroken("never-confirmed", "Only an order that was confirmed can be refunded.")
    _give_back(order, actor, reason)
    return _moved(order, State.REFUNDED, DeedKind.ORDER_REFUNDED, actor, reason)


@transaction.atomic
def name_teammate(*, order_id: int, member: Buyer, actor: Actor) -> Order:
    """The missing teammate sits on the free seat."""
    order = _lock(order_id)
    if order.state not in (State.RESERVED, State.CONFIRMED):
        raise RuleBroken("order-over", f"The order is {order.state}.")
    taken = set(order.team.seats.filter(is_live=True, is_reserve=False).values_list("label", flat=True))
    ((label, player_id),) = _seated(order.tournament, [member], taken=taken)
    order.team = fill_seat(team_id=order.team_id, label=label, player_id=player_id, actor=actor)
    return order


def release_expired(*, moment: datetime) -> list[Order]:
    """Places held beyond their time are free and given to the waiting list; a team that moved up from it has
    its time from now on. A team that plays already keeps its place: staff settle the money."""
    held = Order.objects.filter(state=State.RESERVED)
    moved_up = held.filter(expires_at=None).exclude(team__state=TeamState.WAITLISTED)
    for order in moved_up.only("pk", "hold_minutes"):
        late = moment + timedelta(minutes=order.hold_minutes)
        held.filter(pk=order.pk, expires_at=None).update(expires_at=late)
    due = held.filter(expires_at__lte=moment, team__state__in=(*NOT_PLAYING, TeamState.WITHDRAWN))
    ids = list(due.order_by(F("expires_at"), "pk").values_list("pk", flat=True))
    return [order for order in (_expire(pk, moment) for pk in ids) if order is not None]


@transaction.atomic
def _expire(order_id: int, moment: datetime) -> Order | None:
    order = _lock(order_id)
    is_due = order.state == State.RESERVED and order.expires_at is not None and order.expires_at <= moment
    if not is_due or order.team.state not in (*NOT_PLAYING, TeamState.WITHDRAWN):
        return None
    _give_back(order, CLOCK, "not confirmed in time")
    return _moved(order, State.EXPIRED, DeedKind.ORDER_EXPIRED, CLOCK)


def _created(tournament: Tournament, team: Team, number: str, hold_minutes: int) -> Order:
    waits = team.state == TeamState.WAITLISTED
    try:
        with transaction.atomic():
            return Order.objects.create(
                store_id=tournament.store_id,
                tournament=tournament,
                team=team,
                external_order_id=number,
                hold_minutes=hold_minutes,
                expires_at=None if waits else now() + timedelta(minutes=hold_minutes),
                made_at=now(),
            )
    except IntegrityError as error:
        # The same id, sold this moment in another tournament of the store.
        raise RuleBroken("order-known", f"There is an order {number} already; read it instead.") from error


def _seated(
    tournament: Tournament, members: Sequence[Buyer], taken: set[str] | None = None
) -> list[tuple[str, int]]:
    """The buyers as players of the store, each with the seat he asked for or the first free one."""
    labels = modes.mode_of(tournament.mode).labels
    used = (taken or set()) | {one.label for one in members if one.label}
    free = [label for label in labels if label not in used]
    if sum(not one.label for one in members) > len(free):
        raise RuleBroken("too-many", f"A team has {len(labels)} seats: {' and '.join(labels)}.")
    return [(one.label or free.pop(0), _player(tournament.store_id, one).pk) for one in members]


def _player(store_id: int, buyer: Buyer) -> Player:
    """The player the store knows by this id, else a new one."""
    if not buyer.name.strip():
        known = Player.objects.filter(
            store_id=store_id, source=buyer.source, external_id=buyer.external_id, erased_at=None
        ).first()
        if known is None or not buyer.external_id:
            raise RuleBroken("name-missing", "The store does not know that player yet; give a name too.")
        return known
    person = {
        "name": buyer.name,
        "source": buyer.source,
        "external_id": buyer.external_id,
        "contact": buyer.contact,
    }
    try:
        with transaction.atomic():
            return add_player(store_id=store_id, **person)
    except IntegrityError:
        # Known since a moment ago, by an order in another tournament.
        return add_player(store_id=store_id, **person)


def _give_back(order: Order, actor: Actor, reason: str) -> None:
    if order.team.state in NOT_PLAYING:
        order.team = withdraw_team(team_id=order.team_id, actor=actor, reason=reason)


def _lock(order_id: int) -> Order:
    """The order with its team, after tournament and team are locked."""
    found = Order.objects.filter(pk=order_id).values_list("tournament_id", "team_id").first()
    if found is None:
        raise RuleBroken("not-found", "There is no such order.")
    tournament = lock_one(Tournament, found[0])
    team = lock_one(Team, found[1])
    order = lock_one(Order, order_id)
    team.tournament = tournament
    order.tournament, order.team = tournament, team
    return order


def _moved(order: Order, to: State, kind: DeedKind, actor: Actor, reason: str = "") -> Order:
    order.state = to
    order.expires_at = None
    if to == State.CONFIRMED:
        order.confirmed_at = now()
    order.ended_at = None if to == State.CONFIRMED else now()
    order.save(update_fields=["state", "expires_at", "confirmed_at", "ended_at"])
    _record(order, kind, actor, reason)
    return order


def _record(order: Order, kind: DeedKind, actor: Actor, reason: str = "") -> None:
    record(
        tournament_id=order.tournament_id,
        kind=kind,
        actor=actor,
        subject=f"team:{order.team_id}",
        after={"order": order.pk, "state": order.state},
        reason=reason,
    )
