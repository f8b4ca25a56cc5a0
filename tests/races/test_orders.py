"""Many clients at once, on PostgreSQL with real threads: no place is sold twice, no message sent by two."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from integrations import webhook_sending
from integrations.models import Order
from integrations.orders import Buyer, cancel_order, confirm_order, release_expired, reserve_place
from integrations.webhook_sending import deliver_due
from integrations.webhook_targets import Answer
from integrations.webhooks import add_endpoint
from journal.actors import COMMAND
from journal.clock import now
from teams.models import Player, Team
from tests.races.test_rounds import outcome
from tests.small_event import registered
from tournaments.models import Tournament
from tournaments.registration import check_in_team, places_taken

pytestmark = pytest.mark.django_db(transaction=True)

Run = Callable[..., list[Any]]


def buying(tournament: Tournament, number: int) -> Callable[[], Order]:
    return lambda: reserve_place(
        tournament_id=tournament.pk,
        external_order_id=str(number),
        members=[Buyer(f"Buyer {number}", "till", str(number))],
        actor=COMMAND,
    )


def test_fifty_clients_for_the_last_ten_places_make_ten_teams(run_threads: Run) -> None:
    tournament = registered(2, capacity=12)
    bought = run_threads(*[buying(tournament, number) for number in range(50)])
    assert [outcome(one) for one in bought] == ["done"] * 50
    assert Counter(one.team.state for one in bought) == {"registered": 10, "waitlisted": 40}
    confirmed = run_threads(*[lambda pk=one.pk: confirm_order(order_id=pk, actor=COMMAND) for one in bought])
    assert Counter(outcome(one) for one in confirmed) == {"done": 10, "still-waiting": 40}
    assert places_taken(tournament) == 12
    numbers = Team.objects.filter(tournament=tournament).values_list("number", flat=True)
    assert sorted(numbers) == list(range(1, 53))


def test_one_order_sent_many_times_at_once_is_one_order(run_threads: Run) -> None:
    here, there = registered(2), registered(2, slug="other")
    sent = [buying(here if at % 2 else there, 7) for at in range(12)]
    results = Counter(outcome(one) for one in run_threads(*sent))
    assert results == {"done": 1, "order-known": 11}
    assert (Order.objects.count(), Player.objects.filter(source="till").count()) == (1, 1)


def test_the_end_of_a_hold_against_the_payment_is_one_or_the_other(run_threads: Run) -> None:
    tournament = registered(2, capacity=3)
    for number in range(8):
        order = buying(tournament, number)()
        Order.objects.filter(pk=order.pk).update(expires_at=now())
        paid, _ = run_threads(
            lambda pk=order.pk: confirm_order(order_id=pk, actor=COMMAND),
            lambda: release_expired(moment=now()),
        )
        order.refresh_from_db()
        assert outcome(paid) == "done", "an expired place is taken back while it is free"
        assert (order.state, Team.objects.get(pk=order.team_id).state) == ("confirmed", "registered")
        assert places_taken(tournament) == 3
        cancel_order(order_id=order.pk, actor=COMMAND)


def test_four_workers_send_each_message_once_and_in_order(run_threads: Run, monkeypatch: Any) -> None:
    tournaments = [registered(6, slug=f"hall-{at}") for at in range(3)]
    add_endpoint(store_id=tournaments[0].store_id, url="https://shop.example/hook")
    got: list[str] = []
    monkeypatch.setattr(
        webhook_sending,
        "post",
        lambda url, headers, body: got.append(headers["webhook-id"]) or Answer(200),  # type: ignore[func-returns-value]
    )
    for team in Team.objects.order_by("number", "pk"):
        check_in_team(team_id=team.pk, actor=COMMAND)
    counts = run_threads(*[deliver_due] * 4)
    assert sum(counts) == len(got) == len(set(got)) == 18
    for tournament in tournaments:
        own = [int(one.rpartition("_")[2]) for one in got if f"_{tournament.pk}_" in one]
        assert own == sorted(own)
