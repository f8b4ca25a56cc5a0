"""The ranking: points, percentages, byes, who left, shared ranks and the lot."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.contests import Contest, Entered, contests_from_rows
from rulebook.policies import THIRD, StandingsPolicy, policy_of
from rulebook.scoring import ResultKind
from rulebook.standings import Standing, standings, tied_across
from tests.rulebook.fields import (
    bye,
    duel,
    duel_of,
    field,
    figure,
    lone_loss,
    met,
    one,
    order,
    ranks,
    record,
    row,
    stands_for,
    table,
)

MAGIC = policy_of("magic")
OWN_MATCHES = replace(MAGIC, tiebreakers=("mw", "omw", "gw", "ogw"))
FLOOR = Fraction(33, 100)

# Facts (c.1), oracle 4: five players, three rounds, one bye each round.
FIVE = [
    duel(1, "AB"),
    duel(1, "CD", (2, 1)),
    bye(1, "E"),
    duel(2, "AC", (1, 1), 1),
    duel(2, "EB"),
    bye(2, "D"),
    duel(3, "AE", (2, 1)),
    duel(3, "DB"),
    bye(3, "C"),
]


def after(contests: list[Contest], number: int) -> list[Contest]:
    return [contest for contest in contests if contest.round <= number]


def decimals(value: Fraction) -> str:
    return f"{float(value):.6f}"


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


@stands_for("case-053")
def test_equals_share_a_rank_and_the_next_one_skips() -> None:
    better = [bye(1, chr(200 + number), half_points=20) for number in range(38)]
    equal = [bye(1, letter, half_points=6) for letter in "ABCD"]
    rows = table([*better, *equal, bye(1, "Z", half_points=1)], MAGIC)
    assert [standing.rank for standing in rows] == [1] * 38 + [39] * 4 + [43]


@stands_for("case-056")
def test_every_reader_gets_the_same_table_in_whatever_order_the_rows_come() -> None:
    entered = field(FIVE)
    expected = standings(entered, FIVE, MAGIC)
    for seed in range(20):
        rng = random.Random(seed)
        shuffled = rng.sample(FIVE, len(FIVE))
        assert standings(rng.sample(entered, len(entered)), iter(shuffled), MAGIC) == expected, f"seed {seed}"


@stands_for("case-058")
def test_a_half_finished_round_gives_no_impossible_numbers() -> None:
    rows = table([*FIVE, duel(4, "CB")], MAGIC)
    shares = [value for standing in rows for _, value in standing.figures]
    assert all(FLOOR <= value <= 1 for value in shares)
    assert figure(rows, "C", "gw") == Fraction(16 + 6, 3 * 10)


@stands_for("case-059")
def test_the_stored_lot_decides_last_and_always_the_same() -> None:
    contests = [bye(1, "A"), bye(1, "B")]
    for lots, letters in (((9, 4), "BA"), ((4, 9), "AB")):
        entered = [Entered(one("A"), lots[0]), Entered(one("B"), lots[1])]
        tables = {standings(random.Random(seed).sample(entered, 2), contests, MAGIC) for seed in range(100)}
        assert [order(rows) for rows in tables] == [letters]
        assert set(ranks(tables.pop()).values()) == {1}


@stands_for("case-061")
def test_a_correction_changes_every_later_table() -> None:
    contests = [
        *FIVE,
        duel(4, "CB"),
        duel(4, "AD", (2, 1)),
        bye(4, "E"),
        duel(5, "CE"),
        duel(5, "DB"),
        bye(5, "A"),
    ]
    fixed = [duel(2, "EB", (1, 2)) if contest == duel(2, "EB") else contest for contest in contests]
    for number in range(1, 6):
        before, now = (
            table(after(contests, number), MAGIC, extra="ABCDE"),
            table(after(fixed, number), MAGIC, extra="ABCDE"),
        )
        assert (before == now) is (number < 2)
        if number >= 2:
            assert row(now, "B").points == row(before, "B").points + 3


@stands_for("case-062")
def test_a_tie_on_the_last_place_of_the_cut_is_named() -> None:
    rows = table(FIVE, MAGIC)
    assert order(tied_across(rows, 3)) == "DE"
    assert tied_across(rows, 2) == tied_across(rows, 4) == tied_across(rows, 5) == ()


@stands_for("case-046")
def test_a_loss_to_someone_disqualified_later_stands() -> None:
    contests = [duel(1, "AX", (0, 2)), duel(2, "XB"), duel(3, "CX", kind=ResultKind.MATCH_LOSS)]
    rows = table(contests, MAGIC, {"X": "disqualified"})
    assert (row(rows, "A").points, row(rows, "A").losses) == (0, 1)
    assert figure(rows, "A", "omw") == Fraction(6, 9)


@pytest.mark.parametrize(
    ("lost_round", "share"),
    [
        pytest.param(False, Fraction(6, 9), id="case-049"),
        pytest.param(True, Fraction(6, 12), id="case-049-lost"),
    ],
)
def test_who_is_disqualified_has_no_row_and_still_is_an_opponent(lost_round: bool, share: Fraction) -> None:
    contests = [duel(1, "XB"), duel(2, "AX", (0, 2)), duel(3, "XC", (0, 2))]
    if lost_round:
        contests.append(duel(4, "DX", kind=ResultKind.MATCH_LOSS))
    rows = table(contests, MAGIC, {"X": "disqualified"})
    assert "X" not in order(rows)
    assert figure(rows, "A", "omw") == share
    assert row(rows, "A").rank == row(table(contests, MAGIC), "A").rank - 1, "the others move up"


def test_who_drops_keeps_the_row_and_the_rank() -> None:
    assert table(FIVE, MAGIC, {"C": "dropped"}) == table(FIVE, MAGIC)


@stands_for("case-032")
def test_a_leaver_keeps_three_rounds_and_a_newcomer_has_none() -> None:
    contests = [duel(number, pair) for number, pair in enumerate(("MA", "MB", "MC"), 1)]
    missed = [lone_loss(number, "N") for number in (1, 2, 3)]
    rows = table([*contests, *missed], MAGIC, {"M": "dropped"})
    assert (row(rows, "M").played, row(rows, "M").points) == (3, 9)
    assert (row(rows, "N").points, row(rows, "N").losses) == (0, 3)
    absent = table(contests, MAGIC, extra="N")
    assert (row(absent, "N").points, row(absent, "N").played) == (0, 0)


@stands_for("case-036")
def test_groups_with_leavers_are_ranked_in_one_list() -> None:
    first = [duel(1, "ab"), duel(2, "ac"), duel(2, "bd"), duel(3, "bc"), duel(3, "ad")]
    second = [duel(1, "xz"), duel(1, "yw"), duel(2, "xy"), bye(3, "x")]
    rows = table([*first, *second], MAGIC, {"z": "dropped", "w": "dropped"})
    ranked = ranks(rows)
    assert (row(rows, "b").points, row(rows, "y").points) == (6, 3)
    assert ranked["b"] < ranked["y"]
    assert {"z", "w"} <= set(ranked)


@stands_for("case-086")
def test_points_are_compared_as_numbers() -> None:
    contests = [
        bye(1, letter, half_points=2 * points) for letter, points in (("x", 65), ("y", 66), ("z", 10))
    ]
    assert order(table(contests, MAGIC)) == "yxz"


def test_a_double_loss_is_a_round_lost_by_both() -> None:
    contest = duel(1, "AB", (0, 0), kind=ResultKind.DOUBLE_LOSS)
    lost = contest._replace(scores=tuple(score._replace(outcome="loss") for score in contest.scores))
    rows = table([lost], MAGIC)
    assert [(standing.points, standing.losses, standing.played) for standing in rows] == [(0, 1, 1)] * 2


def test_flat_rows_become_the_same_contests() -> None:
    rows = [
        (number, contest.round, contest.kind.value, contest.wins_needed, score[0], score[1].value, *score[2:])
        for number, contest in enumerate(FIVE)
        for score in contest.scores
    ]
    assert contests_from_rows(rows) == FIVE


def plain_table(
    entered: list[Entered], contests: list[Contest], floor: Fraction
) -> dict[int, tuple[Fraction, Fraction, Fraction]]:
    """OMW, GW and OGW by plain fractions, one opponent at a time."""
    match: dict[int, Fraction] = {}
    game: dict[int, Fraction] = {}
    for entrant in (each.id for each in entered):
        mine = [
            (contest, score) for contest in contests for score in contest.scores if score.entrant == entrant
        ]
        points = sum({"win": 3, "draw": 1, "loss": 0}[score.outcome] for _, score in mine)
        games = sum(sum(score.wins for score in contest.scores) + score.draws for contest, score in mine)
        match[entrant] = max(floor, Fraction(points, 3 * len(mine))) if mine else floor
        won = sum(3 * score.wins + score.draws for _, score in mine)
        game[entrant] = max(floor, Fraction(won, 3 * games)) if games else floor
    found = {}
    for entrant in match:
        opponents = [
            other.entrant
            for contest in contests
            if entrant in {score.entrant for score in contest.scores}
            for other in contest.scores
            if other.entrant != entrant
        ]
        count = Fraction(len(opponents))
        found[entrant] = (
            sum(match[x] for x in opponents) / count if opponents else floor,
            game[entrant],
            sum(game[x] for x in opponents) / count if opponents else floor,
        )
    return found


@given(seed=st.integers(0, 10**6), size=st.integers(2, 9), rounds=st.integers(1, 6))
def test_whole_numbers_agree_with_plain_fractions(seed: int, size: int, rounds: int) -> None:
    rng = random.Random(seed)
    contests = []
    for number in range(1, rounds + 1):
        ids = rng.sample([ord("A") + each for each in range(size)], size)
        if size % 2:
            contests.append(bye(number, chr(ids.pop())))
        for pair in zip(ids[::2], ids[1::2], strict=True):
            wins = rng.choice([(2, 0), (2, 1), (1, 2), (1, 1), (0, 0)])
            contests.append(duel_of(number, pair, wins, rng.randrange(4)))
    entered = [Entered(ord("A") + each, rng.randrange(10**9)) for each in range(size)]
    rows = standings(entered, contests, MAGIC)
    plain = plain_table(entered, contests, FLOOR)
    assert {each.entrant: tuple(value for _, value in each.figures) for each in rows} == plain
    assert_ranked(rows)


def assert_ranked(rows: tuple[Standing, ...]) -> None:
    keys = [(each.points, *(value for _, value in each.figures)) for each in rows]
    assert keys == sorted(keys, reverse=True)
    for place, (before, now) in enumerate(pairwise(zip(keys, rows, strict=True)), 2):
        assert now[1].rank == (before[1].rank if before[0] == now[0] else place)
