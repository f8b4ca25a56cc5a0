"""Who outside is told: what, in which order, how often, and where never."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from integrations import webhook_sending, webhook_targets
from integrations.models import Delivery, Endpoint, Stream
from integrations.webhook_sending import MAX_TRIES, claim_due, deliver_due, note_new_deeds, settle
from integrations.webhook_targets import Answer, check_url, post, public_addresses
from integrations.webhooks import (
    add_endpoint,
    dead_letters,
    enable_endpoint,
    replay,
    retry_delivery,
    rotate_secret,
)
from journal.actors import COMMAND
from journal.clock import real_now, reset_clock, shift_clock
from journal.models import Deed
from matches.results import report_result
from rulebook.errors import RuleBroken
from teams.models import Player
from teams.people import add_players
from tests.small_event import drafted, registered
from tournaments.checkin import drop_absent
from tournaments.models import Tournament
from tournaments.registration import check_in_team, register_team, withdraw_team
from tournaments.rounds import publish_round, start_round
from tournaments.setting_up import cancel_tournament, start_tournament
from tournaments.team_import import apply_import, keep_file


class Receiver:
    """Stands in for HTTP: keeps what was posted and answers as it is told."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], dict[str, Any], str]] = []
        self.answers = lambda told: Answer(204)

    def post(self, url: str, headers: dict[str, str], body: str) -> Answer:
        told = json.loads(body)
        self.got.append((headers, told, body))
        return self.answers(told)

    @property
    def events(self) -> list[str]:
        return [told["type"] for _, told, _ in self.got]

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _, _ in self.got]


@pytest.fixture
def receiver(monkeypatch, db) -> Iterator[Receiver]:
    there = Receiver()
    monkeypatch.setattr(webhook_sending, "post", there.post)
    yield there
    reset_clock()


def endpoint_of(tournament: Tournament, **more: Any) -> tuple[Endpoint, str]:
    return add_endpoint(store_id=tournament.store_id, url="https://shop.example/hook", **more)


def check_in_all(tournament: Tournament) -> None:
    for team in tournament.teams.order_by("number"):
        check_in_team(team_id=team.pk, actor=COMMAND)


def pass_time(minutes: int) -> None:
    shift_clock(timedelta(minutes=minutes))


def test_a_day_is_told_in_the_order_of_the_journal_signed_by_both_secrets_and_without_drafts(receiver):
    tournament = registered(4)
    Player.objects.update(contact="private@example.org")
    endpoint, old = endpoint_of(tournament)
    _, new = rotate_secret(endpoint_id=endpoint.pk)
    check_in_all(tournament)
    start_tournament(tournament_id=tournament.pk, actor=COMMAND)
    rnd = drafted(tournament)
    assert deliver_due() == 5
    publish_round(round_id=rnd.pk, actor=COMMAND)
    start_round(round_id=rnd.pk, actor=COMMAND)
    match = rnd.matches.get(table=1)
    first = match.sides.get(index=0).team_id
    report_result(match_id=match.pk, team_id=first, wins={first: 2}, actor=COMMAND)
    deliver_due()
    assert receiver.events == [
        *["team.checked_in"] * 4,
        *("round.paired", "round.published", "round.started", "match.reported"),
    ]
    numbers = [told["data"]["number"] for _, told, _ in receiver.got]
    assert numbers == sorted(numbers)
    paired = receiver.got[4][1]["data"]
    assert set(paired) == {"tournament", "number", "round"}
    assert paired["round"] == {"id": rnd.pk, "stage": 1, "number": 1, "bracket": ""}
    assert "result" not in receiver.got[-1][1]["data"], "a report does not count yet"
    assert receiver.got[0][1]["data"]["team"]["name"] == "friday 0 & friday 1"
    for headers, told, body in receiver.got:
        assert "private@" not in body
        assert Webhook(old).verify(body, headers) == Webhook(new).verify(body, headers) == told
    pass_time(25 * 60)
    replay(endpoint_id=endpoint.pk, tournament_id=tournament.pk, from_number=numbers[-1])
    deliver_due()
    headers, told, body = receiver.got[-1]
    assert told == receiver.got[-2][1]
    assert len(headers["webhook-signature"].split()) == 1, "the overlap is over"
    assert Webhook(new).verify(body, headers) == told


