"""The page on which a store keeps the keys of its software."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from integrations.keys import is_alive
from integrations.models import ApiKey
from teams.models import Store, User
from tests import small_event
from tests.api.calling import V1, Till
from tests.permissions.table import client_of

pytestmark = pytest.mark.django_db
PAGE = "/stores/keys/"


def test_who_keeps_a_store_makes_replaces_and_revokes_its_keys(signed_in: Callable[[User], Client]) -> None:
    friday = small_event.registered(2)
    keeper = User.objects.create_user("keeper")
    friday.store.keepers.add(keeper)
    desk = signed_in(keeper)
    asked = {"deed": "make", "store": friday.store_id, "name": "web shop", "scopes": ["read"]}
    shown = desk.post(PAGE, asked).content.decode()
    secret = re.findall(r"tdm_[a-z0-9]{8}_[\w-]{43}", shown)
    assert len(secret) == 1
    assert Client(headers={"Authorization": f"Bearer {secret[0]}"}).get(V1 + "/me/").status_code == 200
    key = ApiKey.objects.get()
    assert (key.created_by, key.scopes) == (keeper, ["read"])
    assert secret[0] not in desk.get(PAGE).content.decode(), "shown once"
    replaced = desk.post(PAGE, {"deed": "rotate", "key": key.pk}).content.decode()
    assert "works until" in replaced
    assert desk.post(PAGE, {"deed": "revoke", "key": key.pk}).status_code == 302
    assert [is_alive(one) for one in ApiKey.objects.order_by("pk")] == [False, True]
    wrong = desk.post(PAGE, {**asked, "scopes": ["everything"]})
    assert wrong.status_code == 422


def test_nobody_else_sees_or_touches_them(signed_in: Callable[[User], Client]) -> None:
    friday = small_event.registered(2)
    till = Till(friday)
    assert client_of(None).get(PAGE).status_code == 302
    assert signed_in(User.objects.create_user("stranger")).get(PAGE).status_code == 403
    other = User.objects.create_user("other")
    Store.objects.create(name="Elsewhere", slug="elsewhere").keepers.add(other)
    desk = signed_in(other)
    assert till.key.prefix not in desk.get(PAGE).content.decode()
    for deed in ("rotate", "revoke"):
        assert desk.post(PAGE, {"deed": deed, "key": till.key.pk}).status_code == 404
    made = desk.post(PAGE, {"deed": "make", "store": friday.store_id, "name": "x", "scopes": ["read"]})
    assert made.status_code == 422
    assert ApiKey.objects.count() == 1
