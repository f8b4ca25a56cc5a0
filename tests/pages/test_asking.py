"""What a judge asks between games: the same answer on the page of the rules desk and from the API."""

from typing import Any

import pytest
from django.test import Client

from journal.actors import COMMAND
from matches.games import choose_first
from matches.unusual import restart_game
from tests.day import new_day
from tests.pages.test_public import text_of
from tournaments.asking import QUESTIONS

pytestmark = pytest.mark.django_db

DECK = "Legend:\n1 Jinx\nChampion:\n1 Vi\nMain:\n5 Fury\n34 Card\n???\n"
ASKED: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("time", {"mode": "riftbound-2v2", "moment": "runs", "wins": "0 0"}, ("play 3 more turns",)),
    ("time", {"mode": "riftbound-2v2", "moment": "over", "wins": "0 0", "scores": "9 7"}, ("Side 1 wins",)),
    ("time", {"mode": "riftbound-match", "moment": "over", "wins": "0 0", "scores": "7 6"}, ("drawn match",)),
    (
        "time",
        {"mode": "magic-1v1", "moment": "over", "wins": "1-1", "scores": "4 4", "elimination": "on"},
        ("Play on", "2.4"),
    ),
    ("mulligan", {"mode": "magic-1v1", "taken": 2}, ("Draw 7, put 2 on the bottom: a hand of 5",)),
    ("mulligan", {"mode": "magic-2hg", "taken": 1}, ("keep them all", "starting team declares first")),
    ("mulligan", {"mode": "magic-2hg-2006", "taken": 1}, ("Draw 6", "Doubt")),
    ("who-chooses", {"mode": "riftbound-2v2", "before": "drawn"}, ("game before is kept.",)),
    ("who-chooses", {"mode": "riftbound-2v2", "before": "drawn", "started": "1b"}, ("1B, 2B, 1A, 2A",)),
    ("who-chooses", {"mode": "magic-1v1", "before": "drawn", "chose_before": 2}, ("Side 2 chooses",)),
    ("who-chooses", {"mode": "magic-1v1", "before": "forfeit", "winner": 2}, ("Side 1 chooses",)),
    ("who-chooses", {"mode": "magic-archenemy", "before": "first"}, ("Nobody chooses: 1A starts",)),
    ("who-chooses", {"mode": "magic-1v1", "before": "first", "playoff": "on"}, ("Side 1 chooses",)),
    (
        "life",
        {"mode": "magic-2hg", "events": "all -4\n1A double\n2B pays half\n1B poison 15"},
        ("Life: side 1 44, 15 poison; side 2 11", "Has lost: 1A, 1B", "810.9"),
    ),
    ("life", {"mode": "riftbound-2v2", "events": "1A +9\n1B 2"}, ("Points: side 1 11", "Side 1 wins")),
    (
        "scoring",
        {"mode": "riftbound-2v2", "points": 10, "battlefield": "a", "how": "conquer", "scored": "B"},
        ("a card is drawn",),
    ),
    ("combat", {"mode": "riftbound-2v2", "player": "1a", "units": "1B"}, ("No", "A teammate holds it")),
    (
        "acting",
        {"mode": "riftbound-2v2", "player": "1B", "turn_player": "1A", "invited_by": "1A"},
        ("Yes. Your teammate has invited you", "may show each other"),
    ),
    ("leaving", {"mode": "magic-ffa", "leaving": "3A", "turn": "2A"}, ("1A, 2A, 4A", "that of 4A")),
    ("leaving", {"mode": "riftbound-2v2", "leaving": "1B"}, ("2A, 2B win",)),
    ("decklist", {"format": "riftbound-constructed-2026-04", "body": DECK}, ("Line 6", "Battlefields")),
    ("late", {"game": "magic", "minutes": 10, "play": "casual"}, ("Match loss", "3.1")),
    ("penalty", {"level": "game-loss", "penalised": "1 2", "sides": 2, "game_runs": "on"}, ("drawn",)),
]
IDS = [f"{key}-{number}" for number, (key, _, _) in enumerate(ASKED)]
REFUSED = [
    ("time", {"mode": "riftbound-duel", "moment": "over", "wins": "0 0 0", "scores": "1 2 3"}),
    ("time", {"mode": "riftbound-duel", "moment": "over", "wins": "0 0"}),
    ("life", {"mode": "magic-2hg", "events": "1A pays 20 1B pays 20"}),
    ("life", {"mode": "magic-2hg", "events": "1A jumps"}),
    ("life", {"mode": "magic-2hg", "events": "1A ²"}),
    ("combat", {"mode": "riftbound-2v2", "player": "9Z"}),
    ("mulligan", {"mode": "riftbound-duel", "taken": 2}),
    ("mulligan", {"mode": "magic-1v1", "taken": 1, "players": 4}),
    ("mulligan", {"mode": "magic-2hg", "taken": 1, "players": 3}),
    ("who-chooses", {"mode": "magic-1v1", "before": "drawn"}),
    ("who-chooses", {"mode": "riftbound-2v2", "before": "drawn", "started": "3A"}),
    ("scoring", {"mode": "riftbound-2v2", "battlefield": "Z", "how": "hold"}),
    ("penalty", {"level": "game-loss", "penalised": "3", "sides": 2}),
]


