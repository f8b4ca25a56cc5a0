"""The table tracker: taps that obey the mode, undone one by one, and the end of a game."""

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes import MODES, mode_of
from rulebook.panels import panels
from rulebook.terms import terms_for
from rulebook.tracker import Ending, Table, Tap, Tapped, ending, open_table, replay, tapped, untapped
from rulebook.turns import chair_codes


class Log:
    """A table with its taps, as a service keeps them."""

    def __init__(self, mode: str, modifiers: dict[str, int] | None = None) -> None:
        terms = terms_for(mode_of(mode))
        self.start = open_table(terms, chair_codes(terms), modifiers)
        self.taps: list[Tapped] = []

    def tap(self, tap: Tap, position: str, amount: int = 0, source: str = "") -> Tapped:
        new = Tapped(len(self.taps) + 1, position, tap, amount, source)
        _, valued = tapped(self.start, self.taps, new)
        self.taps.append(valued)
        return valued

    def undo(self, number: int | None = None) -> None:
        _, new = untapped(self.start, self.taps, number)
        self.taps.append(new)

    @property
    def table(self) -> Table:
        return replay(self.start, self.taps)

    def total(self, position: str) -> int:
        return self.table.sheet.total(position)


def refused(log: Log, *given: object) -> str:
    with pytest.raises(RuleBroken) as broken:
        log.tap(*given)  # type: ignore[arg-type]
    return broken.value.code


def test_a_battlefield_scores_once_a_turn_for_the_team_and_again_in_the_next() -> None:
    log = Log("riftbound-2v2")
    assert log.tap(Tap.HOLD, "1A", source="1").amount == 1
    assert refused(log, Tap.CONQUER, "1B", 0, "1") == "scored-already"
    assert refused(log, Tap.HOLD, "2A", 0, "2") == "not-your-turn"
    log.tap(Tap.CONQUER, "2A", source="1")
    log.tap(Tap.TURN, log.table.next_in_order)
    assert log.table.active == "2A"
    log.tap(Tap.HOLD, "2B", source="1")
    assert (log.total("1B"), log.total("2A")) == (1, 2)


def test_what_a_teammate_held_does_not_score_and_is_not_asked_of_the_last_point() -> None:
    log = Log("riftbound-2v2")
    log.tap(Tap.ALLY, "1A", source="3")
    assert refused(log, Tap.CONQUER, "1A", 0, "3") == "held-by-ally"
    log.tap(Tap.SCORE, "1A", 9)
    assert log.tap(Tap.CONQUER, "1A", source="1").amount == 1
    assert ending(log.table) is None
    assert log.tap(Tap.CONQUER, "1A", source="2").amount == 1
    assert ending(log.table) == Ending(0)


def test_the_last_point_by_conquering_one_battlefield_is_a_card() -> None:
    log = Log("riftbound-match")
    log.tap(Tap.SCORE, "1A", 7)
    assert log.tap(Tap.CONQUER, "1A", source="1").amount == 0
    assert (log.total("1A"), ending(log.table)) == (7, None)
    assert log.tap(Tap.CONQUER, "1A", source="2").amount == 1
    assert ending(log.table) == Ending(0)


def test_life_that_is_not_there_cannot_be_paid_but_can_be_lost() -> None:
    log = Log("magic-2hg")
    assert refused(log, Tap.PAY, "1B", 31) == "not-enough-life"
    log.tap(Tap.PAY, "1B", 29)
    log.tap(Tap.SCORE, "1A", -4)
    assert (log.total("1A"), log.total("1B"), ending(log.table)) == (-3, -3, Ending(1))


@pytest.mark.parametrize(
    ("mode", "taps", "winner"),
    [
        pytest.param("magic-1v1", [(Tap.POISON, "2A", 10)], 0, id="poison"),
        pytest.param("magic-1v1", [(Tap.SCORE, "1A", -20), (Tap.SCORE, "2A", -20)], None, id="both at once"),
        pytest.param(
            "magic-commander",
            [(Tap.COMMANDER, "1A", 21, "2A"), (Tap.SCORE, "3A", -40), (Tap.SCORE, "4A", -40)],
            1,
            id="the last of a pod",
        ),
    ],
)
def test_the_game_ends_when_one_side_is_left(
    mode: str, taps: list[tuple[object, ...]], winner: int | None
) -> None:
    log = Log(mode)
    for one in taps:
        assert ending(log.table) is None or winner is None
        log.tap(*one)  # type: ignore[arg-type]
    assert ending(log.table) == Ending(winner)


def test_damage_of_a_commander_is_counted_and_costs_life() -> None:
    log = Log("magic-commander")
    log.tap(Tap.COMMANDER, "1A", 7, "2A")
    assert (log.total("1A"), dict(log.table.sheet.commander_damage("1A"))) == (33, {"2A": 7})
    log.undo()
    assert (log.total("1A"), dict(log.table.sheet.commander_damage("1A"))) == (40, {})


def test_every_entry_can_be_taken_back_unless_a_later_one_builds_on_it() -> None:
    log = Log("magic-1v1", {"1A": 3})
    log.tap(Tap.SCORE, "1A", 5)
    log.tap(Tap.PAY, "1A", 25)
    with pytest.raises(RuleBroken, match="later entry"):
        log.undo(1)
    log.undo()
    log.undo(1)
    assert log.total("1A") == 23
    with pytest.raises(RuleBroken, match="taken back already"):
        log.undo(1)


def test_a_new_beginning_counts_nothing_before_it_until_it_is_taken_back() -> None:
    log = Log("riftbound-duel")
    log.tap(Tap.HOLD, "1A", source="1")
    log.tap(Tap.RESTART, "1A")
    assert log.total("1A") == 0
    log.undo()
    assert log.total("1A") == 1


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_offers_what_its_record_counts_and_every_ready_button_is_accepted(mode: str) -> None:
    record = mode_of(mode)
    terms = terms_for(record).on_board(record.boards[0])
    start = open_table(terms, chair_codes(terms))
    shown = panels(start)
    assert {seat for panel in shown for seat in panel.seats} == set(chair_codes(terms))
    for panel in shown:
        assert panel.total == start.sheet.start(panel.position)
        for button in (*panel.buttons, *panel.more):
            amount = button.amount if button.amount is not None else 1
            new = Tapped(1, panel.position, button.tap, amount, button.source)
            if amount > 0 or (button.tap is Tap.SCORE and panel.total + amount >= 0):
                assert tapped(start, (), new)[0] != start
