"""Who is told what: from the journal, once per person, round and channel, and no longer than it is worth."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pywebpush import WebPushException

from journal.actors import COMMAND
from journal.clock import forget_setting, now
from matches.models import Match
from notices import channels
from notices.channels import is_push_service, public_key
from notices.models import Channel, Notice, NoticeKind, Subscription
from notices.outbox import read_news
from notices.sending import forget_old, send_due
from notices.tasks import send
from notices.wanting import agree_to_mail, subscribe
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState
from teams.links import make_link
from teams.models import Player, Seat
from tests import small_event
from tournaments.models import Round, Tournament
from tournaments.registration import withdraw_team
from tournaments.rounds import call_time, publish_round, start_round
from tournaments.signing_up import CONFIRM, Person, confirm_sign_up, sign_up, token_of

pytestmark = pytest.mark.django_db
ENDPOINT = "https://fcm.googleapis.com/fcm/send/{}"
State = Notice.State


class PushService:
    """Stands where pywebpush calls the outside; answers each call with the next status."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
        self.statuses: list[int] = []

    def __call__(self, info: dict[str, Any], data: str, **more: Any) -> None:
        self.calls.append((info["endpoint"], json.loads(data), more))
        status = self.statuses.pop(0) if self.statuses else 201
        if status >= 400:
            raise WebPushException("no", response=SimpleNamespace(status_code=status, text=""))  # type: ignore[arg-type]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any) -> PushService:
    made = PushService()
    monkeypatch.setattr(channels, "webpush", made)
    settings.VAPID_FILE = tmp_path / "vapid.pem"
    channels.vapid.cache_clear()
    return made


@pytest.fixture
def hall(service: PushService) -> Tournament:
    """Four teams; A of the first team has a browser and agreed to mails, B of it has two browsers."""
    tournament = small_event.running(4)
    a, b = Seat.objects.filter(team__number=1, tournament=tournament).order_by("label")
    Player.objects.filter(pk=a.player_id).update(contact="ada@example.org")
    agree_to_mail(seat_id=a.pk)
    for number, seat in ((1, a), (2, b), (3, b)):
        subscribe(seat_id=seat.pk, endpoint=ENDPOINT.format(number), p256dh="p", auth="a")
    return tournament


def told(**chosen: Any) -> list[tuple[str, str, str]]:
    rows = Notice.objects.filter(**chosen).order_by("id")
    return list(rows.values_list("kind", "channel", "state"))


def test_each_person_is_told_the_table_once_by_each_channel(hall: Tournament, service: PushService) -> None:
    rnd = small_event.drafted(hall)
    assert send() == 0
    publish_round(round_id=rnd.pk, actor=COMMAND)
    assert send() == 3
    assert send() == 0
    table = Match.objects.get(round=rnd, sides__team__number=1).table
    assert [(kind, channel) for kind, channel, _ in told(state=State.SENT)] == [
        (NoticeKind.TABLE, Channel.PUSH),
        (NoticeKind.TABLE, Channel.PUSH),
        (NoticeKind.TABLE, Channel.MAIL),
    ]
    assert sorted(endpoint[-1] for endpoint, _, _ in service.calls) == ["1", "2", "3"]
    assert service.calls[0][1]["title"] == f"Round 1: table {table}"
    assert 3500 < service.calls[0][2]["ttl"] <= 3600
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == (["ada@example.org"], f"Round 1: table {table}")
    assert reverse("tournament", args=[hall.slug]) in letter.body
    assert "/me/" not in letter.body
    start_round(round_id=rnd.pk, actor=COMMAND)
    call_time(round_id=rnd.pk, actor=COMMAND)
    assert send() == 5  # the start twice by push and once by mail, the time by push alone
    Notice.objects.filter(kind=NoticeKind.TABLE).update(due_at=now())
    assert send() == 0
    forget_setting()
    now()  # reads the setting of the clock, which is read again after half a second
    with CaptureQueriesContext(connection) as idle:
        send()
    assert len(idle) <= 2, [asked["sql"] for asked in idle.captured_queries]


def test_who_moves_up_from_the_waiting_list_is_told_once_in_the_language_of_the_sign_up(
    service: PushService,
) -> None:
    tournament = small_event.registered(4)
    Tournament.objects.filter(pk=tournament.pk).update(capacity=4, signs_up=True)
    people = {"A": Person("Xu Li"), "B": Person("Yara Ode")}
    entered = sign_up(tournament_id=tournament.pk, people=people, email="xu@example.org", language="de")
    assert entered.team.state == TeamState.WAITLISTED
    confirm_sign_up(token=token_of(entered, CONFIRM))
    first = tournament.teams.order_by("number")[0]
    withdraw_team(team_id=first.pk, actor=COMMAND)
    assert send() == 1
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == (["xu@example.org"], "Ihr habt jetzt einen Platz")
    assert send() == 0
    with CaptureQueriesContext(connection) as idle:
        send()
    assert len(idle) <= 2, [asked["sql"] for asked in idle.captured_queries]
    # Nobody is told of a place that is gone again, nor is anybody told twice.
    Notice.objects.all().update(state=State.WAITING, due_at=now())
    withdraw_team(team_id=entered.team_id, actor=COMMAND)
    assert send() == 0
    assert told() == [(NoticeKind.PLACE, Channel.MAIL, State.EXPIRED)]


