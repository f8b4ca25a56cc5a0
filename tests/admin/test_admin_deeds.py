"""The deed buttons, pressed by a client: each calls its service, a refusal is a sentence on the page."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from journal.actors import COMMAND
from journal.models import Deed
from matches.models import Match, Result
from matches.results import enter_result, report_result, sides_of
from teams.models import Player, Seat, Team
from tests.admin.hall import Hall, add_team, colleague, new_hall, running_round, staff_user, tables
from tournaments.models import Round, Staff, Step, Tournament
from tournaments.pairing import pair_round
from tournaments.rounds import close_round
from tournaments.setting_up import start_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(db) -> Hall:
    return new_hall("West", teams=4, rounds=1, cut=2)


@pytest.fixture
def running(hall) -> Hall:
    start_tournament(tournament_id=hall.tournament.pk, actor=COMMAND)
    return hall


def page(row: Any) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def deed_address(row: Any, key: str) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_deed", args=[row.pk, key])


def offered(client: Client, row: Any) -> list[str]:
    """The keys of the buttons on the row's page."""
    return [button["deed"].key for button in client.get(page(row)).context["deeds"]]


def press(client: Client, row: Any, key: str, **answers: Any) -> str:
    """The sentence the page shows after the button was pressed as the page shows it."""
    row.refresh_from_db()
    deed = next(deed for deed in admin.site._registry[type(row)].deeds(row) if deed.key == key)
    response = client.post(deed_address(row, key), {"target": deed.target or "", **answers})
    if response.status_code == 200:
        return " ".join(response.context["form"].non_field_errors())
    assert response.status_code == 302, response.status_code
    return str(list(get_messages(response.wsgi_request))[-1])


def test_a_day_is_run_from_the_tournament_page(hall, signed_in):
    client, tournament = signed_in(hall.organizer), hall.tournament
    assert offered(client, tournament)[0] == "start"
    assert "running" in press(client, tournament, "start")
    assert offered(client, tournament)[0] == "pair"
    assert "Round 1 is paired" in press(client, tournament, "pair")
    assert offered(client, tournament)[:2] == ["publish", "publish-at"]
    press(client, tournament, "publish")
    press(client, tournament, "start-round")
    assert "Time is called" in press(client, tournament, "call-time")
    assert "call-time" not in offered(client, tournament)
    for match in Match.objects.filter(tournament=tournament):
        told = press(client, match, "result", kind="played", wins_0="2", wins_1="1")
        assert told == f"Table {match.table}: 2-1 is confirmed."
    press(client, tournament, "close")
    assert "top 2" in press(client, tournament, "make-cut", size="2", tie_decision="by lot")
    press(client, tournament, "pair")
    final = Round.objects.get(stage__number=2, state="paired")
    press(client, tournament, "publish")
    press(client, tournament, "start-round")
    press(client, tables(final)[0], "result", kind="concession", loser="1", wins_0="0", wins_1="0")
    press(client, tournament, "close")
    assert "final ranking" in press(client, tournament, "finish")
    assert offered(client, tournament) == ["appoint", "reopen"]
    doors = set(
        Deed.objects.filter(tournament=tournament, actor=f"user:{hall.organizer.pk}").values_list("door")
    )
    assert doors == {("admin",)}
    press(client, tournament, "reopen", reason="a wrong name")
    assert Tournament.objects.get().state == "running"


@pytest.mark.parametrize(
    "key, before, after",
    [
        ("reopen-registration", "", "registration"),
        ("scrap-round", "paired", "running"),
        ("cancel", "", "cancelled"),
    ],
)
def test_what_was_done_is_taken_back(running, signed_in, key, before, after):
    client, tournament = signed_in(running.organizer), running.tournament
    if before:
        pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=1)
    press(client, tournament, key, reason="a mistake")
    assert Tournament.objects.get().state == after
    assert not Round.objects.exclude(state="scrapped").exists()


def test_a_closed_round_is_reopened_and_the_cut_undone(running, signed_in):
    client, tournament = signed_in(running.organizer), running.tournament
    rnd = running_round(running)
    for match in tables(rnd):
        enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 0))
    close_round(round_id=rnd.pk, actor=COMMAND)
    press(client, tournament, "reopen-round", reason="table 1 was wrong")
    press(client, tournament, "close")
    press(client, tournament, "make-cut", size="2", tie_decision="by lot")
    assert "undo-cut" in offered(client, tournament)
    press(client, tournament, "undo-cut", reason="one more round")
    assert "make-cut" in offered(client, tournament)


