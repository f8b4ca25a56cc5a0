"""Making and changing a tournament: recommended rounds and cut, and what an organizer announces."""

import re
from typing import Any

import pytest

from rulebook.pairing.rounds import ROUND_TABLES
from tests.pages import halls
from tests.pages.test_public import text_of
from tournaments.models import Tournament
from tournaments.pages.forms import ONLY_ASKED
from tournaments.setting_up import EDITABLE, start_tournament

pytestmark = pytest.mark.django_db

ESSENTIAL = {"name": "Nachtturnier", "planned_rounds": 3, "cut": 0, "round_minutes": 45, "best_of": ""}


@pytest.fixture
def keeper(signed_in: Any) -> Any:
    boss = halls.person("boss")
    halls.store().keepers.add(boss)
    return signed_in(boss)


def create(client: Any, **more: Any) -> Any:
    return client.post("/desk/new", {"store": halls.store().pk, "mode": "magic-2hg", **ESSENTIAL, **more})


def chosen(response: Any, field: str) -> str:
    """The value the field shows."""
    html = response.content.decode()
    select = re.search(rf'<select name="{field}".*?</select>', html, re.S)
    if select:
        found = re.search(r'value="([^"]*)" selected', select.group(0))
        return found.group(1) if found else ""
    found = re.search(rf'<input[^>]*name="{field}"[^>]*>', html)
    value = re.search(r'value="([^"]*)"', found.group(0)) if found else None
    return value.group(1) if value else ""


@pytest.mark.parametrize(
    ("mode", "teams", "rounds", "cut", "table"),
    [
        ("magic-2hg", 40, "6", "8", "magic"),
        ("riftbound-2v2", 12, "4", "0", "riftbound"),
        ("magic-commander", 20, "5", "4", "store-pods"),
    ],
)
def test_rounds_and_cut_are_recommended_with_their_table_and_stay_editable(
    keeper: Any, mode: str, teams: int, rounds: str, cut: str, table: str
) -> None:
    page = create(keeper, mode=mode, expected=teams, recommend="1", name="")
    assert page.status_code == 200
    assert (chosen(page, "planned_rounds"), chosen(page, "cut")) == (rounds, cut)
    words = text_of(page)
    assert f"{teams} teams: {rounds} Swiss rounds" in words
    assert ROUND_TABLES[table].citation in words
    assert "You may change both" in words
    assert chosen(page, "mode") == mode
    assert not Tournament.objects.exists()


def test_a_field_the_table_does_not_know_changes_nothing(keeper: Any) -> None:
    page = create(keeper, mode="riftbound-2v2", expected=2, recommend="1")
    assert page.status_code == 200
    assert chosen(page, "planned_rounds") == "3"
    assert "You may change both" not in text_of(page)


def test_the_settings_hint_at_the_rounds_for_the_teams_registered(at_desk: Any) -> None:
    tournament = halls.registering(9)
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/settings/"
    assert "9 teams: 4 Swiss rounds and no cut" in text_of(client.get(address))
    asked = client.post(address, {**ESSENTIAL, "expected": 40, "recommend": "1"})
    assert chosen(asked, "planned_rounds") == "6"
    tournament.refresh_from_db()
    assert tournament.planned_rounds == 3


def test_everything_announced_is_saved(keeper: Any) -> None:
    announced = {
        "mode": "magic-commander",
        "hall": "1-20, 31-40",
        "pod_policy": "five-low",
        "last_late_round": 2,
        "last_round_by_standing": "on",
        "hide_never_played": "on",
        "options": ["planechase"],
        "tables_in_a_row": 5,
        "feature_table": 31,
        "cut_policy": "topdeck-pods",
    }
    assert create(keeper, **announced).status_code == 302
    made = Tournament.objects.get()
    assert (made.hall, made.pod_policy, made.last_late_round) == ("1-20, 31-40", "five-low", 2)
    assert made.last_round_by_standing
    assert made.hide_never_played
    assert made.options == ["planechase"]
    assert (made.tables_in_a_row, made.feature_table, made.cut_policy) == (5, 31, "topdeck-pods")
    assert not made.shows_standings


def test_the_form_asks_for_every_setting_there_is(keeper: Any) -> None:
    form = keeper.get("/desk/new", {"mode": "magic-commander"}).context["form"]
    assert set(form.fields) - ONLY_ASKED == EDITABLE