def test_a_failed_try_is_repeated_with_pauses_until_it_is_worthless(
    hall: Tournament, service: PushService
) -> None:
    publish_round(round_id=small_event.drafted(hall).pk, actor=COMMAND)
    service.statuses = [500] * 3
    read_news()
    Notice.objects.filter(channel=Channel.MAIL).delete()
    assert send_due() == 0
    assert set(Notice.objects.values_list("state", "tries", "why")) == {
        (State.WAITING, 1, "push service answered 500")
    }
    assert send_due() == 0  # not before its pause is over
    assert len(service.calls) == 3
    Notice.objects.update(due_at=now())
    assert send_due() == 2
    service.calls.clear()
    Notice.objects.update(state=State.WAITING, due_at=now(), expires_at=now() - timedelta(seconds=1))
    assert send_due() == 0
    assert set(Notice.objects.values_list("state", flat=True)) == {State.EXPIRED}
    assert service.calls == []


def test_a_browser_that_is_gone_is_forgotten_and_the_other_one_hears(
    hall: Tournament, service: PushService
) -> None:
    publish_round(round_id=small_event.drafted(hall).pk, actor=COMMAND)
    read_news()
    Notice.objects.exclude(seat__label="B").delete()
    service.statuses = [410, 201]
    assert send_due() == 1
    assert Subscription.objects.filter(seat__label="B").count() == 1


def test_nothing_is_told_of_a_round_that_is_over(hall: Tournament, service: PushService) -> None:
    rnd = small_event.started(hall)
    read_news()
    assert Notice.objects.exists()
    Round.objects.filter(pk=rnd.pk).update(state=Round.State.CLOSED)
    assert send_due() == 0
    assert service.calls == []
    assert {state for _, _, state in told()} == {State.EXPIRED}


def test_without_mail_settings_no_mail_is_even_written(hall: Tournament, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    publish_round(round_id=small_event.drafted(hall).pk, actor=COMMAND)
    read_news()
    assert {channel for _, channel, _ in told()} == {Channel.PUSH}


def test_who_wanted_to_be_told_is_forgotten_when_the_tournament_is_over(hall: Tournament) -> None:
    assert forget_old() == 0
    Tournament.objects.filter(pk=hall.pk).update(state=Tournament.State.FINISHED)
    assert forget_old() == 4
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    "endpoint, is_known",
    [
        (ENDPOINT.format(1), True),
        ("https://web.push.apple.com/x", True),
        ("http://fcm.googleapis.com/x", False),
        ("https://fcm.googleapis.com:8000/x", False),
        ("https://fcm.googleapis.com.example.org/x", False),
        ("https://127.0.0.1/x", False),
        ("https://[::1/x", False),
    ],
)
def test_only_known_push_services_are_ever_called(endpoint: str, is_known: bool) -> None:
    assert is_push_service(endpoint) is is_known


def test_many_threads_that_need_the_key_at_once_find_one_and_the_same(settings: Any, tmp_path: Path) -> None:
    settings.VAPID_PRIVATE_KEY, settings.VAPID_FILE = "", tmp_path / "made-once.pem"
    made = channels.vapid.__wrapped__
    with ThreadPoolExecutor(8) as pool:
        keys = {one.private_pem() for one in pool.map(lambda _: made(), range(16))}
    assert keys == {settings.VAPID_FILE.read_bytes()}
    assert [path.name for path in tmp_path.iterdir()] == ["made-once.pem"]


def test_a_player_subscribes_and_leaves_by_the_personal_link(client: Client, service: PushService) -> None:
    tournament = small_event.registered(2)
    seat = Seat.objects.filter(tournament=tournament).order_by("id")[0]
    token = make_link(seat_id=seat.pk)
    page = client.get(reverse("me-notices", args=[token]), follow=True)
    assert public_key() in page.content.decode()
    with pytest.raises(RuleBroken):
        agree_to_mail(seat_id=seat.pk)
    Player.objects.filter(pk=seat.player_id).update(contact="ada@example.org")
    client.post(reverse("me-notices-mail", args=[token]), {"wanted": "1"})
    assert seat.mail_agreement.language == "en"
    client.post(reverse("me-notices-mail", args=[token]), {"wanted": "0"})
    assert not Seat.objects.filter(pk=seat.pk, mail_agreement__isnull=False).exists()

    def pushed(body: Any) -> int:
        address = reverse("me-notices-push", args=[token])
        return client.post(address, json.dumps(body), content_type="application/json").status_code

    browser = {"endpoint": ENDPOINT.format(9), "keys": {"p256dh": "p", "auth": "a"}}
    assert pushed(browser) == 200
    assert Subscription.objects.get().seat_id == seat.pk
    assert pushed({**browser, "endpoint": "https://10.0.0.1/"}) == 409
    assert pushed({"endpoint": 7}) == 400
    assert pushed(["x"]) == 400
    assert pushed({"endpoint": ENDPOINT.format(9), "ends": True}) == 200
    assert not Subscription.objects.exists()
