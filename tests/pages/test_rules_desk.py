"""The rules desk and the public page of one table."""

from typing import Any

import pytest
from django.test import Client

from journal.actors import COMMAND
from matches.games import choose_first
from rulebook.topics import TOPICS
from tests.day import new_day

pytestmark = pytest.mark.django_db


def page(path: str, status: int = 200) -> str:
    response = Client().get(path)
    assert response.status_code == status
    return response.content.decode()


def test_a_search_finds_the_answer_and_its_rule() -> None:
    assert "Who starts after a drawn game" in page("/rules/?q=drawn game&mode=riftbound-2v2")
    assert "Nothing holds all these words" in page("/rules/?q=zeppelin")


def test_the_desk_without_a_question_lists_every_topic() -> None:
    html = page("/rules/")
    assert all(f"/rules/{key}/" in html for key in TOPICS)


@pytest.mark.parametrize("key", sorted(TOPICS))
def test_every_topic_has_a_page_with_its_citations(key: str) -> None:
    html = page(f"/rules/{key}/")
    assert all(cite.document in html for cite in TOPICS[key].citations)


def test_an_unknown_topic_is_not_found() -> None:
    page("/rules/zeppelin/", 404)


def test_a_table_shows_why_its_teams_meet_and_the_sheet_once_it_is_known_who_starts() -> None:
    day = new_day(4)
    rnd = day.run()
    match = rnd.matches.get(table=1)
    address = f"/t/{day.tournament.slug}/tables/{match.pk}/"
    html = page(address)
    assert match.why in html
    assert "once it is chosen who starts" in html
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="2B")
    html = page(address)
    assert "Takes the first turn and brings no battlefield." in html
    assert "Teammates may talk to each other" in html


def test_a_table_of_a_draft_or_of_another_tournament_is_not_found() -> None:
    day, other = new_day(4), new_day(4)
    match = day.pair().matches.get(table=1)
    page(f"/t/{day.tournament.slug}/tables/{match.pk}/", 404)
    seen = other.publish().matches.get(table=1)
    page(f"/t/{day.tournament.slug}/tables/{seen.pk}/", 404)


def test_the_sheet_of_the_api_is_the_one_of_the_page() -> None:
    day = new_day(4)
    match = day.run().matches.get(table=1)
    address = f"/api/v1/matches/{match.pk}/setup-sheet/"
    assert Client().get(address).status_code == 409
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="2B")
    told: dict[str, Any] = Client().get(address).json()
    assert told["order"] == ["2B", "1A", "2A", "1B"]
    html = page(f"/t/{day.tournament.slug}/tables/{match.pk}/")
    assert all(step["title"] in html for step in told["steps"])


def test_the_api_tells_the_topics_by_words_and_mode() -> None:
    found = Client().get("/api/v1/rules/topics/?q=drawn&mode=riftbound-2v2").json()
    assert "after-a-draw" in [topic["key"] for topic in found["results"]]
    one = Client().get("/api/v1/rules/topics/after-a-draw/").json()
    assert one["citations"]
    assert Client().get("/api/v1/rules/topics/zeppelin/").status_code == 404


def test_the_sheet_of_a_draft_is_not_told_by_the_api() -> None:
    match = new_day(4).pair().matches.get(table=1)
    assert Client().get(f"/api/v1/matches/{match.pk}/setup-sheet/").status_code == 404


def test_each_board_of_a_team_match_has_its_sheet() -> None:
    day = new_day(2, mode="magic-trios")
    match = day.run().matches.get()
    choose_first(match_id=match.pk, actor=COMMAND, chooser=1, option="first", board_label="C")
    told = Client().get(f"/api/v1/matches/{match.pk}/setup-sheet/?board=C").json()
    assert told["order"] == ["2C", "1C"]
    assert "Set up game 1, board C" in page(f"/t/{day.tournament.slug}/tables/{match.pk}/")