def usual(key: str, said: dict[str, Any]) -> dict[str, Any]:
    """What a browser sends: the first value of every field, and what was typed."""
    fields = QUESTIONS[key].form.base_fields
    return {name: one.initial for name, one in fields.items() if one.initial is not None} | said


@pytest.mark.parametrize(("key", "said", "words"), ASKED, ids=IDS)
def test_page_and_api_give_the_same_answer(key: str, said: dict[str, Any], words: tuple[str, ...]) -> None:
    page = text_of(Client().post(f"/rules/ask/{key}/", usual(key, said)))
    response = Client().post(f"/api/v1/rules/answers/{key}/", said, content_type="application/json")
    assert response.status_code == 200, response.json()
    told = " ".join([response.json()["sentence"], *response.json()["lines"], *response.json()["citations"]])
    for one in words:
        assert one in page
        assert one in told


@pytest.mark.parametrize(("key", "said"), REFUSED)
def test_what_breaks_a_rule_is_refused_in_words(key: str, said: dict[str, Any]) -> None:
    response = Client().post(f"/api/v1/rules/answers/{key}/", said, content_type="application/json")
    assert response.status_code == 409
    sentence = response.json()["errors"][0]["detail"]
    page = Client().post(f"/rules/ask/{key}/", usual(key, said))
    assert page.status_code == 409
    assert sentence in text_of(page)


def test_an_unreadable_body_is_an_error_of_its_field() -> None:
    said = {"mode": "chess", "taken": "many"}
    response = Client().post("/api/v1/rules/answers/mulligan/", said, content_type="application/json")
    assert response.status_code == 400
    assert {one["attr"].split(".")[0] for one in response.json()["errors"]} == {"mode", "taken"}
    assert Client().post("/api/v1/rules/answers/chess/").status_code == 404


def test_the_rules_desk_and_the_api_list_every_question() -> None:
    html = Client().get("/rules/").content.decode()
    assert all(f"/rules/ask/{key}/" in html for key in QUESTIONS)
    listed = Client().get("/api/v1/rules/questions/").json()["results"]
    assert [one["key"] for one in listed] == list(QUESTIONS)
    assert "wins" in listed[0]["fields_of_body"]
    for key in QUESTIONS:
        assert Client().get(f"/rules/ask/{key}/").status_code == 200


def test_the_api_reads_how_the_games_of_a_table_opened() -> None:
    match = new_day(4, mode="magic-1v1").run().matches.get(table=1)
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    restart_game(match_id=match.pk, starter="2A", actor=COMMAND)
    (game,) = Client().get(f"/api/v1/matches/{match.pk}/games/").json()["results"]
    assert (game["order"], game["chooser"], game["changes"]) == (["2A", "1A"], 0, ["restarted"])
    assert (game["winner"], game["is_draw"], game["state"]) == (None, False, "playing")
    hidden = new_day(4).pair().matches.get(table=1)
    assert Client().get(f"/api/v1/matches/{hidden.pk}/games/").status_code == 404
