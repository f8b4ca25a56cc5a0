"""Players' pages in the language that was chosen or that the browser asks for; staff read English."""

from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from journal.clock import now
from tests.pages import halls
from tests.pages.test_phone import link_of
from tests.pages.test_public import text_of
from tournaments.pages.tags import day_at_venue, venue_time

pytestmark = pytest.mark.django_db


def body(response: Any) -> str:
    return response.content.decode()


def test_players_pages_speak_the_language_of_the_reader_and_the_desk_speaks_english(
    client: Any, at_desk: Any
) -> None:
    tournament = halls.registering(4, starts_at=None)
    sign_up = f"/t/{tournament.slug}/sign-up/"
    german = client.get(sign_up, HTTP_ACCEPT_LANGUAGE="de-AT,de;q=0.9")
    assert "Anmeldung" in text_of(german)
    assert '<html lang="de">' in body(german)
    assert german["Content-Language"] == "de"
    unknown = client.get(sign_up, HTTP_ACCEPT_LANGUAGE="sv")
    assert '<html lang="en">' in body(unknown)
    desk = at_desk(tournament)
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert '<html lang="en">' in body(desk.get(f"/desk/{tournament.slug}/", HTTP_ACCEPT_LANGUAGE="ja"))
    refused = client.get("/api/v1/tournaments/none-such/", HTTP_ACCEPT_LANGUAGE="de")
    assert "Seite" not in body(refused)


def test_my_table_and_the_pages_of_its_round_are_in_the_language(client: Any) -> None:
    match = halls.tables(halls.started(halls.running(4, 1)))[0]
    at = f"/t/{match.tournament.slug}/"
    mine = link_of(match, 0)
    german, japanese = (client.get(mine, HTTP_ACCEPT_LANGUAGE=code) for code in ("de", "ja"))
    for words in ("Runde 2, Tisch", "Restzeit in Runde 2", "Judge an meinen Tisch rufen"):
        assert words in text_of(german)
    for words in ("ラウンド2、テーブル", "残り時間（ラウンド2）", "ジャッジを呼ぶ"):
        assert words in text_of(japanese)
    assert '<html lang="ja">' in body(japanese)
    assert match.why
    why = text_of(client.get(f"{at}tables/{match.pk}/", HTTP_ACCEPT_LANGUAGE="de"))
    assert "Warum diese Paarung?" in why
    assert match.why not in why
    for page in ("pairings/", "standings/"):
        told = {code: client.get(at + page, HTTP_ACCEPT_LANGUAGE=code) for code in ("en", "de", "ja", "sv")}
        assert len({one["ETag"] for one in told.values()}) == 3
        assert told["sv"]["ETag"] == told["en"]["ETag"]
        assert {"Accept-Language", "Cookie"} <= {one.strip() for one in told["de"]["Vary"].split(",")}
    assert "Rangliste nach Runde 1" in text_of(client.get(f"{at}standings/", HTTP_ACCEPT_LANGUAGE="de"))


def test_a_language_is_chosen_by_a_link_without_a_script(client: Any) -> None:
    page = f"/t/{halls.running(4).slug}/pairings/"
    english = client.get(page)
    assert 'href="?lang=de"' in body(english)
    assert 'href="?by=name&amp;lang=de"' in body(client.get(f"{page}?by=name"))
    chosen = client.get(f"{page}?by=name&lang=de")
    assert chosen.status_code == 302
    assert chosen["Location"] == f"{page}?by=name"
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "de"
    again = client.get(page, HTTP_IF_NONE_MATCH=english["ETag"])
    assert again.status_code == 200
    assert '<html lang="de">' in body(again)
    assert client.get(page, HTTP_IF_NONE_MATCH=again["ETag"]).status_code == 304
    assert client.get(f"{page}?lang=xx").status_code == 200


def test_a_time_of_the_venue_is_written_as_in_the_language_with_its_zone() -> None:
    moment = now().replace(year=2026, month=10, day=4, hour=8, minute=30)
    told = {}
    for code in ("en", "de", "ja", "fr"):
        with translation.override(code):
            told[code] = day_at_venue(moment, "Europe/Vienna")
            assert "Europe/Vienna" in venue_time(moment, "Europe/Vienna")
    assert told == {
        "en": "Sun 4 Oct 2026, 10:30",
        "de": "So, 4. Okt 2026, 10:30",
        "ja": "2026年10月4日（日） 10:30",
        "fr": "dim 4 octobre 2026, 10:30",
    }
