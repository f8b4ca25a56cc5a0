"""Names as they are stored, compared and told apart."""

import unicodedata
from urllib.parse import quote_plus

import pytest

from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from teams.models import Player
from teams.names import clean_name, folded
from teams.people import add_player, namesakes
from teams.selectors import team_cards
from tests.day import new_day, new_store
from tournaments.registration import change_team, register_team

DECOMPOSED = unicodedata.normalize("NFD", "Müller")


def test_case_122_composed_and_decomposed_spellings_are_equal() -> None:
    assert clean_name(DECOMPOSED) == "Müller"
    assert folded(DECOMPOSED) == folded("Müller")


def test_case_122_case_is_folded_and_umlauts_are_not_spelled_out() -> None:
    assert folded("MÜLLER") == folded("Müller")
    assert folded("Mueller") != folded("Müller")


@pytest.mark.parametrize("name", ["", "   ", "\u0000\u0007"], ids=repr)
def test_an_empty_name_is_refused(name: str) -> None:
    with pytest.raises(RuleBroken) as error:
        clean_name(name)
    assert error.value.code == "name-missing"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Jörg\tMüller", "Jörg Müller"),
        ("Jörg\r\nMüller", "Jörg Müller"),
        ("Jö\x00rg  Müller\x07 ", "Jörg Müller"),
    ],
)
def test_what_is_pasted_is_stored_and_found_without_control_characters(typed: str, stored: str) -> None:
    assert clean_name(typed) == stored
    assert folded(typed) == folded(stored)


@pytest.mark.django_db
def test_a_search_for_a_character_no_database_keeps_finds_the_name() -> None:
    store = new_store()
    player = add_player(store_id=store.pk, name="Ana\x00 Lima")
    assert namesakes(store.pk, "ANA\x00 LIMA") == namesakes(store.pk, "Ana Lima") == [player]


def test_an_overlong_name_is_refused_and_a_long_japanese_one_is_kept() -> None:
    with pytest.raises(RuleBroken) as error:
        clean_name("x" * 121)
    assert error.value.code == "name-too-long"
    assert clean_name("寿" * 120) == "寿" * 120


@pytest.mark.django_db
def test_case_116_a_plus_sign_in_a_name_stays(client: object) -> None:
    player = add_player(store_id=new_store().pk, name="11111111+Nana")
    assert Player.objects.get(pk=player.pk).name == "11111111+Nana"
    assert namesakes(new_store().pk, "11111111+NANA") == [player]
    assert quote_plus(player.name) == "11111111%2BNana"


@pytest.mark.django_db
def test_case_118_two_people_of_one_name_are_told_apart_everywhere() -> None:
    day = new_day(2, started=False)
    for players in day.players:
        players[0].name = "Alex"
        players[0].save()
    cards = team_cards(day.teams, ("A", "B"))
    names = [cards[team.pk].members[0].name for team in day.teams]
    assert names == ["Alex (no. 1)", "Alex (no. 2)"]
    assert cards[day.teams[0].pk].members[1].name == day.players[0][1].name


@pytest.mark.django_db
def test_case_118_a_namesake_has_a_mark_also_where_he_is_shown_alone() -> None:
    day = new_day(0, started=False)
    store = day.tournament.store_id
    marked = (
        {"mark": "Karlsruhe"},
        {"mark": "Karlsruhe"},
        {"source": "league", "external_id": "100012345"},
        {"display_name": "Foxy"},
    )
    for number, more in enumerate(marked):
        alex = add_player(store_id=store, name="Alex Kim", **more)
        mate = add_player(store_id=store, name=f"Mate {number}")
        members = {"A": alex.pk, "B": mate.pk}
        group = "Kings" if number == 2 else ""
        day.teams.append(
            register_team(tournament_id=day.tournament.pk, members=members, group=group, actor=COMMAND)
        )
    shown = [team_cards([team], ("A", "B"))[team.pk].shown_name for team in day.teams]
    assert shown == [
        "Alex Kim (Karlsruhe, no. 1) & Mate 0",
        "Alex Kim (Karlsruhe, no. 2) & Mate 1",
        "Alex Kim (Kings) & Mate 2",
        "Foxy & Mate 3",
    ]
    change_team(team_id=day.teams[2].pk, group="", actor=COMMAND)
    day.teams[2].refresh_from_db()
    assert team_cards([day.teams[2]], ("A", "B"))[day.teams[2].pk].members[0].name == "Alex Kim (…2345)"


@pytest.mark.django_db
def test_the_same_external_id_is_the_same_person() -> None:
    store = new_store()
    first = add_player(store_id=store.pk, name="Ana", source="club", external_id="7")
    assert add_player(store_id=store.pk, name="Ana M.", source="club", external_id="7") == first
    assert add_player(store_id=store.pk, name="Ana", source="other", external_id="7") != first
    assert add_player(store_id=store.pk, name="Ana") != add_player(store_id=store.pk, name="Ana")


@pytest.mark.django_db
def test_a_display_name_replaces_the_name_in_public() -> None:
    day = new_day(1, started=False)
    Player.objects.filter(pk=day.players[0][0].pk).update(display_name="Moth")
    card = team_cards(day.teams, ("A", "B"))[day.teams[0].pk]
    assert card.members[0].name == "Moth"
    assert card.shown_name.startswith("Moth & ")
