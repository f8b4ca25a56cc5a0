"""Tracks: entries over a start, undo, and shared life by 810.9."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook import shared_life
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.terms import terms_for
from rulebook.tracks import (
    EntryKind,
    Sheet,
    beaten,
    open_sheet,
    record,
    redo,
    undo,
    winner_by_points,
)

GIANT = terms_for(mode_of("magic-2hg"))
A, B, C, D = "1A", "1B", "2A", "2B"

COMMANDER = terms_for(mode_of("magic-commander"))


def giants(first: int = 30, second: int = 30) -> Sheet:
    sheet = open_sheet(GIANT)
    return record(record(sheet, A, first - 30), C, second - 30)


def lives(sheet: Sheet) -> tuple[int, int]:
    return sheet.total(A), sheet.total(C)


@pytest.mark.parametrize(
    ("before", "deed", "after"),
    [
        pytest.param((30, 30), lambda s: shared_life.each_player(s, -4), (22, 22), id="Flame Rift"),
        pytest.param((17, 30), lambda s: shared_life.double(s, A), (34, 30), id="we-073"),
        pytest.param((17, 30), lambda s: shared_life.double(s, B), (34, 30), id="Beacon of Immortality"),
        pytest.param((11, 30), lambda s: shared_life.pay_half(s, B), (5, 30), id="we-074"),
        pytest.param((11, 30), lambda s: shared_life.pay_half(s, A), (5, 30), id="Lurking Evil"),
        pytest.param((25, 30), lambda s: shared_life.set_life(s, A, 10), (10, 30), id="we-075"),
        pytest.param((5, 30), lambda s: shared_life.set_life(s, B, 10), (10, 30), id="set to more"),
        pytest.param((7, 13), lambda s: shared_life.set_each(s, 7, {0: A, 1: D}), (7, 7), id="Repay in Kind"),
        pytest.param(
            (13, 30),
            lambda s: shared_life.each_player_loses_share(s, Fraction(1, 3), round_up=True),
            (3, 10),
            id="we-077",
        ),
        pytest.param((12, 30), lambda s: shared_life.exchange(s, A, B), (12, 30), id="we-078"),
        pytest.param((5, 3), lambda s: shared_life.exchange(s, A, D), (3, 5), id="we-079"),
        pytest.param((5, 9), lambda s: shared_life.pay(s, {A: 2, B: 3}), (0, 9), id="both pay all there is"),
        pytest.param((0, 9), lambda s: shared_life.pay(s, {A: 0, B: 0}), (0, 9), id="paying nothing"),
        pytest.param(
            (5, 20), lambda s: shared_life.redistribute(s, {B: 20, C: 5}), (20, 5), id="redistribution"
        ),
    ],
)
def test_shared_life(before: tuple[int, int], deed: Callable[[Sheet], Sheet], after: tuple[int, int]) -> None:
    sheet = deed(giants(*before))
    assert lives(sheet) == after
    assert sheet.total(A) == sheet.total(B)
    assert sheet.total(C) == sheet.total(D)


@pytest.mark.parametrize(("life", "wins"), [(49, False), (50, True)], ids=["not yet", "Test of Endurance"])
def test_a_player_has_the_life_the_team_has(life: int, wins: bool) -> None:
    assert (giants(first=life).total(B) >= 50) is wins


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        pytest.param(lambda s: shared_life.pay(s, {A: 3, B: 3}), "not-enough-life", id="we-081"),
        pytest.param(lambda s: shared_life.pay(s, {A: 6}), "not-enough-life", id="more than there is"),
        pytest.param(lambda s: shared_life.pay(s, {A: -1}), "negative-count", id="negative"),
        pytest.param(lambda s: shared_life.set_each(s, 7, {0: A}), "member-missing", id="no member named"),
        pytest.param(lambda s: shared_life.set_each(s, 7, {0: A, 1: B}), "member-missing", id="stranger"),
        pytest.param(
            lambda s: shared_life.redistribute(s, {A: 5, B: 5}), "two-of-one-team", id="two of one team"
        ),
        pytest.param(lambda s: shared_life.redistribute(s, {A: 6, C: 8}), "not-the-same-totals", id="new"),
        pytest.param(lambda s: shared_life.pay(s, {"3A": 1}), "unknown-seat", id="unknown seat"),
        pytest.param(lambda s: record(s, A, 1, kind=EntryKind.COMMANDER), "no-such-track", id="commander"),
        pytest.param(
            lambda s: record(
                open_sheet(terms_for(mode_of("magic-commander"))), A, 5, kind=EntryKind.COMMANDER
            ),
            "source-missing",
            id="no commander named",
        ),
        pytest.param(lambda s: shared_life.ban(s, A, EntryKind.POISON), "no-such-track", id="no ban"),
        pytest.param(
            lambda s: shared_life.ban(s, A, EntryKind.CANNOT_GAIN, ends=True), "nothing-to-undo", id="none"
        ),
    ],
)
def test_what_the_rules_of_shared_life_forbid_is_refused(deed: Callable[[Sheet], Sheet], code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        deed(giants(5, 9))
    assert refused.value.code == code


def test_who_cannot_gain_life_keeps_the_whole_team_from_gaining() -> None:
    sheet = shared_life.ban(giants(10, 20), A, EntryKind.CANNOT_GAIN)
    assert lives(record(sheet, B, 5)) == (10, 20)
    assert lives(shared_life.set_life(sheet, B, 15)) == (10, 20)
    assert lives(shared_life.exchange(sheet, B, C)) == (10, 20)
    assert lives(record(sheet, B, -5)) == (5, 20)
    over = shared_life.ban(sheet, A, EntryKind.CANNOT_GAIN, ends=True)
    assert lives(record(over, B, 5)) == (15, 20)


@pytest.mark.parametrize(
    ("kind", "code"),
    [(EntryKind.CANNOT_GAIN, "cannot-gain-life"), (EntryKind.CANNOT_LOSE, "cannot-lose-life")],
)
def test_totals_are_not_dealt_out_to_who_cannot_have_them(kind: EntryKind, code: str) -> None:
    banned = A if kind is EntryKind.CANNOT_GAIN else C
    sheet = shared_life.ban(giants(10, 20), banned, kind)
    with pytest.raises(RuleBroken) as refused:
        shared_life.redistribute(sheet, {B: 20, D: 10})
    assert refused.value.code == code
    assert lives(shared_life.redistribute(sheet, {B: 10, D: 20})) == (10, 20)


def test_who_cannot_lose_life_keeps_the_whole_team_from_losing_and_paying() -> None:
    sheet = shared_life.ban(giants(10, 20), A, EntryKind.CANNOT_LOSE)
    assert lives(shared_life.each_player(sheet, -4)) == (10, 12)
    assert lives(shared_life.pay(sheet, {B: 0})) == (10, 20)
    with pytest.raises(RuleBroken) as refused:
        shared_life.pay(sheet, {B: 1})
    assert refused.value.code == "cannot-lose-life"


@pytest.mark.parametrize(
    ("poison", "expected"),
    [pytest.param((8, 7), (A, B), id="we-083"), pytest.param((8, 6), (), id="one less")],
)
def test_the_poison_of_both_members_counts_for_the_team(
    poison: tuple[int, int], expected: tuple[str, ...]
) -> None:
    sheet = record(record(giants(), A, poison[0], kind=EntryKind.POISON), B, poison[1], kind=EntryKind.POISON)
    assert beaten(sheet) == expected


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("magic-2hg", EntryKind.POISON),
        ("magic-2hg", EntryKind.CANNOT_GAIN),
        ("magic-commander", EntryKind.COMMANDER),
        ("riftbound-2v2", EntryKind.SCORE),
    ],
)
def test_only_life_falls_below_zero(key: str, kind: EntryKind) -> None:
    sheet = record(open_sheet(terms_for(mode_of(key))), A, 2, kind=kind, source="Krenko")
    with pytest.raises(RuleBroken) as refused:
        record(sheet, A, -3, kind=kind, source="Krenko")
    assert refused.value.code == "below-zero"
    assert record(sheet, A, -2, kind=kind, source="Krenko").sum_of(A, kind) == 0


def test_a_vanguard_sits_at_a_seat_of_the_game() -> None:
    with pytest.raises(RuleBroken) as refused:
        open_sheet(GIANT, modifiers={"3A": 4})
    assert refused.value.code == "unknown-seat"


def test_a_team_without_life_is_beaten() -> None:
    assert beaten(giants(0, 1)) == (A, B)
    assert beaten(giants(-3, 0)) == (A, B, C, D)


def test_twenty_one_damage_of_one_commander_beats_a_player_at_any_life() -> None:
    sheet = open_sheet(terms_for(mode_of("magic-commander")))
    for source, amount in (("Krenko", 20), ("Atraxa", 20)):
        sheet = record(sheet, "1A", amount, kind=EntryKind.COMMANDER, source=source)
    assert beaten(sheet) == ()
    assert beaten(record(sheet, "1A", 1, kind=EntryKind.COMMANDER, source="Atraxa")) == ("1A",)


def test_the_archenemy_starts_with_more_life_than_each_of_the_others() -> None:
    sheet = open_sheet(terms_for(mode_of("magic-archenemy")))
    assert [sheet.total(p) for p in sheet.positions] == [40, 20, 20, 20]


def test_a_vanguard_changes_the_life_one_starts_with() -> None:
    sheet = open_sheet(terms_for(mode_of("magic-1v1")), modifiers={"2A": -3})
    assert (sheet.total("1A"), sheet.total("2A")) == (20, 17)


@pytest.mark.parametrize(
    ("points", "winner"),
    [((10, 3), None), ((11, 3), 0), ((11, 11), None), ((12, 11), 0), ((11, 13), 1)],
    ids=["short", "goal", "tie plays on", "one ahead", "the other"],
)
def test_a_riftbound_team_wins_at_the_goal_with_more_than_the_other(
    points: tuple[int, int], winner: int | None
) -> None:
    sheet = open_sheet(terms_for(mode_of("riftbound-2v2")))
    sheet = record(record(record(sheet, "1A", points[0] - 1), "1B", 1), "2B", points[1])
    assert sheet.total("1A") == points[0]
    assert winner_by_points(sheet) == winner
    assert beaten(sheet) == ()


def test_a_life_total_is_not_won_by_points() -> None:
    assert winner_by_points(giants()) is None


def test_undo_deletes_nothing_and_redo_brings_it_back() -> None:
    sheet = record(record(giants(), A, -5), C, -2)
    back = undo(sheet)
    assert (lives(back), len(back.entries)) == ((25, 30), 3)
    assert lives(undo(back)) == (30, 30)
    again = redo(undo(back))
    assert lives(again) == (25, 30)
    assert lives(redo(again)) == (25, 28)


def test_entries_are_numbered_without_gaps() -> None:
    sheet = redo(undo(record(record(giants(20, 20), A, -5), C, -2)))
    assert [entry.number for entry in sheet.entries] == list(range(1, len(sheet.entries) + 1))


def test_any_entry_can_be_undone_once() -> None:
    sheet = undo(record(record(giants(), A, -5), C, -2), 1)
    assert lives(sheet) == (30, 28)
    with pytest.raises(RuleBroken) as refused:
        undo(sheet, 1)
    assert refused.value.code == "nothing-to-undo"


@pytest.mark.parametrize("number", [None, 4])
def test_there_must_be_something_to_undo(number: int | None) -> None:
    with pytest.raises(RuleBroken) as refused:
        undo(giants(), number)
    assert refused.value.code == "nothing-to-undo"


def test_there_must_be_something_to_redo() -> None:
    with pytest.raises(RuleBroken) as refused:
        redo(record(giants(), A, -5))
    assert refused.value.code == "nothing-to-redo"


SEATS = st.sampled_from([A, B, C, D])
AMOUNTS = st.integers(-12, 12)
DEEDS = st.one_of(
    st.tuples(st.just("record"), SEATS, AMOUNTS),
    st.tuples(st.just("pay"), SEATS, st.integers(0, 20)),
    st.tuples(st.just("pay both"), SEATS, st.integers(0, 20)),
    st.tuples(st.just("set"), SEATS, st.integers(0, 40)),
    st.tuples(st.just("exchange"), SEATS, SEATS),
    st.tuples(st.just("ban"), SEATS, st.sampled_from([EntryKind.CANNOT_GAIN, EntryKind.CANNOT_LOSE])),
    st.tuples(st.just("undo"), SEATS, st.just(0)),
)


def do(sheet: Sheet, deed: str, seat: str, what: Any) -> Sheet:
    if deed == "record":
        return record(sheet, seat, what)
    if deed == "pay":
        return shared_life.pay(sheet, {seat: what})
    if deed == "pay both":
        return shared_life.pay(sheet, {seat[0] + "A": what, seat[0] + "B": what})
    if deed == "set":
        return shared_life.set_life(sheet, seat, what)
    if deed == "exchange":
        return shared_life.exchange(sheet, seat, what)
    if deed == "ban":
        return shared_life.ban(sheet, seat, what)
    return undo(sheet)


@settings(max_examples=60)
@given(deeds=st.lists(DEEDS, max_size=25))
def test_no_sequence_of_legal_entries_breaks_shared_life(deeds: list[tuple[str, str, object]]) -> None:
    sheet = open_sheet(GIANT)
    for deed, seat, what in deeds:
        before = sheet
        try:
            sheet = do(before, deed, seat, what)
        except RuleBroken:
            continue
        assert sheet.entries[: len(before.entries)] == before.entries
        assert sheet.total(A) == sheet.total(B)
        assert sheet.total(C) == sheet.total(D)
        if deed == "undo":
            continue
        for one in (A, C):
            if before.is_banned(one, EntryKind.CANNOT_GAIN):
                assert sheet.total(one) <= before.total(one)
            if before.is_banned(one, EntryKind.CANNOT_LOSE):
                assert sheet.total(one) >= before.total(one)
            if deed.startswith("pay"):
                assert sheet.total(one) >= min(before.total(one), 0)


@settings(max_examples=40)
@given(amounts=st.lists(st.tuples(SEATS, AMOUNTS), max_size=30))
def test_a_track_replayed_gives_its_total_and_undo_then_redo_is_the_same(
    amounts: list[tuple[str, int]],
) -> None:
    sheet = open_sheet(GIANT)
    for seat, amount in amounts:
        sheet = record(sheet, seat, amount)
    assert lives(sheet) == (
        30 + sum(amount for seat, amount in amounts if seat in (A, B)),
        30 + sum(amount for seat, amount in amounts if seat in (C, D)),
    )
    if sheet.entries:
        assert lives(redo(undo(sheet))) == lives(sheet)
        assert redo(undo(sheet)).counted() == sheet.counted()


def test_where_nobody_shares_life_each_player_is_set() -> None:
    sheet = open_sheet(terms_for(mode_of("magic-ffa")))
    assert {shared_life.set_each(sheet, 7, {}).total(p) for p in sheet.positions} == {7}


def test_where_nobody_shares_life_a_total_is_ones_own() -> None:
    sheet = shared_life.pay(open_sheet(terms_for(mode_of("magic-1v1"))), {"1A": 3})
    assert (sheet.total("1A"), sheet.total("2A")) == (17, 20)


COUNTED = [("riftbound-2v2", EntryKind.SCORE), ("magic-2hg", EntryKind.POISON)]


@pytest.mark.parametrize(("key", "kind"), COUNTED)
def test_a_gain_that_was_lost_again_cannot_be_undone(key: str, kind: EntryKind) -> None:
    sheet = open_sheet(terms_for(mode_of(key)))
    sheet = record(record(sheet, A, 2, kind=kind), B, -1, kind=kind)
    with pytest.raises(RuleBroken) as refused:
        undo(sheet, 1)
    assert refused.value.code == "below-zero"
    assert undo(undo(sheet), 1).sum_of(A, kind) == 0


@settings(max_examples=60)
@given(
    which=st.sampled_from(COUNTED),
    deeds=st.lists(st.tuples(SEATS, st.integers(-3, 3), st.integers(0, 12)), max_size=20),
)
def test_no_undo_leaves_points_or_poison_below_zero(
    which: tuple[str, EntryKind], deeds: list[tuple[str, int, int]]
) -> None:
    sheet = open_sheet(terms_for(mode_of(which[0])))
    for seat, amount, number in deeds:
        try:
            sheet = undo(sheet, number) if number else record(sheet, seat, amount, kind=which[1])
        except RuleBroken:
            continue
        assert all(sheet.sum_of(position, which[1]) >= 0 for position in sheet.positions)
