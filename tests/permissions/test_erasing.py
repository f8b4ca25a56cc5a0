"""A person is forgotten and what was played stays; a public name takes the place of the name."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from journal.actors import COMMAND
from journal.models import Deed
from rulebook.errors import RuleBroken
from teams.links import make_link
from teams.models import Player, Team
from teams.people import namesakes, rename_player
from tests.pages import halls
from tournaments.erasing import erase_person
from tournaments.models import Tournament
from tournaments.pages import urls as pages
from tournaments.withdrawals import disqualify_player, drop_team

pytestmark = pytest.mark.django_db


def told_in_public(tournament: Tournament, token: str = "") -> dict[str, str]:
    """Everything anybody may read of the tournament, by address: pages, API, and one player's phone."""
    rounds = [rnd for stage in tournament.stages.all() for rnd in stage.rounds.exclude(state="scrapped")]
    site, api = f"/t/{tournament.slug}", f"/api/v1/tournaments/{tournament.slug}"
    addresses = [
        f"{site}/pairings/?by=name",
        *(
            reverse(str(pattern.name), args=[tournament.slug])
            for pattern in pages.PUBLIC
            if set(pattern.pattern.converters) == {"slug"}
        ),
        *(f"{site}/standings/{team.pk}/" for team in tournament.teams.all()),
        *(f"{site}/rounds/{rnd.stage.number}/{rnd.number}/" for rnd in rounds),
        *(f"{api}/{part}" for part in ("", "teams/", "rounds/", "standings/")),
        *(f"/api/v1/rounds/{rnd.pk}/pairings/" for rnd in rounds),
        *([f"/me/{token}"] if token else []),
    ]
    client = Client()
    answers = {address: client.get(address, follow=True) for address in addresses}
    # A page may have nothing to show in this state: a bracket, a draft.
    assert {answer.status_code for answer in answers.values()} <= {200, 404}
    return {address: answer.content.decode() for address, answer in answers.items()}


def played() -> tuple[Tournament, Team, Player]:
    """Two rounds are played and the third runs; the team's name is its first player's."""
    tournament = halls.running(6, 2)
    team = tournament.teams.order_by("number").first()
    assert team is not None
    player = team.seats.get(label="A").player
    Player.objects.filter(pk=player.pk).update(contact="ana@example.org", source="club", external_id="77")
    Team.objects.filter(pk=team.pk).update(name="The Ana Beatriz Carvalho Band")
    player.refresh_from_db()
    return tournament, team, player


def test_an_erased_person_is_named_nowhere_and_the_results_stay(at_desk: Any) -> None:
    tournament, team, player = played()
    token = make_link(seat_id=team.seats.get(label="A").pk)
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/do/erase-player/"
    drop_team(team_id=team.pk, actor=COMMAND)
    assert client.get(f"/desk/{tournament.slug}/players/{player.pk}/erase/").status_code == 200
    client.post(address, {"player": player.pk})
    assert Player.objects.get(pk=player.pk).erased_at is None, "the box was not ticked"
    before = list(tournament.stages.get().snapshots.order_by("pk").values_list("digest", flat=True))
    client.post(address, {"player": player.pk, "sure": "on"})
    erased = Player.objects.get(pk=player.pk)
    assert (erased.name, erased.display_name) == (f"Erased player {player.pk}", "")
    assert (erased.contact, erased.source, erased.external_id) == ("", "", "")
    assert Client().get(f"/me/{token}").status_code == 404
    assert namesakes(tournament.store_id, "Ana Beatriz Carvalho") == []
    assert list(tournament.stages.get().snapshots.order_by("pk").values_list("digest", flat=True)) == before
    told = told_in_public(tournament)
    assert [address for address, text in told.items() if "Beatriz" in text] == []
    assert erased.name in told[f"/t/{tournament.slug}/standings/"]
    deed = Deed.objects.filter(tournament=tournament).latest("number")
    assert (deed.kind, deed.subject, deed.before, deed.after) == (
        "PlayerErased",
        f"player:{player.pk}",
        None,
        None,
    )


def test_who_plays_is_not_erased_under_the_table() -> None:
    _, _, player = played()
    with pytest.raises(RuleBroken, match="drop or withdraw the team first"):
        erase_person(player_id=player.pk, actor=COMMAND)
    player.refresh_from_db()
    assert player.erased_at is None


def test_a_keeper_erases_in_the_admin_and_nobody_twice(signed_in: Any) -> None:
    _, team, player = played()
    drop_team(team_id=team.pk, actor=COMMAND)
    keeper = halls.person("keeper")
    keeper.is_staff = True
    keeper.save()
    halls.store().keepers.add(keeper)
    client, address = signed_in(keeper), f"/admin/teams/player/{player.pk}/deed/erase/"
    assert "cannot be taken back" in client.get(address).content.decode()
    assert client.post(address, {"sure": "on"}).status_code == 302
    player.refresh_from_db()
    assert player.erased_at is not None
    with pytest.raises(RuleBroken, match="erased already"):
        erase_person(player_id=player.pk, actor=COMMAND)
    with pytest.raises(RuleBroken, match="has no name any more"):
        rename_player(player_id=player.pk, name="Ana again", actor=COMMAND)


def test_a_public_name_stands_for_the_name_everywhere(at_desk: Any) -> None:
    tournament, team, player = played()
    Team.objects.filter(pk=team.pk).update(name="")
    named = {"player": player.pk, "name": player.name, "display_name": "Anabee"}
    at_desk(tournament, "scorekeeper").post(f"/desk/{tournament.slug}/do/rename-player/", named)
    page = f"/desk/{tournament.slug}/players/{player.pk}/"
    assert "ana@example.org" in at_desk(tournament, "scorekeeper").get(page).content.decode()
    assert "ana@example.org" not in at_desk(tournament, "judge").get(page).content.decode()
    halls.started(tournament)
    mate = make_link(seat_id=team.seats.get(label="B").pk)
    told = told_in_public(tournament, mate)
    assert [address for address, text in told.items() if "Beatriz" in text] == []
    for page in ("pairings/", "pairings/?by=name", "standings/"):
        assert "Anabee" in told[f"/t/{tournament.slug}/{page}"]
    assert "Anabee" in told[f"/me/{mate}"]


def test_nobody_reads_of_a_penalty_or_why_a_team_is_out() -> None:
    tournament = halls.running(6, 1)
    halls.started(tournament)
    first, second, third = tournament.teams.order_by("number")[:3]
    seat = first.seats.get(label="A")
    disqualify_player(
        tournament_id=tournament.pk, player_id=seat.player_id, reason="Bribery at table", actor=COMMAND
    )
    tournament.penalties.create(team=second, infraction="Bribery offered", level="warning", note="Bribery")
    drop_team(team_id=third.pk, actor=COMMAND, reason="Bribery seen")
    told = told_in_public(tournament, make_link(seat_id=tournament.teams.last().seats.first().pk))
    for word in ("bribery", "penalt", "disqualif"):
        assert [address for address, text in told.items() if word in text.lower()] == [], word
    teams = Client().get(f"/api/v1/tournaments/{tournament.slug}/teams/").json()["results"]
    assert [one["status"] for one in teams[:4]] == ["out", "playing", "out", "playing"]
    words = {
        team.pk: Client().get(f"/t/{tournament.slug}/standings/{team.pk}/").content.decode().lower()
        for team in (first, third)
    }
    assert all(">out<" in text or "out" in text for text in words.values())