def test_places_that_change_hands_are_told_team_by_team(receiver):
    tournament = registered(4)
    endpoint_of(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(capacity=4)
    people = add_players(store_id=tournament.store_id, names=["Xu Li", "Yara Ode"])
    members = {label: player.pk for label, player in zip("AB", people, strict=True)}
    waiting = register_team(tournament_id=tournament.pk, members=members, actor=COMMAND)
    first, second = tournament.teams.order_by("number")[:2]
    withdraw_team(team_id=first.pk, actor=COMMAND)
    drop_absent(tournament_id=tournament.pk, team_ids=[second.pk], actor=COMMAND)
    deliver_due()
    told = [
        (told["type"], told["data"]["team"]["id"], told["data"].get("state")) for _, told, _ in receiver.got
    ]
    assert told == [
        ("team.registered", waiting.pk, "waitlisted"),
        ("team.promoted", waiting.pk, "registered"),
        ("team.withdrawn", first.pk, None),
        ("team.withdrawn", second.pk, None),
    ]


def test_a_list_is_told_as_one_thing(receiver):
    tournament = registered(4)
    endpoint_of(tournament)
    kept = keep_file(
        tournament_id=tournament.pk, user_id=None, name="x", body=b"A,B\nAna,Bo\nIda,Per\n", choices={}
    )
    apply_import(upload_id=kept.pk, actor=COMMAND, only_good=False)
    deliver_due()
    assert [(told["type"], told["data"]["teams"]) for _, told, _ in receiver.got] == [("teams.imported", 2)]
    cancel_tournament(tournament_id=tournament.pk, actor=COMMAND)
    deliver_due()
    _, told, _ = receiver.got[-1]
    assert (told["type"], set(told["data"])) == ("tournament.cancelled", {"tournament", "number"})


def test_a_failing_message_holds_back_its_own_tournament_alone_and_is_given_up_in_the_end(receiver):
    here, there = registered(4, slug="here"), registered(4, slug="there")
    endpoint, _ = endpoint_of(here, events=["team.checked_in"])
    check_in_all(here)
    check_in_all(there)
    first = here.teams.order_by("number").first()
    receiver.answers = lambda told: Answer(500 if told["data"]["team"]["id"] == first.pk else 200, "")
    assert deliver_due() == 5, "one try here, four messages there"
    assert {told["data"]["tournament"]["slug"] for _, told, _ in receiver.got[-4:]} == {"there"}
    assert deliver_due() == 0, "it waits before the next try"
    for _ in range(MAX_TRIES - 2):
        pass_time(15)
        assert deliver_due() == 1
    pass_time(15)
    assert deliver_due() == 4, "the last try, and then those behind it"
    dead = dead_letters(endpoint.pk).get()
    assert (dead.attempts, dead.last_status, dead.state) == (MAX_TRIES, 500, "dead")
    assert receiver.ids.count(dead.message_id) == MAX_TRIES
    receiver.answers = lambda told: Answer(200)
    retry_delivery(delivery_id=dead.pk)
    assert deliver_due() == 1
    before = receiver.ids[-1:]
    replay(endpoint_id=endpoint.pk, tournament_id=here.pk, from_number=1)
    deliver_due()
    again = receiver.ids[len(receiver.ids) - 4 :]
    assert again[0] == before[0] == dead.message_id
    assert again == sorted(again, key=lambda one: int(one.rpartition("_")[2]))
    assert not Delivery.objects.exclude(state="delivered").exists()


def test_one_claim_sends_for_a_stream_and_a_lost_claim_leaves_the_message_pending(receiver):
    tournament = registered(2)
    endpoint, _ = endpoint_of(tournament)
    check_in_all(tournament)
    assert note_new_deeds() == 2
    assert note_new_deeds() == 0
    (message,) = claim_due()
    assert claim_due() == [], "nobody else sends for this stream"
    replay(endpoint_id=endpoint.pk, tournament_id=tournament.pk, from_number=1)
    assert settle(message, Answer(200)) is False
    assert Delivery.objects.get(pk=message.delivery.pk).state == "pending"
    Stream.objects.update(claim="died", claimed_until=real_now() + timedelta(hours=1))
    assert [again.stream for again in claim_due()] == [message.stream], "the clock was set back an hour"
    Stream.objects.update(claim="died", claimed_until=message.delivery.stream.endpoint.made_at)
    deliver_due()
    assert receiver.ids[-2] == message.delivery.message_id, "the claim of a dead worker ends"


def test_gone_switches_the_endpoint_off_and_switched_on_it_is_told_what_it_missed(receiver):
    tournament = registered(3)
    endpoint, _ = endpoint_of(tournament)
    receiver.answers = lambda told: Answer(410)
    check_in_all(tournament)
    deliver_due()
    endpoint.refresh_from_db()
    assert endpoint.disabled_at is not None
    later = registered(1, slug="later")
    assert deliver_due() == 0
    receiver.answers = lambda told: Answer(200)
    enable_endpoint(endpoint_id=endpoint.pk)
    deliver_due()
    assert sorted(receiver.events[1:]) == [*["team.checked_in"] * 3, "team.registered"]
    assert {told["data"]["tournament"]["id"] for _, told, _ in receiver.got[1:]} == {tournament.pk, later.pk}


def test_a_message_that_cannot_be_made_fails_alone(receiver, monkeypatch):
    here, there = registered(1, slug="here"), registered(1, slug="there")
    endpoint_of(here)
    made = webhook_sending.payload_of

    def broken(tournament: Tournament, deed: Deed) -> dict[str, Any]:
        if tournament.pk == here.pk:
            raise ValueError("no words for it")
        return made(tournament, deed)

    monkeypatch.setattr(webhook_sending, "payload_of", broken)
    check_in_all(here)
    check_in_all(there)
    assert deliver_due() == 1
    assert Delivery.objects.get(stream__tournament=here).attempts == 1


def test_no_row_and_no_page_of_the_admin_holds_a_secret(admin_client, receiver):
    endpoint, secret = endpoint_of(registered(1))
    assert secret.startswith("whsec_")
    page = admin_client.get(f"/admin/integrations/endpoint/{endpoint.pk}/change/").content.decode()
    assert endpoint.url in page
    assert endpoint.salt not in page
    assert secret not in page
    assert secret not in str(Endpoint.objects.values().get())


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost:8000/",
        "https://till.local/",
        "https://user:word@shop.example/",
        "https://shop.example:99999/",
        "ftp://shop.example/",
        "https:///nothing",
        "/hook",
        "",
    ],
)
def test_an_address_inside_is_refused_by_its_text(url):
    with pytest.raises(RuleBroken):
        check_url(url)
    assert post(url, {}, "{}").status is None


