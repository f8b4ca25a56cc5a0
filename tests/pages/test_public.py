"""What everybody may see, and what nobody may."""

import gzip
import re
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import RequestFactory

from journal.actors import COMMAND
from teams.models import Seat
from tests.pages import halls
from tournaments.pages import public
from tournaments.pages.kept_pages import kept_page
from tournaments.rounds import publish_round
from tournaments.withdrawals import disqualify_player, drop_player

pytestmark = pytest.mark.django_db

PAGES = ("", "pairings/", "pairings/?by=name", "standings/", "rounds/", "deeds/")


def text_of(response: Any) -> str:
    """The words of the page without its marks."""
    body = re.sub(r"<(script|style)[^>]*>.*?</\1>", " ", response.content.decode(), flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def get(client: Any, tournament: Any, page: str = "", **more: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/{page}", **more)


def test_every_public_page_opens_for_everybody_at_every_state(client: Any) -> None:
    for tournament in (halls.registering(4), halls.running(4), halls.running(5, 1)):
        for page in PAGES:
            assert get(client, tournament, page).status_code == 200, (page, tournament.state)


def test_a_draft_tournament_is_nobodys_business(client: Any) -> None:
    tournament = halls.draft()
    assert all(get(client, tournament, page).status_code == 404 for page in PAGES)
    assert tournament.name not in text_of(client.get("/"))


def test_the_front_page_shows_what_runs_and_what_is_coming(client: Any) -> None:
    halls.running(4, name="Harbour Open")
    halls.registering(4, name="Winter Warm-up")
    words = text_of(client.get("/"))
    assert words.index("Running now") < words.index("Harbour Open") < words.index("Registration open")
    assert "Winter Warm-up" in words


def test_a_paired_round_is_invisible_until_it_is_published(client: Any) -> None:
    tournament = halls.running(8, 1)
    rnd = halls.paired(tournament)
    for page in ("pairings/", "rounds/", "", "deeds/"):
        assert "Round 2" not in text_of(get(client, tournament, page))
    assert get(client, tournament, "rounds/1/2/").status_code == 404
    publish_round(round_id=rnd.pk, actor=COMMAND)
    assert "Round 2" in text_of(get(client, tournament, "pairings/"))
    assert get(client, tournament, "rounds/1/2/").status_code == 200


def test_a_draft_of_the_bracket_moves_nobody_on_the_drawing(client: Any) -> None:
    tournament = halls.in_cut(12)
    before = text_of(get(client, tournament, "bracket/"))
    top = tournament.stages.get(number=2).entries.order_by("seed").first()
    seat = Seat.objects.filter(team=top.team).first()
    halls.paired(tournament)
    assert text_of(get(client, tournament, "bracket/")) == before
    drop_player(tournament_id=tournament.pk, player_id=seat.player_id, actor=COMMAND)
    seeds = re.compile(r"Seed (\d)")
    assert seeds.findall(text_of(get(client, tournament, "bracket/"))) == seeds.findall(before)


def test_both_members_stand_under_the_team_with_their_seats(client: Any) -> None:
    tournament = halls.running(4)
    halls.published(tournament)
    words = text_of(get(client, tournament, "pairings/"))
    assert re.search(r"The Table Twelve Irregulars [12]A Ana Beatriz Carvalho [12]B Jörg Müller", words)


def test_the_list_by_name_has_every_player_once_in_the_order_of_names(client: Any) -> None:
    tournament = halls.running(4)
    halls.published(tournament)
    page = get(client, tournament, "pairings/?by=name").content.decode()
    names = re.findall(r'<span class="who">([^<]+)</span>', page)
    assert len(names) == len(set(names)) == 8
    assert names[0] == "Ana Beatriz Carvalho"


def test_search_without_script_leaves_the_tables_of_that_name(client: Any) -> None:
    tournament = halls.running(8)
    halls.published(tournament)
    page = get(client, tournament, "pairings/?q=鈴木").content.decode()
    shown = re.findall(r'<li class="pairing[^"]*"[^>]*>', page)
    assert [("hidden" in row) for row in shown].count(False) == 1
    assert "Nobody here has that name" in text_of(get(client, tournament, "pairings/?q=nobody"))


def test_a_bye_is_listed_last(client: Any) -> None:
    tournament = halls.running(5)
    halls.published(tournament)
    page = get(client, tournament, "pairings/").content.decode()
    rows = re.findall(r'<li class="pairing( alone)?"', page)
    assert rows == ["", "", " alone"]


def test_standings_show_decimals_of_exact_figures_and_say_provisional(client: Any) -> None:
    tournament = halls.running(8, 1)
    halls.started(tournament)
    words = text_of(get(client, tournament, "standings/"))
    assert "Standings after round 1" in words
    assert "Provisional" in words
    assert "OMW%" in words
    assert "33.33" in words or "33.00" in words


def test_standings_of_an_earlier_round_can_be_chosen(client: Any) -> None:
    tournament = halls.running(8, 2)
    assert "Standings after round 1" in text_of(get(client, tournament, "standings/?after=1"))
    assert get(client, tournament, "standings/?after=3").status_code == 404


def test_the_final_ranking_has_the_places_of_the_bracket(client: Any) -> None:
    tournament = halls.in_cut(8, bracket_rounds=3, finish=True)
    page = get(client, tournament, "standings/").content.decode()
    places = [int(n) for n in re.findall(r'<td class="rank number">(\d+)</td>', page)]
    assert places == [1, 2, 3, 3, 5, 5, 5, 5]
    assert "Final ranking" in text_of(get(client, tournament, "standings/"))


def test_dropped_and_disqualified_look_alike_and_no_ruling_is_told(client: Any) -> None:
    tournament = halls.running(8, 1)
    halls.started(tournament)
    people = list(Seat.objects.filter(tournament=tournament, label="A").order_by("team__number"))
    drop_player(tournament_id=tournament.pk, player_id=people[0].player_id, actor=COMMAND)
    disqualify_player(
        tournament_id=tournament.pk, player_id=people[1].player_id, actor=COMMAND, reason="Marked sleeves"
    )
    pages = " ".join(text_of(get(client, tournament, page)) for page in PAGES).casefold()
    for word in ("disqualif", "dropped", "marked sleeves", "penalty", "match loss", "concession"):
        assert word not in pages
    assert "out" in text_of(get(client, tournament)).split()


def test_an_unchanged_page_is_304_after_one_query(client: Any, django_assert_max_num_queries: Any) -> None:
    tournament = halls.running(8, 1)
    tag = get(client, tournament, "standings/")["ETag"]
    with django_assert_max_num_queries(1):
        assert get(client, tournament, "standings/", headers={"If-None-Match": tag}).status_code == 304


def test_a_page_is_rendered_once_for_everybody_until_something_happens(
    client: Any, django_assert_num_queries: Any, monkeypatch: Any
) -> None:
    tournament = halls.running(8, 1)
    rendered = []
    sheet_of = public.sheet_of
    monkeypatch.setattr(public, "sheet_of", lambda *asked: rendered.append(asked) or sheet_of(*asked))
    first = get(client, tournament, "pairings/")
    with django_assert_num_queries(1):
        again = get(client, tournament, "pairings/")
    assert again.content == first.content
    packed = get(client, tournament, "pairings/", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.content) == first.content
    assert len(rendered) == 1
    get(client, tournament, "pairings/?q=nobody")
    assert len(rendered) == 2, "what somebody typed is his own"
    halls.paired(tournament)
    fresh = get(client, tournament, "pairings/")
    assert fresh["ETag"] != first["ETag"]
    assert len(rendered) == 3


def test_among_many_readers_at_once_one_renders() -> None:
    request = RequestFactory().get("/t/open/pairings/")
    made = []

    def render() -> HttpResponse:
        made.append("page")
        time.sleep(0.2)
        return HttpResponse("page")

    with ThreadPoolExecutor(4) as readers:
        answers = [readers.submit(kept_page, request, "of this test", (1, 1), render) for _ in range(4)]
    assert {answer.result().content for answer in answers} == {b"page"}
    assert made == ["page"]


def test_a_public_page_sets_no_cookie_and_asks_for_no_session(client: Any) -> None:
    response = get(client, halls.running(4, 1), "standings/")
    assert not response.cookies
    assert not response.wsgi_request.session.accessed


def test_queries_do_not_grow_with_the_number_of_teams(
    client: Any, django_assert_max_num_queries: Any
) -> None:
    """Each public page of a cut of 8 and of 32 teams, drawn and kept."""
    counts: dict[str, list[int]] = {}
    for teams in (8, 32):
        tournament = halls.in_cut(teams, bracket_rounds=1)
        halls.published(tournament)
        for page in (*PAGES, "bracket/"):
            cache.clear()
            for when in ("drawn", "kept"):
                with django_assert_max_num_queries(14) as seen:
                    assert get(client, tournament, page).status_code == 200
                counts.setdefault(f"{page} {when}", []).append(len(seen.captured_queries))
    assert {page: few for page, (few, many) in counts.items() if few != many} == {}


def test_an_error_page_needs_no_database(client: Any, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        response = client.get("/no/such/page")
    assert response.status_code == 404
    assert "There is nothing at this address" in text_of(response)


def test_anybody_may_frame_the_embedded_lists_and_nothing_else(client: Any) -> None:
    tournament = halls.running(4, 1)
    for what in ("pairings", "standings"):
        page = get(client, tournament, f"{what}/")
        assert page["X-Frame-Options"] == "DENY"
        assert f"/t/{tournament.slug}/embed/{what}/" in unescape(page.content.decode())
        assert client.get(f"/t/{tournament.slug}/files/{what}.csv").status_code == 200
        for frame in (get(client, tournament, f"embed/{what}/") for _ in range(2)):
            assert frame.status_code == 200
            assert "X-Frame-Options" not in frame
            assert "frame-ancestors *" in frame["Content-Security-Policy"]
            assert "<form" not in frame.content.decode()
            assert not frame.cookies
    assert get(client, tournament, "embed/nothing/").status_code == 404
