"""Forms that write through services: what a rule refuses is an error of the form, and nothing is written."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.urls import reverse

from journal.actors import COMMAND
from journal.models import Deed
from teams.models import Player, Seat, Store, Team, User
from teams.people import add_player
from tests.admin.hall import PASSWORD, Hall, colleague, new_hall, staff_user, superuser
from tournaments.models import Staff, Tournament
from tournaments.setting_up import start_tournament

pytestmark = pytest.mark.django_db
ADD = "/admin/tournaments/tournament/add/"


@pytest.fixture
def hall(db) -> Hall:
    return new_hall("West", teams=2, rounds=3)


def errors(response: Any) -> dict[str, list[str]]:
    assert response.status_code == 200, response.status_code
    return dict(response.context["adminform"].form.errors)


def answers(hall: Hall, **changed: Any) -> dict[str, Any]:
    return {
        "name": "Friday Magma",
        "store": hall.store.pk,
        "mode": "riftbound-2v2",
        "format": "swiss",
        "planned_rounds": "3",
        "cut": "0",
        "round_minutes": "50",
        "level": "casual",
        "late_policy": "loss",
        "draft_rounds": "0",
        "tables_in_a_row": "8",
        "shows_standings": "on",
        "hold_hours": "24",
        "confirm_after_s": "300",
        "opening_after_s": "0",
        "policy": "",
        "best_of": "",
        "zone": "",
        "slug": "",
        **changed,
    }


def team_page(hall: Hall) -> str:
    return f"/admin/teams/team/add/?tournament={hall.tournament.pk}"


def test_a_keeper_creates_a_tournament_and_is_its_organizer(hall, signed_in):
    keeper = staff_user("keeper")
    hall.store.keepers.add(keeper)
    response = signed_in(keeper).post(ADD, answers(hall, starts_at_0="2031-07-01", starts_at_1="18:00"))
    made = Tournament.objects.get(name="Friday Magma")
    assert response.status_code == 302
    assert (made.policy, made.best_of, made.zone, made.state) == ("riftbound", 1, "Europe/Berlin", "draft")
    assert made.starts_at == datetime(2031, 7, 1, 16, tzinfo=UTC)
    assert Staff.objects.get(tournament=made).user == keeper
    deed = Deed.objects.get(tournament=made)
    assert (deed.kind, deed.door, deed.actor) == ("TournamentCreated", "admin", f"user:{keeper.pk}")


def test_a_keeper_chooses_among_his_own_stores(hall, signed_in):
    keeper = staff_user("keeper")
    hall.store.keepers.add(keeper)
    foreign = Store.objects.create(name="Foreign", slug="foreign")
    assert "Foreign" not in signed_in(keeper).get(ADD).content.decode()
    assert "store" in errors(signed_in(keeper).post(ADD, answers(hall, store=foreign.pk)))
    assert Tournament.objects.count() == 1


def test_an_organizer_who_keeps_no_store_creates_nothing(hall, signed_in):
    assert signed_in(hall.organizer).get(ADD).status_code == 403


@pytest.mark.parametrize(
    "changed, place",
    [
        ({"name": "  "}, "name"),
        ({"mode": "chess"}, "mode"),
        ({"planned_rounds": "31"}, "planned_rounds"),
        ({"best_of": "4"}, "best_of"),
        ({"cut": "5"}, "cut"),
        ({"mode": "riftbound-ffa4", "cut": "8"}, "cut"),
        ({"mode": "riftbound-ffa4", "cut_method": "double"}, "cut_method"),
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"capacity": "1"}, "capacity"),
        ({"slug": "west-open"}, "slug"),
        ({"round_minutes": "0"}, "round_minutes"),
    ],
)
def test_a_setting_the_rules_forbid_is_an_error_of_its_field(hall, signed_in, changed, place):
    found = errors(signed_in(superuser()).post(ADD, answers(hall, **changed)))
    assert list(found) == [place]
    assert Tournament.objects.count() == 1


def test_settings_change_through_the_service_until_play_freezes_them(hall, signed_in):
    client, tournament = signed_in(hall.organizer), hall.tournament
    address = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    posted = answers(hall, name="West Open", planned_rounds="4", cut="2", policy="riftbound", best_of="3",
                     zone="Europe/Berlin")  # fmt: skip
    assert client.post(address, posted).status_code == 302
    assert Tournament.objects.get().planned_rounds == 4
    assert Deed.objects.filter(kind="TournamentChanged").get().after == {"planned_rounds": 4}
    start_tournament(tournament_id=tournament.pk, actor=COMMAND)
    assert (
        client.post(address, {**posted, "best_of": "1", "state": "finished", "seed": "1"}).status_code == 302
    )
    now = Tournament.objects.get()
    assert (now.best_of, now.state, now.seed) == (3, "running", tournament.seed)


def test_a_team_of_a_known_and_a_new_player_is_registered(hall, signed_in):
    known = add_player(store_id=hall.store.pk, name="Élodie Durand")
    client = signed_in(hall.organizer)
    response = client.post(
        team_page(hall),
        {"seat_A": "élodie durand", "seat_B": "Nils Neu", "name": "Foxes", "group": "", "fixed_table": ""},
    )
    assert response.status_code == 302
    team = Team.objects.get(name="Foxes")
    assert team.seats.get(label="A").player == known
    assert team.seats.get(label="B").player.name == "Nils Neu"
    assert Deed.objects.filter(kind="TeamRegistered").last().door == "admin"


def test_a_team_with_an_empty_seat_is_registered_and_said_to_be_incomplete(hall, signed_in):
    posted = {"seat_A": "Solo Sam", "seat_B": "", "name": "", "group": "", "fixed_table": ""}
    page = signed_in(hall.organizer).post(team_page(hall), posted, follow=True)
    assert "Seat B is empty" in page.content.decode()
    assert Team.objects.last().seats.count() == 1


@pytest.mark.parametrize(
    "changed, place, said",
    [
        ({"seat_A": "", "seat_B": ""}, "seat_A", "at least one player"),
        ({"seat_A": "Twin Tim", "seat_B": "twin tim"}, "__all__", "two seats"),
        ({"seat_A": "West Anna 1"}, "__all__", "already plays"),
        ({"seat_B": "West Anna 2 #999999"}, "seat_B", "no West Anna 2"),
        ({"seat_A": "x" * 130}, "seat_A", "at most 120"),
        ({"fixed_table": "0"}, "fixed_table", "from 1"),
    ],
)  # fmt: skip
def test_a_team_the_rules_forbid_leaves_neither_team_nor_player(hall, signed_in, changed, place, said):
    before = (Team.objects.count(), Player.objects.count(), Seat.objects.count(), Deed.objects.count())
    posted = {
        "seat_A": "New Nora",
        "seat_B": "New Noel",
        "name": "",
        "group": "",
        "fixed_table": "",
        **changed,
    }
    found = errors(signed_in(hall.organizer).post(team_page(hall), posted))
    assert list(found) == [place]
    assert said in " ".join(found[place])
    assert before == (
        Team.objects.count(),
        Player.objects.count(),
        Seat.objects.count(),
        Deed.objects.count(),
    )


def test_namesakes_are_asked_about_and_told_apart_by_their_mark(hall, signed_in):
    first = add_player(store_id=hall.store.pk, name="Kim Lee")
    second = add_player(store_id=hall.store.pk, name="Kim Lee")
    client = signed_in(hall.organizer)
    posted = {"seat_A": "Kim Lee", "seat_B": "Other One", "name": "", "group": "", "fixed_table": ""}
    assert (
        f"Kim Lee #{first.pk}, Kim Lee #{second.pk}"
        in errors(client.post(team_page(hall), posted))["seat_A"][0]
    )
    client.post(team_page(hall), {**posted, "seat_A": f"Kim Lee #{second.pk}"})
    assert Team.objects.last().seats.get(label="A").player == second
    client.post(team_page(hall), {**posted, "seat_A": "Kim Lee #new", "seat_B": "Other Two"})
    assert Team.objects.last().seats.get(label="A").player.pk not in (first.pk, second.pk)


def test_names_are_offered_from_the_tournaments_store_alone(hall, signed_in):
    other = new_hall("East")
    add_player(store_id=hall.store.pk, name="Jörg Ärmel")
    add_player(store_id=other.store.pk, name="Jörg Fremd")
    client = signed_in(hall.organizer)
    address = reverse("admin:teams_team_names", args=[hall.tournament.pk])
    assert client.get(address, {"q": "JÖRG"}).json() == {"names": ["Jörg Ärmel"]}
    assert (
        client.get(reverse("admin:teams_team_names", args=[other.tournament.pk]), {"q": "a"}).status_code
        == 404
    )


def test_a_team_enters_only_where_one_may_register(hall, signed_in):
    other = new_hall("East")
    address = f"/admin/teams/team/add/?tournament={other.tournament.pk}"
    page = signed_in(hall.organizer).get(address)
    assert page.status_code == 200
    assert "Which tournament" in page.content.decode()
    assert other.tournament.name not in page.content.decode()
    assert signed_in(colleague(hall, "judge")).get("/admin/teams/team/add/").status_code == 403


def test_a_teams_name_group_and_fixed_table_change_through_the_service(hall, signed_in):
    client, team = signed_in(hall.organizer), hall.teams[0]
    address = reverse("admin:teams_team_change", args=[team.pk])
    client.post(
        address, {"name": "Owls", "group": "Club", "fixed_table": "7", "state": "dropped", "lot": "1"}
    )
    changed = Team.objects.get(pk=team.pk)
    assert (changed.name, changed.group, changed.fixed_table) == ("Owls", "Club", 7)
    assert (changed.state, changed.lot) == (team.state, team.lot)
    other = reverse("admin:teams_team_change", args=[hall.teams[1].pk])
    assert "fixed_table" in errors(client.post(other, {"name": "", "group": "", "fixed_table": "7"}))
    client.post(address, {"name": "Owls", "group": "Club", "fixed_table": ""})
    assert Team.objects.get(pk=team.pk).fixed_table is None


def test_a_player_is_added_and_renamed_with_a_folded_name(hall, signed_in):
    client = signed_in(hall.organizer)
    posted = {"store": hall.store.pk, "name": " Ægir  ÞÓR ", "display_name": "", "contact": "", "source": "",
              "external_id": ""}  # fmt: skip
    client.post("/admin/teams/player/add/", posted)
    player = Player.objects.get(name="Ægir ÞÓR")
    assert player.folded == "ægir þór"
    client.post(
        reverse("admin:teams_player_change", args=[player.pk]), {"name": "Egill", "display_name": "E."}
    )
    assert Player.objects.get(pk=player.pk).folded == "egill"


def test_who_only_looks_sees_no_contact_and_changes_no_name(hall, signed_in):
    player = hall.teams[0].seats.get(label="A").player
    Player.objects.filter(pk=player.pk).update(contact="anna@example.org")
    client = signed_in(colleague(hall, "viewer"))
    address = reverse("admin:teams_player_change", args=[player.pk])
    assert "anna@example.org" not in client.get(address).content.decode()
    assert client.post(address, {"name": "X", "display_name": ""}).status_code == 403


def test_a_superuser_makes_accounts_that_may_enter_and_unlocks_them(root, signed_in):
    client = signed_in(root)
    posted = {"username": "new", "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    client.post("/admin/teams/user/add/", posted)
    user = User.objects.get(username="new")
    assert user.is_staff
    assert not user.is_superuser
    assert client.get(reverse("admin:auth_user_password_change", args=[user.pk])).status_code == 200
    told = client.post(reverse("admin:teams_user_deed", args=[user.pk, "unlock"]), follow=True)
    assert "may log in again" in told.content.decode()


def test_a_superuser_cannot_lock_himself_out(root, signed_in):
    address = reverse("admin:teams_user_change", args=[root.pk])
    signed_in(root).post(address, {"username": "root", "first_name": "", "last_name": "", "email": ""})
    again = User.objects.get(pk=root.pk)
    assert again.is_active
    assert again.is_superuser
