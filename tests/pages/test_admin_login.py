"""The way into the admin: one log-in for the whole site, throttled by name and address together."""

from typing import Any

import pytest
from django.test import Client

from teams.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough secret"
LOGIN = "/accounts/login/"


@pytest.fixture(autouse=True)
def _accounts(db: Any) -> None:
    for name in ("anna", "bert"):
        User.objects.create_superuser(name, f"{name}@example.org", PASSWORD)


def log_in(name: str, password: str, address: str = "10.0.0.7") -> Any:
    return Client(REMOTE_ADDR=address).post(LOGIN, {"login": name, "password": password})


def test_the_admin_sends_a_stranger_to_the_log_in_of_the_site():
    client = Client()
    first = client.get("/admin/")
    assert first.url.startswith("/admin/login/")
    assert client.get(first.url).url == f"{LOGIN}?next=%2Fadmin%2F"
    assert client.post(LOGIN + "?next=/admin/", {"login": "anna", "password": PASSWORD}).url == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_many_wrong_passwords_lock_the_name_and_not_the_hall():
    answers = [log_in("anna", f"wrong {number}").status_code for number in range(8)]
    assert answers[0] == 200
    assert log_in("anna", PASSWORD).status_code in (403, 429)
    assert log_in("bert", PASSWORD).status_code == 302
    assert log_in("bert@example.org", PASSWORD).status_code == 302
    assert log_in("anna", PASSWORD, "10.0.0.8").status_code == 302


def test_wrong_passwords_of_one_e_mail_do_not_lock_another():
    for number in range(8):
        log_in("anna@example.org", f"wrong {number}")
    assert log_in("anna@example.org", PASSWORD).status_code in (403, 429)
    assert log_in("bert@example.org", PASSWORD).status_code == 302


def test_a_superuser_unlocks_an_account():
    for number in range(8):
        log_in("Anna", f"wrong {number}")
    assert log_in("anna", PASSWORD).status_code in (403, 429)
    superuser = Client()
    superuser.force_login(
        User.objects.get(username="bert"), backend="django.contrib.auth.backends.ModelBackend"
    )
    superuser.post(f"/admin/teams/user/{User.objects.get(username='anna').pk}/deed/unlock/")
    assert log_in("anna", PASSWORD).status_code == 302
