"""What the API tells of a tournament, and to whom."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from integrations.api.settings_body import CreateBody
from journal.actors import COMMAND
from journal.recording import version_of
from matches.results import enter_result, report_result
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind
from teams.models import Player, Store, Team, User
from teams.people import add_player
from tests import small_event
from tournaments.api import views
from tournaments.corrections import correct_result
from tournaments.models import SnapshotRow, Tournament
from tournaments.registration import register_team, withdraw_team
from tournaments.rounds import publish_round, scrap_round
from tournaments.setting_up import create_tournament
from tournaments.staff import appoint
from tournaments.withdrawals import disqualify_player

pytestmark = pytest.mark.django_db

V1 = "/api/v1"


@pytest.fixture
def staff(signed_in: Callable[[User], Client]) -> Callable[[Tournament, str], Client]:
    def serve(tournament: Tournament, role: str = "viewer") -> Client:
        user = User.objects.create_user(f"{role}-{tournament.slug}")
        appoint(tournament_id=tournament.pk, user_id=user.pk, role=role, actor=COMMAND)
        return signed_in(user)

    return serve


def draft(slug: str = "hidden") -> Tournament:
    store, _ = Store.objects.get_or_create(slug="corner", defaults={"name": "The Corner"})
    return create_tournament(
        store_id=store.pk, name=slug, slug=slug, mode="magic-1v1", planned_rounds=3, actor=COMMAND
    )


def told(client: Client, path: str) -> Any:
    answer = client.get(V1 + path)
    assert answer.status_code == 200, answer.content
    return answer.json()


def slugs(client: Client, query: str = "") -> list[str]:
    return [row["slug"] for row in told(client, f"/tournaments/{query}")["results"]]


def test_everybody_reads_a_tournament_with_its_version(client: Client) -> None:
    friday = small_event.registered(2, zone="Europe/Berlin")
    found = told(client, "/tournaments/friday/")
    assert found["version"] == version_of(friday.pk)
    assert (found["store"], found["zone"], found["state"]) == ("corner", "Europe/Berlin", "registration")
    assert told(client, "/tournaments/")["results"] == [found]
    assert set(found) >= set(CreateBody().fields), "what can be set can be read"


def test_a_web_shop_reads_how_many_places_are_left(client: Client) -> None:
    friday = small_event.registered(3, capacity=2)
    lone = add_player(store_id=friday.store_id, name="Lone Lee")
    register_team(tournament_id=friday.pk, members=[("A", lone.pk)], is_solo=True, actor=COMMAND)
    found = told(client, "/tournaments/friday/")
    assert (found["capacity"], found["places_taken"], found["waiting"]) == (2, 2, 1)
    withdraw_team(team_id=friday.teams.get(number=3).pk, actor=COMMAND)
    assert told(client, "/tournaments/friday/")["waiting"] == 0


@pytest.mark.parametrize(
    "query, expected",
    [
        ("?state=running", ["saturday"]),
        ("?state=registration", ["friday"]),
        ("?mode=riftbound-2v2", ["friday", "saturday"]),
        ("?mode=magic-1v1", []),
        ("?store=corner", ["friday", "saturday"]),
        ("?store=elsewhere", []),
    ],
)
def test_tournaments_are_filtered(client: Client, query: str, expected: list[str]) -> None:
    small_event.registered(2)
    small_event.running(2, slug="saturday")
    assert slugs(client, query) == expected


def test_a_draft_is_seen_only_by_those_who_serve_there(
    client: Client, staff: Callable[..., Client], signed_in: Callable[..., Client]
) -> None:
    hidden = draft()
    elsewhere = staff(draft("elsewhere"), "organizer")
    own = staff(hidden, "viewer")
    chief = signed_in(User.objects.create_superuser("chief"))
    for address in ("", "teams/", "rounds/", "standings/"):
        assert client.get(f"{V1}/tournaments/hidden/{address}").status_code == 404
        assert elsewhere.get(f"{V1}/tournaments/hidden/{address}").status_code == 404
        assert own.get(f"{V1}/tournaments/hidden/{address}").status_code == 200
    assert (slugs(client), slugs(elsewhere), slugs(own)) == ([], ["elsewhere"], ["hidden"])
    assert slugs(chief) == ["hidden", "elsewhere"]


def test_a_draft_of_a_round_is_seen_only_by_those_who_serve_there(
    client: Client, staff: Callable[..., Client]
) -> None:
    friday = small_event.running()
    rnd = small_event.drafted(friday)
    own, elsewhere = staff(friday), staff(small_event.running(2, slug="saturday"), "organizer")
    for stranger in (client, elsewhere):
        assert told(stranger, "/tournaments/friday/rounds/")["results"] == []
        assert stranger.get(f"{V1}/rounds/{rnd.pk}/").status_code == 404
        assert stranger.get(f"{V1}/rounds/{rnd.pk}/pairings/").status_code == 404
    assert [row["state"] for row in told(own, "/tournaments/friday/rounds/")["results"]] == ["paired"]
    assert len(told(own, f"/rounds/{rnd.pk}/pairings/")["results"]) == 2
    publish_round(round_id=rnd.pk, actor=COMMAND)
    assert told(client, f"/rounds/{rnd.pk}/")["state"] == "published"
    scrap_round(round_id=rnd.pk, actor=COMMAND)
    for anybody in (client, own):
        assert anybody.get(f"{V1}/rounds/{rnd.pk}/").status_code == 404


def test_a_bye_is_a_side_of_its_own_kind(client: Client) -> None:
    rnd = small_event.played(small_event.running(5))
    rows = told(client, f"/rounds/{rnd.pk}/pairings/")["results"]
    assert sorted(row["kind"] for row in rows) == ["bye", "table", "table"]
    [bye] = [row for row in rows if row["kind"] == "bye"]
    team, nobody = bye["sides"]
    assert nobody == {"kind": "bye"}
    assert (team["kind"], team["wins"], team["outcome"], bye["result"]) == ("team", 2, "win", "bye")


def test_an_assigned_loss_is_a_side_of_its_own_kind(client: Client) -> None:
    friday = small_event.running(4)
    rnd = small_event.played(friday)
    late = [add_player(store_id=friday.store_id, name=f"Late {n}") for n in range(2)]
    team = register_team(tournament_id=friday.pk, members={"A": late[0].pk, "B": late[1].pk}, actor=COMMAND)
    rows = told(client, f"/rounds/{rnd.pk}/pairings/")["results"]
    [missed] = [row for row in rows if row["kind"] == "assigned-loss"]
    assert missed["sides"][0]["team"]["id"] == team.pk
    assert missed["sides"][1] == {"kind": "assigned-loss"}
    assert missed["sides"][0]["outcome"] == "loss"


def test_a_result_is_told_once_it_is_confirmed(client: Client) -> None:
    friday = small_event.running()
    rnd = small_event.started(friday)
    [first, _] = told(client, f"/rounds/{rnd.pk}/pairings/")["results"]
    assert first["result"] == "open"
    assert {side["outcome"] for side in first["sides"]} == {"open"}
    match = rnd.matches.get(pk=first["id"])
    left, right = (side["team"]["id"] for side in first["sides"])
    report_result(match_id=match.pk, team_id=left, wins={left: 2, right: 1}, actor=COMMAND)
    [reported, _] = told(client, f"/rounds/{rnd.pk}/pairings/")["results"]
    assert (reported["state"], reported["result"]) == ("reported", "open")
    enter_result(match_id=match.pk, wins=(2, 1), draws=1, actor=COMMAND)
    [confirmed, _] = told(client, f"/rounds/{rnd.pk}/pairings/")["results"]
    assert (confirmed["result"], confirmed["draws"]) == ("played", 1)
    assert [(side["wins"], side["outcome"]) for side in confirmed["sides"]] == [(2, "win"), (1, "loss")]


def test_standings_are_the_stored_rows(client: Client) -> None:
    friday = small_event.running(5)
    assert told(client, "/tournaments/friday/standings/")["rows"] == []
    small_event.played(friday)
    rnd = small_event.played(friday)
    found = told(client, "/tournaments/friday/standings/")
    assert (found["after_round"], found["version"], found["policy"]) == (2, 1, "riftbound")
    stored = SnapshotRow.objects.filter(snapshot__after_round=2).order_by("position")
    keys = [column["key"] for column in found["tiebreakers"]]
    assert keys
    for row, kept in zip(found["rows"], stored, strict=True):
        assert (row["rank"], row["team"]["id"]) == (kept.rank, kept.team_id)
        assert row["points"]["exact"] == kept.points
        assert row["record"] == kept.record
        assert [(f["key"], f["exact"]) for f in row["figures"]] == [(k, kept.figures[k]) for k in keys]
    match = rnd.matches.filter(kind=MatchKind.TABLE).first()
    correct_result(match_id=match.pk, wins=(0, 2), reason="wrong way round", actor=COMMAND)
    assert told(client, "/tournaments/friday/standings/")["version"] == 2
    assert told(client, "/tournaments/friday/standings/?after_round=1")["after_round"] == 1


@pytest.mark.parametrize("asked, status", [("9", 404), ("0", 404), ("x", 400), ("-1", 400), ("9999999", 400)])
def test_standings_that_are_not_there_are_refused(client: Client, asked: str, status: int) -> None:
    small_event.played(small_event.running())
    answer = client.get(f"{V1}/tournaments/friday/standings/?after_round={asked}")
    assert answer.status_code == status
    assert answer.json()["errors"][0]["attr"] == ("after_round" if status == 400 else None)


def test_teams_have_public_names_and_no_contact(client: Client, staff: Callable[..., Client]) -> None:
    friday = small_event.registered(1)
    shy = add_player(
        store_id=friday.store_id, name="Maria Secret", display_name="Moth", contact="maria@example.org"
    )
    register_team(tournament_id=friday.pk, members={"A": shy.pk}, name="", actor=COMMAND)
    gone = Team.objects.get(number=1)
    withdraw_team(team_id=gone.pk, actor=COMMAND)
    for reader in (client, staff(friday, "organizer")):
        answer = reader.get(f"{V1}/tournaments/friday/teams/")
        [team] = answer.json()["results"]
        assert (team["name"], team["status"], team["is_complete"]) == ("Moth", "registered", False)
        assert team["members"] == [{"seat": "A", "player": shy.pk, "name": "Moth"}]
        assert b"maria" not in answer.content.lower()


def test_a_team_that_left_is_out_and_nobody_learns_why(client: Client) -> None:
    friday = small_event.running(4)
    small_event.played(friday)
    culprit = Player.objects.filter(seats__team__number=2).first()
    disqualify_player(tournament_id=friday.pk, player_id=culprit.pk, reason="stolen cards", actor=COMMAND)
    answer = client.get(f"{V1}/tournaments/friday/teams/")
    assert [row["status"] for row in answer.json()["results"]] == ["playing", "out", "playing", "playing"]
    assert b"disq" not in answer.content
    assert b"stolen" not in answer.content


def test_long_lists_are_paged_by_cursor(client: Client) -> None:
    small_event.registered(5)
    numbers, address = [], f"{V1}/tournaments/friday/teams/?page_size=2"
    while address:
        page = client.get(address).json()
        assert len(page["results"]) <= 2
        numbers += [row["number"] for row in page["results"]]
        address = page["next"]
    assert numbers == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "path",
    ["/tournaments/", "/tournaments/{0}/teams/", "/tournaments/{0}/standings/", "/rounds/{1}/pairings/"],
)
def test_the_number_of_queries_does_not_grow_with_the_rows(
    client: Client, path: str, django_assert_max_num_queries: Any
) -> None:
    counted = []
    for teams in (3, 13):
        friday = small_event.running(teams, slug=f"with-{teams}")
        rnd = small_event.played(friday)
        with django_assert_max_num_queries(12) as queries:
            told(client, path.format(friday.slug, rnd.pk))
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_whoever_is_signed_in_reads_his_roles(staff: Callable[..., Client]) -> None:
    friday = small_event.registered(1)
    assert told(staff(friday, "judge"), "/me/") == {
        "username": "judge-friday",
        "roles": [{"tournament": "friday", "role": "judge"}],
        "key": None,
    }


def test_a_broken_rule_is_a_conflict_with_code_and_sentence(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(user: Any) -> None:
        raise RuleBroken("seat-taken", "Choose another seat.")

    monkeypatch.setattr(views, "tournaments_for", refuse)
    answer = client.get("/api/v1/tournaments/")
    assert answer.status_code == 409
    assert answer.json() == {
        "type": "client_error",
        "errors": [{"code": "seat-taken", "detail": "Choose another seat.", "attr": None}],
    }
