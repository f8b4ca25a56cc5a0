"""Payout tables and the ledger of prizes."""

from functools import partial

from django.db.models import QuerySet
from rest_framework import serializers

from integrations.api.fields import Because, Body, Number, Words, several
from integrations.api.lists import InTournament
from integrations.api.operations import Answer, Call, Operation, Place
from integrations.api.places import TOURNAMENT
from integrations.models import Payout, Prize
from integrations.prizes import (
    Share,
    award_prizes,
    pay_prize,
    reopen_prize,
    set_payouts,
    void_open_prizes,
    void_prize,
)
from integrations.scopes import Scope
from tournaments.staff import Can


class PayoutSerializer(serializers.ModelSerializer[Payout]):
    """What each place from `first` to `last` wins; the amount is the whole team's, in cents."""

    class Meta:
        model = Payout
        fields = ["first", "last", "amount_minor", "currency", "what"]
        read_only_fields = fields


class PrizeSerializer(serializers.ModelSerializer[Prize]):
    """A row of the ledger: money of the member on `seat`, or a thing of the whole team (no seat)."""

    seat = serializers.CharField(source="label", allow_blank=True)
    team_number = serializers.IntegerField(source="team.number")

    class Meta:
        model = Prize
        fields = [
            "id", "place", "team", "team_number", "seat", "player", "amount_minor", "currency", "what",
            "status", "external_ref", "awarded_at", "paid_at",
        ]  # fmt: skip
        read_only_fields = fields


class PayoutBody(Body):
    """One row of the table."""

    first = Number(min_value=1, max_value=99_999)
    last = Number(min_value=1, max_value=99_999)
    amount_minor = Number(max_value=10**12, required=False, default=0)
    currency = Words(max_length=3, required=False, allow_blank=True, default="")
    what = Words(max_length=200, required=False, allow_blank=True, default="")


class PayoutsBody(Body):
    """The whole table; what was there before is gone."""

    rows = several(PayoutBody, max_length=200)


class PaidBody(Body):
    external_ref = Words(max_length=120, required=False, allow_blank=True, default="")


class VoidBody(Body):
    reason = Words()


def rows() -> QuerySet[Prize]:
    """Every row of a ledger with what telling it needs."""
    return Prize.objects.select_related("team")


PRIZE_TOLD = Answer(PrizeSerializer, lambda prize, call: rows().get(pk=prize.pk))
PRIZES_TOLD = Answer(
    PrizeSerializer,
    lambda made, call: list(rows().filter(pk__in=[one.pk for one in made]).order_by("id")),
    many=True,
)
PAYOUTS_TOLD = Answer(PayoutSerializer, lambda made, call: made, many=True)
PRIZE = Place(
    "pk",
    "pk",
    lambda caller: rows().filter(tournament__in=caller.own_tournaments().values("pk")),
    lambda row: int(row.tournament_id),
)
PAYING = partial(Operation, scope=Scope.PRIZES_WRITE, can=Can.PRIZES, place=PRIZE, answer=PRIZE_TOLD)
T = "tournaments/<slug:slug>"
AT = "prizes/<int:pk>"


def _set(call: Call) -> list[Payout]:
    given = [Share(**row) for row in call.data["rows"]]
    return set_payouts(tournament_id=call.row.pk, rows=given, actor=call.actor)


PRIZES = [
    PAYING(
        name="payouts_set",
        path=f"{T}/payouts/",
        method="PUT",
        place=TOURNAMENT,
        body=PayoutsBody,
        run=_set,
        answer=PAYOUTS_TOLD,
        says="The tournament pays out exactly these rows.",
        example={"rows": [{"first": 1, "last": 1, "amount_minor": 20000, "currency": "EUR"}]},
    ),
    PAYING(
        name="prizes_award",
        path=f"{T}/prizes/award/",
        place=TOURNAMENT,
        run=lambda call: award_prizes(tournament_id=call.row.pk, actor=call.actor),
        answer=PRIZES_TOLD,
        status=201,
        says="The ledger of the finished tournament holds what each team has won.",
    ),
    PAYING(
        name="prizes_void_open",
        path=f"{T}/prizes/void/",
        place=TOURNAMENT,
        body=VoidBody,
        run=lambda call: void_open_prizes(tournament_id=call.row.pk, actor=call.actor, **call.data),
        answer=PRIZES_TOLD,
        says="Every open prize is void, so that prizes can be awarded anew.",
        example={"reason": "a result was corrected"},
    ),
    PAYING(
        name="prizes_pay",
        path=f"{AT}/pay/",
        body=PaidBody,
        run=lambda call: pay_prize(prize_id=call.row.pk, actor=call.actor, **call.data),
        says="The prize is paid.",
        example={"external_ref": "credit-2231"},
    ),
    PAYING(
        name="prizes_reopen",
        path=f"{AT}/reopen/",
        body=Because,
        run=lambda call: reopen_prize(prize_id=call.row.pk, actor=call.actor, **call.data),
        says="A prize that was marked as paid is open again.",
        example={"reason": "the transfer came back"},
    ),
    PAYING(
        name="prizes_void",
        path=f"{AT}/void/",
        body=VoidBody,
        run=lambda call: void_prize(prize_id=call.row.pk, actor=call.actor, **call.data),
        says="The prize is not paid out.",
        example={"reason": "given back by the team"},
    ),
]


class PayoutList(InTournament):
    """What each place wins."""

    scope = Scope.PRIZES_WRITE
    can = Can.PRIZES
    serializer_class = PayoutSerializer
    queryset = Payout.objects.none()

    def get_queryset(self) -> QuerySet[Payout]:
        return Payout.objects.filter(tournament=self.tournament())


class PrizeList(InTournament):
    """The ledger, oldest row first; void rows stay in it."""

    scope = Scope.PRIZES_WRITE
    can = Can.PRIZES
    serializer_class = PrizeSerializer
    queryset = Prize.objects.none()

    def get_queryset(self) -> QuerySet[Prize]:
        return rows().filter(tournament=self.tournament())


PRIZE_READS = {f"{T}/payouts/": PayoutList, f"{T}/prizes/": PrizeList}
