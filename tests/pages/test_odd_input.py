"""What people type that nobody expects: names that are not seen, numbers without end, years long ago."""

from typing import Any

import pytest

from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from teams.names import clean_name, folded
from tests.pages import halls
from tests.pages.test_desk import do
from tests.pages.test_public import text_of
from tournaments.setting_up import cancel_tournament

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


def test_numbers_without_end_and_years_without_play_are_answered_in_a_sentence(at_desk: Any) -> None:
    tournament = halls.running(4, 1)
    client, slug = at_desk(tournament), tournament.slug
    team, rnd = tournament.teams.first(), halls.started(tournament)
    for address in (
        f"/t/{slug}/standings/?after={ENDLESS}",
        f"/t/{slug}/standings/{team.pk}/?after={ENDLESS}",
        f"/desk/{slug}/standings/?after={ENDLESS}",
        f"/desk/{slug}/rounds/{rnd.pk}/repair/?one={ENDLESS}&other={ENDLESS}",
    ):
        assert client.get(address).status_code == 200, address
    table = {"team": team.pk, "fixed_table": ENDLESS}
    assert "A table is a number like 12" in do(client, tournament, "change-team", **table)
    assert "A seed is a number like 12" in do(client, tournament, "change-team", team=team.pk, seed="first")
    crowd = {"team": team.pk, "group": "g" * 61}
    assert "Shorten the group" in do(client, tournament, "change-team", **crowd)
    assert "Choose a round from 1 to" in do(client, tournament, "sit-out", team=team.pk, round_number="99")
    match = halls.tables(rnd)[0]
    choice = {"match": match.pk, "game": "1", "chooser": ENDLESS, "option": "first"}
    assert do(client, tournament, "choose-first", **choice)


def test_a_long_reason_is_kept_as_far_as_the_journal_has_room() -> None:
    tournament = halls.draft()
    cancel_tournament(tournament_id=tournament.pk, actor=COMMAND, reason="a\x00b" * 200)
    assert tournament.deeds.last().reason == ("ab" * 200)[:300]


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
    for change, sentence in (
        ({"name": "\u200b"}, "Enter a tournament name."),
        ({"starts_at": "0001-01-01T00:00"}, "1 is no year to play in"),
        ({"starts_at": "9999-12-31T23:59"}, "9999 is no year to play in"),
    ):
        refused = client.post(address, {**typed, **change})
        assert (refused.status_code, sentence in text_of(refused)) == (422, True), sentence
