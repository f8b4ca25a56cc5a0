"""Teams at the table: seats, swaps and reserves."""

import dataclasses

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes import Mode, mode_of
from rulebook.seating import (
    LineUp,
    SeatsOpen,
    check_team,
    replace_player,
    seats_open,
    split_by_hand,
    swap_seats,
)

ADA, BO, CY = 11, 12, 13
TEAM = LineUp((("A", ADA), ("B", BO)))
RIFT, GIANT = mode_of("riftbound-2v2"), mode_of("magic-2hg")


def test_a_team_takes_every_seat_once_in_the_order_of_the_mode() -> None:
    assert check_team(RIFT, [("B", BO), ("A", ADA)]) == TEAM


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ([("A", ADA), ("B", ADA)], "player-twice"),
        ([("A", ADA), ("A", BO)], "seat-taken"),
        ([("A", ADA), ("C", BO)], "unknown-seat"),
        ([("A", ADA)], "team-incomplete"),
        ([], "team-incomplete"),
    ],
    ids=["one player twice", "two A seats", "unknown seat", "one missing", "empty"],
)
def test_a_team_that_cannot_sit_down_is_refused(seats: list[tuple[str, int]], code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        check_team(RIFT, seats)
    assert refused.value.code == code


def test_seats_are_fixed_by_the_first_pairing_except_where_chosen_per_match() -> None:
    assert seats_open(RIFT) is SeatsOpen.UNTIL_FIRST_PAIRING
    assert seats_open(GIANT) is SeatsOpen.UNTIL_GAME_ONE


@pytest.mark.parametrize("seats", [pytest.param((("A", BO), ("B", ADA)), id="we-086")])
def test_a_two_headed_giant_team_chooses_its_order_before_each_match(
    seats: tuple[tuple[str, int], ...],
) -> None:
    swapped = swap_seats(GIANT, TEAM, "A", "B", has_been_paired=True, game_one_started=False)
    assert swapped.seats == seats
    assert "right" in GIANT.label_meanings[0]


def test_a_riftbound_team_swaps_before_it_is_paired() -> None:
    swapped = swap_seats(RIFT, TEAM, "A", "B", has_been_paired=False, game_one_started=False)
    assert swapped.player("A") == BO


@pytest.mark.parametrize(
    ("mode", "paired", "started"), [(RIFT, True, False), (GIANT, True, True)], ids=["paired", "started"]
)
def test_seats_that_are_fixed_cannot_be_swapped(mode: Mode, paired: bool, started: bool) -> None:
    with pytest.raises(RuleBroken) as refused:
        swap_seats(mode, TEAM, "A", "B", has_been_paired=paired, game_one_started=started)
    assert refused.value.code == "seats-fixed"


def test_an_unknown_seat_cannot_be_swapped() -> None:
    with pytest.raises(RuleBroken) as refused:
        swap_seats(GIANT, TEAM, "A", "C", has_been_paired=False, game_one_started=False)
    assert refused.value.code == "unknown-seat"


@pytest.mark.parametrize("later", [pytest.param((("A", ADA), ("B", CY)), id="case-083")])
def test_a_reserve_plays_from_now_on_and_earlier_matches_keep_their_names(
    later: tuple[tuple[str, int], ...],
) -> None:
    earlier = TEAM
    assert replace_player(RIFT, TEAM, "B", CY, reserves=[CY], announced=1).seats == later
    assert earlier.seats == (("A", ADA), ("B", BO))


def test_a_record_that_allows_a_reserve_lets_one_play() -> None:
    mode = dataclasses.replace(RIFT, key="invented", reserves=1)
    assert replace_player(mode, TEAM, "B", CY, reserves=[CY]).seats == (("A", ADA), ("B", CY))
    for strict, waiting, code in ((mode, [CY, 14], "too-many-reserves"), (RIFT, [CY], "no-reserves")):
        with pytest.raises(RuleBroken) as refused:
            replace_player(strict, TEAM, "B", CY, reserves=waiting)
        assert refused.value.code == code


@pytest.mark.parametrize(
    ("reserve", "reserves", "allowed", "code"),
    [
        (CY, [CY], 0, "no-reserves"),
        (CY, [CY, 14], 1, "too-many-reserves"),
        (14, [CY], 1, "not-a-reserve"),
        (ADA, [ADA], 1, "player-twice"),
    ],
)
def test_a_reserve_who_may_not_play_is_refused(
    reserve: int, reserves: list[int], allowed: int, code: str
) -> None:
    with pytest.raises(RuleBroken) as refused:
        replace_player(RIFT, TEAM, "B", reserve, reserves=reserves, announced=allowed)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("teams", "code"),
    [
        pytest.param({1: 1, 2: 1, 3: 1}, "team-missing", id="case-085"),
        pytest.param({1: 1, 2: 1, 3: 1, 4: 2}, "wrong-team-size", id="three against one"),
    ],
)
def test_a_hand_made_assignment_never_gives_three_against_one(teams: dict[int, int], code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        split_by_hand(RIFT, [1, 2, 3, 4], teams)
    assert refused.value.code == code
    assert split_by_hand(RIFT, [1, 2, 3, 4], {1: 1, 2: 2, 3: 1, 4: 2})
