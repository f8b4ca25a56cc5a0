"""A personal link: opened once it is a cookie and an address without it, and no other browser gets in."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from journal.clock import now
from matches.models import Report
from teams.links import make_link, revoke_links
from teams.models import Link, Seat
from tests.pages import halls
from tests.pages.test_public import text_of

pytestmark = pytest.mark.django_db


def test_a_link_becomes_a_cookie_and_an_address_without_it() -> None:
    seat, other = Seat.objects.filter(tournament=halls.registering(2)).order_by("id")[:2]
    token, client = make_link(seat_id=seat.pk), Client()
    first = client.get(f"/me/{token}/leave?x=1")
    assert (first.status_code, first["Location"]) == (302, f"/me/{seat.pk}/leave?x=1")
    cookie = first.cookies[f"link-{seat.pk}"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", f"/me/{seat.pk}")
    assert bool(cookie["secure"]) == settings.SESSION_COOKIE_SECURE
    page = client.get(f"/me/{seat.pk}")
    assert page.status_code == 200
    assert token not in page.content.decode()
    assert (page["Referrer-Policy"], page["X-Robots-Tag"]) == ("same-origin", "noindex")
    assert set(page["Cache-Control"].split(", ")) == {"private", "no-cache"}
    assert '<meta name="robots" content="noindex">' in page.content.decode()
    assert list(Link.objects.filter(seat=seat).values_list("token_hash", flat=True)) != [token]
    # A cookie opens its own seat and no other, even when it is sent to another address.
    client.cookies[f"link-{other.pk}"] = token
    foreign = client.get(f"/me/{other.pk}")
    assert foreign.status_code == 404
    assert other.player.name not in text_of(foreign)


def test_what_opens_nothing_is_a_friendly_page_that_tells_nothing() -> None:
    seats = list(Seat.objects.filter(tournament=halls.registering(2)).select_related("player"))
    mine, client = make_link(seat_id=seats[0].pk), Client()
    client.get(f"/me/{mine}")
    revoke_links(seat_id=seats[0].pk)
    expired = make_link(seat_id=seats[1].pk, expires_at=now() - timedelta(minutes=1))
    altered = make_link(seat_id=seats[2].pk)[:-1] + "x"
    answers = {
        "revoked": (client.get(f"/me/{seats[0].pk}"), 404),
        "revoked link": (Client().get(f"/me/{mine}"), 404),
        "expired": (Client().get(f"/me/{expired}"), 404),
        "altered": (Client().get(f"/me/{altered}"), 404),
        "without cookie": (Client().get(f"/me/{seats[2].pk}/leave"), 403),
        "no such seat": (Client().get("/me/999999999"), 403),
        "a form without cookie": (Client().post(f"/me/{seats[2].pk}/report", {"ours": "2"}), 403),
    }
    for name, (answer, status) in answers.items():
        words = text_of(answer)
        assert answer.status_code == status, name
        assert "This link does not open anything" in words, name
        assert answer["X-Robots-Tag"] == "noindex", name
        for seat in seats:
            assert seat.player.name not in words, name
            assert seat.team.name not in words or not seat.team.name, name
    assert text_of(answers["without cookie"][0]) == text_of(answers["no such seat"][0])


def test_the_desk_shows_the_code_of_a_link_and_replaces_it_with_two_taps(at_desk: Any) -> None:
    tournament = halls.registering(2)
    team = tournament.teams.order_by("number")[0]
    seat = team.seats.order_by("label")[0]
    old, phone = make_link(seat_id=seat.pk), Client()
    phone.get(f"/me/{old}")
    desk, here = at_desk(tournament), f"/desk/{tournament.slug}/teams/{team.pk}/"
    page = desk.get(here).content.decode()
    assert page.count('class="qr"') == 1
    assert f"http://testserver/me/{old}" in page
    asked = {"seat": seat.pk, "back": f"{here}?links#links"}
    shown = desk.post(f"/desk/{tournament.slug}/do/make-link/", asked, follow=True).content.decode()
    assert '<details id="links" open>' in shown
    new = next(word for word in re.findall(r"/me/(\w{32})", shown))
    assert old not in shown
    assert (phone.get(f"/me/{seat.pk}").status_code, Client().get(f"/me/{old}").status_code) == (404, 404)
    assert phone.get(f"/me/{new}", follow=True).status_code == 200


def test_a_report_sent_twice_counts_once_and_is_answered_as_the_first_time() -> None:
    first, second = halls.tables(halls.started(halls.running(4)))[:2]
    ours, theirs = (side.team_id for side in first.sides.order_by("index"))
    mine, other = (Seat.objects.filter(team_id=team).order_by("id")[0] for team in (ours, theirs))
    client, rival = Client(), Client()
    client.get(f"/me/{make_link(seat_id=mine.pk)}")
    rival.get(f"/me/{make_link(seat_id=other.pk)}")
    sent = {"ours": "2", "theirs": "1", "match": str(first.pk), "deed": "kept-offline-1"}
    address = f"/me/{mine.pk}/report"

    def say(told: dict[str, str], by: Client = client, to: str = address) -> tuple[int, dict[str, Any]]:
        answer = by.post(to, told, headers={"Accept": "application/json"})
        return answer.status_code, answer.json()

    status, told = say(sent)
    assert (status, told) == (200, {"ok": True, "said": "Reported. The other team confirms it."})
    rival.post(f"/me/{other.pk}/confirm")
    assert say({**sent, "csrfmiddlewaretoken": "another"}) == (200, told)
    again = client.post(address, sent, follow=True)
    assert told["said"] in text_of(again)
    assert list(Report.objects.values_list("deed_key", flat=True)) == ["kept-offline-1"]
    # Another report, another deed: the result counts already, and the sender reads so.
    status, told = say({**sent, "deed": "kept-offline-2"})
    assert status == 409
    assert not told["ok"]
    assert "has a confirmed result" in told["said"]
    # The same id with something else in it is no repeat.
    assert say({**sent, "ours": "0"})[0] == 409
    # A report kept since an earlier table never lands on the present one.
    status, told = say({**sent, "deed": "kept-offline-3", "match": str(second.pk)})
    assert (status, "earlier table" in told["said"]) == (409, True)
    assert Report.objects.count() == 1
    revoke_links(seat_id=mine.pk)
    assert say(sent)[0] == 404
