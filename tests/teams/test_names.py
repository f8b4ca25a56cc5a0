"""Names as they are stored, compared and told apart."""

import unicodedata
from urllib.parse import quote_plus

import pytest

from rulebook.errors import RuleBroken
from teams.models import Player
from teams.names import clean_name, folded
from teams.people import add_player, namesakes
from teams.selectors import team_cards
from tests.day import new_day, new_store

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
    assert names == ["Alex (#1)", "Alex (#2)"]
    assert cards[day.teams[0].pk].members[1].name == day.players[0][1].name


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
