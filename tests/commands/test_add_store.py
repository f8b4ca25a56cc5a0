"""A store and its organizer from the command line."""

import io

import pytest
from django.core.management import CommandError, call_command

from teams.models import Store, User

pytestmark = pytest.mark.django_db
GOOD = "correct horse battery"


def add(*words: str) -> str:
    out = io.StringIO()
    call_command("add_store", *words, stdout=out)
    return out.getvalue()


def test_a_store_has_an_organizer_who_can_log_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANDEM_PASSWORD", GOOD)
    said = add("Zum Würfel", "--organizer", "jo", "--zone", "Europe/Vienna")
    store = Store.objects.get()
    user = User.objects.get()
    assert (store.name, store.slug, store.zone) == ("Zum Würfel", "zum-wurfel", "Europe/Vienna")
    assert (list(store.keepers.all()), user.is_staff, user.is_superuser) == ([user], True, False)
    assert user.check_password(GOOD)
    assert said == "jo may run tournaments of Zum Würfel (zum-wurfel).\n"


def test_an_account_that_exists_keeps_its_password_and_gets_the_second_store_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TANDEM_PASSWORD", raising=False)
    user = User.objects.create_user("jo", password=GOOD)
    add("First", "--organizer", "jo")
    add("Second", "--organizer", "jo")
    user.refresh_from_db()
    assert (user.stores.count(), user.is_staff, user.check_password(GOOD)) == (2, True, True)


@pytest.mark.parametrize(
    ("password", "words", "sentence"),
    [
        pytest.param(GOOD, ["Vault", "--organizer", "jo"], "a store vault already", id="a-taken-name"),
        pytest.param(GOOD, [" ", "--organizer", "jo"], "Enter a store name", id="no-name"),
        pytest.param(
            GOOD, ["New", "--organizer", "jo", "--zone", "Mars/Olympus"], "no time zone", id="no-such-zone"
        ),
        pytest.param("12345", ["New", "--organizer", "jo"], "too short", id="a-weak-password"),
        pytest.param(GOOD, ["New", "--organizer", "jo smith"], "valid username", id="a-name-with-a-blank"),
        pytest.param(None, ["New", "--organizer", "jo"], "set TANDEM_PASSWORD", id="nobody-to-ask"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_leaves_nothing(
    password: str | None, words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.objects.create(name="Vault", slug="vault")
    monkeypatch.delenv("TANDEM_PASSWORD", raising=False)
    if password is not None:
        monkeypatch.setenv("TANDEM_PASSWORD", password)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(CommandError, match=sentence):
        add(*words)
    assert (Store.objects.count(), User.objects.count()) == (1, 0)
