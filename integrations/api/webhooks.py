"""Endpoints of webhooks: made, changed, rotated, and what was sent to them."""

from functools import partial
from typing import Any

from django.db.models import F, QuerySet
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from integrations.api.fields import Body, Many, Number, One, Words
from integrations.api.lists import small
from integrations.api.operations import Answer, Call, Operation, Place
from integrations.api.places import STORE
from integrations.api.reads import Reading, Tagged
from integrations.models import Delivery, Endpoint, Stream
from integrations.scopes import Scope
from integrations.webhooks import (
    KNOWN_EVENTS,
    MOST_OVERLAP_HOURS,
    OVERLAP_HOURS,
    add_endpoint,
    change_endpoint,
    disable_endpoint,
    enable_endpoint,
    replay,
    retry_delivery,
    rotate_secret,
)
from tournaments.models import Tournament


def _events(**more: Any) -> Many:
    return Many(child=One(choices=KNOWN_EVENTS), max_length=len(KNOWN_EVENTS), required=False, **more)


class EndpointSerializer(serializers.ModelSerializer[Endpoint]):
    """An address that is told what happens in the store's tournaments. Its secret is told only when it is
    made or rotated."""

    events = serializers.ListField(child=serializers.CharField(), help_text="empty: all")
    old_secret_until = serializers.DateTimeField(source="old_until", allow_null=True)

    class Meta:
        model = Endpoint
        fields = ["id", "url", "events", "made_at", "old_secret_until", "disabled_at", "disabled_why"]
        read_only_fields = fields


class NewEndpointSerializer(serializers.Serializer[Any]):
    """The endpoint with its secret, which is shown this once; empty when this answer is told again."""

    endpoint = EndpointSerializer()
    secret = serializers.CharField(allow_blank=True)


class DeliverySerializer(serializers.Serializer[Any]):
    """One message. `dead` ones were given up after many tries and are sent again on demand."""

    message_id = serializers.CharField()
    tournament = serializers.SlugField(source="slug")
    number = serializers.IntegerField()
    event = serializers.CharField()
    state = serializers.ChoiceField(choices=Delivery.State.choices)
    attempts = serializers.IntegerField()
    last_status = serializers.IntegerField(allow_null=True)
    last_error = serializers.CharField(allow_blank=True)
    delivered_at = serializers.DateTimeField(allow_null=True)
    dead_at = serializers.DateTimeField(allow_null=True)


class StreamSerializer(serializers.Serializer[Any]):
    """How far an endpoint has read a tournament's journal."""

    tournament = serializers.SlugField()
    cursor = serializers.IntegerField()


class EndpointBody(Body):
    url = Words(max_length=500, help_text="an https address")
    events = _events(default=list, help_text="empty: all")


class ChangeEndpointBody(Body):
    url = Words(max_length=500, required=False)
    events = _events()


class RotateBody(Body):
    overlap_hours = Number(
        max_value=MOST_OVERLAP_HOURS,
        required=False,
        default=OVERLAP_HOURS,
        help_text="how long the old secret signs beside the new one",
    )


class ReplayBody(Body):
    tournament = Words(max_length=60)
    from_number = Number(min_value=1)


class RetryBody(Body):
    message_id = Words(max_length=64)


ENDPOINT_TOLD = Answer(EndpointSerializer, lambda row, call: Endpoint.objects.get(pk=row.pk))
SECRET_TOLD = Answer(NewEndpointSerializer, lambda made, call: {"endpoint": made[0], "secret": made[1]})
DELIVERY_TOLD = Answer(DeliverySerializer, lambda row, call: told().get(pk=row.pk))
STREAM_TOLD = Answer(
    StreamSerializer, lambda row, call: {"tournament": row.tournament.slug, "cursor": row.cursor}
)
ENDPOINT = Place(
    "pk",
    "pk",
    lambda caller: Endpoint.objects.filter(store__in=caller.own_stores()),
    lambda row: None,
    ENDPOINT_TOLD,
)
CALLING = partial(Operation, scope=Scope.WEBHOOKS_WRITE, can=None, place=ENDPOINT, answer=ENDPOINT_TOLD)
S = "stores/<slug:slug>/endpoints/"
AT = "endpoints/<int:pk>"


def told() -> QuerySet[Delivery]:
    """Every message with the tournament it is of."""
    return Delivery.objects.annotate(slug=F("stream__tournament__slug"))


def _replay(call: Call) -> Stream:
    own = Tournament.objects.filter(store=call.row.store_id, slug=call.data["tournament"]).first()
    if own is None:
        raise ValidationError({"tournament": "The store has no such tournament."})
    return replay(endpoint_id=call.row.pk, tournament_id=own.pk, from_number=call.data["from_number"])


