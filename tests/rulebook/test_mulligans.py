"""Mulligans per mode and edition."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.errors import RuleBroken
from rulebook.modes import MODES, mode_of
from rulebook.modes.blanks import Declaring, MulliganKind
from rulebook.mulligans import (
    Hand,
    Mulligans,
    begin_mulligans,
    declare,
    hand_after,
    most_mulligans,
    set_aside,
)

DUEL = ("1A", "2A")
POD = ("2A", "3A", "1A")
TEAMS = ("2A", "2B", "1A", "1B")


def said(state: Mulligans, *answers: tuple[str, bool]) -> Mulligans:
    for position, mulligan in answers:
        state = declare(state, position, mulligan=mulligan)
    return state


@pytest.mark.parametrize(
    ("key", "taken", "players", "hand"),
    [
        pytest.param("magic-2hg", 1, 4, Hand(7, 0), id="we-085"),
        pytest.param("magic-2hg", 2, 4, Hand(7, 1), id="two-headed giant, second"),
        pytest.param("magic-1v1", 0, 2, Hand(7, 0), id="none"),
        pytest.param("magic-1v1", 1, 2, Hand(7, 1), id="first of two players"),
        pytest.param("magic-1v1", 7, 2, Hand(7, 7), id="down to nothing"),
        pytest.param("magic-ffa", 1, 4, Hand(7, 0), id="first of many players is free"),
        pytest.param("magic-commander", 1, 2, Hand(7, 1), id="commander for two"),
        pytest.param("magic-commander", 1, 3, Hand(7, 0), id="commander for three"),
        pytest.param("magic-commander", 1, 4, Hand(7, 0), id="commander for four"),
        pytest.param("magic-brawl", 1, 2, Hand(7, 0), id="brawl for two is free too"),
        pytest.param("magic-brawl", 8, 2, Hand(7, 7), id="brawl down to nothing"),
        pytest.param("magic-2hg-2006", 1, 4, Hand(6, 0), id="shrinking hand"),
        pytest.param("magic-2hg-2006", 7, 4, Hand(0, 0), id="shrunk to nothing"),
        pytest.param("riftbound-2v2", 1, 4, Hand(4, 0), id="riftbound"),
    ],
)
def test_a_hand_after_mulligans(key: str, taken: int, players: int, hand: Hand) -> None:
    assert hand_after(mode_of(key), taken, players=players) == hand


@pytest.mark.parametrize(("modifier", "kept"), [(2, 8), (0, 6), (-3, 3)])
def test_a_vanguard_changes_the_hand_that_is_drawn_again(modifier: int, kept: int) -> None:
    assert hand_after(mode_of("magic-1v1"), 1, hand_modifier=modifier).kept == kept


@pytest.mark.parametrize(
    ("key", "most"),
    [("magic-1v1", 7), ("magic-2hg", 8), ("magic-2hg-2006", 7), ("magic-brawl", 8), ("riftbound-match", 1)],
)
def test_nobody_goes_below_no_cards(key: str, most: int) -> None:
    mode = mode_of(key)
    assert most_mulligans(mode, players=mode.players) == most
    with pytest.raises(RuleBroken) as refused:
        hand_after(mode, most + 1)
    assert refused.value.code == "no-more-mulligans"


def test_players_declare_in_turn_order_and_then_take_them_together() -> None:
    state = begin_mulligans(mode_of("magic-ffa"), POD)
    assert state.may_declare() == ("2A",)
    state = said(state, ("2A", True), ("3A", False))
    assert state.taken == {}
    assert state.may_declare() == ("1A",)
    state = said(state, ("1A", True))
    assert state.taken == {"2A": 1, "1A": 1}
    assert state.kept == frozenset({"3A"})
    state = said(state, ("2A", False), ("1A", False))
    assert state.is_over


def test_who_declares_out_of_turn_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        said(begin_mulligans(mode_of("magic-1v1"), DUEL), ("2A", True))
    assert refused.value.code == "not-your-turn"
    assert "1A" in refused.value.sentence


def test_the_starting_team_declares_first_in_any_order_and_all_take_them_at_once() -> None:
    state = begin_mulligans(mode_of("magic-2hg"), TEAMS)
    assert state.may_declare() == ("2A", "2B")
    state = said(state, ("2B", True), ("2A", False))
    assert state.may_declare() == ("1A", "1B")
    assert state.taken == {}
    state = said(state, ("1A", False), ("1B", False))
    assert state.taken == {"2B": 1}


def test_a_teammate_may_take_another_after_the_other_kept() -> None:
    state = begin_mulligans(mode_of("magic-2hg"), TEAMS)
    state = said(state, ("2A", False), ("2B", True), ("1A", False), ("1B", False))
    assert state.may_declare() == ("2B",)
    state = said(state, ("2B", True))
    assert state.hand_of("2B") == Hand(7, 1)
    assert said(state, ("2B", False)).is_over


def test_in_the_old_edition_the_starting_team_ends_its_mulligans_before_the_other_begins() -> None:
    state = begin_mulligans(mode_of("magic-2hg-2006"), TEAMS)
    state = said(state, ("2A", True), ("2B", False))
    assert (state.taken, state.may_declare()) == ({"2A": 1}, ("2A",))
    state = said(state, ("2A", True))
    assert state.hand_of("2A") == Hand(5, 0)
    state = said(state, ("2A", False))
    assert state.may_declare() == ("1A", "1B")


def test_the_archenemy_declares_first_and_the_others_as_one_team() -> None:
    state = begin_mulligans(mode_of("magic-archenemy"), ("1A", "2A", "3A", "4A"))
    assert state.groups == (("1A",), ("2A", "3A", "4A"))


def test_riftbound_players_set_up_to_two_cards_aside_once_in_turn_order() -> None:
    state = begin_mulligans(mode_of("riftbound-2v2"), ("2B", "1A", "2A", "1B"))
    for position, cards in (("2B", 2), ("1A", 0), ("2A", 1), ("1B", 2)):
        assert state.may_declare() == (position,)
        state = set_aside(state, position, cards)
        assert state.hand_of(position) == Hand(4, 0)
    assert state.is_over


@pytest.mark.parametrize("cards", [-1, 3])
def test_riftbound_players_set_aside_no_more_than_two_cards(cards: int) -> None:
    with pytest.raises(RuleBroken) as refused:
        set_aside(begin_mulligans(mode_of("riftbound-duel"), DUEL), "1A", cards)
    assert refused.value.code == "too-many-cards"


def test_each_game_has_its_own_kind_of_mulligan() -> None:
    with pytest.raises(RuleBroken) as refused:
        declare(begin_mulligans(mode_of("riftbound-duel"), DUEL), "1A", mulligan=True)
    assert refused.value.code == "set-aside-instead"
    with pytest.raises(RuleBroken) as refused:
        set_aside(begin_mulligans(mode_of("magic-1v1"), DUEL), "1A", 1)
    assert refused.value.code == "declare-instead"


def test_what_is_allowed_whenever_one_could_mulligan_waits_for_ones_own_declaration() -> None:
    state = said(begin_mulligans(mode_of("magic-ffa"), POD), ("2A", True))
    assert "3A" in state.may_declare()
    assert not {"2A", "1A"} & set(state.may_declare())


MAGIC = [
    m.key
    for m in MODES.values()
    if m.mulligan.kind is not MulliganKind.SET_ASIDE_TWO and m.mulligan.declaring is not Declaring.ONE_BY_ONE
]


@settings(max_examples=40)
@given(key=st.sampled_from(MAGIC), answers=st.lists(st.booleans(), max_size=80))
def test_no_sequence_of_declarations_breaks_a_hand(key: str, answers: list[bool]) -> None:
    mode = mode_of(key)
    labels = mode.labels
    order = tuple(f"{side + 1}{label}" for side in range(mode.sides) for label in labels)
    state = begin_mulligans(mode, order)
    for answer in answers:
        if state.is_over:
            break
        state = declare(state, state.may_declare()[0], mulligan=answer)
        assert all(0 <= state.hand_of(p).kept <= 7 for p in order)
    assert state.is_over or state.may_declare()


def test_who_has_no_cards_left_is_done() -> None:
    state = begin_mulligans(mode_of("magic-1v1"), DUEL)
    for _ in range(7):
        state = declare(state, "1A", mulligan=True)
        state = state if "2A" in state.kept else declare(state, "2A", mulligan=False)
    assert state.hand_of("1A").kept == 0
    assert state.is_over


def test_a_vanguard_may_leave_no_hand_to_redraw() -> None:
    state = begin_mulligans(mode_of("magic-1v1"), DUEL, hand_modifiers={"1A": -7})
    with pytest.raises(RuleBroken) as refused:
        declare(state, "1A", mulligan=True)
    assert refused.value.code == "no-more-mulligans"
