"""Byes that are given before the pairing, tables of a hall, the last round by rank, a round verified."""

import io
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from journal.actors import COMMAND
from journal.models import Deed
from rulebook.errors import RuleBroken
from tests.day import new_day
from tests.pages.halls import person
from tournaments.models import Round
from tournaments.registration import grant_bye, revoke_bye
from tournaments.rounds import publish_round
from tournaments.setting_up import change_tournament
from tournaments.verifying import verify
from tournaments.withdrawals import drop_team

SignIn = Callable[..., Client]
pytestmark = pytest.mark.django_db


def test_an_awarded_bye_survives_a_draft_paired_again() -> None:
    day = new_day(7)
    grant_bye(team_id=day.teams[3].pk, round_number=1, actor=COMMAND)
    day.pair()
    drop_team(team_id=day.teams[0].pk, actor=COMMAND)
    draft = day.now_round
    assert draft is not None
    resting = {day.sides(match)[0] for match in draft.matches.filter(kind="bye")}
    assert day.teams[3] in resting
    assert len(resting) == 2


@pytest.mark.parametrize(
    ("teams", "awarded", "tables", "byes"),
    [(5, 1, 2, 1), (5, 4, 0, 5), (5, 5, 0, 5), (6, 1, 2, 2)],
    ids=["case-019-5-1", "case-019-5-4", "case-019-5-5", "case-019-6-1"],
)
def test_case_019_any_number_of_awarded_byes_can_be_paired(
    teams: int, awarded: int, tables: int, byes: int
) -> None:
    day = new_day(teams)
    for team in day.teams[:awarded]:
        grant_bye(team_id=team.pk, round_number=1, actor=COMMAND)
    rnd = day.pair()
    assert rnd.matches.filter(kind="table").count() == tables
    assert rnd.matches.filter(kind="bye").count() == byes


def test_a_bye_is_not_granted_for_a_round_everybody_has_seen() -> None:
    day = new_day(4)
    day.publish()
    with pytest.raises(RuleBroken) as error:
        grant_bye(team_id=day.teams[0].pk, round_number=1, actor=COMMAND)
    assert error.value.code == "already-paired"


def test_a_bye_is_taken_back_until_its_round_is_published(client: Client, signed_in: SignIn) -> None:
    day = new_day(8)
    team, slug = day.teams[2], day.tournament.slug
    grant_bye(team_id=team.pk, round_number=1, actor=COMMAND, reason="requested")
    assert day.pair().matches.filter(kind="bye").count() == 2
    staff = signed_in(person("boss", "organizer", day.tournament))
    assert "Take back the bye of round 1" in staff.get(reverse("desk-team", args=[slug, team.pk])).text
    form = {"team": team.pk, "round_number": 1, "reason": "came after all"}
    said = staff.post(reverse("deed", args=[slug, "revoke-bye"]), form, follow=True).text
    assert "plays in round 1" in said
    draft = day.now_round
    assert draft is not None
    assert draft.matches.filter(kind="bye").count() == 0
    deed = Deed.objects.filter(kind="ByeRevoked").get()
    assert (deed.before, deed.reason) == ({"round": 1, "reason": "requested"}, "came after all")
    assert Deed.objects.filter(kind="ByeGranted").get().after == {"round": 1, "reason": "requested"}
    with pytest.raises(RuleBroken, match="granted no bye"):
        revoke_bye(team_id=team.pk, round_number=1, actor=COMMAND)
    grant_bye(team_id=team.pk, round_number=1, actor=COMMAND)
    publish_round(round_id=day.now_round.pk, actor=COMMAND)  # type: ignore[union-attr]
    with pytest.raises(RuleBroken, match="Round 1 is published"):
        revoke_bye(team_id=team.pk, round_number=1, actor=COMMAND)


def test_only_the_tables_of_the_hall_are_used() -> None:
    day = new_day(8, hall="3-4, 11-20")
    assert sorted(day.pair().matches.values_list("table", flat=True)) == [3, 4, 11, 12]


@pytest.mark.parametrize("hall", ["a-b", "4-3", "0-2", "1-"])
def test_a_hall_that_is_no_list_of_ranges_is_refused(hall: str) -> None:
    day = new_day(0, started=False)
    with pytest.raises(RuleBroken) as error:
        change_tournament(tournament_id=day.tournament.pk, hall=hall, actor=COMMAND)
    assert error.value.code == "wrong-hall"


def test_too_few_tables_leave_no_round_behind() -> None:
    day = new_day(8, hall="1-3")
    with pytest.raises(RuleBroken) as error:
        day.pair()
    assert error.value.code == "not-enough-tables"
    assert not Round.objects.exists()


def test_the_last_round_can_be_paired_by_rank() -> None:
    day = new_day(8, rounds=2, last_round_by_standing=True)
    day.play(1)
    last = day.pair(2)
    assert last.inputs["by_standing"] is True
    assert verify(Round.objects.get(pk=last.pk)).is_good


def test_a_round_is_verified_and_a_forged_one_is_not() -> None:
    day = new_day(9)
    day.play(1)
    rnd = day.play(2)
    out = io.StringIO()
    call_command("verify_round", day.tournament.slug, "2", stdout=out)
    assert "byte for byte" in out.getvalue()
    forged = Round.objects.get(pk=rnd.pk)
    forged.output["pairs"][0].reverse()
    forged.save(update_fields=["output"])
    with pytest.raises(CommandError, match="does not follow"):
        call_command("verify_round", day.tournament.slug, "2", stdout=io.StringIO())


def test_a_round_of_another_engine_is_checked_and_said_to_be() -> None:
    day = new_day(6)
    rnd = day.play()
    Round.objects.filter(pk=rnd.pk).update(engine="swiss-0")
    out = io.StringIO()
    call_command("verify_round", day.tournament.slug, "1", stdout=out)
    assert "another version" in out.getvalue()


def test_there_is_nothing_to_verify_where_there_is_no_round() -> None:
    day = new_day(4)
    for slug, number in ((day.tournament.slug, "1"), ("nowhere", "1")):
        with pytest.raises(CommandError):
            call_command("verify_round", slug, number)
