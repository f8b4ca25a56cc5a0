"""Orders, prizes and endpoints as a store's software meets them, with a key."""

import json
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from integrations.keys import issue_key
from integrations.models import Endpoint, Once
from integrations.webhook_sending import note_new_deeds
from journal.actors import COMMAND
from teams.models import Store
from tests.small_event import played, registered, running
from tournaments.cutting import finish_tournament
from tournaments.registration import check_in_team

pytestmark = pytest.mark.django_db
words = count(1)


class Till:
    """A client with a key of the store and these scopes."""

    def __init__(self, store: Store, *scopes: str) -> None:
        _, secret = issue_key(store_id=store.pk, name="till", scopes=scopes)
        self.client = Client(headers={"Authorization": f"Bearer {secret}"})

    def send(self, method: str, path: str, expect: int = 200, *, key: str = "", **body: Any) -> Any:
        headers = {"Idempotency-Key": key or f"word-{next(words)}"}
        answer = self.client.generic(
            method, f"/api/v1/{path}", json.dumps(body), content_type="application/json", headers=headers
        )
        assert answer.status_code == expect, answer.content.decode()
        return answer.json()

    def post(self, path: str, expect: int = 200, **body: Any) -> Any:
        return self.send("POST", path, expect, **body)

    def get(self, path: str, expect: int = 200) -> Any:
        answer = self.client.get(f"/api/v1/{path}")
        assert answer.status_code == expect, answer.content.decode()
        return answer.json()


def code_of(answer: Any) -> str:
    return str(answer["errors"][0]["code"])


def test_an_order_goes_its_way_with_a_word_for_each_request_and_never_in_a_foreign_store() -> None:
    tournament = registered(2, capacity=3)
    till = Till(tournament.store, "orders:write")
    at = f"tournaments/{tournament.slug}/orders/"
    asked = {"external_order_id": "1001", "members": [{"name": "Anna", "source": "shop", "external_id": "7"}]}
    bare = till.client.post(f"/api/v1/{at}", asked, content_type="application/json")
    assert (bare.status_code, bare.json()["errors"][0]["attr"]) == (400, "Idempotency-Key")
    made = till.post(at, 201, key="a", **asked)
    assert till.post(at, 201, key="a", **asked) == made, "the same request is done once"
    assert code_of(till.post(at, 409, key="b", **asked)) == "order-known"
    waits = till.post(at, 201, external_order_id="1002", members=[{"name": "Zoe"}])
    assert (made["is_waiting"], waits["is_waiting"], waits["expires_at"]) == (False, True, None)
    assert code_of(till.post(f"{at}confirm/", 409, external_order_id="1002")) == "still-waiting"
    till.post(f"{at}confirm/", 404, external_order_id="9999")
    assert till.post(f"{at}confirm/", external_order_id="1001")["state"] == "confirmed"
    mate = till.post(f"orders/{made['id']}/members/", name="Bert", source="shop", external_id="8")
    assert mate["team"]["name"] == "Anna & Bert"
    door = Till(tournament.store, "people:read")
    [bert] = door.get(f"tournaments/{tournament.slug}/players/?source=shop&external_id=8")["results"]
    assert (bert["player"]["name"], bert["team"], bert["seat"]) == ("Bert", mate["team"], "B")
    door.get(f"tournaments/{tournament.slug}/players/?team=x", 400)
    assert till.get(f"orders/{made['id']}/")["confirmed_at"] is not None
    assert till.post(f"orders/{made['id']}/refund/", reason="ill")["team_state"] == "withdrawn"
    assert till.get(f"orders/{waits['id']}/")["is_waiting"] is False, "the next one has the place"
    assert till.post(f"orders/{waits['id']}/cancel/")["state"] == "cancelled"
    assert [one["external_order_id"] for one in till.get(f"{at}?state=refunded")["results"]] == ["1001"]
    foreign = Till(Store.objects.create(name="Far", slug="far"), "orders:write", "read")
    for path in (at, f"orders/{made['id']}/"):
        foreign.get(path, 404)
    foreign.post(at, 404, **asked)
    reader = Till(tournament.store, "read")
    reader.get(at, 403)
    reader.post(f"orders/{made['id']}/confirm/", 403)


