"""Results: what counts are legal and what each side gets."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind
from rulebook.modes import mode_of
from rulebook.scoring import LOST_BY_ONE, Line, Outcome, ResultKind, check_reportable, lines_for
from rulebook.terms import Terms, terms_for

BEST_OF_THREE = terms_for(mode_of("magic-1v1"))
BEST_OF_ONE = terms_for(mode_of("riftbound-2v2"))
CUT = terms_for(mode_of("magic-1v1"), elimination=True)
POD = terms_for(mode_of("riftbound-ffa4"))
WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW


def counts(lines: tuple[Line, ...]) -> list[tuple[Outcome, int, int]]:
    return [(line.outcome, line.wins, line.draws) for line in lines]


@pytest.mark.parametrize(
    ("wins", "draws", "points"),
    [
        pytest.param((2, 1), 0, (6, 3), id="we-005"),
        pytest.param((2, 0), 1, (7, 1), id="we-006"),
        pytest.param((1, 1), 1, (4, 4), id="we-007"),
    ],
)
def test_counts_of_a_match_give_its_game_points(
    wins: tuple[int, int], draws: int, points: tuple[int, int]
) -> None:
    lines = lines_for(BEST_OF_THREE, ResultKind.PLAYED, wins=wins, draws=draws)
    assert tuple(3 * line.wins + line.draws for line in lines) == points


@pytest.mark.parametrize(
    ("draws", "share"),
    [
        pytest.param(0, Fraction(1, 2), id="we-021"),
        pytest.param(1, Fraction(4, 9), id="we-022"),
        pytest.param(3, Fraction(2, 5), id="we-023"),
    ],
)
def test_one_win_each_is_a_draw_however_many_games_were_drawn(draws: int, share: Fraction) -> None:
    first, second = lines_for(BEST_OF_THREE, ResultKind.PLAYED, wins=(1, 1), draws=draws)
    assert (first.outcome, second.outcome) == (DRAW, DRAW)
    games = first.wins + second.wins + first.draws
    assert Fraction(3 * first.wins + first.draws, 3 * games) == share


@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        pytest.param((1, 1), [(LOSS, 1, 0), (WIN, 2, 0)], id="we-025"),
        pytest.param((0, 0), [(LOSS, 0, 0), (WIN, 2, 0)], id="nothing-played"),
        pytest.param((0, 1), [(LOSS, 0, 0), (WIN, 2, 0)], id="behind"),
        pytest.param((1, 0), [(LOSS, 1, 0), (WIN, 2, 0)], id="ahead"),
    ],
)
@pytest.mark.parametrize("kind", sorted(LOST_BY_ONE))
def test_who_concedes_keeps_games_won_and_the_other_side_is_filled_up(
    kind: ResultKind, wins: tuple[int, int], expected: list[tuple[Outcome, int, int]]
) -> None:
    assert counts(lines_for(BEST_OF_THREE, kind, wins=wins, loser=0)) == expected


@pytest.mark.parametrize(
    ("wins", "loser", "expected"),
    [pytest.param((1, 0), 0, [(LOSS, 1, 0), (WIN, 2, 0)], id="case-048")],
)
def test_a_leader_who_is_disqualified_loses_two_to_one(
    wins: tuple[int, int], loser: int, expected: list[tuple[Outcome, int, int]]
) -> None:
    assert counts(lines_for(CUT, ResultKind.MATCH_LOSS, wins=wins, loser=loser)) == expected


def test_a_match_already_won_and_then_lost_by_penalty_has_one_winner() -> None:
    lines = lines_for(BEST_OF_THREE, ResultKind.MATCH_LOSS, wins=(2, 0), loser=0)
    assert counts(lines) == [(LOSS, 1, 0), (WIN, 2, 0)]


@pytest.mark.parametrize(
    ("terms", "wins", "expected"),
    [
        (BEST_OF_THREE, (2, 0), [WIN, LOSS]),
        (BEST_OF_THREE, (1, 2), [LOSS, WIN]),
        (BEST_OF_THREE, (1, 0), [WIN, LOSS]),
        (BEST_OF_THREE, (0, 0), [DRAW, DRAW]),
        (BEST_OF_THREE, (), [DRAW, DRAW]),
        (BEST_OF_ONE, (0, 1), [LOSS, WIN]),
        (BEST_OF_ONE, (0, 0), [DRAW, DRAW]),
        (CUT, (1, 0), [WIN, LOSS]),
    ],
)
def test_more_game_wins_win_the_match_and_equal_ones_draw_it(
    terms: Terms, wins: tuple[int, ...], expected: list[Outcome]
) -> None:
    assert [line.outcome for line in lines_for(terms, ResultKind.PLAYED, wins=wins)] == expected


def test_a_bare_word_of_the_database_is_as_good_as_the_kind() -> None:
    bare: Any = "intentional-draw"
    assert lines_for(BEST_OF_THREE, bare) == lines_for(BEST_OF_THREE, ResultKind.INTENTIONAL_DRAW)


def test_drawn_games_are_not_limited() -> None:
    assert counts(lines_for(BEST_OF_THREE, ResultKind.PLAYED, wins=(2, 1), draws=40)) == [
        (WIN, 2, 40),
        (LOSS, 1, 40),
    ]


@pytest.mark.parametrize(
    ("terms", "wins", "draws", "code"),
    [
        pytest.param(BEST_OF_THREE, (3, 0), 0, "too-many-wins", id="three wins in best of three"),
        pytest.param(BEST_OF_ONE, (2, 0), 0, "too-many-wins", id="two wins in best of one"),
        pytest.param(BEST_OF_THREE, (2, 2), 0, "two-winners", id="both with two"),
        pytest.param(BEST_OF_ONE, (1, 1), 0, "two-winners", id="both with one"),
        pytest.param(POD, (1, 1, 0, 0), 0, "two-winners", id="two winners of a pod"),
        pytest.param(
            terms_for(mode_of("magic-1v1"), best_of=2), (2, 1), 0, "too-many-wins", id="three of two games"
        ),
        pytest.param(CUT, (1, 1), 3, "draw-in-elimination", id="draw in elimination"),
        pytest.param(CUT, (0, 0), 0, "draw-in-elimination", id="nothing in elimination"),
        pytest.param(BEST_OF_THREE, (1,), 0, "wrong-number-of-sides", id="one side"),
        pytest.param(POD, (1, 0), 0, "wrong-number-of-sides", id="two sides in a pod"),
        pytest.param(BEST_OF_THREE, (2, -1), 0, "negative-count", id="negative wins"),
        pytest.param(BEST_OF_THREE, (2, 0), -1, "negative-count", id="negative draws"),
    ],
)
def test_a_report_that_cannot_be_is_refused(
    terms: Terms, wins: tuple[int, ...], draws: int, code: str
) -> None:
    with pytest.raises(RuleBroken) as refused:
        lines_for(terms, ResultKind.PLAYED, wins=wins, draws=draws)
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")


def test_no_loser_is_said_to_have_won_more_games_than_a_match_has() -> None:
    for kind in (ResultKind.CONCESSION, ResultKind.NO_SHOW, ResultKind.MATCH_LOSS, ResultKind.DOUBLE_LOSS):
        with pytest.raises(RuleBroken) as refused:
            lines_for(BEST_OF_THREE, kind, wins=(3, 0), loser=0)
        assert refused.value.code == "too-many-wins", kind


def test_an_intentional_draw_is_as_many_drawn_games_as_the_match_has() -> None:
    assert counts(lines_for(BEST_OF_THREE, ResultKind.INTENTIONAL_DRAW)) == [(DRAW, 0, 3)] * 2
    assert counts(lines_for(BEST_OF_ONE, ResultKind.INTENTIONAL_DRAW)) == [(DRAW, 0, 1)] * 2


def test_an_intentional_draw_in_elimination_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        lines_for(CUT, ResultKind.INTENTIONAL_DRAW)
    assert refused.value.code == "draw-in-elimination"


@pytest.mark.parametrize("games", [pytest.param((WIN, 2, 0), id="case-060")])
def test_a_bye_is_won_by_the_games_a_match_needs(games: tuple[Outcome, int, int]) -> None:
    assert counts(lines_for(BEST_OF_THREE, ResultKind.BYE)) == [games]


def test_a_bye_may_be_worth_other_points() -> None:
    (line,) = lines_for(BEST_OF_ONE, ResultKind.BYE, half_points=1)
    assert line == Line(0, WIN, 1, 0, half_points=1)


@pytest.mark.parametrize("games", [pytest.param((LOSS, 0, 0), id="we-026")])
def test_an_assigned_loss_is_one_side_without_a_game(games: tuple[Outcome, int, int]) -> None:
    assert counts(lines_for(BEST_OF_THREE, ResultKind.ASSIGNED_LOSS)) == [games]


@pytest.mark.parametrize(
    "kind",
    [pytest.param(MatchKind.BYE, id="case-101"), pytest.param(MatchKind.ASSIGNED_LOSS, id="assigned loss")],
)
def test_what_is_scored_by_rule_takes_no_report(kind: MatchKind) -> None:
    check_reportable(MatchKind.TABLE)
    with pytest.raises(RuleBroken) as refused:
        check_reportable(kind)
    assert refused.value.code == "bye-has-no-report"


def test_only_a_match_without_opponent_can_be_worth_other_points() -> None:
    with pytest.raises(RuleBroken) as refused:
        lines_for(BEST_OF_THREE, ResultKind.PLAYED, wins=(2, 0), half_points=2)
    assert refused.value.code == "points-follow-the-result"


def test_both_sides_lose_a_double_loss_and_when_both_are_absent() -> None:
    assert counts(lines_for(BEST_OF_THREE, ResultKind.DOUBLE_LOSS, wins=(1, 1))) == [(LOSS, 1, 0)] * 2
    assert counts(lines_for(CUT, ResultKind.BOTH_ABSENT)) == [(LOSS, 0, 0)] * 2


@pytest.mark.parametrize(("kind", "code"), [("concession", "loser-missing"), ("agreed", "winner-missing")])
def test_a_result_of_one_side_must_name_it(kind: str, code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        lines_for(BEST_OF_THREE, ResultKind(kind))
    assert refused.value.code == code


@pytest.mark.parametrize("named", [{"loser": 2}, {"winner": 2}, {"loser": -1}])
def test_a_side_that_is_not_there_is_refused(named: dict[str, int]) -> None:
    with pytest.raises(RuleBroken) as refused:
        lines_for(BEST_OF_THREE, ResultKind.CONCESSION, **named)  # type: ignore[arg-type]
    assert refused.value.code == "unknown-side"


@pytest.mark.parametrize("expected", [pytest.param([(WIN, 1, 0), (LOSS, 0, 0)], id="case-051")])
def test_a_winner_without_counts_gets_the_games_a_match_needs(
    expected: list[tuple[Outcome, int, int]],
) -> None:
    assert counts(lines_for(BEST_OF_ONE, ResultKind.PLAYED, winner=0)) == expected


def test_a_winner_who_did_not_win_more_games_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        lines_for(BEST_OF_THREE, ResultKind.PLAYED, wins=(2, 1), winner=1)
    assert refused.value.code == "winner-contradicts-counts"


def test_an_agreed_final_is_won_and_an_unplayed_one_has_no_games() -> None:
    assert counts(lines_for(CUT, ResultKind.AGREED, winner=1)) == [(LOSS, 0, 0), (WIN, 2, 0)]
    unplayed = lines_for(CUT, ResultKind.UNPLAYED, winner=1)
    assert counts(unplayed) == [(LOSS, 0, 0), (WIN, 0, 0)]
    assert [line.place for line in unplayed] == [2, 1]


@pytest.mark.parametrize("places", [pytest.param([1, 1], id="case-073")])
def test_an_unplayed_final_without_winner_has_two_first_places(places: list[int]) -> None:
    assert [line.place for line in lines_for(CUT, ResultKind.UNPLAYED)] == places


@pytest.mark.parametrize(
    ("wins", "outs", "outcomes", "places"),
    [
        pytest.param((0, 0, 0, 0), (None, None, 1, 2), [DRAW, DRAW, LOSS, LOSS], [1, 1, 4, 3], id="we-058"),
        pytest.param((1, 0, 0, 0), (None, 3, 2, 1), [WIN, LOSS, LOSS, LOSS], [1, 2, 3, 4], id="we-047"),
        pytest.param((1, 0, 0, 0), (None, 2, 2, 1), [WIN, LOSS, LOSS, LOSS], [1, 2, 2, 4], id="we-049"),
        pytest.param((), (), [DRAW] * 4, [None] * 4, id="we-051"),
        pytest.param((), (1, 2, 3, None), [LOSS, LOSS, LOSS, WIN], [4, 3, 2, 1], id="last one left"),
        pytest.param((), (1, 2, 3, 3), [LOSS, LOSS, DRAW, DRAW], [4, 3, 1, 1], id="last two out together"),
        pytest.param((0, 1, 0, 0), (), [LOSS, WIN, LOSS, LOSS], [None] * 4, id="winner only"),
    ],
)
def test_a_pod_gives_outcome_and_place_by_the_order_of_leaving(
    wins: tuple[int, ...], outs: tuple[int | None, ...], outcomes: list[Outcome], places: list[int | None]
) -> None:
    lines = lines_for(POD, ResultKind.PLAYED, wins=wins, out_order=outs)
    assert [line.outcome for line in lines] == outcomes
    assert [line.place for line in lines] == places


def test_who_leaves_a_pod_loses_and_the_others_play_on() -> None:
    lines = lines_for(POD, ResultKind.CONCESSION, wins=(0, 0, 1, 0), loser=3)
    assert [line.outcome for line in lines] == [LOSS, LOSS, WIN, LOSS]
    assert lines[3].place == 4


def test_a_pod_winner_who_is_disqualified_gives_way_to_the_next_one() -> None:
    lines = lines_for(POD, ResultKind.MATCH_LOSS, wins=(1, 0, 0, 0), out_order=(None, 3, 2, 1), loser=0)
    assert [line.outcome for line in lines] == [LOSS, WIN, LOSS, LOSS]
    assert [line.place for line in lines] == [4, 1, 2, 3]


def test_an_order_of_leaving_names_every_side() -> None:
    with pytest.raises(RuleBroken) as refused:
        lines_for(POD, ResultKind.PLAYED, out_order=(1, 2))
    assert refused.value.code == "wrong-number-of-sides"


@given(
    best_of=st.sampled_from([1, 3, 5]),
    wins=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    draws=st.integers(0, 5),
    kind=st.sampled_from(list(ResultKind)),
    named=st.sampled_from([0, 1]),
)
def test_no_accepted_result_has_two_winners_or_too_many_wins(
    best_of: int, wins: tuple[int, int], draws: int, kind: ResultKind, named: int
) -> None:
    terms = terms_for(mode_of("magic-1v1"), best_of=best_of)
    try:
        lines = lines_for(terms, kind, wins=wins, draws=draws, loser=named, winner=named)
    except RuleBroken:
        return
    assert sum(line.outcome is WIN for line in lines) <= 1
    assert sum(line.wins == terms.wins_needed for line in lines) <= 1
    assert all(line.wins <= terms.wins_needed for line in lines)
    assert len({line.draws for line in lines}) == 1


def test_a_hundred_drawn_games_are_a_slip_of_the_finger() -> None:
    with pytest.raises(RuleBroken) as refused:
        lines_for(BEST_OF_THREE, ResultKind.PLAYED, wins=(1, 0), draws=40_000)
    assert refused.value.code == "unlikely-count"
