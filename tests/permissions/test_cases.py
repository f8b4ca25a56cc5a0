"""Cases from other tournament software: whose table it is, and what staff of one event may see of another."""

from typing import Any

import pytest
from django.test import Client

from journal.actors import COMMAND, seat_actor
from matches.models import Match, Report
from matches.results import confirm_result, dispute_result, report_result
from rulebook.errors import RuleBroken
from teams.links import make_link
from teams.models import Seat
from teams.people import add_players
from tests.pages import halls
from tournaments.models import Snapshot
from tournaments.registration import register_team
from tournaments.staff import ROLES, Can

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("stranger", [pytest.param(1, id="case-139")])
def test_nobody_reports_the_result_of_somebody_elses_table(stranger: int) -> None:
    tournament = halls.running(4)
    rnd = halls.started(tournament)
    first, second = halls.tables(rnd)
    seat = list(second.sides.order_by("index"))[stranger].team.seats.get(label="A")
    sides = list(first.sides.order_by("index"))
    for forged in (
        lambda: report_result(
            match_id=first.pk,
            team_id=seat.team_id,
            actor=seat_actor(seat.pk),
            wins={sides[0].team_id: 1, sides[1].team_id: 0},
        ),
        lambda: confirm_result(match_id=first.pk, team_id=seat.team_id, actor=seat_actor(seat.pk)),
        lambda: dispute_result(match_id=first.pk, team_id=seat.team_id, actor=seat_actor(seat.pk)),
    ):
        with pytest.raises(RuleBroken):
            forged()
    # A phone cannot even name another table: whatever is posted is about the own one.
    posted = {"match": first.pk, "team": sides[0].team_id, "ours": 2, "theirs": 1}
    assert Client().post(f"/me/{make_link(seat_id=seat.pk)}/report", posted).status_code == 302
    first.refresh_from_db()
    assert (first.state, first.reports.count(), first.results.count()) == ("open", 0, 0)
    assert set(Report.objects.values_list("match", flat=True)) <= {second.pk}
    assert not Snapshot.objects.exists()
    for path in ("report", "confirm", "dispute", "choose"):
        assert Client().post(f"/me/{'0' * 32}/{path}", posted).status_code == 404


@pytest.mark.parametrize("label", [pytest.param("C", id="case-085")])
def test_a_third_person_never_sits_in_a_team_of_two(at_desk: Any, label: str) -> None:
    tournament = halls.registering(1)
    people = add_players(store_id=tournament.store_id, names=["Ana One", "Bo Two", "Cy Three"])
    members = list(zip(("A", "B", label), (person.pk for person in people), strict=True))
    with pytest.raises(RuleBroken):
        register_team(tournament_id=tournament.pk, members=members, actor=COMMAND)
    posted = {"seat_A": "Ana One", "seat_B": "Bo Two", f"seat_{label}": "Cy Three"}
    at_desk(tournament).post(f"/desk/{tournament.slug}/teams/", posted)
    assert sorted(Seat.objects.filter(tournament=tournament).values_list("team", "label")) == [
        (team.pk, seat) for team in tournament.teams.order_by("pk") for seat in ("A", "B")
    ]


@pytest.mark.parametrize(
    ("role", "may", "may_not"),
    [
        pytest.param(
            "judge", {Can.DECKLISTS, Can.PENALTIES}, {Can.REGISTER, Can.SETTINGS}, id="case-141-judge"
        ),
        pytest.param("scorekeeper", {Can.RESULTS}, {Can.DECKLISTS, Can.PENALTIES}, id="case-141-scorekeeper"),
        pytest.param("organizer", set(Can), set(), id="case-141-organizer"),
    ],
)
def test_each_has_his_own_account_for_his_own_event(
    at_desk: Any, role: str, may: set[Can], may_not: set[Can]
) -> None:
    own, other = halls.running(4), halls.running(4, name="Another Open")
    assert may <= ROLES[role]
    assert not may_not & ROLES[role]
    client = at_desk(own, role)
    match = halls.tables(halls.started(own))[0]
    entered = client.post(f"/desk/{own.slug}/", {"line": f"{match.table} 1-0"})
    assert entered.status_code in (200, 302)
    foreign = halls.tables(halls.started(other))[0]
    assert other.name not in client.get("/desk/").content.decode()
    for address in (f"/desk/{other.slug}/", f"/desk/{other.slug}/tables/{foreign.pk}/"):
        assert client.get(address).status_code == 404
    assert client.post(f"/desk/{other.slug}/", {"line": f"{foreign.table} 1-0"}).status_code == 404
    assert Match.objects.get(pk=foreign.pk).state == "open"
    player = make_link(seat_id=own.teams.first().seats.first().pk)
    assert Client().get(f"/me/{player}", follow=True).status_code == 200
    assert Client().get(f"/desk/{own.slug}/").status_code == 302