def test_a_list_of_orders_costs_the_same_however_long_it_is() -> None:
    tournament = registered(2)
    till = Till(tournament.store, "orders:write")
    at = f"tournaments/{tournament.slug}/orders/"
    seen = []
    for number in range(3):
        till.post(at, 201, external_order_id=str(number), members=[{"name": f"Buyer {number}"}])
        with CaptureQueriesContext(connection) as told:
            assert len(till.get(at)["results"]) == number + 1
        # The clock is read anew twice a second, whoever asks.
        seen.append(len([one for one in told.captured_queries if "clocksetting" not in one["sql"]]))
    assert seen[1] == seen[2]


def test_prizes_are_set_awarded_and_paid_by_a_key() -> None:
    tournament = running(2, planned_rounds=1)
    till = Till(tournament.store, "prizes:write")
    at = f"tournaments/{tournament.slug}"
    row = {"first": 1, "last": 1, "amount_minor": 1001, "currency": "EUR"}
    assert till.send("PUT", f"{at}/payouts/", rows=[row])[0]["amount_minor"] == 1001
    assert till.get(f"{at}/payouts/")["results"][0]["first"] == 1
    twice = till.send("PUT", f"{at}/payouts/", 409, rows=[row, row])
    assert code_of(twice) == "place-twice"
    assert code_of(till.post(f"{at}/prizes/award/", 409)) == "not-finished"
    played(tournament)
    finish_tournament(tournament_id=tournament.pk, actor=COMMAND)
    won = till.post(f"{at}/prizes/award/", 201)
    assert [(one["seat"], one["amount_minor"]) for one in won] == [("A", 501), ("B", 500)]
    paid = till.post(f"prizes/{won[0]['id']}/pay/", external_ref="credit-1")
    assert (paid["status"], paid["external_ref"]) == ("paid", "credit-1")
    assert code_of(till.post(f"prizes/{won[0]['id']}/void/", 409, reason="no")) == "not-open"
    assert till.post(f"prizes/{won[0]['id']}/reopen/")["status"] == "open"
    assert {one["status"] for one in till.post(f"{at}/prizes/void/", reason="mistake")} == {"void"}
    assert len(till.get(f"{at}/prizes/")["results"]) == 2
    Till(tournament.store, "results:write").post(f"{at}/prizes/award/", 403)


def test_endpoints_tell_their_secret_once_and_their_dead_letters_always() -> None:
    tournament = registered(2)
    till = Till(tournament.store, "webhooks:write")
    at = f"stores/{tournament.store.slug}/endpoints/"
    made = till.post(at, 201, key="hook", url="https://shop.example/hook", events=["team.checked_in"])
    secret = made["secret"]
    assert secret.startswith("whsec_")
    assert till.post(at, 201, key="hook", url="https://shop.example/hook", events=["team.checked_in"]) == {
        **made,
        "secret": "",
    }
    assert secret not in str(list(Once.objects.values()))
    assert code_of(till.post(at, 409, url="https://127.0.0.1/")) == "url-private"
    till.post(at, 400, url="https://shop.example/", events=["team.danced"])
    one = f"endpoints/{made['endpoint']['id']}/"
    assert till.send("PATCH", one, events=[])["events"] == []
    rotated = till.post(f"{one}rotate/", overlap_hours=2)
    assert rotated["secret"] not in ("", secret)
    assert rotated["endpoint"]["old_secret_until"] is not None
    check_in_team(team_id=tournament.teams.first().pk, actor=COMMAND)
    note_new_deeds()
    Endpoint.objects.get().streams.get(tournament=tournament).deliveries.update(state="dead", attempts=12)
    (letter,) = till.get(f"{one}deliveries/?state=dead")["results"]
    assert (letter["event"], letter["tournament"]) == ("team.checked_in", tournament.slug)
    assert till.post(f"{one}retry/", message_id=letter["message_id"])["state"] == "pending"
    till.post(f"{one}retry/", 400, message_id="msg_other")
    told = till.post(f"{one}replay/", tournament=tournament.slug, from_number=2)
    assert told == {"tournament": tournament.slug, "cursor": 1}
    till.post(f"{one}replay/", 400, tournament="other", from_number=2)
    assert till.post(f"{one}disable/")["disabled_at"] is not None
    assert till.post(f"{one}enable/")["disabled_at"] is None
    assert secret not in str(till.get(at)) + str(till.get(one))
    other = Till(Store.objects.create(name="Far", slug="far"), "webhooks:write")
    other.get(at, 404)
    other.get(one, 404)
    other.post(f"{one}disable/", 404)
