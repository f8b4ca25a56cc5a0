"""Published standings of real events come out cell by cell."""

from fractions import Fraction

import pytest

from tests.golden.published import Event, differences, event

ALL = ("points", "omw", "gw", "ogw")
SEVEN_DIGITS = Fraction(1, 10**7)  # Melee rounds on the way: one cell is off by 0.52 of its last digit
DOUBLE = Fraction(1, 10**12)


@pytest.mark.parametrize(
    ("name", "figures", "allowed"),
    [
        pytest.param("melee_8_drop_makes_bye", ALL, SEVEN_DIGITS, id="melee_8_drop_makes_bye"),
        pytest.param("melee_odd19_draws_ids_drops", ALL, SEVEN_DIGITS, id="melee_odd19_draws_ids_drops"),
        pytest.param("melee_small14_cut4", ALL, SEVEN_DIGITS, id="melee_small14_cut4"),
        pytest.param("topdeck_team_trios_15", ALL, DOUBLE, id="topdeck_team_trios_15"),
        pytest.param("topdeck_13_top8", ("points", "omw"), DOUBLE, id="topdeck_13_top8"),
        pytest.param("lichess_13_late_entries", ("points",), Fraction(0), id="lichess_13_late_entries"),
    ],
)
def test_every_cell_that_can_be_recomputed_is_as_published(
    name: str, figures: tuple[str, ...], allowed: Fraction
) -> None:
    assert differences(event(name), figures, allowed) == []


def places_outside_the_playoff(played: Event) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """(place, player) of ours and of the published table, without those who played on."""
    ours = enumerate(played.standings(), 1)
    theirs = ((row["rank"], row["player"]) for row in played.published)
    out = played.in_playoff
    return [place for place in ours if place[1] not in out], [
        place for place in theirs if place[1] not in out
    ]


@pytest.mark.parametrize(
    "name",
    [
        "melee_8_drop_makes_bye",
        "melee_odd19_draws_ids_drops",
        "melee_small14_cut4",
        "topdeck_team_trios_15",
        "topdeck_13_top8",
        pytest.param("topdeck_pods_24_top10", id="topdeck_pods_24_top10-we-059"),
    ],
)
def test_the_order_is_as_published(name: str) -> None:
    ours, theirs = places_outside_the_playoff(event(name))
    assert ours == theirs
    assert len(theirs) >= 5


def test_the_lichess_event_is_in_the_order_of_its_points() -> None:
    played = event("lichess_13_late_entries")
    points = {row["player"]: row["points"] for row in played.published}
    assert [points[player] for player in played.standings()] == sorted(points.values(), reverse=True)


def test_the_pods_give_everybody_the_published_record() -> None:
    played = event("topdeck_pods_24_top10")
    table = played.standings()
    for row in played.published:
        mine = table[row["player"]]
        record = (row["wins_swiss"], row["losses_swiss"], row["draws_swiss"], row["byes"])
        assert (mine.wins, mine.losses, mine.draws, mine.byes) == record, row["player"]
        assert mine.points == 5 * row["wins_swiss"] + row["draws_swiss"]


def test_the_ten_seeds_of_the_pods_are_those_who_played_on() -> None:
    played = event("topdeck_pods_24_top10")
    order = list(played.standings())
    assert set(order[:10]) == played.in_playoff
    final = played.data["rounds"][-1]["matches"][0]["players"]
    assert final[:2] == order[:2], "seeds 1 and 2 waited for the final"
