"""Dead keys, answers and messages go when they are old; what lives and what waits stays."""

from datetime import timedelta

import pytest

from integrations.keys import issue_key, revoke_key, rotate_key
from integrations.models import ApiKey, Delivery, Once, Order
from integrations.retention import forget_before
from journal.actors import COMMAND
from journal.clock import now, reset_clock, shift_clock
from tests.admin.hall import full_hall

pytestmark = pytest.mark.django_db


def test_dead_keys_answers_and_settled_messages_go_and_what_lives_or_waits_stays() -> None:
    hall = full_hall("North")
    reset_clock()
    old, _ = issue_key(store_id=hall.store.pk, name="till", scopes=["read"])
    fresh, _ = rotate_key(key_id=old.pk, overlap_hours=1)
    gone, _ = issue_key(store_id=hall.store.pk, name="shop", scopes=["read"])
    revoke_key(key_id=gone.pk)
    waiting = Delivery.objects.get()
    told = {"stream": waiting.stream, "event": "team.dropped", "state": "delivered", "delivered_at": now()}
    Delivery.objects.create(number=2, message_id="msg_told", **told)
    Delivery.objects.create(number=3, message_id="msg_dead", **{**told, "delivered_at": None}, dead_at=now())
    try:
        shift_clock(timedelta(days=100))
        assert forget_before(moment=now() - timedelta(days=101), actor=COMMAND) == {}
        expected = {"dead keys": 2, "kept answers": Once.objects.count(), "webhook messages": 2}
        assert forget_before(moment=now() - timedelta(days=92), actor=COMMAND) == expected
        assert forget_before(moment=now() - timedelta(days=92), actor=COMMAND) == {}
    finally:
        reset_clock()
    assert set(ApiKey.objects.exclude(name="till", hash="-")) == {fresh}
    assert list(Delivery.objects.all()) == [waiting]
    assert Order.objects.exists()
