"""The day by a key: plan, steps, the clock held, totals, previews, deck lists, files and lone players."""

from typing import Any

import pytest
from django.test import Client

from integrations.scopes import Scope
from journal.actors import COMMAND
from journal.clock import now, reset_clock
from matches.games import choose_first
from matches.tracking import note_tap
from rulebook.tracker import Tap
from teams.models import Decklist, Seat, Store, Team
from tests import small_event
from tests.api.calling import V1, Till, code_of
from tournaments.models import Step, Tournament
from tournaments.pairing import pair_round
from tournaments.schedule import schedule_publish

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    yield
    reset_clock()


def test_a_key_plans_the_day_and_answers_the_clock() -> None:
    friday = small_event.running(4)
    till = Till(friday)
    at = "/tournaments/friday"
    assert till.get(f"{at}/plan/").json() == {"plan": {}, "held_at": None}
    said = {"lunch_from": "12:30", "lunch_minutes": 40, "warnings": [5], "modes": {"publish": "manual"}}
    planned = till.post(f"{at}/plan/", said, method="put")
    assert planned.status_code == 200, planned.content
    assert planned.json()["plan"]["modes"] == {"publish": "manual"}
    assert till.get(f"{at}/plan/").json()["plan"]["lunch_from"] == "12:30"
    wrong = till.post(f"{at}/plan/", {"lunch_from": "25:00"}, method="put")
    assert (wrong.status_code, wrong.json()["errors"][0]["attr"]) == (400, "lunch_from")
    assert code_of(till.post(f"{at}/plan/", {"lunch_minutes": 4}, method="put")) == "lunch-without-time"
    rnd = pair_round(tournament_id=friday.pk, actor=COMMAND)
    step = schedule_publish(round_id=rnd.pk, at=now(), actor=COMMAND)
    [told] = [one for one in till.get(f"{at}/steps/").json()["results"] if one["id"] == step.pk]
    assert (told["kind"], told["state"]) == ("publish", "waiting")
    assert till.patch(f"/steps/{step.pk}/", {"mode": "asked"}).json()["mode"] == "asked"
    assert till.post(f"{at}/hold/", {"reason": "fire"}).json()["held_at"] is not None
    assert code_of(till.post(f"{at}/hold/")) == "clock-held"
    assert till.post(f"{at}/release/").json()["held_at"] is None
    assert till.post(f"/steps/{step.pk}/do/").json()["state"] == "done"
    assert till.get(f"/rounds/{rnd.pk}/").json()["state"] == "published"
    assert code_of(till.post(f"/steps/{step.pk}/cancel/")) == "step-over"
    assert till.post(f"{at}/plan/drop/").json()["plan"] == {}
    start = Step.objects.create(tournament=friday, key="x", kind="start-tournament", due_at=now())
    clock = Till(friday, Scope.ROUNDS_WRITE)
    assert clock.post(f"/steps/{start.pk}/do/").status_code == 403, "what a step does asks for its own scope"


def test_a_key_looks_at_the_running_game_and_at_what_a_correction_would_change() -> None:
    friday = small_event.running(4)
    till, reader = Till(friday), Till(friday, Scope.READ)
    rnd = small_event.started(friday)
    match = rnd.matches.order_by("table")[0]
    at = f"/matches/{match.pk}"
    assert reader.get(f"{at}/tracker/").json() == {"boards": []}
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    note_tap(match_id=match.pk, actor=COMMAND, tap=Tap.HOLD, position="1A", source="1")
    [board] = reader.get(f"{at}/tracker/").json()["boards"]
    first, second = match.sides.order_by("index").values_list("team_id", flat=True)
    assert {one["team"]: one["total"] for one in board["totals"]} == {first: 1, second: 0}
    assert Client().get(f"{V1}{at}/tracker/").status_code == 401
    won = {"sides": [{"team": first, "wins": 2}]}
    assert till.post(f"{at}/result/", won).status_code == 201
    turned = {"sides": [{"team": second, "wins": 2}], "reason": "the wrong way round"}
    shown = till.post(f"{at}/correct/preview/", turned).json()
    assert [shown["contests"][0][word]["wins"] for word in ("was", "now")] == [[2, 0], [0, 2]]
    assert till.get(f"{at}/").json()["sides"][0]["wins"] == 2, "nothing is changed by looking"
    done = till.post(f"{at}/correct/", {**turned, "version": shown["version"]})
    assert (done.status_code, done.json()["sides"][1]["wins"]) == (200, 2)
    assert code_of(till.post(f"{at}/correct/", {**turned, "version": shown["version"]})) == "preview-outdated"


