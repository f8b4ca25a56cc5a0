"""One error shape, a document without a warning, a page to browse it."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

pytestmark = pytest.mark.django_db


def error(answer: Any) -> tuple[str, str]:
    """The type and code of an answer's only error, which has the one shape."""
    body = answer.json()
    assert set(body) == {"type", "errors"}
    [only] = body["errors"]
    assert set(only) == {"code", "detail", "attr"}
    assert only["detail"]
    return body["type"], only["code"]


@pytest.mark.parametrize(
    "method, path, status, code",
    [
        ("get", "/api/v1/me/", 401, "not_authenticated"),
        ("get", "/api/v1/tournaments/nowhere/", 404, "not_found"),
        ("get", "/api/v1/tournaments/nowhere/teams/", 404, "not_found"),
        ("get", "/api/v1/tournaments/nowhere/rounds/", 404, "not_found"),
        ("get", "/api/v1/tournaments/nowhere/standings/", 404, "not_found"),
        ("get", "/api/v1/rounds/1/", 404, "not_found"),
        ("get", "/api/v1/rounds/99999999999999999999999/pairings/", 404, "not_found"),
        ("get", "/api/v1/nothing/", 404, "not_found"),
        ("get", "/api/v1/rounds/x/", 404, "not_found"),
        ("post", "/api/v1/tournaments/", 401, "not_authenticated"),
        ("put", "/api/v1/tournaments/", 405, "method_not_allowed"),
        ("delete", "/api/v1/tournaments/", 405, "method_not_allowed"),
        ("get", "/api/v1/tournaments/?cursor=nonsense", 404, "not_found"),
        ("get", "/api/v1/tournaments/?state=lost", 400, "invalid_choice"),
    ],
)
def test_every_refusal_has_the_one_shape(
    client: Client, settings: Any, method: str, path: str, status: int, code: str
) -> None:
    answer = getattr(client, method)(path)
    assert answer.status_code == status
    assert error(answer) == ("validation_error" if status == 400 else "client_error", code)


def test_a_stranger_is_told_how_to_sign_in(client: Client) -> None:
    assert client.get("/api/v1/me/")["WWW-Authenticate"] == 'Bearer realm="api"'


def test_the_document_is_valid_and_without_a_warning() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=StringIO())


def test_the_document_tells_every_address_and_the_kinds_of_sides(client: Client) -> None:
    document = client.get("/api/schema/?format=json").json()
    addresses = {
        "/api/v1/me/",
        "/api/v1/rounds/{id}/",
        "/api/v1/rounds/{id}/pairings/",
        "/api/v1/tournaments/",
        "/api/v1/tournaments/{slug}/",
        "/api/v1/tournaments/{slug}/rounds/",
        "/api/v1/tournaments/{slug}/standings/",
        "/api/v1/tournaments/{slug}/teams/",
    }
    assert addresses <= set(document["paths"])
    side = document["components"]["schemas"]["Side"]
    assert set(side["discriminator"]["mapping"]) == {"team", "bye", "assigned-loss"}
    assert "401" in document["paths"]["/api/v1/me/"]["get"]["responses"]


def test_the_page_that_browses_it_needs_no_script_inside_and_nothing_from_outside(client: Client) -> None:
    page = client.get("/api/docs/")
    assert page.status_code == 200
    body = page.content.decode()
    assert "<script>" not in body
    assert "//cdn" not in body
    script = client.get("/api/docs/?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert "'unsafe-eval'" not in page["Content-Security-Policy"]
