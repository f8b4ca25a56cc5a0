"""The pool that serves pages, on a real server."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.utils import ConnectionHandler

from config.listening import Listening

pytestmark = pytest.mark.django_db


@pytest.fixture
def pooled() -> Iterator[Any]:
    """A connection out of a pool as in production, to the database of the test."""
    pool = {"min_size": 1, "max_size": 1, "connection_class": Listening}
    own = {**settings.DATABASES["default"], "NAME": connection.settings_dict["NAME"]}
    own = {**own, "OPTIONS": {"pool": pool}, "CONN_HEALTH_CHECKS": True}
    found = ConnectionHandler({"default": own})["default"]
    yield found
    found.close()
    found.close_pool()  # type: ignore[attr-defined]


def answer_of(found: Any, question: str) -> Any:
    """The answer of one request: a connection is taken from the pool and given back."""
    try:
        with found.cursor() as cursor:
            cursor.execute(question)
            return cursor.fetchone()[0]
    finally:
        found.close()


def test_no_request_is_given_a_connection_that_the_server_has_ended(pooled: Any) -> None:
    for _ in range(3):
        pid = answer_of(pooled, "SELECT pg_backend_pid()")
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        assert answer_of(pooled, "SELECT pg_backend_pid()") != pid


def test_an_idle_connection_is_not_asked_whether_it_lives(pooled: Any) -> None:
    pid = answer_of(pooled, "SELECT pg_backend_pid()")
    before = last_heard(pid)
    pooled.ensure_connection()
    assert last_heard(pid) == before
    pooled.close()


def last_heard(pid: int) -> Any:
    """When the server's process was last told something."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT state_change FROM pg_stat_activity WHERE pid = %s", [pid])
        return cursor.fetchone()[0]
