"""What a process remembers of a hall says the same as the database after every deed, and costs little."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.signing import BadSignature
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from journal.actors import COMMAND
from journal.recording import version_of
from matches.calls import call_judge
from matches.games import choose_first, record_game, undo_game
from matches.models import Match
from matches.results import confirm_result, enter_result
from teams.links import make_link
from teams.models import Seat
from teams.people import rename_player
from tests.pages import halls
from tournaments.announcements import announce
from tournaments.clockwork import extend_table
from tournaments.corrections import correct_result
from tournaments.models import Round
from tournaments.pages.kept import forget_all
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.own_version import signed, subjects_in
from tournaments.pages.scenes import scene_of
from tournaments.pages.sheets import read_sheet
from tournaments.repairing import swap_in_round
from tournaments.rounds import call_time
from tournaments.withdrawals import drop_team, reinstate_team

# What differs each time a page is made: signatures, ids of deeds.
OWN = re.compile(r'name="(?:csrfmiddlewaretoken|deed)" value="[^"]*"')
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


class Hall:
    """A published round of eight teams, with a desk, a player at the first table, and the public."""

    def __init__(self, at_desk: Any) -> None:
        self.tournament = halls.running(8)
        self.rnd = halls.published(self.tournament)
        self.first, self.second, self.third, self.fourth = halls.tables(self.rnd)
        self.desk, self.phone, self.public = at_desk(self.tournament), Client(), Client()
        seat = Seat.objects.filter(team=self.first.sides.first().team).order_by("label").first()  # type: ignore[union-attr]
        assert seat is not None
        link = make_link(seat_id=seat.pk)
        self.mine = self.phone.get(f"/me/{link}").headers["Location"]

    def team(self, match: Match, side: int = 0) -> int:
        return list(match.sides.order_by("index").values_list("team_id", flat=True))[side]

    def player(self, match: Match) -> int:
        return Seat.objects.filter(team_id=self.team(match)).values_list("player_id", flat=True)[0]

    def pages(self) -> list[str]:
        slug = self.tournament.slug
        asked = (
            (self.phone, self.mine),
            (self.desk, f"/desk/{slug}/"),
            (self.public, f"/t/{slug}/pairings/"),
        )
        return [OWN.sub("", client.get(path).content.decode()) for client, path in asked]


def everything_in(round_id: int) -> None:
    for match in halls.tables(Round.objects.get(pk=round_id)):
        if match.state != "confirmed":
            enter_result(match_id=match.pk, wins=(1, 2), actor=COMMAND)


def deeds(hall: Hall) -> list[Callable[[], object]]:
    """What happens in a round, most of it at one table."""
    first, second = hall.first.pk, hall.second.pk
    rnd, team = hall.rnd.pk, hall.team
    return [
        lambda: swap_in_round(
            round_id=rnd, team_id=team(hall.third), other_id=team(hall.fourth), actor=COMMAND
        ),
        lambda: halls.start_round(round_id=rnd, actor=COMMAND),
        lambda: choose_first(match_id=first, actor=COMMAND, seed=1),
        lambda: record_game(match_id=first, winner=1, actor=COMMAND),
        lambda: undo_game(match_id=first, actor=COMMAND),
        lambda: call_judge(match_id=first, actor=COMMAND),
        lambda: extend_table(match_id=second, minutes=5, actor=COMMAND),
        lambda: halls.report(hall.first, 1, ours=2, theirs=1),
        lambda: confirm_result(match_id=first, team_id=team(hall.first), actor=COMMAND),
        lambda: enter_result(match_id=second, wins=(2, 0), actor=COMMAND),
        lambda: drop_team(team_id=team(hall.second), actor=COMMAND),
        lambda: rename_player(player_id=hall.player(hall.first), name="Ana María Ortega", actor=COMMAND),
        lambda: announce(tournament_id=hall.tournament.pk, text="Lunch is served.", actor=COMMAND),
        lambda: call_time(round_id=rnd, actor=COMMAND),
        lambda: everything_in(rnd),
        lambda: halls.close_round(round_id=rnd, actor=COMMAND),
        lambda: correct_result(match_id=first, wins=(2, 1), reason="slip misread", actor=COMMAND),
        lambda: reinstate_team(team_id=team(hall.second), actor=COMMAND, reason="a mistake"),
        lambda: halls.published(hall.tournament),
    ]


def test_after_every_deed_pages_show_what_the_database_says(at_desk: Any) -> None:
    hall = Hall(at_desk)
    hall.pages()
    for number, deed in enumerate(deeds(hall)):
        deed()
        remembered, rnd = hall.pages(), Round.objects.get(pk=hall.rnd.pk)
        labels = scene_of(hall.tournament).labels
        assert sheet_of(rnd, labels) == read_sheet(rnd, labels, with_reports=True), number
        forget_all()
        for had, has in zip(remembered, hall.pages(), strict=True):
            assert had == has, number


def test_a_result_reads_one_table_and_a_phone_elsewhere_nothing(at_desk: Any) -> None:
    hall = Hall(at_desk)
    halls.start_round(round_id=hall.rnd.pk, actor=COMMAND)
    hall.pages()
    tag = hall.phone.get(hall.mine).headers["ETag"]
    enter_result(match_id=hall.second.pk, wins=(2, 0), actor=COMMAND)
    with CaptureQueriesContext(connection) as seen:
        assert hall.phone.get(hall.mine, headers={"If-None-Match": tag}).status_code == 304
    assert sum("journal_clocksetting" not in query["sql"] for query in seen.captured_queries) == 1
    with CaptureQueriesContext(connection) as seen:
        hall.public.get(f"/t/{hall.tournament.slug}/pairings/")
    sides = [query["sql"] for query in seen.captured_queries if 'FROM "matches_side"' in query["sql"]]
    assert len(sides) == 1
    assert f"IN ({hall.second.pk})" in sides[0]
    halls.report(hall.first, 0, ours=2, theirs=0)
    assert hall.phone.get(hall.mine, headers={"If-None-Match": tag}).status_code == 200


def test_many_deeds_at_once_are_read_whole(at_desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(at_desk)
    labels, rnd = scene_of(hall.tournament).labels, Round.objects.get(pk=hall.rnd.pk)
    sheet_of(rnd, labels)
    monkeypatch.setattr("tournaments.pages.kept_sheets.MOST_CHANGES", 1)
    halls.start_round(round_id=rnd.pk, actor=COMMAND)
    for match in halls.tables(rnd):
        enter_result(match_id=match.pk, wins=(2, 0), actor=COMMAND)
    assert sheet_of(rnd, labels) == read_sheet(rnd, labels, with_reports=True)
    assert version_of(hall.tournament.pk) > 0


def test_a_page_signs_what_its_stream_is_about() -> None:
    told = frozenset({"match:64", "team:1", "team:747"})
    assert subjects_in(signed(told)) == told
    with pytest.raises(BadSignature):
        subjects_in(signed(told).replace("64", "65"))
