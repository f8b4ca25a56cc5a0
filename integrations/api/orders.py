"""Orders: places reserved, confirmed and given back by a store's software."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from integrations.api.fields import Because, Body, Number, Words, several
from integrations.api.lists import InTournament, small
from integrations.api.operations import Answer, Call, Operation, Place
from integrations.api.people import Address
from integrations.api.places import TOURNAMENT
from integrations.api.reads import Reading, Tagged
from integrations.models import Order
from integrations.orders import (
    HOLD_MINUTES,
    MOST_HOLD_MINUTES,
    Buyer,
    cancel_order,
    confirm_order,
    name_teammate,
    refund_order,
    reserve_place,
)
from integrations.scopes import Scope
from rulebook.lifecycle import TeamState
from tournaments.api.facts import team_references
from tournaments.api.serializers import TeamReferenceSerializer
from tournaments.staff import Can


class OrderSerializer(serializers.Serializer[Any]):
    """A place of a team. While `is_waiting` there is none yet: the team is on the waiting list."""

    id = serializers.IntegerField()
    external_order_id = serializers.CharField()
    tournament = serializers.SlugField()
    state = serializers.ChoiceField(choices=Order.State.choices)
    is_waiting = serializers.BooleanField()
    team = TeamReferenceSerializer()
    team_state = serializers.ChoiceField(choices=[(state.value, state.value) for state in TeamState])
    expires_at = serializers.DateTimeField(
        allow_null=True, help_text="when a reserved place is free again; null while it waits or is settled"
    )
    made_at = serializers.DateTimeField()
    confirmed_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class BuyerBody(Body):
    """Somebody the place is for. With `source` and `external_id` the store's player of that id is found
    again; without a name he must be known. Without `seat` he takes the first free one."""

    seat = Words(max_length=1, required=False, allow_blank=True, default="")
    name = Words(max_length=120, required=False, allow_blank=True, default="")
    source: Any = Words(max_length=40, required=False, allow_blank=True, default="")
    external_id = Words(max_length=80, required=False, allow_blank=True, default="")
    contact = Address(required=False, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["name"].strip() and not attrs["external_id"]:
            raise serializers.ValidationError({"name": "Give a name, or the id of somebody the store knows."})
        return attrs


class ReserveBody(Body):
    """The order as your software knows it, and at least one of the team; the others may be named later."""

    external_order_id = Words(max_length=80)
    team_name = Words(max_length=120, required=False, allow_blank=True, default="")
    members = several(BuyerBody, min_length=1, max_length=12)
    hold_minutes = Number(
        min_value=1,
        max_value=MOST_HOLD_MINUTES,
        required=False,
        default=HOLD_MINUTES,
        help_text="how long the place is held without confirmation",
    )


class ByOrderId(Body):
    external_order_id = Words(max_length=80)


def told_orders(orders: Sequence[Order]) -> list[dict[str, Any]]:
    """The orders as they are told, in a fixed number of queries."""
    names = team_references([order.team for order in orders])
    return [
        {
            "id": order.pk,
            "external_order_id": order.external_order_id,
            "tournament": order.tournament.slug,
            "state": order.state,
            "is_waiting": order.team.state == TeamState.WAITLISTED,
            "team": names[order.team_id],
            "team_state": order.team.state,
            "expires_at": order.expires_at,
            "made_at": order.made_at,
            "confirmed_at": order.confirmed_at,
            "ended_at": order.ended_at,
        }
        for order in orders
    ]


def orders() -> QuerySet[Order]:
    """Every order with what telling it needs."""
    return Order.objects.select_related("team", "tournament")


ORDER_TOLD = Answer(OrderSerializer, lambda order, call: told_orders([orders().get(pk=order.pk)])[0])
ORDER = Place(
    "pk",
    "pk",
    lambda caller: orders().filter(tournament__in=caller.own_tournaments().values("pk")),
    lambda row: int(row.tournament_id),
    ORDER_TOLD,
)
ORDERING = partial(
    Operation, scope=Scope.ORDERS_WRITE, can=Can.REGISTER, place=ORDER, answer=ORDER_TOLD, needs_key=True
)
T = "tournaments/<slug:slug>/orders"
AT = "orders/<int:pk>"


def _buyer(said: Mapping[str, Any]) -> Buyer:
    return Buyer(
        name=said["name"],
        source=said["source"],
        external_id=said["external_id"],
        label=said["seat"],
        contact=said["contact"],
    )


def _reserve(call: Call) -> Order:
    data = call.data
    return reserve_place(
        tournament_id=call.row.pk,
        external_order_id=data["external_order_id"],
        members=[_buyer(said) for said in data["members"]],
        team_name=data["team_name"],
        hold_minutes=data["hold_minutes"],
        actor=call.actor,
    )


def _confirm_by_id(call: Call) -> Order:
    own = Order.objects.filter(tournament=call.row)
    order = get_object_or_404(own, external_order_id=call.data["external_order_id"].strip())
    return confirm_order(order_id=order.pk, actor=call.actor)


ORDERS = [
    ORDERING(
        name="orders_reserve",
        path=f"{T}/",
        place=TOURNAMENT,
        body=ReserveBody,
        run=_reserve,
        status=201,
        says="A place is held for the team until the order expires; when all are taken, the team waits.",
        example={
            "external_order_id": "1001",
            "team_name": "Two of Us",
            "members": [{"name": "Anna Berg", "source": "shop", "external_id": "4711"}],
            "hold_minutes": 15,
        },
    ),
    ORDERING(
        name="orders_confirm_by_id",
        path=f"{T}/confirm/",
        place=TOURNAMENT,
        body=ByOrderId,
        run=_confirm_by_id,
        says="The order of that id in your software is confirmed.",
        example={"external_order_id": "1001"},
    ),
    ORDERING(
        name="orders_confirm",
        path=f"{AT}/confirm/",
        run=lambda call: confirm_order(order_id=call.row.pk, actor=call.actor),
        says="The place is the team's for good; an expired order has one again while one is free.",
    ),
    ORDERING(
        name="orders_cancel",
        path=f"{AT}/cancel/",
        body=Because,
        run=lambda call: cancel_order(order_id=call.row.pk, actor=call.actor, **call.data),
        says="The order is cancelled and its place free.",
        example={"reason": "customer changed his mind"},
    ),
    ORDERING(
        name="orders_refund",
        path=f"{AT}/refund/",
        body=Because,
        run=lambda call: refund_order(order_id=call.row.pk, actor=call.actor, **call.data),
        says="The money is given back; a team that does not play yet is out.",
        example={"reason": "ill"},
    ),
    ORDERING(
        name="orders_name_teammate",
        path=f"{AT}/members/",
        body=BuyerBody,
        run=lambda call: name_teammate(order_id=call.row.pk, member=_buyer(call.data), actor=call.actor),
        says="The missing teammate has the free seat.",
        example={"name": "Bert Gruber", "source": "shop", "external_id": "4712"},
    ),
]


class OrderFilter(filters.FilterSet):
    external_order_id = filters.CharFilter()
    state = filters.ChoiceFilter(choices=Order.State.choices)

    class Meta:
        model = Order
        fields = ["external_order_id", "state"]


class OrderList(InTournament):
    """The orders of the tournament, oldest first."""

    scope = Scope.ORDERS_WRITE
    can = Can.REGISTER
    serializer_class = OrderSerializer
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = OrderFilter
    queryset = Order.objects.none()

    def list(self, request: Request, *args: Any, **words: Any) -> Response:
        own = orders().filter(tournament=self.tournament())
        page = self.paginate_queryset(self.filter_queryset(own)) or []
        return self.get_paginated_response(self.get_serializer(told_orders(page), many=True).data)


class OrderDetail(Reading, Tagged, GenericAPIView[Any]):
    """One order."""

    scope = Scope.ORDERS_WRITE
    can = Can.REGISTER
    serializer_class = OrderSerializer
    pagination_class = None
    filter_backends = []
    queryset = Order.objects.none()

    @extend_schema(operation_id="orders_retrieve")
    def get(self, request: Request, pk: int) -> Response:
        order = get_object_or_404(ORDER.rows(self.caller()), pk=small(pk))
        self.ask(order.tournament_id)
        return Response(self.get_serializer(told_orders([order])[0]).data)


ORDER_READS = {f"{T}/": OrderList, f"{AT}/": OrderDetail}
