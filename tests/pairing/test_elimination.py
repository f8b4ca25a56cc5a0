"""Brackets as declarative tables."""

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.elimination import Source, SourceKind, nodes, round_name, seed_order


@pytest.mark.parametrize(
    "size, order",
    [(2, (1, 2)), (4, (1, 4, 2, 3)), (8, (1, 8, 4, 5, 2, 7, 3, 6))],
)
def test_the_first_two_seeds_meet_only_in_the_final(size: int, order: tuple[int, ...]) -> None:
    assert seed_order(size) == order


@pytest.mark.parametrize("entrants", range(2, 70))
def test_every_seed_enters_once_and_byes_go_to_the_top_seeds(entrants: int) -> None:
    table = nodes(entrants)
    first = [node for node in table if node.round == 1]
    seeds = [s.seed for node in first for s in node.sources if s.kind is SourceKind.SEED]
    assert sorted(s for s in seeds if s) == list(range(1, entrants + 1))
    byes = 2 * len(first) - entrants
    resting = [s.seed for node in first if node.has_bye for s in node.sources if s.kind is SourceKind.SEED]
    assert sorted(s for s in resting if s) == list(range(1, byes + 1))
    assert len(table) - byes == entrants - 1


def test_a_third_place_match_is_played_by_the_losers_of_the_semifinals() -> None:
    last = nodes(8, third_place=True)[-1]
    assert last.sources == (Source(SourceKind.LOSER, node="r2m1"), Source(SourceKind.LOSER, node="r2m2"))


def test_rounds_are_named_from_the_final_backwards() -> None:
    assert [round_name(number, 4) for number in (1, 2, 3, 4)] == [
        "Round of 16",
        "Quarterfinals",
        "Semifinals",
        "Final",
    ]


@pytest.mark.parametrize("size", [0, 1, 3, 6])
def test_a_bracket_size_that_is_no_power_of_two_is_refused(size: int) -> None:
    with pytest.raises(RuleBroken) as refused:
        seed_order(size)
    assert refused.value.code == "bracket-size"
