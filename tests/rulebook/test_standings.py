"""The ranking: points, percentages, byes, who left, shared ranks and the lot."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rulebook.contests import Contest, Results
from rulebook.policies import THIRD, StandingsPolicy, policy_of
from rulebook.scoring import Outcome, ResultKind
from tests.rulebook.fields import (
    FIVE,
    bye,
    decimals,
    duel,
    figure,
    lone_loss,
    met,
    order,
    record,
    row,
    stands_for,
    table,
)

MAGIC = policy_of("magic")
OWN_MATCHES = replace(MAGIC, tiebreakers=("mw", "omw", "gw", "ogw"))
FLOOR = Fraction(33, 100)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        pytest.param("6-2-0", 18, id="we-001"),
        pytest.param("4-2-2", 14, id="we-002"),
        pytest.param("6-2-1", 19, id="we-003"),
    ],
)
def test_a_record_gives_match_points(text: str, points: int) -> None:
    assert row(table(record("A", text, start=0), MAGIC), "A").points == points


@pytest.mark.parametrize(
    ("wins", "draws", "first", "second"),
    [
        pytest.param((2, 1), 0, Fraction(6, 9), Fraction(3, 9), id="we-005"),
        pytest.param((2, 0), 1, Fraction(7, 9), Fraction(1, 9), id="we-006"),
        pytest.param((1, 1), 1, Fraction(4, 9), Fraction(4, 9), id="we-007"),
        pytest.param((1, 1), 0, Fraction(1, 2), Fraction(1, 2), id="we-021"),
        pytest.param((1, 1), 1, Fraction(4, 9), Fraction(4, 9), id="we-022"),
        pytest.param((1, 1), 3, Fraction(2, 5), Fraction(2, 5), id="we-023"),
        pytest.param((0, 0), 3, Fraction(1, 3), Fraction(1, 3), id="intentional-draw"),
    ],
)
def test_games_of_a_match_give_the_game_percentage(
    wins: tuple[int, int], draws: int, first: Fraction, second: Fraction
) -> None:
    rows = table([duel(1, "AB", wins, draws)], MAGIC.with_floor(None))
    assert (figure(rows, "A", "gw"), figure(rows, "B", "gw")) == (first, second)


@pytest.mark.parametrize(
    ("contests", "share"),
    [
        pytest.param(record("A", "5-2-1", start=0), Fraction(16, 24), id="oracle-1"),
        pytest.param(record("A", "1-3-0", start=0), FLOOR, id="we-009"),
        pytest.param(
            [bye(1, "A"), *record("A", "2-2", start=0, first_round=2)], Fraction(9, 15), id="we-010"
        ),
        pytest.param(record("A", "6-2-1", start=0), Fraction(19, 27), id="we-011"),
        pytest.param(record("A", "1-4", start=0), FLOOR, id="we-013"),
    ],
)
def test_the_match_percentage_divides_by_the_rounds_played(contests: list[Contest], share: Fraction) -> None:
    rows = table([*contests, duel(8, "XY")], OWN_MATCHES, {"A": "dropped"})
    assert figure(rows, "A", "mw") == share


@stands_for("we-014", "case-060")
def test_a_bye_in_best_of_three_is_two_games_won() -> None:
    rows = table([bye(1, "A"), duel(2, "AB", (0, 2))], MAGIC)
    assert figure(rows, "A", "gw") == Fraction(6, 12), "two of four games"
    assert figure(table([bye(1, "A")], MAGIC), "A", "gw") == 1


@pytest.mark.parametrize(
    ("records", "byes", "mean"),
    [
        pytest.param({"B": "2-1", "C": "3-0"}, 1, Fraction(5, 6), id="we-015"),
        pytest.param({"B": "2-1", "C": "2-1", "D": "3-0"}, 0, Fraction(7, 9), id="we-017"),
        pytest.param({"B": "1-1", "C": "9-3"}, 1, Fraction(5, 8), id="case-024"),
        pytest.param({"B": "1-1", "C": "9-3"}, 1, Fraction(5, 8), id="case-026"),
    ],
)
def test_opponents_match_percentage_is_a_mean_over_opponents_without_byes(
    records: dict[str, str], byes: int, mean: Fraction
) -> None:
    contests = met("A", records) + [bye(20 + number, "A") for number in range(byes)]
    assert figure(table(contests, MAGIC), "A", "omw") == mean


EIGHT = ["4-4-0", "7-1-0", "1-3-1", "3-3-1", "6-2-0", "5-2-1", "4-3-1", "6-1-1"]


@pytest.mark.parametrize(
    ("records", "floor", "printed"),
    [
        pytest.param(EIGHT, FLOOR, "0.616399", id="oracle-2"),
        pytest.param(EIGHT, THIRD, "0.616815", id="oracle-2-a-third"),
        pytest.param(EIGHT[1:], FLOOR, "0.633027", id="oracle-2-first-a-bye"),
    ],
)
def test_opponents_of_an_eight_round_event(records: list[str], floor: Fraction, printed: str) -> None:
    contests = met("A", dict(zip("BCDEFGHI", records, strict=False)))
    assert decimals(figure(table(contests, MAGIC.with_floor(floor)), "A", "omw")) == printed


@pytest.mark.parametrize(
    ("contests", "share"),
    [
        pytest.param(
            [duel(1, "AB"), duel(2, "AC", (2, 1)), duel(3, "AD", (1, 2)), duel(4, "AE")],
            Fraction(21, 30),
            id="oracle-3-21-of-10",
        ),
        pytest.param(
            [duel(1, "AB", (1, 2)), duel(2, "AC", (1, 2)), duel(3, "AD", (0, 2)), duel(4, "AE", (1, 2))],
            FLOOR,
            id="oracle-3-9-of-11",
        ),
    ],
)
def test_game_points_of_four_matches(contests: list[Contest], share: Fraction) -> None:
    assert figure(table(contests, MAGIC), "A", "gw") == share


@stands_for("we-018")
def test_an_opponent_met_twice_counts_twice() -> None:
    contests = [
        duel(1, "AX"),
        duel(2, "AX", (0, 2)),
        duel(3, "AY"),
        *record("Y", "3-0", start=0, first_round=4),
    ]
    assert figure(table(contests, MAGIC), "A", "omw") == Fraction(7, 12)


@pytest.mark.parametrize(
    ("floor", "mean"),
    [
        pytest.param(FLOOR, (FLOOR + Fraction(3, 5) + 1) / 3, id="we-019-0.33"),
        pytest.param(THIRD, (THIRD + Fraction(3, 5) + 1) / 3, id="we-019-a-third"),
        pytest.param(None, Fraction(8, 15), id="no-floor"),
    ],
)
def test_the_floor_lies_under_each_opponent(floor: Fraction | None, mean: Fraction) -> None:
    contests = met("A", {"B": "0-5", "C": "3-2", "D": "5-0"})
    assert figure(table(contests, MAGIC.with_floor(floor)), "A", "omw") == mean


@stands_for("we-026")
def test_an_assigned_loss_is_a_round_and_two_games_without_an_opponent() -> None:
    rows = table([lone_loss(1, "A"), duel(2, "AB")], OWN_MATCHES.with_floor(None))
    mine = row(rows, "A")
    assert (mine.played, mine.wins, mine.losses) == (2, 1, 1)
    assert figure(rows, "A", "mw") == Fraction(3, 6)
    assert figure(rows, "A", "gw") == Fraction(6, 12)
    assert figure(rows, "A", "omw") == 0, "B alone, who won nothing"
    assert figure(rows, "B", "omw") == Fraction(1, 2)


@stands_for("we-027")
def test_who_never_played_stands_at_the_floor() -> None:
    rows = table([duel(1, "AB")], policy_of("topdeck"), extra="Z")
    assert dict(row(rows, "Z").figures) == dict.fromkeys(("omw", "gw", "ogw"), FLOOR)
    assert row(rows, "Z").played == 0


@stands_for("we-094")
def test_one_half_point_bye_is_all_a_late_entrant_gets() -> None:
    rows = table([bye(1, "A", games=1, half_points=1)], policy_of("lichess"))
    assert (row(rows, "A").points, row(rows, "A").byes) == (Fraction(1, 2), 1)


def test_five_players_with_byes_rank_as_the_rules_say() -> None:
    rows = table(FIVE, MAGIC)
    expected = [
        (1, "C", 7, "0.722222", "0.666667", "0.690476"),
        (2, "A", 7, "0.591481", "0.666667", "0.570317"),
        (3, "D", 6, "0.553889", "0.714286", "0.498333"),
        (3, "E", 6, "0.553889", "0.714286", "0.498333"),
        (5, "B", 0, "0.703704", "0.330000", "0.698413"),
    ]
    assert [
        (
            standing.rank,
            chr(standing.entrant),
            standing.points,
            *(decimals(value) for _, value in standing.figures),
        )
        for standing in rows
    ] == expected


@pytest.mark.parametrize(
    ("policy", "letters", "printed"),
    [
        pytest.param(
            replace(MAGIC, byes_in_own=False),
            "CAEDB",
            {"C": "0.638889", "A": "0.498889", "E": "0.553889", "D": "0.498333"},
            id="byes-left-out",
        ),
        pytest.param(
            MAGIC.with_floor(THIRD),
            "CADEB",
            {"A": "0.592593", "D": "0.555556", "E": "0.555556"},
            id="a-third",
        ),
        pytest.param(
            MAGIC.with_floor(None),
            "CADEB",
            {"A": "0.481481", "D": "0.388889", "E": "0.388889"},
            id="no-floor",
        ),
    ],
)
def test_floor_and_byes_are_settings_that_move_the_table(
    policy: StandingsPolicy, letters: str, printed: dict[str, str]
) -> None:
    rows = table(FIVE, policy)
    assert order(rows) == letters
    assert {letter: decimals(figure(rows, letter, "omw")) for letter in printed} == printed


def test_a_bye_left_out_of_the_own_percentages_leaves_out_its_games() -> None:
    contests = [bye(1, "A"), duel(2, "AB", (2, 1)), duel(3, "AC", (0, 2))]
    rows = table(contests, replace(MAGIC, byes_in_own=False))
    assert figure(rows, "A", "gw") == figure(rows, "B", "ogw") == Fraction(6, 15)
    assert figure(rows, "B", "omw") == Fraction(3, 6)
    assert row(rows, "A").points == 6


@stands_for("case-018")
def test_a_bye_is_credited_with_the_round() -> None:
    rows = table([duel(1, "AB"), bye(1, "C")], MAGIC)
    assert {letter: row(rows, letter).points for letter in "ABC"} == {"A": 3, "B": 0, "C": 3}
    mine = row(rows, "C")
    assert (mine.wins, mine.losses, mine.draws, mine.byes) == (1, 0, 0, 1)


@stands_for("case-051")
def test_a_single_game_counts_as_one_to_nothing() -> None:
    rows = table([duel(1, "AB", (1, 0))], MAGIC)
    assert (figure(rows, "A", "gw"), figure(rows, "B", "gw")) == (1, FLOOR)


def test_a_double_loss_is_a_round_lost_by_both() -> None:
    contest = duel(1, "AB", (0, 0), kind=ResultKind.DOUBLE_LOSS)
    lost = contest._replace(scores=tuple(score._replace(outcome=Outcome.LOSS) for score in contest.scores))
    rows = table([lost], MAGIC)
    assert [(standing.points, standing.losses, standing.played) for standing in rows] == [(0, 1, 1)] * 2


def test_flat_rows_become_the_same_contests() -> None:
    rows = [
        (number, side, score[0], score[1].value, *score[2:], contest.kind.value, contest.round)
        for number, contest in enumerate(FIVE)
        for side, score in enumerate(contest.scores)
    ]
    assert list(Results(rows, FIVE[0].wins_needed)) == FIVE
