"""Options laid over a mode add their steps and nothing else."""

import json

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes import MODES, mode_of
from rulebook.modes.blanks import Game, Step
from rulebook.options import OPTIONS, option_choices, options_for, steps_with


def test_options_are_laid_over_a_mode_and_are_not_modes() -> None:
    assert set(OPTIONS) == {"vanguard", "planechase", "conspiracy", "bo1-sideboards"}
    assert not set(OPTIONS) & set(MODES)


@pytest.mark.parametrize(
    ("key", "step", "after"),
    [
        ("planechase", Step.FIRST_PLANE, Step.HAND_ACTIONS),
        ("conspiracy", Step.CONSPIRACIES, Step.STICKERS),
    ],
)
def test_an_option_puts_its_step_in_its_place(key: str, step: Step, after: Step) -> None:
    mode = mode_of("magic-ffa")
    steps = steps_with(mode, options_for(mode, [key]))
    assert steps[steps.index(after) + 1] is step
    assert [one for one in steps if one is not step] == list(mode.setup_steps)


def test_an_option_finds_its_place_where_its_usual_neighbours_are_missing() -> None:
    mode = mode_of("magic-2hg-2006")
    assert steps_with(mode, options_for(mode, ["planechase", "conspiracy"])) == (
        Step.TURN_ORDER,
        Step.CONSPIRACIES,
        Step.SHUFFLE,
        Step.TRACK,
        Step.OPENING_HAND,
        Step.MULLIGANS,
        Step.FIRST_PLANE,
        Step.FIRST_TURN,
    )


def test_an_option_named_twice_is_laid_over_once() -> None:
    assert options_for(mode_of("magic-ffa"), ["planechase", "planechase"]) == (OPTIONS["planechase"],)


def test_options_are_offered_to_their_own_game_and_modes() -> None:
    offered = [key for key, _ in option_choices(mode_of("magic-1v1"))]
    assert offered == ["vanguard", "planechase", "conspiracy"]
    riftbound = {m.key: option_choices(m) for m in MODES.values() if m.game is Game.RIFTBOUND}
    assert [key for key, _ in riftbound.pop("riftbound-duel")] == ["bo1-sideboards"]
    assert not any(riftbound.values())


@pytest.mark.parametrize(
    ("mode", "key", "code"),
    [
        ("magic-1v1", "chess", "unknown-option"),
        ("riftbound-2v2", "vanguard", "wrong-game"),
        ("riftbound-2v2", "bo1-sideboards", "wrong-game"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(mode: str, key: str, code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        options_for(mode_of(mode), [key])
    assert refused.value.code == code


def test_an_option_survives_json() -> None:
    assert json.loads(json.dumps(OPTIONS["vanguard"].as_dict()))["changes_hand"] is True
