"""Real events that are imported once for all tests: what was published about them, and what is then there."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import QuerySet
from django.utils.text import slugify

from matches.models import Line, Match
from tests.commands.test_import_event import file
from tournaments.models import Tournament

MATCHING = [
    pytest.param("melee_8_drop_makes_bye", None, id="melee_8_drop_makes_bye"),
    pytest.param("melee_odd19_draws_ids_drops", None, id="melee_odd19_draws_ids_drops"),
    pytest.param("melee_small14_cut4", None, id="melee_small14_cut4"),
    pytest.param("topdeck_team_trios_15", None, id="topdeck_team_trios_15"),
    pytest.param("topdeck_pods_24_top10", None, id="topdeck_pods_24_top10"),
    pytest.param("topdeck_13_top8", "rank,points,omw,wins,losses,draws", id="topdeck_13_top8"),
    pytest.param("lichess_13_late_entries", "points", id="lichess_13_late_entries"),
]


@pytest.fixture(scope="module")
def all_imported(rows_of_module: None, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        for name, _ in (one.values for one in MATCHING):
            call_command("import_event", file(name), stdout=io.StringIO())


@pytest.fixture(autouse=True)
def _imported(all_imported: None, db: None) -> None:
    """Every event of the table is there."""


def of(name: str) -> Tournament:
    return Tournament.objects.get(slug=slugify(name))


def lines_of(name: str) -> QuerySet[Line]:
    return Line.objects.filter(result__match__tournament=of(name))


@pytest.mark.parametrize(("name", "cells"), MATCHING)
def test_an_imported_event_has_the_published_standings(
    name: str, cells: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    call_command("standings", slugify(name), check=file(name), **({"only": cells} if cells else {}))
    assert "published rows agree" in capsys.readouterr().out


def test_what_happened_is_in_the_journal_as_an_organizer_s_deeds() -> None:
    deeds = of("melee_small14_cut4").deeds
    kinds = list(deeds.order_by("number").values_list("kind", flat=True))
    assert kinds[0] == "TournamentCreated"
    assert kinds[-1] == "TournamentFinished"
    assert {kind: kinds.count(kind) for kind in ("TeamRegistered", "RoundPaired", "RoundClosed")} == {
        "TeamRegistered": 14,
        "RoundPaired": 7,
        "RoundClosed": 7,
    }
    assert (kinds.count("TeamDropped"), kinds.count("CutMade")) == (1, 1)
    assert set(deeds.values_list("actor", flat=True)) == {"command"}


def test_every_match_of_the_file_was_played_with_its_games() -> None:
    lines_there = lines_of("melee_odd19_draws_ids_drops")
    rounds = json.loads(file("melee_odd19_draws_ids_drops").read_text(encoding="utf-8"))["rounds"]
    for told in rounds:
        lines = lines_there.filter(result__match__round__number=told["number"])
        seen = {
            (line.side.team.seats.get().player.name, line.wins, line.draws)
            for line in lines.select_related("side__team")
        }
        wanted = {
            (player, games, match["draws"])
            for match in told["matches"]
            for player, games in zip(match["players"], match["games"], strict=True)
        }
        assert seen == wanted, told["name"]


def test_who_sat_out_has_no_match_and_a_half_bye_is_worth_half_a_point() -> None:
    lines = lines_of("lichess_13_late_entries")
    sat_out = lines.filter(side__team__seats__player__name="Player 009", result__is_current=True)
    first = sat_out.get(result__match__round__number=1)
    assert (first.result.kind, first.half_points) == ("bye", 1)
    assert sat_out.filter(result__match__round__number__in=[2, 3, 4, 5]).count() == 0


def test_the_pods_of_a_cut_to_ten_are_played_as_in_the_file() -> None:
    bracket = of("topdeck_pods_24_top10").stages.get(number=2)
    assert (bracket.method, bracket.planned_rounds) == ("pods", 2)
    waiting = Match.objects.filter(round__stage=bracket, kind="bye").order_by("pk")
    names = [match.sides.get().team.seats.get().player.name for match in waiting]
    assert names == ["Player 008", "Player 013"]
    final = Match.objects.get(round__stage=bracket, round__number=2)
    seats = final.sides.order_by("index").values_list("team__seats__player__name", flat=True)
    assert list(seats) == ["Player 008", "Player 013", "Player 018", "Player 014"]


def test_who_was_out_of_a_drawn_pod_has_lost_it() -> None:
    lines = lines_of("topdeck_pods_24_top10")
    out = lines.get(side__team__seats__player__name="Player 015", result__match__round__number=4)
    assert (out.outcome, out.out_order) == ("loss", 1)
    shared = out.result.lines.exclude(pk=out.pk)
    assert [(line.outcome, line.out_order) for line in shared] == [("draw", None)] * 3
