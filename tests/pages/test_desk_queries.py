"""The desk costs as many queries for a thousand teams as for eight, and stays small on the wire."""

import gzip
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from journal.clock import now
from matches.models import Match, Side
from rulebook.modes import mode_of
from rulebook.terms import terms_for
from teams.models import Player, Seat, Team
from tests.pages import halls
from tournaments.models import Round, Stage, Tournament

pytestmark = pytest.mark.django_db

MOST_QUERIES = 15
MOST_BYTES = 200_000
MOST_QUERIES_OF_TEAMS = 12
MOST_BYTES_OF_TEAMS = 40_000


def queries_of(client: Any, address: str) -> int:
    """Queries of the second visit; the movable clock of tests is not counted, an event has none."""
    client.get(address)
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address).status_code == 200, address
    return sum("journal_clocksetting" not in query["sql"] for query in seen.captured_queries)


def test_no_page_of_the_desk_needs_more_queries_for_more_teams(at_desk: Any) -> None:
    counts = []
    for teams in (8, 24):
        tournament = halls.running(teams, 1)
        rnd = halls.started(tournament)
        halls.busy(rnd)
        match = halls.tables(rnd)[1]
        pages = (
            "",
            "teams/",
            "journal/",
            "resolve/",
            "penalties/",
            "line?line=2+2-1",
            f"tables/{match.pk}/penalty",
        )
        client = at_desk(tournament)
        counts.append([queries_of(client, f"/desk/{tournament.slug}/{page}") for page in pages])
    assert counts[0] == counts[1]
    assert counts[0][0] <= MOST_QUERIES


@pytest.mark.parametrize("state", ["paired", "published"])
def test_a_draft_and_a_published_round_stay_within_the_queries(at_desk: Any, state: str) -> None:
    tournament = halls.running(8, 1)
    (halls.paired if state == "paired" else halls.published)(tournament)
    assert queries_of(at_desk(tournament), f"/desk/{tournament.slug}/") <= MOST_QUERIES


def test_the_desk_of_a_thousand_teams_is_small_and_every_table_is_on_it(at_desk: Any) -> None:
    tournament = thousand_teams()
    client = at_desk(tournament)
    address = f"/desk/{tournament.slug}/"
    assert queries_of(client, address) <= MOST_QUERIES
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert len(answer.content) <= MOST_BYTES
    page = client.get(address).content.decode()
    cards = re.findall(r'class="table-number"><span class="visually-hidden">Table </span>(\d+)<', page)
    assert cards == [str(number) for number in range(1, 501)]
    assert all(f"{halls.NAMES[n % len(halls.NAMES)].split()[0]}" in page for n in range(3))
    assert "Player 1999" in page
    shown = client.get(f"{address}line", {"line": "500 2-0"}).content.decode()
    assert "Player 1999" in shown
    assert_every_team_is_found(client, f"{address}teams/")


def assert_every_team_is_found(client: Any, address: str) -> None:
    """By number, by name and by page, each in few queries and bytes."""
    for page in ("", "?q=player+1999"):
        assert queries_of(client, address + page) <= MOST_QUERIES_OF_TEAMS, page
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    assert len(answer.content) <= MOST_BYTES_OF_TEAMS
    whole = gzip.decompress(answer.content).decode()
    assert "1000 teams" in whole
    assert "1 to 200 of 1000" in whole
    assert "Player 399" in whole
    assert "Player 400" not in whole
    assert "Player 1999" in client.get(f"{address}?page=5").content.decode()
    for words, found in (("#900", "Player 1799"), ("PLAYER 1999", "Player 1999")):
        page = client.get(address, {"q": words}).content.decode()
        assert found in page
        assert page.count('class="team-row"') == 1


def thousand_teams() -> Tournament:
    """A running round of five hundred tables, put into the database in bulk: pairing is tried elsewhere."""
    tournament = halls.draft(name="Great Hall", planned_rounds=9)
    Tournament.objects.filter(pk=tournament.pk).update(state="running", rules={}, announced_at=now())
    at = now()
    names = [f"{halls.NAMES[n % len(halls.NAMES)]} Player {n}" for n in range(2000)]
    players = Player.objects.bulk_create(
        Player(
            store_id=tournament.store_id, name=name, folded=name.casefold(), external_id=str(n), source="test"
        )
        for n, name in enumerate(names)
    )
    teams = Team.objects.bulk_create(
        Team(tournament=tournament, number=n + 1, lot=n, state="playing", registered_at=at)
        for n in range(1000)
    )
    Seat.objects.bulk_create(
        Seat(team=teams[n // 2], tournament=tournament, label="AB"[n % 2], player=player)
        for n, player in enumerate(players)
    )
    stage = Stage.objects.filter(tournament=tournament, number=1).first() or Stage(
        tournament=tournament, number=1, method="swiss", planned_rounds=9
    )
    stage.state = "running"
    stage.save()
    rnd = Round.objects.create(
        stage=stage, number=1, state="running", seed=1, engine="test", inputs={}, output={},
        paired_at=now(), published_at=now(), started_at=now(), ends_at=now(),
    )  # fmt: skip
    terms = terms_for(mode_of(tournament.mode), best_of=3).as_dict()
    matches = Match.objects.bulk_create(
        Match(tournament=tournament, round=rnd, table=n + 1, state="open", terms=terms) for n in range(500)
    )
    Side.objects.bulk_create(
        Side(match=matches[n // 2], round=rnd, team=team, index=n % 2) for n, team in enumerate(teams)
    )
    tournament.refresh_from_db()
    return tournament
