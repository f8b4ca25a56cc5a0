"""A Swiss tournament that begins with a draft: seats, rounds inside the groups, then across."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from tests.day import Day, add_team, new_day
from tests.pages import halls
from tournaments.drafting import groups_of, seat_draft, seats_of
from tournaments.models import Round
from tournaments.repairing import repair_plan, swap_cautions
from tournaments.setting_up import change_tournament
from tournaments.verifying import verify
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def draft_day(teams: int = 16) -> Day:
    return new_day(teams, rounds=5, mode="magic-1v1", draft_rounds=3)


def crossing(day: Day, rnd: Round) -> int:
    seats = seats_of(day.swiss)
    pairs = [
        [seats[side.pk].group for side in day.sides(match)] for match in rnd.matches.filter(kind="table")
    ]
    return sum(one != other for one, other in pairs)


def test_three_rounds_stay_inside_the_groups_and_the_fourth_goes_across() -> None:
    day = draft_day()
    seat_draft(tournament_id=day.tournament.pk, actor=COMMAND)
    first = groups_of(day.swiss)
    assert [len(group) for group in first] == [8, 8]
    seat_draft(tournament_id=day.tournament.pk, actor=COMMAND, seed=3)
    assert groups_of(day.swiss) != first
    rounds = [day.play(seed) for seed in range(1, 6)]
    assert [crossing(day, rnd) for rnd in rounds[:3]] == [0, 0, 0]
    assert crossing(day, rounds[3]) > 0
    assert sum(rnd.output["report"]["rematches"] for rnd in rounds) == 0
    assert [verify(Round.objects.get(pk=rnd.pk)).is_good for rnd in rounds] == [True] * 5
    assert rounds[0].engine == "draft-1 swiss-1"
    why = rounds[0].matches.order_by("table").first().why
    assert why.startswith("Drafting group 1. Seat 1 meets seat 5")
    with pytest.raises(RuleBroken, match="groups stay as they are"):
        seat_draft(tournament_id=day.tournament.pk, actor=COMMAND)


def test_without_the_deed_the_first_pairing_seats_the_draft_and_who_leaves_keeps_the_groups() -> None:
    day = draft_day(9)
    rnd = day.pair()
    groups = groups_of(day.swiss)
    assert sum(map(len, groups)) == 9
    drop_team(team_id=day.teams[0].pk, actor=COMMAND)
    again = day.now_round
    assert again is not None
    assert again.pk != rnd.pk
    assert groups_of(day.swiss) == groups
    with pytest.raises(RuleBroken, match="drafting groups are seated"):
        add_team(day)
    day.tournament.refresh_from_db()
    with pytest.raises(RuleBroken, match="draft rounds cannot change after the start"):
        change_tournament(tournament_id=day.tournament.pk, actor=COMMAND, draft_rounds=2)


def test_a_draft_round_has_no_repair_plan_and_a_swap_across_groups_is_warned_of() -> None:
    day = draft_day()
    rnd = day.publish()
    rnd.stage = day.swiss
    with pytest.raises(RuleBroken, match="no plan"):
        repair_plan(rnd)
    one, other = (group[0] for group in groups_of(day.swiss))
    assert "They are of different drafting groups." in {
        caution.sentence for _, caution in swap_cautions(rnd, one, other)
    }


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"draft_rounds": 3, "format": "round-robin"}, "Swiss rounds of two sides"),
        ({"draft_rounds": 3, "mode": "riftbound-ffa4"}, "Swiss rounds of two sides"),
        ({"draft_rounds": 8, "planned_rounds": 9}, "between 1 and 7"),
        ({"draft_rounds": 4, "planned_rounds": 3}, "between 1 and 3"),
    ],
)
def test_a_draft_that_cannot_be_played_is_refused_when_it_is_saved(
    settings: dict[str, object], sentence: str
) -> None:
    with pytest.raises(RuleBroken, match=sentence):
        halls.draft(**settings)  # type: ignore[arg-type]


def test_the_pages_show_the_groups_before_round_one_and_the_seat_beside_each_team(
    client: Client, signed_in: Callable[..., Client]
) -> None:
    day = draft_day(8)
    slug = day.tournament.slug
    assert client.get(reverse("draft", args=[slug])).status_code == 404
    staff = signed_in(halls.person("boss", "organizer", day.tournament))
    assert "Seat the drafting groups" in staff.get(reverse("desk", args=[slug])).text
    said = staff.post(reverse("deed", args=[slug, "seat-draft"]), follow=True).text
    assert "1 drafting group is seated" in said
    assert "Pair Round 1" in said
    assert "Find your seat in the draft" in client.get(reverse("pairings", args=[slug])).text
    assert client.get(reverse("draft", args=[slug])).text.count("<li value=") == 8
    day.publish()
    shown = client.get(reverse("pairings", args=[slug])).text
    assert "Draft 1, seat 5" in shown
