"""The public sign-up: whole teams, invited partners, lone players; held places, floods and namesakes."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from config.middleware import without_token
from journal.actors import COMMAND
from journal.clock import now, reset_clock, shift_clock
from journal.models import Deed
from teams.models import Link, Player, Seat, Team
from teams.people import add_player
from tests.pages import halls
from tests.pages.test_desk import do
from tests.pages.test_public import text_of
from tournaments.models import SignUp, Tournament
from tournaments.pages import throttle
from tournaments.registration import check_in_team
from tournaments.setting_up import change_tournament
from tournaments.signing_up import release_unconfirmed

pytestmark = pytest.mark.django_db
LONG = "Wolfeschlegelsteinhausenbergerdorff " * 3
CONSOLE = "django.core.mail.backends.console.EmailBackend"


@pytest.fixture
def hall(settings: Any) -> Any:
    """A tournament that takes entries on its page, where no mail is set up."""
    settings.EMAIL_BACKEND = CONSOLE
    yield halls.registering(1, capacity=3, signs_up=True)
    reset_clock()


@pytest.fixture
def mailing(hall: Tournament, settings: Any) -> Tournament:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    return hall


def page(tournament: Tournament) -> str:
    return f"/t/{tournament.slug}/sign-up/"


def post(client: Client, tournament: Tournament, how: str = "both", **typed: str) -> Any:
    return client.post(page(tournament), {"how": how, **typed}, follow=True)


def link_in(text: str, part: str) -> str:
    found = re.search(rf'https?://[^/\s"]+(/{part}/[\w-]+/?)', text)
    assert found, text
    return found.group(1)


def newest(tournament: Tournament) -> Team:
    return Team.objects.filter(tournament=tournament).latest("number")


def test_a_whole_team_enters_and_sees_its_links_once(hall: Tournament, client: Client) -> None:
    assert "1 of 3 places are taken" in text_of(client.get(page(hall)))
    assert "No e-mail is sent here" in text_of(client.get(page(hall)))
    answer = post(client, hall, name_A="佐藤 葵", name_B=LONG[:120].strip(), team="二人")
    team = newest(hall)
    assert (team.name, team.state) == ("二人", "registered")
    links = re.findall(r'href="http://testserver(/me/\w+)"', answer.content.decode())
    assert len(set(links)) == 2
    assert client.get(links[0], follow=True).status_code == 200
    assert "Personal links are shown once" in text_of(client.get(f"{page(hall)}done/"))
    deed = Deed.objects.filter(tournament=hall, kind="TeamRegistered").latest("number")
    assert (deed.actor, deed.door) == ("anybody", "public")
    assert "Sign up" in text_of(client.get(f"/t/{hall.slug}/"))


def test_who_enters_alone_invites_the_partner_by_a_link(hall: Tournament, client: Client) -> None:
    answer = post(client, hall, "one", name_me="Ana", seat="B", team="Duo")
    address = link_in(answer.content.decode(), "sign-up")
    assert without_token(address) == "/sign-up/.../"
    other = Client()
    opened = other.get(address)
    assert opened["X-Robots-Tag"] == "noindex"
    assert "Your seat:" in text_of(opened)
    joined = other.post(address, {"name": "Bo"}, follow=True)
    assert len(re.findall(r'href="http://testserver/me/', joined.content.decode())) == 1
    assert dict(Seat.objects.filter(team=newest(hall)).values_list("label", "player__name")) == {
        "A": "Bo",
        "B": "Ana",
    }
    assert "Every seat of this team is taken" in text_of(other.get(address))
    assert other.get("/sign-up/0123456789/").status_code == 404


def test_a_lone_player_asks_for_a_partner_and_a_full_tournament_has_a_waiting_list(
    hall: Tournament, client: Client
) -> None:
    assert "You are looking for a partner" in text_of(post(client, hall, "solo", name_me="Cleo", seat="A"))
    assert newest(hall).is_solo
    for number in range(3):
        said = text_of(post(client, hall, name_A=f"P{number}", name_B=f"Q{number}"))
        assert ("You are on the waiting list" in said) == (number == 2)
    assert "All 3 places are taken" in text_of(client.get(page(hall)))


def test_a_place_is_held_until_the_address_is_confirmed(mailing: Tournament, client: Client) -> None:
    hall = mailing
    wrong = post(client, hall, name_A="Yumi", name_B="Bo", email="nobody")
    assert wrong.status_code == 409
    assert 'value="Yumi"' in wrong.content.decode()
    said = text_of(post(client, hall, name_A="Yumi", name_B="Bo", email="yumi@example.org"))
    assert "Confirm your e-mail" in said
    assert not Link.objects.exists()
    assert "Yumi" not in text_of(client.get(f"/t/{hall.slug}/"))
    address = link_in(mail.outbox[-1].body, "sign-up")
    assert SignUp.objects.get().is_pending, "opening the link alone must not confirm"
    assert client.get(address).status_code == 200
    assert SignUp.objects.get().is_pending
    done = client.post(address, follow=True)
    assert done.content.decode().count('href="http://testserver/me/') == 2
    entered = SignUp.objects.get()
    assert (entered.is_pending, entered.email) == (False, "")
    assert Player.objects.get(name="Yumi").contact == "yumi@example.org"
    assert "Yumi" in text_of(client.get(f"/t/{hall.slug}/"))


def test_an_unconfirmed_place_is_given_back_by_the_clock_but_not_of_who_is_here(
    mailing: Tournament, client: Client, signed_in: Any
) -> None:
    hall = mailing
    for name in ("Ana", "Bo", "Cleo", "Dan"):
        post(client, hall, name_A=name, name_B=f"{name} too", email=f"{name}@example.org")
    ana, bo, cleo, dan = Team.objects.filter(tournament=hall).order_by("number")[1:]
    assert [one.state for one in (ana, bo, cleo, dan)] == ["registered"] * 2 + ["waitlisted"] * 2
    check_in_team(team_id=bo.pk, actor=COMMAND)
    organizer = signed_in(halls.person("mara", "organizer", hall))
    assert "unconfirmed" in text_of(organizer.get(f"/desk/{hall.slug}/teams/"))
    assert "is confirmed" in do(
        organizer, hall, "confirm-entry", team=dan.pk, back=f"/desk/{hall.slug}/teams/{dan.pk}/"
    )
    assert release_unconfirmed(now()) == []
    late = now() + timedelta(hours=hall.hold_hours, minutes=1)
    shift_clock(timedelta(hours=hall.hold_hours, minutes=1))
    assert release_unconfirmed(late) == [ana.pk, cleo.pk]
    assert release_unconfirmed(late) == []
    states = dict(Team.objects.filter(tournament=hall).values_list("pk", "state"))
    assert [states[one.pk] for one in (ana, bo, cleo, dan)] == [
        "withdrawn",
        "checked-in",
        "withdrawn",
        "registered",
    ]
    gone = client.post(link_in(mail.outbox[0].body, "sign-up"))
    assert gone.status_code == 409
    assert not SignUp.objects.exclude(email="").exists()


def test_case_119_a_name_entered_already_is_said_and_the_form_kept_until_a_town_is_added(
    hall: Tournament, client: Client
) -> None:
    taken = Seat.objects.filter(tournament=hall, label="A").get().player.name
    typed = {"name_A": taken.upper(), "name_B": "Bo", "team": "Late Lunch"}
    answer = post(client, hall, **typed)
    assert answer.status_code == 409
    assert "is entered already" in text_of(answer)
    assert all(f'value="{words}"' in answer.content.decode() for words in ("Bo", "Late Lunch"))
    assert 'name="mark_A"' in answer.content.decode()
    assert 'name="mark_B"' not in answer.content.decode()
    assert post(client, hall, **typed, mark_A="Porto").status_code == 200
    assert f"{taken.upper()} (Porto)" in text_of(client.get(f"/t/{hall.slug}/"))


def test_a_name_the_store_knows_is_asked_about_at_the_desk_and_nowhere_else(
    hall: Tournament, client: Client, signed_in: Any
) -> None:
    known = add_player(store_id=hall.store_id, name="Ben Li", source="league", external_id="4711")
    hidden = add_player(store_id=hall.store_id, name="Secret", display_name="Foxy")
    halls_first = newest(hall).seats.get(label="B")
    Seat.objects.filter(pk=halls_first.pk).update(player=hidden)
    for name in ("Ben Li", "Secret"):
        answer = post(client, hall, "solo", name_me=name, seat="A")
        assert answer.status_code == 200
        assert "4711" not in answer.content.decode()
    organizer, address = signed_in(halls.person("mara", "organizer", hall)), f"/desk/{hall.slug}/teams/"
    asked = text_of(organizer.get(address))
    assert "Is this the Ben Li you know?" in asked
    assert "league …4711" in asked
    seat = Seat.objects.get(tournament=hall, player__name="Ben Li")
    new, token = seat.player_id, Link.objects.get(seat=seat).token_hash
    said = do(
        organizer, hall, "settle-namesake", team=seat.team_id, player=new, back=address,
        **{f"who_{new}": known.pk},
    )  # fmt: skip
    assert "It is settled" in said
    seat.refresh_from_db()
    assert (seat.player_id, Link.objects.get(seat=seat).token_hash) == (known.pk, token)
    assert not Player.objects.filter(pk=new).exists()
    other = Seat.objects.get(tournament=hall, player__name="Secret", team__is_solo=True)
    do(
        organizer, hall, "settle-namesake", team=other.team_id, player=other.player_id, back=address,
        **{f"who_{other.player_id}": "new", f"mark_{other.player_id}": "Porto"},
    )  # fmt: skip
    assert Player.objects.get(pk=other.player_id).mark == "Porto"
    assert "you know?" not in text_of(organizer.get(address))


def test_floods_robots_and_closed_tournaments_get_nothing(
    hall: Tournament, client: Client, monkeypatch: Any
) -> None:
    teams = Team.objects.filter(tournament=hall).count()
    assert post(client, hall, name_A="Bot", name_B="Bot 2", website="http://spam").status_code == 200
    assert Team.objects.filter(tournament=hall).count() == teams
    monkeypatch.setattr(throttle, "BY_ADDRESS", 2)
    post(client, hall, name_A="", name_B="Bo")
    flooded = post(client, hall, name_A="Ana", name_B="Bo")
    assert (flooded.status_code, flooded["Retry-After"]) == (429, "600")
    assert "Many entries came from your network" in text_of(flooded)
    assert 'value="Ana"' in flooded.content.decode()
    cache.clear()
    change_tournament(tournament_id=hall.pk, signs_up=False, actor=COMMAND)
    assert "entered at the desk" in text_of(client.get(page(hall)))
    assert post(client, hall, name_A="Ana", name_B="Bo").status_code == 409
    assert "sign-up/" not in client.get(f"/t/{hall.slug}/").content.decode()
    assert Team.objects.filter(tournament=hall).count() == teams
    assert client.get(f"/t/{halls.draft(name='Hidden', signs_up=True).slug}/sign-up/").status_code == 404


def test_a_mail_that_cannot_be_sent_keeps_the_place_and_says_who_helps(
    mailing: Tournament, client: Client, monkeypatch: Any
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("no route")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", broken)
    said = text_of(post(client, mailing, name_A="Ana", name_B="Bo", email="ana@example.org"))
    assert "could not be sent" in said
    assert SignUp.objects.get().is_pending


@pytest.mark.parametrize("mode", ["magic-1v1"])
def test_in_a_mode_of_lone_players_one_name_is_all(hall: Tournament, client: Client, mode: str) -> None:
    alone = halls.registering(0, mode=mode, name="Duel", signs_up=True)
    assert "How you enter" not in client.get(page(alone)).content.decode()
    assert "You are in" in text_of(post(client, alone, name_A="Ana"))
