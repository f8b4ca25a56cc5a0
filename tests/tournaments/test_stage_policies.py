"""A standings policy for each stage: the rounds have one, the elimination may have its own."""

import pytest
from django.test import Client
from django.urls import reverse

from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from tests.day import new_day
from tournaments.cutting import finish_tournament
from tournaments.ranking import ranking_of
from tournaments.rounds import close_round
from tournaments.setting_up import change_tournament
from tournaments.standings import latest_snapshot, order_of_equals, stage_policy, standings_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("own", ["", "topdeck"])
def test_the_elimination_has_its_own_policy_or_none_and_orders_equals_by_it(client: Client, own: str) -> None:
    day = new_day(4, rounds=2, cut_policy=own)
    day.play()
    day.play(2)
    assert latest_snapshot(day.swiss).policy == "riftbound"  # type: ignore[union-attr]
    bracket = day.cut(4)
    bracket.tournament = day.fresh
    assert (bracket.policy, stage_policy(bracket).key) == (own, own or "riftbound")
    seeds = [entry.team for entry in bracket.entries.order_by("seed")]
    rnd = day.run()
    # The fourth seed won a game and the third none; by seed the third is ahead all the same.
    day.enter_for(seeds[0], rnd, 2, 1)
    day.enter_for(seeds[1], rnd, 2, 0)
    close_round(round_id=rnd.pk, actor=COMMAND)
    order = order_of_equals(day.fresh)
    third, fourth = seeds[2], seeds[3]
    assert (order[fourth.pk] < order[third.pk]) is bool(own)
    assert [row.points for row in standings_of(bracket)][:2] == [3, 3]
    page = client.get(reverse("bracket", args=[day.tournament.slug])).text
    assert ("Who leaves in the same round is ordered by: TopDeck." in page) is bool(own)
    with pytest.raises(RuleBroken, match="The bracket is made"):
        change_tournament(tournament_id=day.tournament.pk, actor=COMMAND, cut_policy="melee")
    with pytest.raises(RuleBroken, match="policy cannot change after the start"):
        change_tournament(tournament_id=day.tournament.pk, actor=COMMAND, policy="topdeck")
    final = day.run()
    day.win_all(final)
    close_round(round_id=final.pk, actor=COMMAND)
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    last = [row.team.id for row in ranking_of(day.fresh)][2:]
    assert last == ([fourth.pk, third.pk] if own else [third.pk, fourth.pk])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"format": "elimination", "cut_method": "double"}, "double elimination"),
        ({"format": "round-robin"}, "round robin, everybody meets everybody"),
        (
            {"cut": 4, "cut_method": "third-place"},
            "top 4, single elimination with a match for the third place",
        ),
        ({"draft_rounds": 2}, "the first 2 inside drafting groups"),
        ({"policy": "riftbound"}, "not all of it verified"),
    ],
)
def test_the_overview_says_what_is_played(client: Client, settings: dict[str, object], words: str) -> None:
    day = new_day(0, started=False, **settings)  # type: ignore[arg-type]
    page = client.get(reverse("tournament", args=[day.tournament.slug])).text
    assert words in page
    assert ("Swiss rounds" in page) is (day.tournament.format == "swiss")
