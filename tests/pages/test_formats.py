"""The pages of a round robin and of an elimination without Swiss rounds."""

from typing import Any

import pytest

from journal.actors import COMMAND
from teams.models import User
from tests.day import Day, new_day
from tournaments.models import Staff
from tournaments.pages.next_step import next_step
from tournaments.pages.scenes import scene_of
from tournaments.rounds import close_round, current_round, publish_round, start_round
from tournaments.staff import appoint

pytestmark = pytest.mark.django_db

PUBLIC = ["", "pairings/", "standings/", "rounds/"]


def opens(client: Any, day: Day, *more: str) -> None:
    for page in (*PUBLIC, *more):
        assert client.get(f"/t/{day.tournament.slug}/{page}", follow=True).status_code == 200, page


def step(day: Day) -> str:
    found = next_step(scene_of(day.fresh), None, 0)
    assert found is not None
    return found.label


def play(day: Day) -> None:
    rnd = current_round(day.stage)
    assert rnd is not None
    start_round(round_id=publish_round(round_id=rnd.pk, actor=COMMAND).pk, actor=COMMAND)
    rnd.refresh_from_db()
    day.win_all(rnd)
    close_round(round_id=rnd.pk, actor=COMMAND)


def test_the_desk_of_a_round_robin_goes_from_draft_to_draft(client: Any) -> None:
    day = new_day(4, format="round-robin")
    assert step(day) == "Pair Round 1"
    day.pair()
    for number in (1, 2, 3):
        assert step(day) == f"Publish Round {number}"
        play(day)
        opens(client, day)
    assert step(day) == "Finish the tournament"


def test_an_elimination_shows_its_bracket_from_the_start(client: Any) -> None:
    day = new_day(5, format="elimination")
    opens(client, day, "bracket/")
    assert step(day) == "Pair Quarterfinals"
    day.pair()
    play(day)
    opens(client, day, "bracket/")
    page = client.get(f"/t/{day.tournament.slug}/bracket/").content.decode()
    assert "rank before the cut" not in page


@pytest.mark.parametrize("format", ["round-robin", "elimination"])
def test_the_desk_opens_in_every_format(client: Any, format: str) -> None:
    day = new_day(4, format=format)
    judge = User.objects.create_user("judge", password="x")
    appoint(tournament_id=day.tournament.pk, user_id=judge.pk, role=Staff.Role.ORGANIZER, actor=COMMAND)
    client.force_login(judge)
    for _ in range(2):
        assert client.get(f"/desk/{day.tournament.slug}/", follow=True).status_code == 200
        if day.now_round is None:
            day.pair()
