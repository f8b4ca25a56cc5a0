"""Lone players look for a partner, become a team, and hold up the start until they have."""

import json
from typing import Any

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from rulebook.errors import RuleBroken
from teams.links import make_link, seat_behind
from teams.models import Seat, Team
from teams.people import add_player
from tests.pages import halls
from tests.pages.test_desk import do
from tests.pages.test_public import text_of
from tournaments.file_import import import_tournament
from tournaments.models import Tournament
from tournaments.registration import fill_seat, places_taken, readmit_team, withdraw_team
from tournaments.setting_up import complete_teams, start_tournament
from tournaments.solos import enter_solo, join_solos, solos_of
from tournaments.tournament_file import export_tournament
from tournaments.undoing import undo

pytestmark = pytest.mark.django_db


def solo(tournament: Tournament, name: str, group: str = "") -> Team:
    player = add_player(store_id=tournament.store_id, name=name)
    return enter_solo(tournament_id=tournament.pk, player_id=player.pk, actor=COMMAND, group=group)


def seated(team: Team) -> dict[str, str]:
    return dict(Seat.objects.filter(team=team, is_live=True).values_list("label", "player__name"))


def join(tournament: Tournament, *members: tuple[str, int], **more: Any) -> Team:
    return join_solos(tournament_id=tournament.pk, members=members, actor=COMMAND, **more)


def test_two_solos_are_one_team_with_chosen_seats_and_working_links() -> None:
    tournament = halls.registering(1, capacity=2)
    ana, bo = solo(tournament, "Ana"), solo(tournament, "Bo", group="Kings")
    token = make_link(seat_id=ana.seats.get().pk)
    assert solos_of(tournament) == [ana, bo]
    assert (places_taken(tournament), complete_teams(tournament).count()) == (1, 1)
    team = join(tournament, ("B", ana.pk), ("A", bo.pk), name="Late Lunch")
    assert (team, team.name, team.group, team.state) == (ana, "Late Lunch", "Kings", "registered")
    assert seated(team) == {"A": "Bo", "B": "Ana"}
    assert seat_behind(token).team == team
    assert (places_taken(tournament), complete_teams(tournament).count(), solos_of(tournament)) == (2, 2, [])
    with pytest.raises(RuleBroken, match="plays in another one"):
        readmit_team(team_id=bo.pk, actor=COMMAND)


def test_a_joined_team_waits_where_no_place_is_free_and_parts_as_it_was() -> None:
    tournament = halls.registering(2, capacity=2)
    ana, bo = solo(tournament, "Ana"), solo(tournament, "Bo")
    assert join(tournament, ("A", ana.pk), ("B", bo.pk)).state == "waitlisted"
    deed = Deed.objects.filter(tournament=tournament).latest("number")
    undo(deed_id=deed.pk, actor=COMMAND)
    assert solos_of(tournament) == [ana, bo]
    assert [seated(one) for one in (ana, bo)] == [{"A": "Ana"}, {"A": "Bo"}]
    cleo = add_player(store_id=tournament.store_id, name="Cleo")
    filled = fill_seat(team_id=ana.pk, label="B", player_id=cleo.pk, actor=COMMAND)
    assert (filled.is_solo, filled.state) == (False, "waitlisted")


def test_only_players_who_look_are_joined_and_each_once() -> None:
    tournament, alone = halls.registering(2), halls.registering(0, mode="magic-1v1", name="Duel")
    ana = solo(tournament, "Ana")
    team = Team.objects.filter(tournament=tournament).earliest("number")
    for members in ([("A", ana.pk), ("B", ana.pk)], [("A", ana.pk)], [("A", ana.pk), ("B", team.pk)]):
        with pytest.raises(RuleBroken):
            join(tournament, *members)
    with pytest.raises(RuleBroken, match="mode with teams"):
        solo(alone, "Bo")


def test_the_start_waits_for_who_looks_and_names_them() -> None:
    tournament = halls.registering(2)
    ana = solo(tournament, "Ana")
    with pytest.raises(RuleBroken, match="Still looking for a partner: Ana"):
        start_tournament(tournament_id=tournament.pk, actor=COMMAND)
    withdraw_team(team_id=ana.pk, actor=COMMAND)
    start_tournament(tournament_id=tournament.pk, actor=COMMAND)


def test_the_file_of_a_tournament_keeps_who_was_joined() -> None:
    tournament = halls.registering(3)
    ana, bo = solo(tournament, "Ana"), solo(tournament, "Bo")
    join(tournament, ("A", ana.pk), ("B", bo.pk))
    text = export_tournament(tournament)
    told = json.loads(text)["deeds"][-1]
    assert (told["subject"], told["after"]["joined"]) == ("team:4", [4, 5])
    assert [one["team"] for one in told["before"]["solos"]] == [4, 5]
    again = import_tournament(text=text, store_id=tournament.store_id)
    undo(deed_id=Deed.objects.get(tournament=again, kind="TeamsJoined").pk, actor=COMMAND)
    assert len(solos_of(again)) == 2


def test_the_desk_enters_lists_and_joins_them(signed_in: Any) -> None:
    tournament = halls.registering(2)
    client = signed_in(halls.person("kim", "scorekeeper", tournament))
    address = f"/desk/{tournament.slug}/teams/"
    for label, name in (("A", "Ana"), ("B", "Bo")):
        said = client.post(address, {f"seat_{label}": name, "solo": "on"}, follow=True)
    page = text_of(said)
    assert "Bo, looks for a partner" in page
    assert "2 teams and 2 looking for a partner" in page
    ana, bo = solos_of(tournament)
    assert "is a team" in do(
        client, tournament, "join-solos", team_A=bo.pk, team_B=ana.pk, back=address, name="Duo"
    )
    assert seated(ana) == {"A": "Bo", "B": "Ana"}
    page = text_of(client.get(address))
    assert "3 teams" in page
    assert "Looking for a partner" not in page
    assert "Team 4" not in page
