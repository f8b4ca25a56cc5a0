"""Every address below a personal link opens for whoever holds that link, and for nobody else."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from journal.recording import version_of
from teams.links import make_link, revoke_links
from teams.models import Seat
from tests.pages import halls

pytestmark = pytest.mark.django_db


def personal_addresses() -> Iterator[str]:
    """The name of every address that begins with a token, whichever room it is in."""

    def walk(found: URLResolver) -> Iterator[str]:
        for one in found.url_patterns:
            if isinstance(one, URLResolver):
                yield from walk(one)
            elif isinstance(one, URLPattern) and str(one.pattern).startswith("me/<") and one.name:
                yield one.name

    yield from walk(get_resolver())


def test_nobody_comes_in_without_the_link_of_the_very_seat() -> None:
    tournament = halls.running(4)
    halls.started(tournament)
    mine, other = Seat.objects.filter(tournament=tournament).order_by("id")[::2][:2]
    token, revoked = make_link(seat_id=mine.pk), make_link(seat_id=other.pk)
    revoke_links(seat_id=other.pk)
    before = version_of(tournament.pk)
    stranger, foreign, late = Client(), Client(), Client()
    foreign.cookies[f"link-{other.pk}"] = token
    late.cookies[f"link-{other.pk}"] = revoked
    names = sorted(personal_addresses())
    assert len(names) >= 18
    for name in names:
        address = reverse(name, args=[str(other.pk)])
        for who, client, status in (
            ("stranger", stranger, 403),
            ("foreign", foreign, 404),
            ("late", late, 404),
        ):
            for method in ("get", "post"):
                answer = getattr(client, method)(address)
                assert answer.status_code in (status, 405), (name, who, method)
                assert other.player.name not in answer.content.decode(), (name, who, method)
    assert version_of(tournament.pk) == before


def test_whoever_holds_the_link_opens_every_page_below_it() -> None:
    tournament = halls.running(4)
    halls.started(tournament)
    seat = Seat.objects.filter(tournament=tournament).order_by("id")[0]
    client, opened = Client(), []
    client.get(f"/me/{make_link(seat_id=seat.pk)}")
    for name in personal_addresses():
        answer = client.get(reverse(name, args=[str(seat.pk)]))
        assert answer.status_code in (200, 302, 405), name
        opened += [name] if answer.status_code == 200 else []
    assert {"me", "me-brings", "me-leave", "me-notices"} <= set(opened)
    page = client.get(reverse("me", args=[str(seat.pk)])).content.decode()
    assert reverse("me-notices", args=[str(seat.pk)]) in page