def test_what_was_announced_can_be_taken_back(at_desk: Any) -> None:
    more = {"hall": "1-4", "last_late_round": 2, "last_round_by_standing": True, "options": ["vanguard"]}
    tournament = halls.registering(4, mode="magic-2hg", **more)
    address = f"/desk/{tournament.slug}/settings/"
    page = at_desk(tournament).get(address)
    assert chosen(page, "hall") == "1-4"
    assert re.search(r'value="vanguard"[^>]*checked', page.content.decode())
    assert at_desk(tournament).post(address, ESSENTIAL).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.hall, tournament.last_late_round, tournament.options) == ("", None, [])
    assert not tournament.last_round_by_standing


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"hall": "one to ten"}, "Write the tables as ranges"),
        ({"mode": "riftbound-2v2", "options": ["vanguard"]}, "cannot be laid over"),
        ({"mode": "riftbound-ffa3", "pod_policy": "byes"}, "cannot be played with this policy"),
        ({"format": "elimination", "cut": 8}, "set the cut to 0"),
        ({"mode": "magic-commander", "format": "round-robin", "cut": 0}, "a round robin needs two sides"),
        ({"mode": "magic-commander", "cut_method": "double"}, "this elimination needs two sides"),
        ({"cut": 16, "cut_method": "draft"}, "Cut to one of 8 teams"),
        ({"cut": 8, "capacity": 6}, "too few for a cut to 8"),
        ({"policy": "vekn"}, "is played by two sides"),
        (
            {"mode": "magic-commander", "policy": "pods-by-place", "pod_policy": "five-low"},
            "has no points for a pod of 5",
        ),
        ({"hall": "1-4", "capacity": 40}, "The hall has 4 tables; 40 teams need 20"),
        ({"last_late_round": 4}, "nobody can enter in round 4"),
        ({"zone": "Mars/Olympus"}, "There is no time zone Mars/Olympus"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_field_when_it_is_saved(
    keeper: Any, wrong: dict[str, Any], sentence: str
) -> None:
    refused = create(keeper, **wrong)
    assert refused.status_code == 422
    assert sentence in text_of(refused)
    errors = refused.context["form"].errors
    assert list(errors) != ["__all__"], "the sentence stands at no field"
    assert not Tournament.objects.exists()


def test_what_is_played_is_asked_first_and_then_only_what_goes_with_it(keeper: Any) -> None:
    first = keeper.get("/desk/new")
    words = text_of(first)
    assert "Riftbound 2v2 Magma Chamber" in words
    assert "pods of 2 to 6 players, best of 1" in words
    duel = keeper.get("/desk/new", {"mode": "riftbound-2v2"}).content.decode()
    assert 'name="pod_policy"' not in duel
    assert "Planechase" not in duel
    many = keeper.get("/desk/new", {"mode": "magic-commander"}).content.decode()
    assert 'name="pod_policy"' in many
    assert "Planechase" in many


def test_a_rules_level_says_what_follows_from_it_and_policies_whether_they_are_verified(keeper: Any) -> None:
    words = text_of(keeper.get("/desk/new", {"mode": "riftbound-2v2"}))
    assert "5 minutes late gets a warning" in words
    assert "5 minutes late gets a game loss" in words
    assert "or 6 of any kind, is a game loss" in words
    assert "the higher seed chooses" in words
    assert "as the game says: Riftbound (not verified)" in words
    assert "Melee, May" in words


def test_format_cut_and_the_zone_of_the_venue_are_saved(keeper: Any) -> None:
    made = {
        "format": "round-robin",
        "keeps_results": "on",
        "cut": 4,
        "cut_method": "third-place",
        "zone": "America/Toronto",
        "starts_at": "2026-07-04T10:00",
        "level": "competitive",
        "policy": "melee",
    }
    assert create(keeper, **made).status_code == 302
    tournament = Tournament.objects.get()
    assert (tournament.format, tournament.cut_method, tournament.keeps_results) == (
        "round-robin",
        "third-place",
        True,
    )
    assert tournament.starts_at.isoformat() == "2026-07-04T14:00:00+00:00"
    assert (tournament.level, tournament.policy) == ("competitive", "melee")


def test_what_the_mode_does_not_know_is_not_asked(at_desk: Any) -> None:
    tournament = halls.registering(4)
    html = at_desk(tournament).get(f"/desk/{tournament.slug}/settings/").content.decode()
    assert 'name="pod_policy"' not in html
    assert 'name="options"' not in html


def test_options_are_frozen_at_the_start(at_desk: Any) -> None:
    tournament = halls.registering(4, mode="magic-2hg", options=["planechase"])
    start_tournament(tournament_id=tournament.pk, actor=halls.COMMAND)
    form = {**ESSENTIAL, "options": ["vanguard"]}
    assert at_desk(tournament).post(f"/desk/{tournament.slug}/settings/", form).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.options) == ("Nachtturnier", ["planechase"])
