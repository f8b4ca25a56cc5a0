"""What people type that nobody expects: names that are not seen, numbers without end, years long ago."""

from typing import Any

import pytest

from rulebook.errors import RuleBroken
from teams.names import clean_name, folded
from tests.pages import halls
from tests.pages.test_public import text_of

pytestmark = pytest.mark.django_db
ENDLESS = "9" * 5000


def test_a_name_that_nobody_sees_is_none_and_hidden_marks_make_no_second_person() -> None:
    for unseen in ("\u200b", "\ufeff \u2060", "\u3164", "\u200d", "\u202e"):
        with pytest.raises(RuleBroken) as refused:
            clean_name(unseen)
        assert refused.value.code == "name-missing"
    assert clean_name("An\u200bna \u202eKim") == "Anna Kim"
    assert folded("Anna\u200d Kim\u200e") == folded("anna kim")
    family = "\U0001f469\u200d\U0001f467 Fam"
    assert clean_name(family) == family


def test_one_name_on_two_seats_is_asked_about_until_somebody_says_there_are_two(at_desk: Any) -> None:
    tournament = halls.registering(0)
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/teams/"
    both = {"seat_A": "Kim Lee", "seat_B": "kim  lee"}
    asked = client.post(address, both)
    assert asked.status_code == 409
    assert "Are there two people called kim lee?" in text_of(asked)
    client.post(address, {**both, "who_B": "new", "mark_B": "Köln"})
    assert tournament.teams.count() == 1


def test_settings_refuse_a_name_that_nobody_sees_and_a_year_without_play(at_desk: Any) -> None:
    tournament = halls.registering(0)
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/settings/"
    form = client.get(address).context["form"]
    typed = {field.name: field.value() for field in form if field.value()}
    for change, sentence in (({"name": "\u200b"}, "Enter a tournament name."),):
        refused = client.post(address, {**typed, **change})
        assert (refused.status_code, sentence in text_of(refused)) == (422, True), sentence
