"""Places sold by a store's software: held, confirmed, given back, and never sold twice."""

from datetime import timedelta
from typing import Any

import pytest

from integrations.models import Order
from integrations.orders import (
    Buyer,
    cancel_order,
    confirm_order,
    name_teammate,
    refund_order,
    release_expired,
    reserve_place,
)
from journal.actors import COMMAND
from journal.clock import now
from journal.models import Deed
from rulebook.errors import RuleBroken
from teams.models import Player, Seat, Team
from tests.small_event import registered
from tournaments.models import Tournament
from tournaments.registration import places_taken, promote_next, readmit_team, withdraw_team
from tournaments.setting_up import cancel_tournament, start_tournament

pytestmark = pytest.mark.django_db


def reserve(tournament: Tournament, number: str, *members: Buyer, **more: Any) -> Order:
    return reserve_place(
        tournament_id=tournament.pk,
        external_order_id=number,
        members=members or [Buyer(name=f"Buyer {number}")],
        actor=COMMAND,
        **more,
    )


def refused(code: str, deed: Any, **more: Any) -> None:
    with pytest.raises(RuleBroken) as broken:
        deed(actor=COMMAND, **more)
    assert broken.value.code == code


def later(minutes: int) -> Any:
    return now() + timedelta(minutes=minutes)


def test_an_order_is_reserved_named_confirmed_and_refunded():
    tournament = registered(2, capacity=3)
    order = reserve(tournament, "1001", Buyer("Anna", "till", "17", contact="anna@example.org"))
    assert (order.state, order.team.state, places_taken(tournament)) == ("reserved", "registered", 3)
    refused("never-confirmed", refund_order, order_id=order.pk)
    order = confirm_order(order_id=order.pk, actor=COMMAND)
    assert confirm_order(order_id=order.pk, actor=COMMAND).confirmed_at == order.confirmed_at
    refused("name-missing", name_teammate, order_id=order.pk, member=Buyer(source="till", external_id="18"))
    name_teammate(order_id=order.pk, member=Buyer("Bert", "till", "18"), actor=COMMAND)
    refused("too-many", name_teammate, order_id=order.pk, member=Buyer("Carl"))
    seats = Seat.objects.filter(team=order.team).order_by("label")
    assert [(s.label, s.player.external_id) for s in seats] == [("A", "17"), ("B", "18")]
    refund_order(order_id=order.pk, actor=COMMAND)
    order.team.refresh_from_db()
    assert (order.team.state, places_taken(tournament)) == ("withdrawn", 2)
    kinds = Deed.objects.filter(kind__startswith="Order").order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["OrderReserved", "OrderConfirmed", "OrderRefunded"]
    again = reserve(tournament, "1002", Buyer(source="till", external_id="17"), Buyer("Bert", "till", "18"))
    assert Player.objects.filter(source="till").count() == 2, "people are known by their ids"
    assert again.team.seats.count() == 2


def test_a_place_that_is_not_confirmed_in_time_goes_to_who_waits_and_his_time_begins_then():
    tournament = registered(2, capacity=3)
    first = reserve(tournament, "1", hold_minutes=10)
    second = reserve(tournament, "2", hold_minutes=10)
    assert (second.team.state, second.expires_at) == ("waitlisted", None)
    refused("still-waiting", confirm_order, order_id=second.pk)
    assert release_expired(moment=later(9)) == []
    assert [one.pk for one in release_expired(moment=later(11))] == [first.pk]
    assert release_expired(moment=later(12)) == []
    second.refresh_from_db()
    assert second.expires_at is not None
    assert Team.objects.get(pk=second.team_id).state == "registered"
    refused("place-gone", confirm_order, order_id=first.pk)
    assert Team.objects.get(pk=first.team_id).state == "withdrawn", "nothing is left of the refused deed"
    cancel_order(order_id=second.pk, actor=COMMAND)
    assert confirm_order(order_id=first.pk, actor=COMMAND).team.state == "registered"
    assert places_taken(tournament) == 3


def test_an_order_ends_once_and_its_id_is_used_once_in_the_store():
    tournament, other = registered(1), registered(1, slug="other")
    order = reserve(tournament, "1")
    for number in ("1", " 1 "):
        refused(
            "order-known",
            reserve_place,
            tournament_id=other.pk,
            external_order_id=number,
            members=[Buyer("Zoe")],
        )
    for wrong, code in (({"external_order_id": " "}, "wrong-order-id"), ({"hold_minutes": 0}, "wrong-hold")):
        given = {"external_order_id": "9", "members": [Buyer("Zoe")], **wrong}
        refused(code, reserve_place, tournament_id=tournament.pk, **given)
    refused("nobody-entered", reserve_place, tournament_id=tournament.pk, external_order_id="9", members=[])
    cancel_order(order_id=order.pk, actor=COMMAND)
    assert cancel_order(order_id=order.pk, actor=COMMAND).state == "cancelled"
    refused("order-over", confirm_order, order_id=order.pk)
    refused("order-over", name_teammate, order_id=order.pk, member=Buyer("Zoe"))
    assert not Player.objects.filter(name="Zoe").exists(), "a refused order leaves nobody behind"


def test_who_plays_keeps_the_place_and_may_be_refunded():
    tournament = registered(3)
    order = reserve(tournament, "1", Buyer("Anna"), Buyer("Bert"))
    paid = confirm_order(order_id=reserve(tournament, "2", Buyer("Carl"), Buyer("Dora")).pk, actor=COMMAND)
    gone = reserve(tournament, "3")
    withdraw_team(team_id=gone.team_id, actor=COMMAND)
    refused("team-withdrawn", confirm_order, order_id=gone.pk)
    start_tournament(tournament_id=tournament.pk, actor=COMMAND)
    assert [one.pk for one in release_expired(moment=later(60))] == [gone.pk]
    refused("already-playing", cancel_order, order_id=order.pk)
    assert refund_order(order_id=paid.pk, actor=COMMAND).team.state == "playing"
    assert confirm_order(order_id=order.pk, actor=COMMAND).state == "confirmed"


def test_what_was_sold_of_a_cancelled_tournament_is_given_back_and_no_more_is_paid():
    tournament = registered(2)
    open_, held, paid = (reserve(tournament, number) for number in "123")
    confirm_order(order_id=paid.pk, actor=COMMAND)
    cancel_tournament(tournament_id=tournament.pk, actor=COMMAND)
    refused("tournament-over", confirm_order, order_id=open_.pk)
    assert cancel_order(order_id=open_.pk, actor=COMMAND).state == "cancelled"
    assert refund_order(order_id=paid.pk, actor=COMMAND).state == "refunded"
    assert [one.pk for one in release_expired(moment=later(60))] == [held.pk]


def test_the_desk_gives_a_waiting_order_its_place_and_its_time():
    tournament = registered(2, capacity=2)
    order = reserve(tournament, "1")
    Tournament.objects.filter(pk=tournament.pk).update(capacity=3)
    promote_next(tournament_id=tournament.pk, actor=COMMAND)
    release_expired(moment=now())
    order.refresh_from_db()
    assert order.expires_at is not None
    release_expired(moment=later(60))
    readmit_team(team_id=order.team_id, actor=COMMAND)
    assert confirm_order(order_id=order.pk, actor=COMMAND).state == "confirmed", "the desk took it back"
