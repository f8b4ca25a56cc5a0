"""The example of a till against a live server, and its receiver killed in the middle of the day."""

import json
import os
import signal
import socket
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from examples import point_of_sale
from examples.tandem_client import Refused, Tandem
from integrations.keys import issue_key
from integrations.models import Delivery, Order, Prize
from integrations.scopes import Scope
from integrations.tasks import webhooks
from integrations.webhook_events import EVENTS
from journal.clock import reset_clock, shift_clock
from journal.models import Deed
from matches.models import Match
from teams.models import Store

# The journal's trigger refuses to be emptied, which SQLite does after a test with a server.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
ROOT = Path(__file__).resolve().parents[2]
CRASH_AT = 7


def free_port() -> int:
    """A port nobody is given by chance while the receiver is down: below those the system hands out."""
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("no port is free")


class Receiver:
    """The example as a process of its own, on one port across its restarts."""

    def __init__(self, file: Path) -> None:
        self.file, self.port, self.secret = file, free_port(), ""
        self.process: subprocess.Popen[str] | None = None

    def start(self, *more: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "examples.webhook_receiver", *self.asked(), *more],
            cwd=ROOT,
            env={**os.environ, "TANDEM_WEBHOOK_SECRET": self.secret},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert f":{self.port}/" in self.process.stdout.readline(), "it listens"

    def asked(self) -> tuple[str, str]:
        return f"--port={self.port}", f"--file={self.file}"

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(timeout=10)
            assert self.process.stdout is not None
            self.process.stdout.close()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text().splitlines()]


@pytest.fixture
def receiver(tmp_path: Path) -> Any:
    there = Receiver(tmp_path / "received.jsonl")
    yield there
    there.kill()
    reset_clock()


def test_the_till_sells_plays_and_pays_and_its_receiver_loses_nothing_when_killed(
    live_server: Any, settings: Any, receiver: Receiver
) -> None:
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    store = Store.objects.create(name="Corner", slug="corner", zone="Europe/Berlin")
    _, key = issue_key(store_id=store.pk, name="till", scopes=list(Scope))
    with Tandem(live_server.url, key) as till:
        endpoint, receiver.secret = till.listen("corner", f"http://127.0.0.1:{receiver.port}/hook")
        receiver.start(f"--die-after={CRASH_AT}")

        def pause(words: str) -> None:
            """The worker's turn, whatever state the receiver is in."""
            webhooks()
            if words.startswith("round 1"):
                assert receiver.process is not None
                assert receiver.process.wait(timeout=10) == 1, "it died with a message written, unanswered"
            if words.startswith("round 2"):
                receiver.start()

        slug = point_of_sale.run(till, "corner", say=pause)
        deliver_the_rest()
        expected = events_in_the_journal(slug)
        told = [line for line in receiver.lines if line["is_new"]]
        assert [(line["data"]["number"], line["type"]) for line in told] == expected, "nothing lost, in order"
        twice = [line["id"] for line in receiver.lines if not line["is_new"]]
        assert twice == [told[CRASH_AT - 1]["id"]], "what was not answered came again under its id"
        till.replay(endpoint, slug, expected[-3][0])
        deliver_the_rest()
        assert [line["id"] for line in receiver.lines[-3:]] == [line["id"] for line in told[-3:]]
        with pytest.raises(Refused) as refused:
            till.award_prizes(slug)
        assert (refused.value.status, refused.value.code) == (409, "prizes-awarded")
    assert not Delivery.objects.exclude(state="delivered").exists()
    assert counted(Order, "state") == {"confirmed": 4, "cancelled": 1}
    assert counted(Match, "state") == {"confirmed": 4}
    assert set(counted(Prize, "status")) == {"paid"}
    money = Prize.objects.filter(amount_minor__gt=0).order_by("label")
    assert list(money.values_list("place", "label", "amount_minor")) == [(1, "A", 5001), (1, "B", 5000)]


def counted(model: Any, field: str) -> dict[str, int]:
    values = list(model.objects.values_list(field, flat=True))
    return {value: values.count(value) for value in values}


def deliver_the_rest(turns: int = 10) -> None:
    """The worker has had its turns, with the waits between them passed."""
    for _ in range(turns):
        webhooks()
        if not Delivery.objects.filter(state="pending").exists():
            return
        shift_clock(timedelta(minutes=15))


def events_in_the_journal(slug: str) -> list[tuple[int, str]]:
    deeds = Deed.objects.filter(tournament__slug=slug, kind__in=EVENTS).order_by("number")
    return [(deed.number, EVENTS[deed.kind]) for deed in deeds]
