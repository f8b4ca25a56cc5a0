"""What teammates may tell and show each other."""

import pytest

from rulebook.communication import advice_is_assistance, permissions
from rulebook.modes import mode_of


@pytest.mark.parametrize(
    ("key", "allowed"),
    [
        ("riftbound-2v2", {"talk", "show", "act", "secrets"}),
        ("magic-2hg", {"talk", "show", "secrets"}),
        ("magic-2hg-2006", {"talk", "show", "secrets"}),
        ("magic-trios", {"talk"}),
        ("magic-1v1", set()),
        ("riftbound-ffa4", set()),
    ],
)
def test_teammates_may(key: str, allowed: set[str]) -> None:
    assert {one.key for one in permissions(mode_of(key)) if one.is_allowed} == allowed


def test_who_has_no_teammate_is_told_nothing_about_them() -> None:
    assert permissions(mode_of("riftbound-ffa4")) == ()


def test_what_is_forbidden_says_so() -> None:
    told = {one.key: one.sentence for one in permissions(mode_of("magic-trios"))}
    assert "may not show" in told["show"]
    assert "may not tell" in told["secrets"]
    assert "may talk" in told["talk"]


@pytest.mark.parametrize("key", ["riftbound-2v2", "magic-2hg"])
def test_advice_of_a_teammate_in_the_same_game_is_no_outside_help(key: str) -> None:
    assert not advice_is_assistance(mode_of(key))
