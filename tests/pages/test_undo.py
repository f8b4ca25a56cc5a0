"""Undo at the desk, and the journal as a timeline with filters."""

from typing import Any

import pytest

from journal.actors import COMMAND
from journal.kinds import DeedKind
from journal.models import Deed
from matches.results import enter_result
from tests.pages import halls
from tournaments.models import Round
from tournaments.pages.words import SENTENCES

pytestmark = pytest.mark.django_db


def desk_of(signed_in: Any, role: str = "organizer") -> tuple[Any, Any]:
    tournament = halls.running(4)
    return signed_in(halls.person("ada", role, tournament)), tournament


def test_the_desk_names_its_last_deed_and_takes_it_back(signed_in: Any) -> None:
    client, tournament = desk_of(signed_in)
    rnd = halls.started(tournament)
    page = client.get(f"/desk/{tournament.slug}/").content.decode()
    assert "Undo: Round 1 started" in page
    deed = Deed.objects.filter(kind="RoundStarted").latest("number")
    client.post(f"/desk/{tournament.slug}/do/undo/", {"deed": deed.pk, "reason": "too early"})
    assert Round.objects.get(pk=rnd.pk).state == "published"
    assert "Undo: Round 1 published" in client.get(f"/desk/{tournament.slug}/").content.decode()


def test_whoever_may_not_do_it_may_not_undo_it(signed_in: Any) -> None:
    client, tournament = desk_of(signed_in, "judge")
    halls.started(tournament)
    deed = Deed.objects.filter(kind="RoundStarted").latest("number")
    assert client.post(f"/desk/{tournament.slug}/do/undo/", {"deed": deed.pk}).status_code == 403
    assert "Undo:" not in client.get(f"/desk/{tournament.slug}/").content.decode()


def test_the_journal_is_narrowed_to_a_sort_a_door_a_team_and_a_table(
    signed_in: Any, django_assert_max_num_queries: Any
) -> None:
    client, tournament = desk_of(signed_in)
    match = halls.tables(halls.started(tournament))[0]
    enter_result(match_id=match.pk, wins=(2, 1), actor=COMMAND)
    team = match.sides.order_by("index")[0].team_id
    address = f"/desk/{tournament.slug}/journal/"
    results = client.get(address, {"sort": "Results"}).content.decode()
    assert "confirmed 2–1" in results
    assert "Round 1 started" not in results
    assert "confirmed 2–1" not in client.get(address, {"door": "phone"}).content.decode()
    assert "confirmed 2–1" in client.get(address, {"match": match.pk}).content.decode()
    with django_assert_max_num_queries(26):
        about = client.get(address, {"team": team}).content.decode()
    assert "confirmed 2–1" in about
    assert "Round 1 started" not in about


def test_every_deed_is_told_in_a_sentence() -> None:
    assert [kind for kind in DeedKind if kind not in SENTENCES] == []
