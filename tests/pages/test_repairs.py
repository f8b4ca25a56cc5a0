"""A published round that no longer fits: its plan is shown, applied, undone; teams are swapped."""

import re
from typing import Any

import pytest

from journal.actors import COMMAND
from matches.models import Match, Side
from teams.models import Team
from teams.people import add_player
from tests.pages import halls
from tests.pages.test_desk import do
from tests.pages.test_public import text_of
from tournaments.corrections import correct_result
from tournaments.models import Round, Tournament
from tournaments.registration import register_team
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def plan_of(rnd: Round) -> str:
    return f"/desk/{rnd.stage.tournament.slug}/rounds/{rnd.pk}/repair/"


def version_in(response: Any) -> str:
    found = re.search(r'name="version" value="(\d+)"', response.content.decode())
    assert found
    return found.group(1)


def pairs(rnd: Round) -> set[frozenset[int]]:
    sides: dict[int, set[int]] = {}
    for match, team in Side.objects.filter(round=rnd, is_live=True).values_list("match_id", "team_id"):
        sides.setdefault(match, set()).add(team)
    return {frozenset(teams) for teams in sides.values()}


def late_team(tournament: Tournament) -> Team:
    people = {
        label: add_player(store_id=tournament.store_id, name=name).pk
        for label, name in (("A", "Yuki Tanabe"), ("B", "Late Lars"))
    }
    return register_team(tournament_id=tournament.pk, members=people, name="The Late Ones", actor=COMMAND)


def after_a_drop() -> tuple[Tournament, Round, Team]:
    """Nine teams, round two is published, and then a team at a table drops."""
    tournament = halls.running(9, 1, planned_rounds=6)
    rnd = halls.published(tournament)
    gone = halls.tables(rnd)[1].sides.get(index=0).team
    drop_team(team_id=gone.pk, actor=COMMAND)
    return tournament, rnd, gone


def test_the_desk_says_when_something_changed_since_publishing(at_desk: Any) -> None:
    tournament = halls.running(9, 1)
    rnd = halls.published(tournament)
    client = at_desk(tournament, "scorekeeper")
    assert "See the repair" not in text_of(client.get(f"/desk/{tournament.slug}/"))
    assert "Nothing needs to change" in text_of(client.get(plan_of(rnd)))
    gone = halls.tables(rnd)[1].sides.get(index=0).team
    drop_team(team_id=gone.pk, actor=COMMAND)
    for page in (f"/desk/{tournament.slug}/", f"/desk/{tournament.slug}/rounds/{rnd.pk}/"):
        words = text_of(client.get(page))
        assert "A team left after the pairings were published" in words
        assert "See the repair" in words


def test_the_plan_names_what_is_given_up_what_is_new_and_why(at_desk: Any) -> None:
    tournament, rnd, gone = after_a_drop()
    before, table = pairs(rnd), Match.objects.get(round=rnd, sides__team=gone)
    words = text_of(at_desk(tournament).get(plan_of(rnd)))
    assert words.index("Given up") < words.index("New") < words.index("Apply the repair")
    assert "The opponent of one side has left" in words
    assert "3 matches stay as they are" in words
    assert pairs(rnd) == before
    given_up = words[words.index("Given up") : words.index("New")]
    assert all(card.shown_name in given_up for card in halls.cards_of(Match.objects.get(pk=table.pk)))


def test_the_repair_is_applied_as_it_was_shown_and_taken_back(at_desk: Any) -> None:
    tournament, rnd, gone = after_a_drop()
    client, before = at_desk(tournament), pairs(rnd)
    shown = version_in(client.get(plan_of(rnd)))
    words = do(
        client, tournament, "repair", round=rnd.pk, version=shown, reason="Ben is ill", back=plan_of(rnd)
    )
    assert "is repaired" in words
    assert "Nothing needs to change" in words
    assert not Side.objects.filter(round=rnd, team=gone, is_live=True).exists()
    assert all(len(pair) == 2 for pair in pairs(rnd))
    journal = text_of(client.get(f"/desk/{tournament.slug}/journal/"))
    assert "paired again, new matches: 1" in journal
    assert "Ben is ill" in journal
    assert "See the repair" not in text_of(client.get(f"/desk/{tournament.slug}/"))
    stale = do(client, tournament, "undo-repair", round=rnd.pk, version=shown, back=plan_of(rnd))
    assert "look at the new plan" in stale
    assert pairs(rnd) != before
    page = client.get(plan_of(rnd)).content.decode()
    form = page[page.index("undo-repair") :]
    seen = form.split('name="version" value="')[1].split('"')[0]
    assert "undone" in do(client, tournament, "undo-repair", round=rnd.pk, version=seen, back=plan_of(rnd))
    assert pairs(rnd) == before


def test_an_outdated_plan_is_refused_with_a_sentence(at_desk: Any) -> None:
    tournament, rnd, _ = after_a_drop()
    client, before = at_desk(tournament), pairs(rnd)
    shown = version_in(client.get(plan_of(rnd)))
    late_team(tournament)
    now = pairs(rnd)
    words = do(client, tournament, "repair", round=rnd.pk, version=shown, back=plan_of(rnd))
    assert "look at the new plan" in words
    assert pairs(rnd) == now
    assert before <= now


