"""Every figure can say where it comes from."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rulebook.contests import Contest
from rulebook.errors import RuleBroken
from rulebook.explained import Explanation, How, Note, Part, explain, explain_row
from rulebook.policies import POLICIES, StandingsPolicy, policy_of
from rulebook.tiebreakers import TIEBREAKERS
from tests.rulebook.fields import (
    FIVE,
    bye,
    duel,
    field,
    figure,
    lone_loss,
    one,
    pod,
    row,
    table,
)

MAGIC = policy_of("magic")
FLOOR = Fraction(33, 100)
PODS = [pod(1, "ABCDE", "A", halves=[6, 0, 2, 2, 0]), pod(2, "BACD", halves=[1, 1, 1, 1])]
EVERYTHING = [*FIVE, lone_loss(4, "A"), duel(4, "CB", (0, 0), 3)]


def explained(letter: str, key: str, contests: list[Contest], policy: StandingsPolicy) -> Explanation:
    return explain(one(letter), key, field(contests), contests, policy)


def put_together(explanation: Explanation) -> Fraction:
    values = [part.value for part in explanation.parts]
    if explanation.how is How.MEAN:
        return sum(values, Fraction(0)) / len(values)
    if explanation.how is How.POOLED:
        tops, bottoms = zip(*((part.top, part.bottom) for part in explanation.parts), strict=True)
        return sum(tops, Fraction(0)) / sum(bottoms, Fraction(0))
    return sum(values, Fraction(0))


def test_opponents_percentages_name_each_opponent_and_the_floor() -> None:
    explanation = explained("A", "omw", FIVE, MAGIC)
    assert explanation.parts == (
        Part(1, one("B"), Fraction(0), Fraction(9), FLOOR, Note.FLOOR),
        Part(2, one("C"), Fraction(7), Fraction(9), Fraction(7, 9)),
        Part(3, one("E"), Fraction(6), Fraction(9), Fraction(2, 3)),
    )
    assert (explanation.label, explanation.how) == ("OMW%", How.MEAN)
    assert explanation.value == (FLOOR + Fraction(7, 9) + Fraction(2, 3)) / 3


def test_own_games_are_one_fraction() -> None:
    explanation = explained("D", "gw", FIVE, MAGIC)
    assert explanation.parts == (Part(None, None, Fraction(15), Fraction(21), Fraction(5, 7)),)


def test_an_own_column_without_floor_is_not_floored_in_its_explanation() -> None:
    explanation = explained("B", "gw", FIVE, policy_of("topdeck"))
    assert (explanation.value, explanation.parts[0].value, explanation.parts[0].note) == (0, 0, Note.AS_IS)


def test_a_cap_is_named() -> None:
    contests = [duel(1, "BA"), duel(2, "BC")]
    entered = [replace(each, status="dropped" if each.id == one("B") else "in") for each in field(contests)]
    part = explain(one("A"), "omw", entered, contests, policy_of("pokemon")).parts[0]
    assert (part.top, part.bottom, part.value, part.note) == (2, 2, Fraction(3, 4), Note.CAP)


def test_a_bye_in_pods_shows_its_three_opponents() -> None:
    parts = explained("A", "omw", [pod(1, "ABCD", "A"), bye(2, "A")], policy_of("topdeck-pods")).parts
    assert [part.note for part in parts] == [Note.FLOOR] * 3 + [Note.BYE] * 3


def test_dropped_scores_of_buchholz_are_shown_as_left_out() -> None:
    explanation = explained("A", "buchholz-cut-1", FIVE, policy_of("fide-buchholz"))
    assert [part.note for part in explanation.parts] == [Note.LEFT_OUT, Note.AS_IS, Note.AS_IS]
    assert explanation.parts[0].opponent == one("B")


@pytest.mark.parametrize("key", [key for key in TIEBREAKERS if key not in {"vp", "tp"}])
@pytest.mark.parametrize("policy", ["magic", "pokemon", "topdeck", "fide-buchholz", "fab", "topdeck-pods"])
def test_the_parts_make_the_figure_of_the_table(key: str, policy: str) -> None:
    chosen = replace(POLICIES[policy], tiebreakers=(key,))
    rows = table(EVERYTHING, chosen)
    for letter in "ABCDE":
        explanation = explained(letter, key, EVERYTHING, chosen)
        assert explanation.value == figure(rows, letter, key)
        if explanation.how is not How.WHOLE:
            assert put_together(explanation) == explanation.value, letter


def test_the_figures_of_vekn_come_table_by_table() -> None:
    rows = table(PODS, policy_of("vekn"))
    for letter in "ABCDE":
        for key in ("vp", "tp"):
            explanation = explained(letter, key, PODS, policy_of("vekn"))
            assert put_together(explanation) == explanation.value == figure(rows, letter, key)
    assert [part.value for part in explained("A", "tp", PODS, policy_of("vekn")).parts] == [60, 36]


def test_a_whole_row_is_explained_from_points_to_the_last_tiebreaker() -> None:
    found = explain_row(one("C"), field(FIVE), FIVE, MAGIC)
    assert [each.figure for each in found] == ["points", "omw", "gw", "ogw"]
    assert put_together(found[0]) == found[0].value == row(table(FIVE, MAGIC), "C").points == 7
    assert [(part.round, part.opponent, part.value) for part in found[0].parts] == [
        (1, one("D"), 3),
        (2, one("A"), 1),
        (3, None, 3),
    ]


def test_who_is_not_in_the_stage_is_refused() -> None:
    with pytest.raises(RuleBroken) as broken:
        explained("Z", "omw", FIVE, MAGIC)
    assert broken.value.code == "unknown-entrant"
