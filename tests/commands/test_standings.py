"""The printed ranking and its comparison with a published one."""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.golden.published import EVENTS
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
SMALL = EVENTS / "melee_small14_cut4.json"


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("standings", *words, stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def imported(rows_of_module: None, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        call_command("import_event", SMALL, slug="small", stdout=io.StringIO())


@pytest.fixture
def small(imported: None, db: None) -> Tournament:
    return Tournament.objects.get()


def test_the_table_shows_the_place_after_the_elimination(small: Tournament) -> None:
    lines = printed("small").splitlines()
    assert lines[0].split() == ["Points", "W-L-D", "OMW%", "GW%", "OGW%"]
    assert lines[1].split() == ["1.", "Player", "009", "11", "5-0-2", "60.00", "59.52", "56.60"]
    assert lines[2].split()[:6] == ["2.", "Player", "002", "10", "4-2-1", "56.00"]
    assert len(lines) == 15


def test_json_holds_every_figure_exactly(small: Tournament) -> None:
    told = json.loads(printed("small", "--format", "json"))
    assert (told["tournament"], told["policy"], told["floor"]) == ("small", "melee", "1/3")
    assert [row["rank"] for row in told["rows"]] == list(range(1, 15))
    assert told["rows"][0]["figures"]["omw"] == {"exact": "3/5", "value": 0.6}


def test_csv_has_one_line_a_team(small: Tournament) -> None:
    rows = list(csv.DictReader(io.StringIO(printed("small", "--format", "csv"))))
    assert len(rows) == 14
    assert (rows[4]["team"], rows[4]["points"], rows[4]["wins"]) == ("Player 004", "10", "3")


def test_standings_after_an_earlier_round_know_nothing_of_what_came_later(small: Tournament) -> None:
    told = json.loads(printed("small", "--after-round", "1", "--format", "json"))
    assert {(row["points"], row["played"]) for row in told["rows"]} == {("3", 1), ("0", 1)}
    assert [row["rank"] for row in told["rows"]].count(1) > 1, "equals share a rank"


def test_another_floor_can_be_tried(small: Tournament) -> None:
    floors = {"1/3": Fraction(1, 3), "0.33": Fraction(33, 100), "0.2": Fraction(1, 5), "none": Fraction(0)}
    for floor, own in floors.items():
        told = json.loads(printed("small", "--after-round", "1", "--floor", floor, "--format", "json"))
        losers = [row for row in told["rows"] if row["points"] == "0" and row["played"]]
        assert min(Fraction(row["figures"]["gw"]["exact"]) for row in losers) == own, floor


def test_a_check_names_each_cell_that_differs(small: Tournament, tmp_path: Path) -> None:
    data = json.loads(SMALL.read_text(encoding="utf-8"))
    data["published_standings"][0]["omw"] = 0.6000003
    data["published_standings"][4]["points"] = 9
    data["published_standings"][5]["rank"] = 7
    data["published_standings"][6]["player"] = "Player 099"
    copy = tmp_path / "event.json"
    copy.write_text(json.dumps(data), encoding="utf-8")
    out = io.StringIO()
    with pytest.raises(CommandError, match="4 cells differ"):
        call_command("standings", "small", check=copy, stdout=out)
    assert out.getvalue().splitlines() == [
        "Player 009 omw: 0.6, published 0.6000003",
        "Player 004 points: 10, published 9",
        "Player 006 rank: 6, published 7",
        "Player 099: not in the standings",
    ]


def test_a_check_can_be_limited_to_some_cells(small: Tournament, tmp_path: Path) -> None:
    data = json.loads(SMALL.read_text(encoding="utf-8"))
    data["published_standings"][0]["omw"] = 0.7
    copy = tmp_path / "event.json"
    copy.write_text(json.dumps(data), encoding="utf-8")
    out = io.StringIO()
    call_command("standings", "small", check=copy, only="points,gw", stdout=out)
    assert out.getvalue() == "All 14 published rows agree in points, gw.\n"


def test_a_check_under_another_floor_fails(small: Tournament) -> None:
    with pytest.raises(CommandError, match="cells differ"):
        call_command("standings", "small", check=SMALL, floor="0.2", stdout=io.StringIO())


def test_a_wrong_question_is_answered_in_one_sentence(small: Tournament) -> None:
    for words, sentence in (
        (["nowhere"], "no tournament nowhere"),
        (["small", "--after-round", "6"], "has 5 closed rounds"),
        (["small", "--floor", "a third"], "1/3, 0.33"),
        (["small", "--floor", "1/0"], "1/3, 0.33"),
        (["small", "--floor", "2"], "between 0 and 1"),
        (["small", "--check", "none.json"], "cannot be read"),
        (["small", "--check", str(SMALL), "--only", "luck"], "--only"),
    ):
        with pytest.raises(CommandError, match=sentence):
            printed(*words)


def test_a_tournament_that_has_not_started_has_no_standings(small: Tournament) -> None:
    Tournament.objects.create(
        store=small.store,
        slug="draft",
        name="Draft",
        mode="magic-1v1",
        policy="magic",
        best_of=3,
        planned_rounds=3,
        seed=1,
        created_at=small.created_at,
    )
    with pytest.raises(CommandError, match="has not started"):
        printed("draft")
