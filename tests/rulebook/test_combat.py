"""Combat between exactly two players: who may enter a battlefield."""

import pytest

from rulebook.combat import Board, Field, may_enter
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.terms import terms_for


def board(key: str, units: set[str], combat: set[str] | None = None) -> Board:
    there = Field(frozenset(units), frozenset(combat or ()))
    return Board(terms_for(mode_of(key)), {"Forge": there})


@pytest.mark.parametrize(
    ("key", "player", "units", "combat", "moves", "plays"),
    [
        pytest.param("riftbound-2v2", "1A", set(), None, True, True, id="empty"),
        pytest.param("riftbound-2v2", "1A", {"1A"}, None, True, True, id="own"),
        pytest.param("riftbound-2v2", "1A", {"2A"}, None, True, True, id="one opponent"),
        pytest.param("riftbound-2v2", "1A", {"1B"}, None, False, True, id="a teammate"),
        pytest.param("riftbound-2v2", "1A", {"2A", "2B"}, None, False, False, id="two opponents"),
        pytest.param("riftbound-2v2", "1A", {"1B", "2A"}, {"1B", "2A"}, False, False, id="combat of others"),
        pytest.param("riftbound-2v2", "1B", {"1B", "2A"}, {"1B", "2A"}, True, True, id="own combat"),
        pytest.param("riftbound-ffa3", "3A", {"1A"}, {"1A", "2A"}, False, False, id="staged combat"),
        pytest.param("riftbound-ffa3", "3A", {"1A"}, None, True, True, id="free for all"),
        pytest.param("riftbound-duel", "2A", {"1A", "2A"}, {"1A", "2A"}, True, True, id="duel"),
    ],
)
def test_may_enter(
    key: str, player: str, units: set[str], combat: set[str] | None, moves: bool, plays: bool
) -> None:
    table = board(key, units, combat)
    assert may_enter(table, player, "Forge").is_allowed is moves
    assert may_enter(table, player, "Forge", by_playing=True).is_allowed is plays


def test_a_unit_that_may_not_be_played_there_goes_to_the_base() -> None:
    answer = may_enter(board("riftbound-ffa3", {"1A"}, {"1A", "2A"}), "3A", "Forge", by_playing=True)
    assert (answer.is_allowed, answer.instead) == (False, "base")
    assert answer.reason


@pytest.mark.parametrize(
    ("player", "battlefield", "code"),
    [("5A", "Forge", "unknown-seat"), ("1A", "Void", "unknown-battlefield")],
)
def test_an_unknown_player_or_battlefield_is_refused(player: str, battlefield: str, code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        may_enter(board("riftbound-2v2", set()), player, battlefield)
    assert refused.value.code == code


@pytest.mark.parametrize(("units", "combat"), [({"9A"}, None), (set(), {"1A", "9A"})])
def test_units_belong_to_seats_of_the_match(units: set[str], combat: set[str] | None) -> None:
    with pytest.raises(RuleBroken) as refused:
        may_enter(board("riftbound-2v2", units, combat), "1A", "Forge")
    assert refused.value.code == "unknown-seat"
