"""Adding a mode is adding one record."""

import dataclasses

import pytest

from rulebook import modes
from rulebook.modes import MODES, choices, mode_of
from rulebook.modes.blanks import Step, Track
from rulebook.mulligans import hand_after
from rulebook.setup import Table, setup_sheet
from rulebook.terms import terms_for
from rulebook.turns import OpeningBy, chair_codes, opening_for, options_of


@pytest.fixture
def three_against_three(monkeypatch: pytest.MonkeyPatch) -> modes.Mode:
    """A mode nobody plays yet: two teams of three."""
    known = MODES["riftbound-2v2"]
    record = dataclasses.replace(
        known,
        key="riftbound-3v3",
        name="Riftbound 3v3",
        players=6,
        players_per_side=3,
        labels=("A", "B", "C"),
        label_meanings=("first", "second", "third"),
        track=Track(**{**dataclasses.asdict(known.track), "goal": 15}),
    )
    monkeypatch.setitem(MODES, record.key, record)
    return record


def test_a_new_record_gives_choices_labels_options_order_and_sheet(three_against_three: modes.Mode) -> None:
    assert ("riftbound-3v3", "Riftbound 3v3") in choices()
    mode = mode_of("riftbound-3v3")
    terms = terms_for(mode)
    assert terms.labels == ("A", "B", "C")
    assert chair_codes(terms) == ("1A", "2A", "1B", "2B", "1C", "2C")
    assert [option.key for option in options_of(terms, 0)] == list(chair_codes(terms))
    opening = opening_for(terms, chooser=1, by=OpeningBy.AGREED, option="2C")
    assert opening.order == ("2C", "1A", "2A", "1B", "2B", "1C")
    sheet = setup_sheet(mode, (), Table(), opening, game=2)
    assert [step.step for step in sheet.steps] == list(mode.setup_steps)
    (points,) = [step for step in sheet.steps if step.step is Step.TRACK]
    assert "15 win" in points.lines[0].text
    assert hand_after(mode, 1).kept == 4
