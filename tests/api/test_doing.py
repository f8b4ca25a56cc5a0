"""A day at a tournament through the API alone, and what it refuses on the way."""

from typing import Any

import pytest

from integrations.scopes import Scope
from journal.models import Deed
from matches.models import Result
from teams.models import Player, Store, User
from tests import small_event
from tests.api.calling import Till, code_of
from tournaments.models import Tournament
from tournaments.pages.words import told
from tournaments.running import FIRST

pytestmark = pytest.mark.django_db


def ok(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return answer.json()


def member(seat: str, name: str) -> dict[str, str]:
    return {"seat": seat, "name": name, "source": "shop", "external_id": name.lower()}


def test_store_software_runs_a_whole_small_tournament() -> None:
    friday = small_event.registered(2)
    till = Till(friday)
    made: dict[str, Any] = {"name": "May Cup", "slug": "may-cup", "mode": "riftbound-2v2"}
    made |= {"planned_rounds": 1, "cut": 2, "best_of": 3}
    assert ok(till.post("/tournaments/", made), 201)["state"] == "draft"
    at = "/tournaments/may-cup"
    ok(till.post(f"{at}/open-registration/"))
    teams = [
        ok(till.post(f"{at}/teams/", {"members": [member("A", f"Anna{n}"), member("B", f"Bo{n}")]}), 201)
        for n in range(4)
    ]
    assert Player.objects.filter(source="shop").count() == 8
    again = till.post("/stores/corner/players/", {"name": "Anna", "source": "shop", "external_id": "anna0"})
    assert ok(again, 201)["id"] == teams[0]["members"][0]["player"], "known by its id, not doubled"
    for team in teams:
        assert ok(till.post(f"/teams/{team['id']}/check-in/"))["status"] == "checked-in"
    ok(till.post(f"{at}/start/"))
    rnd = ok(till.post(f"{at}/rounds/"), 201)
    assert rnd["state"] == "paired"
    ok(till.post(f"/rounds/{rnd['id']}/publish/"))
    ok(till.post(f"/rounds/{rnd['id']}/start/"))
    one, two = ok(till.get(f"{at}/matches/?round={rnd['id']}"))["results"]
    first, second = (side["team"]["id"] for side in one["sides"])
    games = ok(till.post(f"/matches/{one['id']}/openings/", {"chooser": first}), 201)["results"]
    assert (games[0]["chooser"], games[0]["order"][0]) == (0, "1A")
    ok(till.post(f"/matches/{one['id']}/games/", {"winner": second}), 201)
    ok(till.post(f"/matches/{one['id']}/report/", {"team": second, "kind": "concession", "loser": first}))
    told_match = ok(till.post(f"/matches/{one['id']}/confirm/"))
    assert {side["team"]["id"]: side["outcome"] for side in told_match["sides"]} == {
        first: "loss",
        second: "win",
    }
    third, fourth = (side["team"]["id"] for side in two["sides"])
    said = {"sides": [{"team": fourth, "wins": 2}, {"team": third, "wins": 1}]}
    ok(till.post(f"/matches/{two['id']}/result/", said), 201)
    assert code_of(till.post(f"/rounds/{rnd['id']}/start/")) == "wrong-state"
    ok(till.post(f"/rounds/{rnd['id']}/close/"))
    stage = ok(till.post(f"{at}/cut/", {"tie_decision": "by lot"}), 201)
    nodes = ok(till.get(f"/stages/{stage['id']}/bracket/"))["nodes"]
    assert [slot["kind"] for slot in nodes[0]["slots"]] == ["team", "team"]
    final = ok(till.post(f"{at}/rounds/"), 201)
    ok(till.post(f"/rounds/{final['id']}/publish/"))
    ok(till.post(f"/rounds/{final['id']}/start/"))
    match = ok(till.get(f"/rounds/{final['id']}/pairings/"))["results"][0]
    winner = match["sides"][0]["team"]["id"]
    ok(till.post(f"/matches/{match['id']}/result/", {"sides": [{"team": winner, "wins": 2}]}), 201)
    ok(till.post(f"/rounds/{final['id']}/close/"))
    assert ok(till.post(f"{at}/finish/"))["state"] == "finished"
    journal = ok(till.get(f"{at}/journal/?page_size=500"))["results"]
    assert {row["actor"] for row in journal} == {f"key:{till.key.prefix}"}
    assert {row["door"] for row in journal} == {"api"}
    assert [row["number"] for row in journal] == list(range(len(journal), 0, -1))


@pytest.fixture
def running() -> tuple[Till, Any, int, int]:
    rnd = small_event.started(small_event.running(2))
    match = rnd.matches.get()
    first, second = match.sides.order_by("index").values_list("team_id", flat=True)
    return Till(rnd.stage.tournament), match, first, second


def test_case_136_a_result_that_makes_no_sense_is_refused_field_by_field(
    running: tuple[Till, Any, int, int],
) -> None:
    """P1 who beat P1 is 400, and so is a team from another table."""
    till, match, first, second = running
    at = f"/matches/{match.pk}/result/"
    for body, attr in (
        ({"winner": first, "loser": first}, "winner"),
        ({"sides": [{"team": first, "wins": 2}, {"team": first, "wins": 0}]}, "sides"),
        ({"sides": [{"team": first + second, "wins": 2}]}, "sides"),
        ({"sides": [{"team": first, "wins": "2"}]}, "sides.0.wins"),
        ({"sides": [{"team": first, "wins": 2}], "draw": 1}, "draw"),
        ({"kind": "bye"}, "kind"),
        ([], None),
    ):
        answer = till.post(at, body)
        assert answer.status_code == 400, body
        assert answer.json()["errors"][0]["attr"] in (attr, "non_field_errors"), answer.content
    assert code_of(till.post(at, {"sides": [{"team": first, "wins": 3}]})) == "too-many-wins"
    assert not Result.objects.exists()
    assert till.client.post(f"/api/v1{at}", "x", content_type="text/plain").status_code == 415
    assert till.client.post(f"/api/v1{at}", "{", content_type="application/json").status_code == 400


def test_case_138_a_chat_bot_sends_results_on_behalf_of_who_made_its_key(
    running: tuple[Till, Any, int, int],
) -> None:
    """A key for one tournament, and the journal says for whom it acts."""
    _, match, first, _ = running
    anna = User.objects.create_user("anna")
    bot = Till(match.tournament, Scope.RESULTS_WRITE, tournament_id=match.tournament_id, created_by=anna.pk)
    other = small_event.started(small_event.running(2, slug="saturday")).matches.get()
    said = {"sides": [{"team": first, "wins": 2}]}
    assert bot.post(f"/matches/{other.pk}/result/", said).status_code == 404
    assert bot.post(f"/matches/{match.pk}/result/", said).status_code == 201
    deed = Deed.objects.filter(tournament=match.tournament).order_by("-number")[0]
    [line] = told(match.tournament, [deed], ("A", "B"))
    assert (deed.actor, line.who) == (f"key:{bot.key.prefix}", "till, for anna")


def test_what_leaves_a_match_through_the_api_needs_the_scope_for_teams_too(
    running: tuple[Till, Any, int, int],
) -> None:
    till, match, first, second = running
    body = {"sides": [{"team": first, "wins": 2}], "leaving": [second]}
    only_results = Till(match.tournament, Scope.RESULTS_WRITE)
    assert only_results.post(f"/matches/{match.pk}/enter-and-drop/", body).status_code == 403
    assert ok(till.post(f"/matches/{match.pk}/enter-and-drop/", body))[0]["status"] == "out"


def test_a_deed_out_of_turn_names_the_one_that_comes_first() -> None:
    friday = small_event.registered(2)
    till = Till(friday)
    team = friday.teams.get(number=1)
    early = till.post(f"/teams/{team.pk}/drop/")
    assert (early.status_code, code_of(early)) == (409, "not-playing-yet")
    assert "withdraw it instead" in early.json()["errors"][0]["detail"]
    for state, first in FIRST.items():
        Tournament.objects.filter(pk=friday.pk).update(state=state)
        refused = till.post("/tournaments/friday/rounds/")
        assert (refused.status_code, code_of(refused)) == (409, "tournament-not-running")
        assert refused.json()["errors"][0]["detail"].endswith(f"; {first}.")


def test_a_player_of_another_store_is_not_seated() -> None:
    friday = small_event.registered(2)
    stranger = Player.objects.create(
        store=Store.objects.create(name="Elsewhere", slug="elsewhere"), name="X", folded="x"
    )
    till = Till(friday)
    for who in ({"player": stranger.pk}, {"player": stranger.pk, "name": "X"}, {}):
        answer = till.post("/tournaments/friday/teams/", {"members": [{"seat": "A", **who}]})
        assert answer.status_code == 400, who
    assert Tournament.objects.get().teams.count() == 2


def test_lists_ask_as_many_queries_for_few_rows_as_for_many(django_assert_max_num_queries: Any) -> None:
    few, many = (
        small_event.started(small_event.running(2)),
        small_event.started(small_event.running(8, slug="saturday")),
    )
    till = Till(few.stage.tournament)
    till.get("/me/")
    for path in ("teams", "matches", "players", "journal", "penalties", "staff", "stages", "calls"):
        counted = []
        for slug in (few.stage.tournament.slug, many.stage.tournament.slug):
            till.get(f"/tournaments/{slug}/{path}/")
            with django_assert_max_num_queries(12) as queries:
                ok(till.get(f"/tournaments/{slug}/{path}/"))
            counted.append(len([one for one in queries.captured_queries if "clocksetting" not in one["sql"]]))
        assert counted[0] == counted[1], path
    page = till.get("/tournaments/saturday/teams/?page_size=3")
    assert page["Link"].startswith("<http://testserver/api/v1/tournaments/saturday/teams/?cursor=")
    assert page["Link"].endswith('rel="next"')