def test_a_tie_at_the_cut_asks_for_a_decision_and_writes_nothing(running, signed_in):
    client, tournament = signed_in(running.organizer), running.tournament
    rnd = running_round(running)
    for match in tables(rnd):
        enter_result(match_id=match.pk, actor=COMMAND, wins=(0, 0), draws=1)
    close_round(round_id=rnd.pk, actor=COMMAND)
    told = press(client, tournament, "make-cut", size="2", tie_decision="")
    assert "equal in everything" in told
    assert tournament.stages.count() == 1


def test_a_refusal_is_the_services_sentence(running, signed_in):
    running_round(running)
    told = press(signed_in(running.organizer), running.tournament, "close")
    assert "1, 2" in told
    assert Round.objects.get().state == "running"


def test_an_old_page_does_its_deed_to_nothing_newer(running, signed_in):
    client, tournament = signed_in(running.organizer), running.tournament
    first = pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=1)
    press(client, tournament, "scrap-round")
    second = pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=2)
    client.post(deed_address(tournament, "publish"), {"target": first.pk})
    assert Round.objects.get(pk=second.pk).state == "paired"


def test_a_button_pressed_twice_warns_the_second_time(running, signed_in):
    client, tournament = signed_in(running.organizer), running.tournament
    client.post(deed_address(tournament, "pair"))
    response = client.post(deed_address(tournament, "pair"))
    assert "does not fit" in str(list(get_messages(response.wsgi_request))[-1])
    assert Round.objects.count() == 1


def test_deeds_want_a_post_with_a_token(running, signed_in):
    client, tournament = signed_in(running.organizer), running.tournament
    assert client.get(deed_address(tournament, "pair")).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(running.organizer, backend="django.contrib.auth.backends.ModelBackend")
    assert strict.post(deed_address(tournament, "pair")).status_code == 403
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    "role, expected",
    [
        ("organizer", {"pair", "appoint", "reopen-registration", "cancel"}),
        ("head-judge", {"pair"}),
        ("judge", set()),
        ("scorekeeper", {"pair"}),
        ("viewer", set()),
    ],
)
def test_each_role_has_its_buttons_and_no_way_round_them(running, signed_in, role, expected):
    client = signed_in(colleague(running, role))
    tournament = running.tournament
    assert set(offered(client, tournament)) == expected
    for key in {"pair", "reopen-registration", "appoint", "cancel"} - expected:
        assert client.post(deed_address(tournament, key), {"reason": "x"}).status_code == 403
    assert Tournament.objects.get().state == "running"


def test_a_foreign_tournament_has_no_deeds(running, signed_in):
    stranger = new_hall("East").organizer
    assert signed_in(stranger).post(deed_address(running.tournament, "pair")).status_code == 404
    assert signed_in(stranger).post(deed_address(running.teams[0], "check-in")).status_code == 404


def test_the_clock_publishes_at_a_time_of_the_venue(running, signed_in):
    client, tournament = signed_in(running.organizer), running.tournament
    pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=1)
    told = press(client, tournament, "publish-at", at="2031-07-01T14:30")
    assert "14:30" in told
    assert Step.objects.get(kind="publish").due_at.isoformat() == "2031-07-01T12:30:00+00:00"


def test_staff_are_appointed_by_name_and_dismissed(hall, signed_in):
    client, tournament = signed_in(hall.organizer), hall.tournament
    helper = staff_user("helper")
    response = client.post(deed_address(tournament, "appoint"), {"account": "nobody", "role": "judge"})
    assert "exact user name" in response.content.decode()
    press(client, tournament, "appoint", account="HELPER@example.org", role="judge")
    role = Staff.objects.get(user=helper)
    assert "no longer" in press(client, role, "dismiss")
    own = Staff.objects.get(user=hall.organizer)
    assert "another organizer" in press(client, own, "dismiss")
    assert list(Staff.objects.all()) == [own]


