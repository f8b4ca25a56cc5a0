"""Every operation of the API against every scope and role, over one prepared hall."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver

from integrations.api.base import DeedView
from integrations.api.fields import Nothing
from integrations.api.operations import Operation
from integrations.api.urls import OPERATIONS
from integrations.api.urls import READS as ADDRESSES_READ
from integrations.scopes import Scope
from journal.clock import reset_clock
from journal.recording import version_of
from tests import small_event
from tests.admin.hall import Hall, full_hall
from tests.api.calling import V1, Till
from tests.api.scopes import NEEDS, READS
from tests.permissions.table import client_of, everybody, is_allowed, row_named

pytestmark = pytest.mark.django_db
DOCUMENTED = {200, 201, 202, 400, 403, 404, 409, 412, 422}
# Rows that no model of that name holds, by the word before the id.
ROWS = {"matches": "match", "penalties": "penalty", "deck-checks": "deckcheck", "staff": "staff"}


def views() -> Iterator[tuple[str, Any]]:
    """Every address of the API below /api/v1/ with its view."""

    def walk(found: Any, prefix: str) -> Iterator[tuple[str, Any]]:
        for one in found.url_patterns:
            path = prefix + str(one.pattern)
            if isinstance(one, URLResolver):
                yield from walk(one, path)
            elif isinstance(one, URLPattern) and path.startswith("api/v1/"):
                yield path.removeprefix("api/v1"), getattr(one.callback, "view_class", None)

    yield from walk(get_resolver(), "")


def operations() -> list[Operation]:
    """Every operation that has an address."""
    return [
        operation
        for _, view in views()
        if view is not None and issubclass(view, DeedView)
        for operation in view.operations.values()
    ]


def address(path: str, hall: Hall) -> str:
    """The address with rows of the hall."""
    parts: list[str] = []
    for part in path.strip("/").split("/"):
        if part == "<slug:slug>":
            parts.append(hall.store.slug if parts[-1] == "stores" else hall.tournament.slug)
        elif part.startswith("<"):
            parts.append(str(row_named(ROWS.get(parts[-1], parts[-1].rstrip("s")), hall)))
        else:
            parts.append(part)
    return "/" + "/".join(parts) + "/"


def tried(till: Till, operation: Operation, hall: Hall) -> Any:
    """The operation, called with its own example; nothing of it stays."""
    with transaction.atomic():
        answer = till.post(
            address(operation.path, hall),
            dict(operation.example),
            method=operation.method.lower(),
            once="once" if operation.needs_key else "",
        )
        transaction.set_rollback(True)
    return answer


def test_each_address_is_open_to_its_scope_alone_and_to_the_roles_of_its_power(settings: Any) -> None:
    """A key with every scope but the one is refused, so each other scope alone is; the one alone suffices."""
    settings.API_RATE_PER_KEY = 1_000_000
    hall = full_hall("North")
    people = {who: client_of(user) for who, user in everybody(hall).items() if who != "anonymous"}
    reset_clock()
    only = {scope: Till(hall.tournament, scope) for scope in Scope}
    others = {scope: Till(hall.tournament, *(set(Scope) - {scope})) for scope in Scope}
    elsewhere = small_event.registered(1, slug="elsewhere")
    foreign = Till(elsewhere)
    before, tried_powers = version_of(hall.tournament.pk), set()
    for operation in operations():
        where, method = address(operation.path, hall), operation.method.lower()
        assert others[operation.scope].post(where, {}, method=method).status_code == 403, operation.name
        answer = tried(only[operation.scope], operation, hall)
        needs_more = answer.status_code == 403 and b"This needs the scope" in answer.content
        assert answer.status_code in DOCUMENTED, (operation.name, answer.content)
        assert answer.status_code != 403 or needs_more, (operation.name, answer.content)
        if "<" in operation.path:
            assert foreign.post(where, {}, method=method).status_code == 404, operation.name
        # Each role is tried on one operation of each power, whoever only looks on all of them.
        roles = ("viewer",) if operation.can in tried_powers else tuple(people)
        tried_powers.add(operation.can)
        for who in roles:
            if operation.can is not None and not is_allowed(who, operation.can):
                refused = getattr(people[who], method)(V1 + where, "{}", content_type="application/json")
                assert refused.status_code == (404 if who == "stranger" else 403), (operation.name, who)
    assert version_of(hall.tournament.pk) == before
    read = 0
    for path, view in views():
        needed = getattr(view, "scope", None)
        if needed is None or not hasattr(view, "get") or "rules/" in path:
            continue
        read += 1
        assert only[needed].get(address(path, hall)).status_code in (200, 404, 409), path
        assert others[needed].get(address(path, hall)).status_code == 403, path
    assert read > 15


def test_each_operation_and_each_read_needs_the_scope_that_the_table_says() -> None:
    """`scopes.py` says it once more, so that a scope changed by mistake is seen."""
    written = {name: scope for scope, names in NEEDS.items() for name in names.split()}
    assert {one.name: one.scope for one in OPERATIONS} == written
    asked = {
        path.replace("<slug:slug>", "SLUG").replace("<int:pk>", "ID"): view.scope  # type: ignore[attr-defined]
        for path, view in ADDRESSES_READ.items()
    }
    guarded = {path: scope for path, scope in asked.items() if scope is not Scope.READ}
    assert guarded == {path: scope for scope, paths in READS.items() for path in paths.split()}


def test_every_operation_says_what_it_does_and_gives_an_example_of_its_body() -> None:
    found = operations()
    assert len(found) > 70
    assert len({operation.name for operation in found}) == len(found)
    for operation in found:
        assert re.fullmatch(r"[A-Z].*\.", operation.says), operation.name
        if operation.body is Nothing:
            assert not operation.example, operation.name
        else:
            body = operation.body(data=dict(operation.example))
            assert operation.example, operation.name
            assert body.is_valid(), (operation.name, body.errors)
