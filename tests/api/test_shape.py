"""One error shape, a document, a page to browse it. That it has no warning is a step of the gate."""

from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from integrations.api.reads import Reading, names_asked
from integrations.scopes import Scope
from tests import small_event
from tests.api.calling import V1, Till
from tests.api.scopes import READS

pytestmark = pytest.mark.django_db


def error(answer: Any) -> tuple[str, str]:
    """The type and code of an answer's only error, which has the one shape."""
    body = answer.json()
    assert set(body) == {"type", "errors"}
    [only] = body["errors"]
    assert set(only) == {"code", "detail", "attr"}
    assert only["detail"]
    return body["type"], only["code"]


def test_refusals_that_the_framework_words_say_what_to_do(client: Client) -> None:
    tournament = small_event.registered(2)
    till = Till(tournament)
    for answer, code, said in (
        (client.get(f"{V1}/me/"), "not_authenticated", "Authorization: Bearer tdm_"),
        (till.get("/tournaments/nowhere/"), "not_found", "you may see"),
        (till.get("/tournaments/?cursor=x"), "not_found", "start again without it"),
        (till.post("/tournaments"), "slash-missing", "slash: /api/v1/tournaments/ is"),
        (till.post("/tournaments/", {"slug": "a b"}), "invalid", "digits, - and _"),
    ):
        assert code in {one["code"] for one in answer.json()["errors"]}
        assert said in " ".join(one["detail"] for one in answer.json()["errors"])
    long = till.client.post(f"{V1}/tournaments/", '{"cut": ' + "9" * 5000 + "}", "application/json")
    assert error(long) == ("client_error", "parse_error")
    assert "sys." not in long.json()["errors"][0]["detail"]


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
        ("get", "/api/v1/tournaments/?status=running", 400, "unknown"),
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


def test_the_document_says_of_each_read_who_may_and_of_each_row_that_its_etag_spares_the_answer(
    client: Client,
) -> None:
    document = client.get("/api/schema/?format=json").json()
    told = {path: methods["get"] for path, methods in document["paths"].items() if "get" in methods}
    scope_of = {address: scope for scope, addresses in READS.items() for address in addresses.split()}
    for path, read in told.items():
        assert read["summary"], path
        if "/rules/" not in path and path != "/api/v1/me/":
            address = path.removeprefix("/api/v1/").replace("{slug}", "SLUG").replace("{id}", "ID")
            assert f"A key needs the scope `{scope_of.get(address, Scope.READ)}`" in read["description"]
        view = resolve(path.replace("{slug}", "x").replace("{id}", "1").replace("{key}", "x")).func.view_class
        if issubclass(view, Reading):
            queries = {one["name"] for one in read.get("parameters", ()) if one["in"] == "query"}
            assert names_asked(view) == queries, path
    row, rows = told["/api/v1/teams/{id}/"], told["/api/v1/tournaments/{slug}/teams/"]
    assert "304" in row["responses"]
    assert "If-None-Match" in {one["name"] for one in row["parameters"]}
    assert "304" not in rows["responses"]
    assert "Authorization: Bearer" in document["info"]["description"]


def test_the_page_that_browses_it_needs_no_script_inside_and_nothing_from_outside(client: Client) -> None:
    page = client.get("/api/docs/")
    assert page.status_code == 200
    body = page.content.decode()
    assert "<script>" not in body
    assert "//cdn" not in body
    script = client.get("/api/docs/?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert "'unsafe-eval'" not in page["Content-Security-Policy"]


HOSTILE = {
    "nested too deep": "[" * 100_000 + "]" * 100_000,
    "half a sign as a name": '{"\\ud800": 1}',
    "half a sign": '{"members": [{"seat": "A", "name": "\\ud800"}]}',
    "nothing between": '{"members": [{"seat": "A", "name": "a\\u0000b"}]}',
    "too long a number": '{"fixed_table": ' + "9" * 5000 + "}",
    "no number": '{"fixed_table": NaN}',
    "no UTF-8": b'{"name": "\xff"}',
    "a list": "[1]",
    "a word": '"x"',
    "no one and no thing": "null",
}


def test_no_body_cursor_or_moment_breaks_it() -> None:
    till = Till(small_event.registered(2))
    for what, body in HOSTILE.items():
        answer = till.client.post(f"{V1}/tournaments/friday/teams/", body, content_type="application/json")
        assert answer.status_code == 400, what
        assert set(answer.json()) == {"type", "errors"}, what
    # The words p=%00, p=abc and o=-1 in base64.
    for cursor in ("cD0lMDA=", "cD1hYmM=", "bz0tMQ==", "%00", "ü"):
        for path in ("/tournaments/", "/tournaments/friday/teams/", "/tournaments/friday/journal/"):
            answer = till.client.get(f"{V1}{path}", {"cursor": cursor})
            assert answer.status_code in (200, 404), (cursor, path)
    for size in ("0", "-1", "false", "1.5", "", "1&page_size=2"):
        assert till.get(f"/tournaments/?page_size={size}").status_code == 400, size
    assert till.get("/rules/topics/?mode=chess").status_code == 400
    assert till.get("/tournaments/friday/file/?contacts=yes").status_code == 400
    assert till.post("/tournaments/friday/start/", **{"Idempotency-Key": ""}).status_code == 400
    for moment in ("9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:00"):
        assert till.patch("/tournaments/friday/", {"starts_at": moment}).status_code == 400, moment
