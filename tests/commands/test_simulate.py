"""Whole tournaments played by chance through the services."""

import io
import json
import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from journal.models import Deed
from teams.models import Player, Store
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
SECONDS = re.compile(r'"(seconds_\w+)": [\d.e-]+')


def words(**changes: Any) -> list[str]:
    plan = {"mode": "riftbound-2v2", "entrants": 9, "rounds": 4, "seed": 7, **changes}
    return [f"--{word.replace('_', '-')}={value}" for word, value in plan.items()]


def told(*more: str, **changes: Any) -> str:
    out = io.StringIO()
    call_command("simulate", *words(**changes), *more, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_a_large_odd_field_is_paired_without_a_rematch_or_a_second_bye() -> None:
    found = json.loads(told(entrants=97, rounds=7))
    rounds = found["rounds"]
    assert [row["rematches"] for row in rounds] == [0] * 7
    assert [row["byes"] for row in rounds] == [1] * 7
    assert [row["paired"] for row in rounds] == [96] * 7
    assert len({team for row in rounds for team in row["bye_teams"]}) == 7
    assert (found["rematches"], found["most_byes"]) == (0, 1)
    assert all(row["seconds_pairing"] > 0 and row["seconds_saving"] > 0 for row in rounds)


def test_the_same_seed_tells_the_same_but_for_the_seconds() -> None:
    changes = {"rounds": 3, "drop_rate": 0.1, "draw_rate": 0.2}
    first, second = told(**changes), told(**changes)
    assert SECONDS.sub("", first) == SECONDS.sub("", second)
    assert json.loads(first)["standings"] != json.loads(told(**{**changes, "seed": 8}))["standings"]


def test_ids_do_not_matter_to_what_a_seed_tells() -> None:
    first = told()
    told("--keep", entrants=4, rounds=1)
    assert SECONDS.sub("", told()) == SECONDS.sub("", first)


def test_a_simulation_leaves_nothing_behind() -> None:
    told()
    assert not any(model.objects.exists() for model in (Tournament, Player, Store, Deed))


def test_a_simulation_is_kept_on_request_and_says_where_to_see_it() -> None:
    err = io.StringIO()
    call_command("simulate", *words(), "--keep", stdout=io.StringIO(), stderr=err)
    tournament = Tournament.objects.get()
    assert (tournament.state, tournament.stages.get().rounds.count()) == ("finished", 4)
    assert tournament.slug in err.getvalue()


def test_who_drops_is_paired_no_more_and_two_stay() -> None:
    rounds = json.loads(told(drop_rate=1, entrants=8, rounds=3))["rounds"]
    assert [(row["paired"] + row["byes"], row["dropped"]) for row in rounds] == [(8, 6), (2, 0), (2, 0)]
    assert [row["rematches"] for row in rounds[2:]] == [1], "two teams have nobody else left"


def test_every_match_can_be_drawn() -> None:
    rounds = json.loads(told(draw_rate=1, entrants=8, rounds=3))["rounds"]
    assert [row["pair_downs"] for row in rounds] == [0, 0, 0]


def test_the_rounds_can_be_printed_as_a_table() -> None:
    lines = told("--format=table").splitlines()
    assert lines[0].split()[:5] == ["number", "paired", "byes", "rematches", "pair_downs"]
    assert [line.split()[:4] for line in lines[1:]] == [[str(n), "8", "1", "0"] for n in range(1, 5)]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        pytest.param({"mode": "riftbound-3v3"}, "riftbound-2v2", id="an-unknown-mode"),
        pytest.param({"mode": "riftbound-ffa4"}, "pods", id="a-mode-of-pods"),
        pytest.param({"entrants": 1}, "at least two", id="one-entrant"),
        pytest.param({"entrants": -3}, "at least two", id="less-than-nobody"),
        pytest.param({"rounds": 0}, "between 1 and 30", id="no-round"),
        pytest.param({"rounds": 31}, "between 1 and 30", id="too-many-rounds"),
        pytest.param({"drop_rate": -0.1}, "drop rate", id="a-negative-drop-rate"),
        pytest.param({"draw_rate": 1.5}, "draw rate", id="a-draw-rate-above-one"),
        pytest.param({"draw_rate": "nan"}, "draw rate", id="a-rate-that-is-no-number"),
        pytest.param({"seed": "seven"}, "invalid int value", id="a-seed-that-is-no-number"),
    ],
)
def test_a_wrong_plan_is_refused_in_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refused:
        told(**changes)
    assert refused.value.returncode == 1
    assert not Store.objects.exists()
