"""One team for everybody: its rounds and where the figures of its standing come from."""

import re
from fractions import Fraction
from typing import Any

import pytest

from journal.actors import COMMAND
from rulebook.tiebreakers import TIEBREAKERS
from teams.models import Seat, Team
from tests.pages import halls
from tests.pages.test_public import get, text_of
from tournaments.models import SnapshotRow, Tournament
from tournaments.pages.tags import figure as shown_figure
from tournaments.registration import sit_out, withdraw_team
from tournaments.withdrawals import disqualify_player, drop_team

pytestmark = pytest.mark.django_db


def page(client: Any, tournament: Tournament, team: int, asked: str = "", status: int = 200) -> str:
    response = get(client, tournament, f"standings/{team}/{asked}")
    assert response.status_code == status
    return text_of(response)


@pytest.mark.parametrize(
    "settings", [{}, {"mode": "magic-2hg"}, {"policy": "fide-buchholz"}, {"policy": "ygo"}]
)
def test_every_figure_of_the_standings_is_explained_to_its_last_digit(
    client: Any, settings: dict[str, Any]
) -> None:
    tournament = halls.running(7, 3, planned_rounds=4, **settings)
    rows = SnapshotRow.objects.filter(snapshot__after_round=2, snapshot__stage__tournament=tournament)
    assert rows
    for row in rows:
        words = page(client, tournament, row.team_id, "?after=2")
        for key, stored in row.figures.items():
            value = shown_figure(key, Fraction(stored))
            assert f"{TIEBREAKERS[key].label} {value}" in words, (row.team_id, key)


def test_the_parts_of_a_figure_name_opponents_and_fractions(client: Any) -> None:
    tournament = halls.running(6, 2)
    team = Team.objects.filter(tournament=tournament).order_by("number")[0]
    words = page(client, tournament, team.pk)
    for match in tournament.matches.filter(sides__team=team, kind="table"):
        other = next(card for card in halls.cards_of(match) if card.id != team.pk)
        assert re.search(rf"Round {match.round.number}, {re.escape(other.shown_name)} \d+ of \d+ = ", words)
    assert "The mean of these:" in words
    assert "raised to the floor" in "".join(
        page(client, tournament, pk) for pk in Team.objects.values_list("pk", flat=True)
    )


def test_the_standings_lead_to_each_team_without_script(client: Any) -> None:
    tournament = halls.running(6, 2)
    html = get(client, tournament, "standings/?after=1").content.decode()
    for team in Team.objects.filter(tournament=tournament):
        assert f'href="/t/{tournament.slug}/standings/{team.pk}/?after=1"' in html
    assert "<summary><span>OMW%" in get(client, tournament, f"standings/{team.pk}/").content.decode().replace(
        "\n", ""
    )


def test_a_history_tells_opponents_results_byes_and_missed_rounds(client: Any) -> None:
    tournament = halls.running(5, 1, planned_rounds=4)
    team = Team.objects.filter(tournament=tournament).order_by("number")[1]
    sit_out(team_id=team.pk, round_number=2, actor=COMMAND)
    halls.play(tournament)
    bye = Team.objects.get(sides__match__kind="bye", sides__round__number=1, tournament=tournament)
    assert "Round 2 sat out" in page(client, tournament, team.pk)
    assert "Round 1 bye 3" in page(client, tournament, bye.pk)
    met = tournament.matches.filter(kind="table", round__number=1)[0]
    first, second = halls.cards_of(met)
    words = page(client, tournament, first.id)
    assert re.search(rf"Round 1 {re.escape(second.shown_name)} (won|lost|drawn) [\d–]+, table 1", words)


def test_a_team_that_left_is_out_and_nobody_learns_why(client: Any) -> None:
    tournament = halls.running(8, 1)
    dropped, removed = Team.objects.filter(tournament=tournament).order_by("number")[:2]
    drop_team(team_id=dropped.pk, actor=COMMAND)
    seat = Seat.objects.filter(team=removed).first()
    assert seat is not None
    disqualify_player(tournament_id=tournament.pk, player_id=seat.player_id, actor=COMMAND, reason="Bribery")
    halls.play(tournament)
    for team in (dropped, removed):
        words = page(client, tournament, team.pk)
        assert "out" in words
        assert not re.search("disqualif|dropped|Bribery", words, re.I)
    assert "has no place in the standings" in page(client, tournament, removed.pk)


def test_what_is_not_public_is_not_found(client: Any) -> None:
    tournament, other = halls.registering(4), halls.running(4, 1)
    team = Team.objects.filter(tournament=tournament).first()
    assert team is not None
    assert "No round is published yet" in page(client, tournament, team.pk)
    page(client, other, team.pk, status=404)
    page(client, other, Team.objects.filter(tournament=other)[0].pk, "?after=7", status=404)
    withdraw_team(team_id=team.pk, actor=COMMAND)
    page(client, tournament, team.pk, status=404)


def test_a_team_takes_as_many_queries_after_many_rounds_as_after_few(
    client: Any, django_assert_max_num_queries: Any
) -> None:
    counts = []
    for teams, rounds in ((8, 1), (16, 3)):
        tournament = halls.running(teams, rounds)
        team = Team.objects.filter(tournament=tournament).first()
        assert team is not None
        with django_assert_max_num_queries(22) as queries:
            page(client, tournament, team.pk)
        counts.append(len(queries.captured_queries))
    assert counts[0] == counts[1]