def test_a_late_team_is_paired_with_the_team_that_rests(at_desk: Any) -> None:
    tournament = halls.running(9, 1, planned_rounds=6)
    rnd = halls.started(tournament)
    late = late_team(tournament)
    client = at_desk(tournament)
    assert "A team without a match could be paired" in text_of(client.get(f"/desk/{tournament.slug}/"))
    page = client.get(plan_of(rnd))
    assert "The Late Ones" in text_of(page)
    do(client, tournament, "repair", round=rnd.pk, version=version_in(page))
    match = Match.objects.get(round=rnd, sides__team=late, sides__is_live=True)
    assert (match.kind, match.state) == ("table", "open")


def test_a_corrected_result_asks_for_a_look_at_the_pairings(at_desk: Any) -> None:
    tournament = halls.running(8, 1)
    first = Round.objects.get(stage__tournament=tournament, number=1)
    rnd = halls.published(tournament)
    for wrong in halls.tables(first)[:2]:
        correct_result(match_id=wrong.pk, actor=COMMAND, reason="Slip misread", wins=(0, 2))
    words = text_of(at_desk(tournament).get(f"/desk/{tournament.slug}/"))
    assert "A result was corrected after the pairings were made" in words
    assert "points of one side were corrected" in text_of(at_desk(tournament).get(plan_of(rnd)))


def test_two_teams_are_swapped_by_hand_after_its_cautions_were_shown(at_desk: Any) -> None:
    tournament = halls.running(4, 1)
    rnd = halls.published(tournament)
    one, other = (match.sides.get(index=0).team for match in halls.tables(rnd))
    client, before = at_desk(tournament), pairs(rnd)
    page = client.get(f"{plan_of(rnd)}?one={one.pk}&other={other.pk}")
    words = text_of(page)
    assert "After the swap" in words
    assert "Swap them" in words
    assert pairs(rnd) == before
    version = re.findall(r'name="version" value="(\d+)"', page.content.decode())[-1]
    assert "have changed places" in do(
        client, tournament, "swap-teams", round=rnd.pk, version=version, one=one.pk, other=other.pk
    )
    assert pairs(rnd).isdisjoint(before)
    again = do(client, tournament, "swap-teams", round=rnd.pk, version=version, one=one.pk, other=other.pk)
    assert "Something changed since" in again


def test_a_swap_into_a_rematch_is_cautioned(at_desk: Any) -> None:
    tournament = halls.running(6, 2)
    rnd = halls.published(tournament)
    met = {
        frozenset(match.sides.values_list("team_id", flat=True))
        for match in Match.objects.filter(tournament=tournament, round__number__lt=3, kind="table")
    }
    teams = [team for match in halls.tables(rnd) for team in match.sides.values_list("team_id", flat=True)]
    now = {team: pair - {team} for pair in pairs(rnd) for team in pair}
    one, other = next(
        (a, b) for a in teams for b in teams if a != b and b not in now[a] and frozenset({b, *now[a]}) in met
    )
    words = text_of(at_desk(tournament).get(f"{plan_of(rnd)}?one={one}&other={other}"))
    assert "These two have met before" in words
    assert "Swap them all the same" in words


@pytest.mark.parametrize("asked", ["?one=1&other=1", "?one=x&other=2", "?one=1", ""])
def test_a_swap_of_nobody_changes_nothing(at_desk: Any, asked: str) -> None:
    tournament = halls.running(4)
    response = at_desk(tournament).get(plan_of(halls.published(tournament)) + asked)
    assert response.status_code == 200
    assert "After the swap" not in text_of(response)


def test_only_the_current_round_of_two_sides_can_be_changed_and_not_by_everybody(at_desk: Any) -> None:
    tournament = halls.running(4, 1)
    closed = Round.objects.get(stage__tournament=tournament, number=1)
    assert at_desk(tournament).get(plan_of(closed)).status_code == 404
    rnd = halls.published(tournament)
    assert at_desk(tournament, "viewer").get(plan_of(rnd)).status_code == 403
    assert at_desk(tournament, "judge").post(f"/desk/{tournament.slug}/do/repair/").status_code == 403


def test_the_plan_takes_as_many_queries_for_many_teams_as_for_few(
    at_desk: Any, django_assert_max_num_queries: Any
) -> None:
    counts = []
    for teams in (9, 33):
        tournament = halls.running(teams, 1)
        rnd = halls.published(tournament)
        gone = halls.tables(rnd)[0].sides.get(index=0).team
        drop_team(team_id=gone.pk, actor=COMMAND)
        client = at_desk(tournament)
        client.get(plan_of(rnd))
        with django_assert_max_num_queries(34) as queries:
            client.get(plan_of(rnd))
        counts.append(len(queries.captured_queries))
    assert counts[0] == counts[1]
