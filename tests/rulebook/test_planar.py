"""Planar decks."""

import pytest

from rulebook.errors import RuleBroken
from rulebook.planar import check_planar_deck


def cards(count: int) -> list[str]:
    return [f"plane {number}" for number in range(count)]


@pytest.mark.parametrize(
    ("names", "phenomena", "players", "is_common"),
    [
        (cards(10), 2, 4, False),
        (cards(20), 4, 2, True),
        (cards(40), 0, 5, True),
    ],
)
def test_a_planar_deck_that_is_big_enough_is_legal(
    names: list[str], phenomena: int, players: int, is_common: bool
) -> None:
    check_planar_deck(names, phenomena=phenomena, players=players, is_common=is_common)


@pytest.mark.parametrize(
    ("names", "phenomena", "is_common", "code"),
    [
        (cards(9), 0, False, "wrong-count"),
        (cards(39), 0, True, "wrong-count"),
        ([*cards(10), "plane 1"], 0, False, "same-card-twice"),
        (cards(10), 3, False, "too-many-phenomena"),
    ],
)
def test_a_planar_deck_that_is_wrong_is_refused(
    names: list[str], phenomena: int, is_common: bool, code: str
) -> None:
    with pytest.raises(RuleBroken) as refused:
        check_planar_deck(names, phenomena=phenomena, players=4, is_common=is_common)
    assert refused.value.code == code
