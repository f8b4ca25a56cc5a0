"""Terms freeze what a match is played under."""

import json

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes import MODES, mode_of
from rulebook.terms import Terms, terms_for


@pytest.mark.parametrize(("best_of", "needed"), [(1, 1), (2, 2), (3, 2), (5, 3), (7, 4)])
def test_a_match_ends_at_more_than_half_of_its_games(best_of: int, needed: int) -> None:
    assert terms_for(mode_of("riftbound-match"), best_of=best_of).wins_needed == needed


@pytest.mark.parametrize("key", list(MODES))
@pytest.mark.parametrize("elimination", [False, True])
def test_stored_terms_come_back_unchanged(key: str, elimination: bool) -> None:
    terms = terms_for(mode_of(key), elimination=elimination)
    assert Terms.from_dict(json.loads(json.dumps(terms.as_dict()))) == terms


def test_an_elimination_match_allows_no_draw() -> None:
    assert terms_for(mode_of("riftbound-2v2")).draws_allowed
    assert not terms_for(mode_of("riftbound-2v2"), elimination=True).draws_allowed


@pytest.mark.parametrize(
    ("key", "elimination", "high_level", "chooses"),
    [
        ("magic-1v1", True, False, True),
        ("magic-2hg", True, False, True),
        ("magic-1v1", False, True, False),
        ("riftbound-match", True, False, False),
        ("riftbound-match", True, True, True),
        ("riftbound-match", False, True, False),
    ],
)
def test_the_better_seed_chooses_in_playoffs_by_game_and_level(
    key: str, elimination: bool, high_level: bool, chooses: bool
) -> None:
    terms = terms_for(mode_of(key), elimination=elimination, high_level=high_level)
    assert terms.seed_chooses is chooses


def test_an_organizer_may_announce_another_length() -> None:
    assert terms_for(mode_of("riftbound-2v2")).best_of == 1
    assert terms_for(mode_of("riftbound-2v2"), best_of=3).best_of == 3


def test_a_match_without_games_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        terms_for(mode_of("riftbound-2v2"), best_of=0)
    assert refused.value.code == "best-of-too-small"


def test_three_sides_in_a_duel_are_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        terms_for(mode_of("riftbound-duel"), sides=3)
    assert refused.value.code == "wrong-number-of-sides"
    assert "2 sides" in refused.value.sentence


def test_a_mode_for_many_says_how_many() -> None:
    assert terms_for(mode_of("magic-commander"), sides=3).sides == 3
    with pytest.raises(RuleBroken) as refused:
        terms_for(mode_of("magic-commander"), sides=9)
    assert "2 to 6 sides" in refused.value.sentence