def test_a_name_that_leads_inside_is_refused_and_nobody_is_called(monkeypatch):
    found = {"v": ["93.184.216.34"]}

    def resolve(host: str, port: int, **more: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found["v"]]

    called: list[str] = []

    def connect(self: Any, host: str, *more: Any) -> Any:
        called.append(host)
        raise webhook_targets.httpcore.ConnectError("nobody there")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(webhook_targets.httpcore.SyncBackend, "connect_tcp", connect)
    assert post("https://shop.example/", {}, "{}") == Answer(None, "ConnectError")
    assert called == ["93.184.216.34"], "the number that was checked, not the name"
    found["v"] = ["93.184.216.34", "10.1.2.3"]
    assert post("https://shop.example/", {}, "{}") == Answer(None, "the name leads into a private network")
    assert len(called) == 1
    with pytest.raises(webhook_targets.Refused):
        public_addresses("shop.example", 443)


class Rude(BaseHTTPRequestHandler):
    """Redirects, floods, or drips its answer."""

    hits: list[str] = []

    def do_POST(self) -> None:
        self.hits.append(self.path)
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/inside")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(400):
                self.wfile.write(b"x" * 65536 if self.path == "/flood" else b"x")
                if self.path == "/drip":
                    time.sleep(0.05)
        except OSError:
            pass

    def log_message(self, *words: Any) -> None:
        pass


def test_no_redirect_is_followed_and_little_of_an_answer_is_read(settings, monkeypatch):
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    monkeypatch.setattr(webhook_targets, "WHOLE_S", 0.5)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Rude)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    try:
        assert post(f"{base}/away", {}, "{}") == Answer(302)
        assert not Answer(302).is_delivered
        assert post(f"{base}/flood", {}, "{}") == Answer(200)
        begun = time.monotonic()
        assert post(f"{base}/drip", {}, "{}") == Answer(200), (
            "the status was there, the rest is not waited for"
        )
        assert time.monotonic() - begun < 15, "to the end it drips for twenty seconds"
        assert Rude.hits == ["/away", "/flood", "/drip"]
    finally:
        server.shutdown()
        server.server_close()
