"""The feature table, the map of the hall, and the chairs at a table."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from journal.actors import COMMAND
from journal.models import Deed
from rulebook.errors import RuleBroken
from rulebook.seating import chairs_at
from tests.day import new_day
from tests.pages import halls
from tournaments.featuring import feature_match
from tournaments.registration import change_team
from tournaments.rounds import start_round

pytestmark = pytest.mark.django_db


def test_the_best_placed_pair_plays_at_the_feature_table_and_nobody_else_gets_its_number() -> None:
    day = new_day(8, rounds=3, feature_table=3)
    day.play()
    rnd = day.pair(2)
    best = day.ranking()[0]
    assert day.match_of(best, rnd).table == 3
    assert sorted(rnd.matches.values_list("table", flat=True)) == [2, 3, 4, 5]


def test_a_fixed_table_wins_over_the_feature_table() -> None:
    day = new_day(8, rounds=3, feature_table=3)
    change_team(team_id=day.teams[7].pk, actor=COMMAND, fixed_table=3)
    rnd = day.publish()
    assert day.match_of(day.teams[7], rnd).table == 3
    other = rnd.matches.exclude(table=3).first()
    with pytest.raises(RuleBroken, match="always plays there"):
        feature_match(match_id=other.pk, actor=COMMAND)


def test_staff_choose_the_match_for_the_feature_table_until_it_starts(
    signed_in: Callable[..., Client],
) -> None:
    day = new_day(8, rounds=3, feature_table=3)
    rnd = day.publish()
    there, chosen = rnd.matches.get(table=3), rnd.matches.exclude(table=3).earliest("pk")
    number = chosen.table
    staff = signed_in(halls.person("boss", "organizer", day.tournament))
    slug = day.tournament.slug
    assert "Play it there" in staff.get(reverse("desk-match", args=[slug, chosen.pk])).text
    said = staff.post(reverse("deed", args=[slug, "feature"]), {"match": chosen.pk}, follow=True).text
    assert "feature table 3" in said
    assert (rnd.matches.get(pk=chosen.pk).table, rnd.matches.get(pk=there.pk).table) == (3, number)
    assert Deed.objects.order_by("-number").first().after == {"table": 3, "moved": there.pk}
    start_round(round_id=rnd.pk, actor=COMMAND)
    with pytest.raises(RuleBroken, match="has started"):
        feature_match(match_id=there.pk, actor=COMMAND)


def test_the_map_says_where_a_table_is_and_the_table_page_draws_its_chairs(
    client: Client, signed_in: Callable[..., Client]
) -> None:
    day = new_day(10, rounds=3, hall="1-2, 21-30", tables_in_a_row=2)
    rnd = day.publish()
    slug = day.tournament.slug
    page = client.get(reverse("table-map", args=[slug]), {"table": "22"}).text
    assert "Table 22 is in row 2, number 2 from the left." in page
    assert page.count("<circle") == 5 * 4
    assert "style=" not in page.split("<main", 1)[-1]
    assert "The hall has no table 9" in client.get(reverse("table-map", args=[slug]), {"table": "9"}).text
    match = rnd.matches.get(table=1)
    table = client.get(reverse("table", args=[slug, match.pk])).text
    for code in ("1A", "1B", "2A", "2B"):
        assert f">{code}</text>" in table
    staff = signed_in(halls.person("boss", "organizer", day.tournament))
    assert "Tables of the hall" in staff.get(reverse("desk-map", args=[slug])).text


@pytest.mark.parametrize(
    ("sides", "labels", "boards", "seen"),
    [
        (2, ("A", "B"), ("",), {"near": ["1A", "1B"], "far": ["2B", "2A"]}),
        (2, ("A", "B", "C"), ("A", "B", "C"), {"near": ["1A", "1B", "1C"], "far": ["2A", "2B", "2C"]}),
        (2, ("A",), ("",), {"near": ["1A"], "far": ["2A"]}),
        (4, ("A",), ("",), {"near": ["1A"], "left": ["2A"], "far": ["3A"], "right": ["4A"]}),
        (5, ("A",), ("",), {"near": ["1A"], "left": ["2A"], "far": ["3A", "4A"], "right": ["5A"]}),
    ],
)
def test_teammates_are_neighbours_and_pods_sit_clockwise(
    sides: int, labels: tuple[str, ...], boards: tuple[str, ...], seen: dict[str, list[str]]
) -> None:
    found: dict[str, list[str]] = {}
    for chair in sorted(chairs_at(sides, labels, boards), key=lambda chair: chair.place):
        found.setdefault(chair.edge.value, []).append(chair.code)
    assert found == seen
