"""/healthz says that the process answers, /readyz that every configured part does its work."""

from collections.abc import Iterator
from typing import Any

import pytest
from celery import Celery
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client

from config import health
from journal.clock import now
from tournaments import heartbeat
from tournaments.heartbeat import note_tick

NOWHERE = "redis://127.0.0.1:1/0"


@pytest.fixture(autouse=True)
def _no_tick_yet() -> Iterator[None]:
    cache.delete(heartbeat.KEY)
    yield
    cache.delete(heartbeat.KEY)


@pytest.fixture
def memory_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "celery_app", Celery(broker="memory://localhost"))


def parts(client: Client) -> tuple[int, dict[str, Any]]:
    answer = client.get("/readyz")
    body = answer.json()
    assert body["ready"] is (answer.status_code == 200)
    assert "no-store" in answer["Cache-Control"]
    return answer.status_code, body["parts"]


def test_the_process_answers_without_asking_anybody(client: Client) -> None:
    answer = client.get("/healthz")  # a query would fail here: the test has no database
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_probe_from_inside_is_not_sent_to_https(client: Client, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
    assert client.get("/api/docs/").status_code == 301


@pytest.mark.django_db
@pytest.mark.usefixtures("memory_broker")
def test_it_is_ready_when_every_part_works(client: Client) -> None:
    note_tick()
    status, found = parts(client)
    assert status == 200
    assert {name: part["ok"] for name, part in found.items()} == dict.fromkeys(health.CHECKS, True)
    assert found["database"]["engine"] == connection.vendor
    assert 0 <= found["clock"]["age_s"] < 30
    assert found["clock"]["last_tick"] <= now().isoformat()


@pytest.mark.django_db
@pytest.mark.usefixtures("memory_broker")
def test_it_is_not_ready_while_no_clock_ticks(client: Client) -> None:
    status, found = parts(client)
    assert status == 503
    assert found["clock"]["ok"] is False
    assert "no tick for 15 s" in found["clock"]["why"]
    assert found["database"]["ok"] is True


@pytest.mark.django_db
@pytest.mark.usefixtures("memory_broker")
def test_a_database_that_is_gone_is_named_and_tells_no_address(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def gone() -> None:
        raise OperationalError("connection to server at 10.0.0.7 failed for user tandem")

    # A shown time would be read from the database again after half a second.
    settings.CLOCK_ADJUSTABLE = False
    note_tick()
    monkeypatch.setattr(health.connection, "cursor", gone)
    status, found = parts(client)
    assert status == 503
    assert found["database"] == {"ok": False, "why": "OperationalError"}
    assert found["clock"]["ok"] is True


@pytest.mark.django_db
def test_redis_that_does_not_answer_is_named(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    note_tick()
    settings.REDIS_URL = NOWHERE
    monkeypatch.setattr(health, "celery_app", Celery(broker=NOWHERE))
    status, found = parts(client)
    assert status == 503
    assert (found["cache"]["ok"], found["broker"]["ok"]) == (False, False)
    assert found["database"]["ok"] is True


@pytest.mark.django_db
def test_redis_that_answers_is_part_of_being_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any, redis_url: str
) -> None:
    note_tick()
    settings.REDIS_URL = redis_url
    monkeypatch.setattr(health, "celery_app", Celery(broker=redis_url))
    status, found = parts(client)
    assert (status, found["cache"], found["broker"]) == (
        200,
        {"ok": True, "engine": "redis"},
        {"ok": True, "engine": "redis"},
    )
