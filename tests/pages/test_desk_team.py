"""What the desk can do to one team besides entering it: here or not, its place, its byes, its table."""

from typing import Any

import pytest

from journal.actors import COMMAND
from matches.models import Match
from teams.models import Team
from tests.pages import halls
from tests.pages.test_desk import do
from tests.pages.test_public import text_of
from tournaments.models import Tournament
from tournaments.setting_up import cancel_tournament

pytestmark = pytest.mark.django_db


def page_of(team: Team) -> str:
    return f"/desk/{team.tournament.slug}/teams/{team.pk}/"


def first(tournament: Tournament) -> Team:
    return Team.objects.filter(tournament=tournament).order_by("number")[0]


def test_a_team_is_checked_in_and_out_again(at_desk: Any) -> None:
    tournament = halls.registering(4)
    team, client = first(tournament), at_desk(tournament, "scorekeeper")
    assert "Undo the check-in" not in text_of(client.get(page_of(team)))
    assert "is here" in do(client, tournament, "check-in", team=team.pk, back=page_of(team))
    words = do(client, tournament, "undo-check-in", team=team.pk, back=page_of(team))
    assert "is not checked in any more" in words
    team.refresh_from_db()
    assert team.state == "registered"


def test_a_waiting_team_is_given_a_place_beyond_the_capacity(at_desk: Any) -> None:
    tournament = halls.registering(4, capacity=4)
    waiting = halls.lone_member(tournament)
    assert waiting.state == "waitlisted"
    client = at_desk(tournament)
    assert "even beyond the room for 4" in text_of(client.get(page_of(waiting)))
    assert "has a place" in do(client, tournament, "promote", team=waiting.pk, back=page_of(waiting))
    waiting.refresh_from_db()
    assert waiting.state == "registered"
    assert "Give it a place" not in text_of(client.get(page_of(waiting)))


def test_a_team_sits_out_a_round_and_stays_in_the_tournament(at_desk: Any) -> None:
    tournament = halls.running(5, 1)
    team, client = first(tournament), at_desk(tournament)
    words = do(client, tournament, "sit-out", team=team.pk, round_number=2, back=page_of(team))
    assert "sits out round 2" in words
    rnd = halls.published(tournament)
    assert not Match.objects.filter(round=rnd, sides__team=team).exists()
    team.refresh_from_db()
    assert team.state == "playing"


def test_sitting_out_is_taken_back(at_desk: Any) -> None:
    tournament = halls.running(4, 1)
    team, client = first(tournament), at_desk(tournament)
    do(client, tournament, "sit-out", team=team.pk, round_number=2)
    assert "It sits out round 2" in text_of(client.get(page_of(team)))
    do(client, tournament, "sit-in", team=team.pk)
    team.refresh_from_db()
    assert team.sits_out is None
    assert "Say which round" in do(client, tournament, "sit-out", team=team.pk, round_number="soon")


@pytest.mark.parametrize(("kind", "words"), [("awarded", "awarded"), ("requested", "requested")])
def test_a_bye_is_granted_with_its_reason(at_desk: Any, kind: str, words: str) -> None:
    tournament = halls.running(6)
    team, client = first(tournament), at_desk(tournament)
    page = do(client, tournament, "grant-bye", team=team.pk, round_number=1, kind=kind, back=page_of(team))
    assert "has a bye in round 1" in page
    assert f"round 1 ({words})" in page
    rnd = halls.published(tournament)
    assert Match.objects.get(round=rnd, sides__team=team).kind == "bye"


def test_a_bye_without_reason_or_for_a_published_round_is_refused(at_desk: Any) -> None:
    tournament = halls.running(4)
    halls.published(tournament)
    team, client = first(tournament), at_desk(tournament)
    assert "awarded or was asked for" in do(client, tournament, "grant-bye", team=team.pk, round_number=2)
    words = do(client, tournament, "grant-bye", team=team.pk, round_number=1, kind="awarded")
    assert "its pairings stand" in words
    assert not team.granted_byes.exists()


def test_group_and_fixed_table_are_set_and_shown(at_desk: Any) -> None:
    tournament = halls.registering(4)
    team, client = first(tournament), at_desk(tournament)
    words = do(
        client, tournament, "change-team", team=team.pk, name="Nord", group="SV Hafen", fixed_table=3,
        back=page_of(team),
    )  # fmt: skip
    assert "SV Hafen" in words
    assert "Fixed table 3" in words
    other = Team.objects.filter(tournament=tournament).exclude(pk=team.pk)[0]
    assert "choose another number" in do(client, tournament, "change-team", team=other.pk, fixed_table=3)


def test_byes_are_for_those_who_pair(at_desk: Any) -> None:
    tournament = halls.running(4)
    team, client = first(tournament), at_desk(tournament, "judge")
    assert "Grant a bye" not in text_of(client.get(page_of(team)))
    for deed in ("grant-bye", "sit-out", "promote", "undo-check-in"):
        assert client.post(f"/desk/{tournament.slug}/do/{deed}/", {"team": team.pk}).status_code == 403, deed


def test_a_cancelled_tournament_is_revived_from_the_desk(at_desk: Any) -> None:
    tournament = halls.registering(4)
    cancel_tournament(tournament_id=tournament.pk, actor=COMMAND)
    client = at_desk(tournament)
    assert "Revive the tournament" in text_of(client.get(f"/desk/{tournament.slug}/"))
    assert "goes on where it was cancelled" in do(client, tournament, "revive", reason="The hall is free")
    tournament.refresh_from_db()
    assert tournament.state == "registration"
    assert Team.objects.filter(tournament=tournament, state="registered").count() == 4
