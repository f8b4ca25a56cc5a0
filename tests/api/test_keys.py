"""Keys of store software: shown once, bound to their store, never in an address or a log."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from integrations.keys import issue_key, revoke_key, rotate_key
from integrations.models import ApiKey
from integrations.scopes import Scope
from journal.clock import reset_clock, shift_clock
from journal.models import Deed
from rulebook.errors import RuleBroken
from teams.models import Store
from tests import small_event
from tests.api.calling import V1, Till, code_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock() -> Any:
    yield
    reset_clock()


def test_a_key_opens_its_own_store_and_nothing_else() -> None:
    friday = small_event.registered(2)
    elsewhere = Till(friday)
    ApiKey.objects.filter(pk=elsewhere.key.pk).update(
        store=Store.objects.create(name="Elsewhere", slug="elsewhere")
    )
    own, bound = Till(friday), Till(friday, tournament_id=friday.pk)
    saturday = small_event.registered(2, slug="saturday")
    assert own.get("/tournaments/saturday/").status_code == 200
    for path in ("/tournaments/friday/", "/tournaments/friday/teams/", "/tournaments/friday/journal/"):
        assert bound.get(path).status_code == own.get(path).status_code == 200
        assert elsewhere.get(path).status_code == 404
        assert bound.get(path.replace("friday", "saturday")).status_code == 404
    assert elsewhere.post("/tournaments/friday/start/").status_code == 404
    assert elsewhere.post(f"/teams/{friday.teams.first().pk}/check-in/").status_code == 404  # type: ignore[union-attr]
    made = {"name": "Sunday", "mode": "riftbound-2v2", "planned_rounds": 3}
    assert bound.post("/tournaments/", made).status_code == 403
    assert own.post("/tournaments/", made).status_code == 201
    assert saturday.state == "registration"


def test_a_key_that_is_wrong_revoked_or_past_its_end_is_refused() -> None:
    friday = small_event.registered(2)
    till = Till(friday)
    assert till.get("/me/").status_code == 200
    for wrong in ("tdm_", "x" * 60, till.secret[:-1] + ("a" if till.secret[-1] != "a" else "b")):
        answer = Client(headers={"Authorization": f"Bearer {wrong}"}).get(V1 + "/me/")
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"] == 'Bearer realm="api"'
    revoke_key(key_id=till.key.pk)
    assert till.get("/tournaments/").status_code == 401, "not even what everybody reads"
    with pytest.raises(RuleBroken, match="works no more"):
        rotate_key(key_id=till.key.pk)


def test_a_rotated_key_lives_on_beside_the_new_one_for_a_while() -> None:
    till = Till(small_event.registered(2), Scope.READ)
    fresh, secret = rotate_key(key_id=till.key.pk, overlap_hours=2)
    assert (fresh.replaces_id, fresh.scopes) == (till.key.pk, ["read"])
    new = Client(headers={"Authorization": f"Bearer {secret}"})
    assert [till.get("/me/").status_code, new.get(V1 + "/me/").status_code] == [200, 200]
    shift_clock(timedelta(hours=2, seconds=1))
    assert [till.get("/me/").status_code, new.get(V1 + "/me/").status_code] == [401, 200]


def test_only_the_hash_of_a_long_random_secret_is_kept() -> None:
    till = Till(small_event.registered(2))
    stored = ApiKey.objects.values().get(pk=till.key.pk)
    assert len(till.secret.rpartition("_")[2]) >= 32 or len(till.secret) > 50
    assert till.secret not in str(stored)
    assert till.secret[13:] not in str(stored)


def test_the_last_use_is_written_at_most_once_a_minute(django_assert_num_queries: Any) -> None:
    till = Till(small_event.registered(2))
    till.get("/me/")
    first = ApiKey.objects.get(pk=till.key.pk).last_used_at
    assert first is not None
    till.get("/me/")
    assert ApiKey.objects.get(pk=till.key.pk).last_used_at == first
    shift_clock(timedelta(minutes=2))
    till.get("/me/")
    assert ApiKey.objects.get(pk=till.key.pk).last_used_at > first


def test_a_key_in_an_address_is_refused_and_no_log_tells_it(caplog: pytest.LogCaptureFixture) -> None:
    friday = small_event.registered(2)
    till = Till(friday)
    with caplog.at_level(logging.DEBUG):
        for path in (f"/me/?key={till.secret}", f"/me/?q=tdm%5F{till.secret[4:]}", "/me/?api_key=x"):
            answer = Client().get(V1 + path)
            assert (answer.status_code, code_of(answer)) == (400, "key-in-url")
        till.post("/tournaments/friday/start/", {"nothing": till.secret})
        till.post(f"/tournaments/{till.secret}/start/")
        Client(headers={"Authorization": f"Bearer {till.secret}x"}).get(V1 + "/me/")
        till.post("/tournaments/friday/teams/", {"members": [{"seat": "A", "name": till.secret}]})
    told = "".join(record.getMessage() for record in caplog.records)
    assert till.secret[13:] not in told
    assert "/api/v1/me/" in told
    deeds = str(list(Deed.objects.values()))
    assert till.secret[13:] not in deeds


def test_who_calls_too_often_is_told_when_to_come_back(settings: Any) -> None:
    settings.API_RATE_PER_KEY, settings.API_RATE_ANONYMOUS = 3, 2
    friday = small_event.registered(2)
    till, other = Till(friday), Till(friday)
    answers = [till.get("/me/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer["RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert answers[-1]["RateLimit-Limit"] == "3"
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert other.get("/me/").status_code == 200
    assert [Client().get(V1 + "/tournaments/").status_code for _ in range(3)] == [200, 200, 429]


def test_a_key_is_made_by_a_command(capsys: Any) -> None:
    store = small_event.registered(2).store
    call_command("make_key", store.slug, "--scopes", "read", "orders:write", "--name", "web shop")
    secret = capsys.readouterr().out.strip().splitlines()[-1]
    answer = Client(headers={"Authorization": f"Bearer {secret}"}).get(V1 + "/me/").json()
    assert answer["key"] == {
        "name": "web shop", "store": "corner", "tournament": None, "expires_at": None,
        "scopes": ["read", "orders:write"],
    }  # fmt: skip
    with pytest.raises(RuleBroken, match="no scope"):
        issue_key(store_id=store.pk, name="x", scopes=["everything"])


def test_reading_never_tells_contact_penalties_or_who_is_behind_a_public_name() -> None:
    friday = small_event.registered(2)
    seat = friday.teams.first().seats.first()  # type: ignore[union-attr]
    player = seat.player
    player.contact, player.name, player.display_name = "anna@example.org", "Anna Secret", "Anna S."
    player.save()
    reader, people = Till(friday, Scope.READ), Till(friday, Scope.PEOPLE_READ)
    told = reader.get("/tournaments/friday/teams/").content + reader.get(f"/teams/{seat.team_id}/").content
    assert b"Anna S." in told
    assert b"example.org" not in told
    assert b"Anna Secret" not in told
    for path in ("players", "penalties", "journal", "staff", "calls"):
        assert reader.get(f"/tournaments/friday/{path}/").status_code == 403, path
    full = people.get("/tournaments/friday/players/").json()["results"]
    assert full[0]["player"]["contact"] == "anna@example.org"
    assert people.get("/stores/corner/players/?external_id=none").json()["results"] == []
