"""Options laid over a play mode, one record each: they add steps and change starting values."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from rulebook.errors import RuleBroken
from rulebook.modes import Mode
from rulebook.modes.blanks import Citation, Game, Step, cite

RULES = ("Magic Comprehensive Rules", "2026-08-07")


@dataclass(frozen=True, kw_only=True)
class PlayOption:
    """One option; `steps` are put into the mode's set-up, each in the place that `Step` gives it.

    `order` replaces the mode's set-up; `modes` are the only ones it fits, all of its game if empty.
    """

    key: str
    name: str
    game: Game
    steps: tuple[Step, ...]
    changes_life: bool
    changes_hand: bool
    notes: tuple[str, ...]
    modes: tuple[str, ...] = ()
    order: tuple[Step, ...] = ()
    sideboards_in_game_one: bool = False
    citations: tuple[Citation, ...]

    def as_dict(self) -> dict[str, object]:
        """The record as JSON-able values."""
        return dataclasses.asdict(self)


VANGUARD = PlayOption(
    key="vanguard",
    name="Vanguard",
    game=Game.MAGIC,
    steps=(),
    changes_life=True,
    changes_hand=True,
    notes=("The hand modifier changes the starting hand and the maximum hand.",),
    citations=cite(*RULES, track="103.4b, 902", opening_hand="103.5a, 902"),
)
PLANECHASE = PlayOption(
    key="planechase",
    name="Planechase",
    game=Game.MAGIC,
    steps=(Step.FIRST_PLANE,),
    changes_life=False,
    changes_hand=False,
    notes=("A phenomenon goes to the bottom and the next card is turned up, until a plane lies there.",),
    citations=cite(*RULES, setup_steps="103.7, 901"),
)
CONSPIRACY = PlayOption(
    key="conspiracy",
    name="Conspiracy Draft",
    game=Game.MAGIC,
    steps=(Step.CONSPIRACIES,),
    changes_life=False,
    changes_hand=False,
    notes=("Any number of conspiracies of the sideboard begin in the command zone.",),
    citations=cite(*RULES, setup_steps="103.2e, 905.4"),
)

BEST_OF_ONE_WITH_SIDEBOARDS = PlayOption(
    key="bo1-sideboards",
    name="Best of one with sideboards",
    game=Game.RIFTBOUND,
    steps=(),
    changes_life=False,
    changes_hand=False,
    notes=("The battlefield and the turn order are known before cards are swapped and the champion placed.",),
    modes=("riftbound-duel",),
    order=(
        Step.LEGEND,
        Step.BATTLEFIELDS,
        Step.TURN_ORDER,
        Step.SIDEBOARDS,
        Step.CHAMPION,
        Step.SHUFFLE,
        Step.TRACK,
        Step.OPENING_HAND,
        Step.MULLIGANS,
        Step.FIRST_TURN,
    ),
    sideboards_in_game_one=True,
    citations=cite("Riftbound Tournament Rules", "2026-04-29", setup_steps="406.1.g"),
)

OPTIONS: dict[str, PlayOption] = {
    one.key: one for one in (VANGUARD, PLANECHASE, CONSPIRACY, BEST_OF_ONE_WITH_SIDEBOARDS)
}


def options_for(mode: Mode, keys: Iterable[str]) -> tuple[PlayOption, ...]:
    """The options called `keys`, each once; unknown ones and those of another game are refused."""
    found = []
    for key in dict.fromkeys(keys):
        option = OPTIONS.get(key)
        if option is None:
            known = ", ".join(OPTIONS)
            raise RuleBroken(
                "unknown-option", f"There is no option {key!r}. Choose from: {known}.", option=key
            )
        if not _fits(option, mode):
            raise RuleBroken("wrong-game", f"{option.name} cannot be laid over {mode.name}.", option=key)
        found.append(option)
    return tuple(found)


def option_choices(mode: Mode) -> list[tuple[str, str]]:
    """Key and name of every option that can be laid over `mode`."""
    return [(one.key, one.name) for one in OPTIONS.values() if _fits(one, mode)]


def _fits(option: PlayOption, mode: Mode) -> bool:
    return option.game is mode.game and (not option.modes or mode.key in option.modes)


def steps_with(mode: Mode, options: Iterable[PlayOption]) -> tuple[Step, ...]:
    """The set-up steps of `mode` with those of the options put in their places."""
    places = list(Step)
    chosen = tuple(options)
    steps = list(next((option.order for option in chosen if option.order), mode.setup_steps))
    for step in (step for option in chosen for step in option.steps):
        later = (at for at, one in enumerate(steps) if places.index(one) > places.index(step))
        steps.insert(next(later, len(steps)), step)
    return tuple(steps)
