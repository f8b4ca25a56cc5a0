"""What people type that nobody expects: names that are not seen, numbers without end, years long ago."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.utils import translation

from journal.actors import COMMAND
from journal.clock import now
from rulebook.errors import RuleBroken
from teams.links import make_link
from teams.names import clean_name, folded
from tests.pages import halls
from tests.pages.test_public import text_of
from tournaments.announcements import announce
from tournaments.cutting import make_cut
from tournaments.handing_in import hand_in_decklist, problems_of
from tournaments.pages import paper
from tournaments.pages.said import said
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
    match = halls.tables(rnd)[0].pk
    for deed, typed, sentence in (
        ("change-team", {"fixed_table": ENDLESS}, "A table is a number like 12"),
        ("change-team", {"seed": "first"}, "A seed is a number like 12"),
        ("change-team", {"group": "g" * 61}, "Shorten the group"),
        ("sit-out", {"round_number": "99"}, "Choose a round from 1 to"),
        ("choose-first", {"match": match, "game": "1", "chooser": ENDLESS, "option": "first"}, ""),
    ):
        done = client.post(f"/desk/{slug}/do/{deed}/", {"team": team.pk, **typed})
        assert sentence in " ".join(map(str, get_messages(done.wsgi_request))), (deed, typed)


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


def test_wrong_entries_on_the_public_page_are_answered_in_the_language_of_the_reader(
    client: Any, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    tournament = halls.registering(0, signs_up=True)
    address = f"/t/{tournament.slug}/sign-up/"

    def posted(to: str, **typed: str) -> Any:
        return client.post(to, typed, follow=True, HTTP_ACCEPT_LANGUAGE="de")

    assert "Gib einen Namen ein." in text_of(posted(address, how="both", name_A="\u200b", name_B="Bo"))
    assert "Wähle einen Platz." in text_of(posted(address, how="solo", name_me="Ana"))
    twice = posted(address, how="both", name_A="Ana", name_B="ana")
    assert (twice.status_code, "Ort oder Verein" in text_of(twice)) == (409, True)
    halved = posted(address, how="one", seat="A", name_me="Ana")
    invitation = re.findall(r"/sign-up/[\w-]+/", text_of(halved))[0]
    assert posted(invitation, name="Bo").status_code == 200
    again = posted(invitation, name="Cy")
    assert (again.status_code, 'role="alert"' in again.content.decode()) == (409, False)
    assert "Alle Plätze dieses Teams sind besetzt." in text_of(again)


def test_a_second_tap_on_the_check_in_says_that_the_team_is_here(client: Any) -> None:
    tournament = halls.registering(1, starts_at=now() + timedelta(hours=1))
    seat = tournament.teams.get().seats.first()
    mine = make_link(seat_id=seat.pk, actor=COMMAND)
    client.get(f"/me/{mine}")
    said = [
        text_of(client.post(f"/me/{mine}/check-in", follow=True, HTTP_ACCEPT_LANGUAGE="de")) for _ in "12"
    ]
    assert "Dein Team ist eingecheckt." in said[0]
    assert "ist schon eingecheckt." in said[1]


def test_names_as_long_as_they_may_be_are_written_smaller_on_paper() -> None:
    both = ("Die Zwei", "Fritz Sieben", "Hans B")
    assert [paper.size_on_slip(names, 2) for names in (both, ("x" * 70,) * 5, ("寿" * 120,) * 3)] == [
        "",
        "long",
        "longest",
    ]
    assert [paper.size_on_slip((name,), 4) for name in ("Ana", "x" * 230, "寿" * 120)] == ["", "long", "long"]
    assert [paper.size_on_card(names) for names in (("Ana", "Bo"), ("x" * 60, "Bo"), ("寿" * 120, "Bo"))] == [
        "",
        "long",
        "longest",
    ]


def test_a_deck_and_its_champion_of_the_wrong_size_are_told_in_the_language() -> None:
    whole = next(
        problem.sentence
        for problem in problems_of(halls.draft(), "4 Blazing Scorcher")
        if problem.sentence.startswith("Main deck and")
    )
    with translation.override("de"):
        assert said(whole) == "Hauptdeck und Champion: 4 Karten, nötig sind genau 40."


@pytest.mark.parametrize("started", [False, True])
def test_a_second_tap_on_leaving_shows_that_the_team_has_left(client: Any, started: bool) -> None:
    tournament = halls.running(2) if started else halls.registering(2)
    seat = tournament.teams.first().seats.first()
    mine = make_link(seat_id=seat.pk, actor=COMMAND)
    client.get(f"/me/{mine}")
    first, again = (client.post(f"/me/{mine}/leave", {"sure": "1"}, follow=True) for _ in "12")
    assert "Your team has left the tournament." in text_of(first)
    assert (again.status_code, again.redirect_chain[-1][0]) == (200, first.redirect_chain[-1][0])


def test_what_no_database_keeps_is_left_out_of_lists_and_announcements(at_desk: Any) -> None:
    tournament = halls.registering(1, decklists_until=now() + timedelta(hours=1))
    seat = tournament.teams.get().seats.first()
    assert hand_in_decklist(seat_id=seat.pk, body="3 A\0nn\n", actor=COMMAND).body == "3 Ann"
    assert announce(tournament_id=tournament.pk, text="Lu\0nch\n now", actor=COMMAND).text == "Lunch now"
    client = at_desk(tournament)
    done = client.post(f"/desk/{tournament.slug}/do/appoint/", {"login": "mara\0", "role": "judge"})
    assert "There is no account" in " ".join(map(str, get_messages(done.wsgi_request)))


def test_who_missed_the_cut_is_promised_no_other_table(client: Any) -> None:
    tournament = halls.running(3, 1, planned_rounds=1, cut=2)
    make_cut(tournament_id=tournament.pk, actor=COMMAND)
    rnd = halls.started(tournament)
    missed = tournament.teams.exclude(sides__match__round=rnd).get()
    mine = make_link(seat_id=missed.seats.first().pk, actor=COMMAND)
    said = text_of(client.get(f"/me/{mine}"))
    assert "Your team is not in Final." in said
    assert "Your next table" not in said
