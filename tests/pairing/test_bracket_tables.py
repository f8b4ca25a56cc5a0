"""Every kind of bracket as one table of spots, waves and places."""

from collections import Counter

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.bracket_tables import BracketKind, BracketTable, Spot, bracket_table
from rulebook.pairing.elimination import SourceKind
from rulebook.pairing.playoff_pods import pods_by_round, seats_of

SIZES = [(kind, size) for kind in ("single", "third-place", "double") for size in range(2, 34)]
SIZES += [("draft", 8), *(("pods", size) for size in (4, 7, 10, 13, 16, 40))]


def by_key(table: BracketTable) -> dict[str, Spot]:
    return {spot.key: spot for spot in table.spots}


@pytest.mark.parametrize(("kind", "size"), SIZES)
def test_every_seed_enters_once_and_every_source_is_known_before_its_wave(kind: str, size: int) -> None:
    table = bracket_table(kind, size)
    spots = by_key(table)
    assert len(spots) == len(table.spots)
    entering = [s.seed for spot in table.spots for s in spot.sources if s.kind is SourceKind.SEED]
    assert sorted(seed or 0 for seed in entering) == list(range(1, size + 1))
    for spot in table.spots:
        assert all(spots[source.node].wave < spot.wave for source in spot.sources if source.node)
    assert sorted({spot.wave for spot in table.spots}) == list(range(1, len(table.waves) + 1))
    assert len(set(table.waves)) == len(table.waves)


@pytest.mark.parametrize("size", range(2, 34))
def test_a_double_elimination_takes_two_losses_from_all_but_the_winner(size: int) -> None:
    table = bracket_table("double", size)
    played = [s for s in table.spots if not any(one.kind is SourceKind.BYE for one in s.sources)]
    assert len([spot for spot in played if spot.key != "reset"]) == 2 * size - 2
    outs = Counter(spot.out for spot in played if spot.bracket == "losers")
    place = 3
    for out in sorted(outs):
        assert out == place, "the places follow each other without a gap"
        place += outs[out]
    assert place == size + 1


def test_the_waves_of_a_double_elimination_of_eight_are_named_by_bracket() -> None:
    table = bracket_table(BracketKind.DOUBLE, 8)
    assert table.waves == (
        "Winners round 1",
        "Winners round 2 and losers round 1",
        "Winners final and losers round 2",
        "Losers round 3",
        "Losers final",
        "Grand final",
        "Grand final, second match",
    )
    assert table.planned == 6


def test_labels_name_a_match_as_people_do() -> None:
    assert [spot.label for spot in bracket_table("third-place", 4).spots] == [
        "Semifinal 1",
        "Semifinal 2",
        "Final",
        "Third place",
    ]
    assert by_key(bracket_table("single", 16))["r1m3"].label == "Round of 16, match 3"
    assert by_key(bracket_table("double", 8))["l1m2"].label == "Losers round 1, match 2"
    assert [spot.label for spot in bracket_table("pods", 10).spots] == [
        "Top 10 pods, pod 1",
        "Top 10 pods, pod 2",
        "Seed 1 waits",
        "Seed 2 waits",
        "Final pod",
    ]


def test_a_draft_playoff_meets_across_the_table() -> None:
    first = [spot for spot in bracket_table("draft", 8).spots if spot.wave == 1]
    assert [tuple(s.seed for s in spot.sources) for spot in first] == [(1, 5), (3, 7), (2, 6), (4, 8)]
    with pytest.raises(RuleBroken) as error:
        bracket_table("draft", 4)
    assert error.value.code == "wrong-cut"


def test_winners_of_pods_are_seated_by_seed_and_a_missing_one_leaves_the_last_seat_empty() -> None:
    assert pods_by_round(40) == (8, 4, 1)
    assert seats_of([9, 1, 5], 1) == ((1, 5, 9, None),)
    assert seats_of(range(1, 9), 2) == ((1, 3, 5, 7), (2, 4, 6, 8))
