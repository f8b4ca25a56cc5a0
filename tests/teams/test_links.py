"""Personal links of one seat."""

from datetime import timedelta

import pytest

from journal.clock import now
from rulebook.errors import RuleBroken
from teams.links import make_link, revoke_links, seat_behind, token_of
from teams.models import Link, Seat
from tests.day import new_day

pytestmark = pytest.mark.django_db


def test_a_link_opens_its_seat_and_only_its_hash_is_kept() -> None:
    seat = Seat.objects.get(player=new_day(1, started=False).players[0][1])
    token = make_link(seat_id=seat.pk)
    assert seat_behind(token) == seat
    link = Link.objects.get()
    assert token not in link.token_hash
    assert token_of(link) == token


@pytest.mark.parametrize("how", ["revoked", "expired", "invented"])
def test_a_dead_link_opens_nothing(how: str) -> None:
    seat = Seat.objects.get(player=new_day(1, started=False).players[0][0])
    expired = now() - timedelta(seconds=1) if how == "expired" else None
    token = make_link(seat_id=seat.pk, expires_at=expired)
    if how == "revoked":
        assert revoke_links(seat_id=seat.pk) == 1
    with pytest.raises(RuleBroken) as error:
        seat_behind("0" * 32 if how == "invented" else token)
    assert error.value.code == "link-dead"