def test_deck_lists_are_read_by_the_scope_of_staff_alone() -> None:
    friday = small_event.registered(1)
    seat = Seat.objects.filter(tournament=friday).first()
    Decklist.objects.create(seat=seat, body="3 Secret Card", submitted_at=now())
    all_but = Till(friday, *(set(Scope) - {Scope.STAFF}))
    assert all_but.get("/tournaments/friday/decklists/").status_code == 403
    [told] = Till(friday, Scope.STAFF).get("/tournaments/friday/decklists/").json()["results"]
    assert (told["seat"], told["body"]) == ("A", "3 Secret Card")
    assert told["problems"], "it is said what is wrong with it"


def test_lone_players_enter_and_are_joined_by_a_key() -> None:
    till = Till(small_event.registered(1))
    at = "/tournaments/friday"
    solos = [
        till.post(f"{at}/teams/", {"is_solo": True, "members": [{"seat": "A", "name": name}]}).json()["id"]
        for name in ("Lone Ana", "Lone Bo")
    ]
    members = [{"seat": seat, "team": team} for seat, team in zip("AB", solos, strict=True)]
    joined = till.post(f"{at}/join-solos/", {"members": members, "name": "Two Alone"})
    assert (joined.status_code, joined.json()["name"]) == (200, "Two Alone")
    assert code_of(till.post(f"{at}/join-solos/", {"members": members})) == "not-solo"
    assert code_of(till.post(f"/teams/{solos[0]}/confirm-entry/")) == "not-signed-up"
    asked = {"player": 1, "known": None}
    assert code_of(till.post(f"/teams/{solos[0]}/settle-namesake/", asked)) == "settled-already"


def test_a_tournament_goes_out_as_a_file_and_tables_and_into_another_store() -> None:
    friday = small_event.running(4)
    small_event.played(friday)
    till = Till(friday)
    told = till.get("/tournaments/friday/file/").json()
    assert told["format"] == "tandem-tournament"
    assert "contact" not in told["players"][0]
    assert "contact" in till.get("/tournaments/friday/file/?contacts=true").json()["players"][0]
    only_staff = Till(friday, Scope.STAFF)
    assert only_staff.get("/tournaments/friday/file/?contacts=true").status_code == 403
    far = Store.objects.create(name="Far", slug="far")
    elsewhere = Till(Tournament(store=far))
    made = elsewhere.post("/stores/far/tournaments/import/", {"file": told, "slug": "copied"})
    assert (made.status_code, made.json()["slug"]) == (201, "copied"), made.content
    assert Team.objects.filter(tournament__slug="copied").count() == 4
    for word, head in (("teams", "number,team"), ("results", "stage,round"), ("standings", "rank,number")):
        answer = Client().get(f"{V1}/tournaments/friday/csv/{word}/")
        assert answer["Content-Type"].startswith("text/csv")
        lines = answer.content.decode("utf-8-sig").splitlines()
        assert lines[0].startswith(head)
        assert len(lines) == 5
    assert lines[1].split(",")[3:5] == ["3.0000", "1-0-0"]
    missing = Client().get(f"{V1}/tournaments/nowhere/csv/teams/")
    assert (missing.status_code, missing["Content-Type"]) == (404, "application/json")
    broken = till.post("/stores/corner/tournaments/import/", {"file": {"format": "other"}})
    assert broken.status_code == 409