def test_a_reported_result_is_confirmed_and_a_confirmed_one_corrected(running, signed_in):
    client = signed_in(running.organizer)
    match = tables(running_round(running))[0]
    first = sides_of(match)[0]
    report_result(match_id=match.pk, team_id=first.team_id, actor=COMMAND, wins={first.team_id: 2})
    assert offered(client, match) == ["confirm", "result"]
    press(client, match, "confirm")
    assert offered(client, match) == ["correct"]
    response = client.post(deed_address(match, "correct"), {"kind": "played", "wins_0": "0", "wins_1": "2"})
    assert response.context["form"].errors["reason"]
    told = press(client, match, "correct", kind="played", wins_0="0", wins_1="2", reason="sides mixed up")
    assert told == f"Table {match.table}: corrected to 0-2."
    assert Result.objects.filter(match=match).count() == 2


def test_a_result_the_rules_forbid_stays_on_its_form(running, signed_in):
    match = tables(running_round(running))[0]
    told = press(signed_in(running.organizer), match, "result", kind="played", wins_0="2", wins_1="2")
    assert "Only one side can win 2 games" in told
    assert not Result.objects.filter(match=match).exists()


def test_a_team_swaps_checks_in_withdraws_and_comes_back(hall, signed_in):
    client, team = signed_in(hall.organizer), hall.teams[0]
    before = dict(Seat.objects.filter(team=team).values_list("label", "player_id"))
    press(client, team, "swap-seats")
    after = dict(Seat.objects.filter(team=team, is_live=True).values_list("label", "player_id"))
    assert after == {"A": before["B"], "B": before["A"]}
    press(client, team, "check-in")
    press(client, team, "withdraw")
    assert Team.objects.get(pk=team.pk).state == "withdrawn"
    press(client, team, "readmit")
    assert Team.objects.get(pk=team.pk).state == "registered"


def test_a_player_drops_and_his_team_is_reinstated(running, signed_in):
    client = signed_in(running.organizer)
    rnd = running_round(running)
    team = running.teams[0]
    match = Match.objects.get(round=rnd, sides__team=team)
    index = match.sides.get(team=team).index
    score = "1-0" if index == 0 else "0-1"
    player = team.seats.get(label="B").player_id
    assert "dropped" in press(client, team, "drop", player=player, reason="last train", score=score)
    assert Team.objects.get(pk=team.pk).state == "dropped"
    lines = match.results.get(is_current=True).lines
    assert lines.get(side__team=team).wins == 1
    assert "plays again" in press(client, team, "reinstate")


def test_a_disqualification_needs_its_reason(running, signed_in):
    client, team = signed_in(running.organizer), running.teams[0]
    player = team.seats.get(label="A").player_id
    response = client.post(deed_address(team, "disqualify"), {"player": player, "reason": " ", "score": ""})
    assert response.context["form"].errors["reason"]
    assert "disqualified" in press(client, team, "disqualify", player=player, reason="cheating", score="")
    assert Team.objects.get(pk=team.pk).state == "disqualified"


def test_an_empty_seat_is_filled_by_a_new_name(hall, signed_in):
    client = signed_in(hall.organizer)
    half = add_team(hall, "Half One", "Half Two")
    Seat.objects.filter(team=half, label="B").update(is_live=False)
    told = press(client, half, "fill-seat", label="B", player="Ōtani Shōhei")
    assert told.startswith("Ōtani Shōhei sits on B")
    assert Player.objects.filter(name="Ōtani Shōhei", store=hall.store).count() == 1


def test_a_refused_seat_leaves_no_new_player(hall, signed_in):
    client = signed_in(hall.organizer)
    half = add_team(hall, "Half One", "Half Two")
    Seat.objects.filter(team=half, label="B").update(is_live=False)
    taken = hall.teams[0].seats.get(label="A").player.name
    before = Player.objects.count()
    assert "already plays" in press(client, half, "fill-seat", label="B", player=taken)
    assert Player.objects.count() == before


def test_a_bye_is_granted_and_taken_back_from_the_teams_page(running, signed_in):
    told = press(
        signed_in(running.organizer), running.teams[0], "grant-bye", round_number="1", reason="awarded"
    )
    assert told.endswith("has a bye in round 1.")
    assert running.teams[0].granted_byes.get().round_number == 1
    told = press(signed_in(running.organizer), running.teams[0], "revoke-bye", round_number="1")
    assert told.endswith("has no bye in round 1 any more.")
    assert not running.teams[0].granted_byes.exists()
