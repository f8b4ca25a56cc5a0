"""What a person types as a count is a count, or is refused."""

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.terms import terms_for
from tournaments.pages.result_form import count_in, result_of


@pytest.mark.parametrize(("typed", "count"), [("", 0), (" 2 ", 2), ("0", 0), ("99", 99)])
def test_a_count_is_read(typed: str, count: int) -> None:
    assert count_in(typed) == count


@pytest.mark.parametrize("typed", ["-1", "x", "1.5", "²", "99999999999"])
def test_what_is_no_count_is_refused_and_not_read_as_nothing(typed: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        count_in(typed)
    assert refused.value.code == "not-a-count"


def test_an_unknown_way_to_end_a_match_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        result_of({"kind": "vanished"}, terms_for(mode_of("riftbound-2v2"), best_of=3))
    assert refused.value.code == "unknown-kind"
