"""Who may act for a team."""

import pytest

from rulebook.acting import can_attack_team, controls_for, is_friendly, may_play, walks_past
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.terms import Terms, terms_for

TEAMS = terms_for(mode_of("riftbound-2v2"))
WAR = terms_for(mode_of("riftbound-ffa4"))


@pytest.mark.parametrize(
    ("terms", "player", "priority", "invited_by", "allowed"),
    [
        pytest.param(TEAMS, "1B", "1A", "1A", True, id="the 2v2 spell invitation"),
        pytest.param(TEAMS, "1A", "1A", None, True, id="the own turn"),
        pytest.param(TEAMS, "1B", "1A", None, False, id="not invited"),
        pytest.param(TEAMS, "1B", "2A", "1A", False, id="invited without priority"),
        pytest.param(TEAMS, "1B", "1A", "2A", False, id="invited by an opponent"),
        pytest.param(TEAMS, "2A", "1A", "1A", False, id="an opponent"),
        pytest.param(TEAMS, "1A", "2A", None, False, id="the own turn without priority"),
        pytest.param(WAR, "2A", "1A", "1A", False, id="free-for-all"),
    ],
)
def test_who_plays_a_spell_in_the_open_main_phase(
    terms: Terms, player: str, priority: str, invited_by: str | None, allowed: bool
) -> None:
    found = may_play(terms, player, turn_player="1A", priority=priority, invited_by=invited_by)
    assert found.is_allowed is allowed
    assert found.reason


def test_friendly_means_the_units_of_either_teammate() -> None:
    assert is_friendly(TEAMS, "1B", "1A")
    assert is_friendly(TEAMS, "1B", "1B")
    assert not is_friendly(TEAMS, "1B", "2B")


def test_control_is_not_shared_with_a_teammate() -> None:
    assert controls_for(TEAMS, "1A", "1A")
    assert not controls_for(TEAMS, "1A", "1B")


@pytest.mark.parametrize(
    ("may_attack", "attacks"),
    [({"2A": True, "2B": False}, False), ({"2A": True, "2B": True}, True)],
    ids=["Teferi's Moat", "no moat"],
)
def test_a_creature_attacks_a_team_only_if_it_may_attack_each_member(
    may_attack: dict[str, bool], attacks: bool
) -> None:
    assert can_attack_team(may_attack) is attacks


@pytest.mark.parametrize(
    ("lands", "unblocked"),
    [({"2A": ["Island"], "2B": ["Forest"]}, True), ({"2A": ["Island"], "2B": []}, False)],
    ids=["forestwalk", "no forest"],
)
def test_a_land_of_either_defender_lets_a_landwalker_past(
    lands: dict[str, list[str]], unblocked: bool
) -> None:
    assert walks_past("Forest", lands) is unblocked


def test_an_unknown_seat_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        may_play(TEAMS, "3A", turn_player="1A", priority="1A")
    assert refused.value.code == "unknown-seat"