def _retry(call: Call) -> Delivery:
    own = Delivery.objects.filter(stream__endpoint=call.row, message_id=call.data["message_id"]).first()
    if own is None:
        raise ValidationError({"message_id": "Nothing was sent under that id."})
    return retry_delivery(delivery_id=own.pk)


WEBHOOKS = [
    CALLING(
        name="endpoints_add",
        path=S,
        place=STORE,
        body=EndpointBody,
        run=lambda call: add_endpoint(store_id=call.row.pk, **call.data),
        answer=SECRET_TOLD,
        status=201,
        secrets=("secret",),
        says="The address is told of everything from now on in the store's tournaments.",
        example={"url": "https://shop.example/tandem", "events": ["round.published", "match.confirmed"]},
    ),
    CALLING(
        name="endpoints_change",
        path=f"{AT}/",
        method="PATCH",
        body=ChangeEndpointBody,
        run=lambda call: change_endpoint(endpoint_id=call.row.pk, **call.data),
        says="The endpoint has the new address and listens to these events.",
        example={"events": ["standings.final"]},
    ),
    CALLING(
        name="endpoints_rotate",
        path=f"{AT}/rotate/",
        body=RotateBody,
        run=lambda call: rotate_secret(endpoint_id=call.row.pk, **call.data),
        answer=SECRET_TOLD,
        secrets=("secret",),
        says="The endpoint has a new secret; the old one signs too while they overlap.",
        example={"overlap_hours": 24},
    ),
    CALLING(
        name="endpoints_disable",
        path=f"{AT}/disable/",
        run=lambda call: disable_endpoint(endpoint_id=call.row.pk, why="switched off"),
        says="Nothing is sent to the endpoint any more.",
    ),
    CALLING(
        name="endpoints_enable",
        path=f"{AT}/enable/",
        run=lambda call: enable_endpoint(endpoint_id=call.row.pk),
        says="The endpoint is told again, first of what it missed.",
    ),
    CALLING(
        name="endpoints_replay",
        path=f"{AT}/replay/",
        body=ReplayBody,
        run=_replay,
        answer=STREAM_TOLD,
        says="Every message of the tournament from that number on is sent again, under its old id.",
        example={"tournament": "friday", "from_number": 1},
    ),
    CALLING(
        name="endpoints_retry",
        path=f"{AT}/retry/",
        body=RetryBody,
        run=_retry,
        answer=DELIVERY_TOLD,
        says="A message that was given up is sent again.",
        example={"message_id": "msg_1_2_3"},
    ),
]


class EndpointList(Reading, ListAPIView[Endpoint]):
    """The store's endpoints, those that are switched off too."""

    scope = Scope.WEBHOOKS_WRITE
    is_personal = True
    serializer_class = EndpointSerializer
    filter_backends = []
    queryset = Endpoint.objects.none()

    def get_queryset(self) -> QuerySet[Endpoint]:
        if getattr(self, "swagger_fake_view", False):
            return Endpoint.objects.none()
        store = get_object_or_404(self.caller().own_stores(), slug=self.kwargs["slug"])
        return Endpoint.objects.filter(store=store)


class EndpointDetail(Reading, Tagged, GenericAPIView[Any]):
    """One endpoint."""

    scope = Scope.WEBHOOKS_WRITE
    is_personal = True
    serializer_class = EndpointSerializer
    pagination_class = None
    filter_backends = []
    queryset = Endpoint.objects.none()

    @extend_schema(operation_id="endpoints_retrieve")
    def get(self, request: Request, pk: int) -> Response:
        endpoint = get_object_or_404(ENDPOINT.rows(self.caller()), pk=small(pk))
        return Response(self.get_serializer(endpoint).data)


class DeliveryFilter(filters.FilterSet):
    state = filters.ChoiceFilter(choices=Delivery.State.choices)
    tournament = filters.CharFilter(field_name="stream__tournament__slug")

    class Meta:
        model = Delivery
        fields = ["state", "tournament"]


class DeliveryList(Reading, ListAPIView[Delivery]):
    """What was sent to the endpoint; `state=dead` is the list of those that were given up."""

    scope = Scope.WEBHOOKS_WRITE
    is_personal = True
    serializer_class = DeliverySerializer
    filterset_class = DeliveryFilter
    queryset = Delivery.objects.none()

    def get_queryset(self) -> QuerySet[Delivery]:
        if getattr(self, "swagger_fake_view", False):
            return Delivery.objects.none()
        endpoint = get_object_or_404(ENDPOINT.rows(self.caller()), pk=small(self.kwargs["pk"]))
        return told().filter(stream__endpoint=endpoint)


WEBHOOK_READS = {S: EndpointList, f"{AT}/": EndpointDetail, f"{AT}/deliveries/": DeliveryList}
