"""The set-up sheet of a table: the steps of its mode in order, with seats and names filled in."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulebook.declared import Declared, check_declared
from rulebook.errors import RuleBroken
from rulebook.modes import Mode
from rulebook.modes.blanks import Limit, MemberLoss, Step
from rulebook.options import PlayOption, options_for, steps_with
from rulebook.setup_steps import LINES, Line, Scene
from rulebook.turns import Opening, OpeningBy, side_of

TITLES: Mapping[Step, str] = {
    Step.SIDEBOARDS: "Sideboards",
    Step.LEGEND: "Legends",
    Step.CHAMPION: "Champions",
    Step.BATTLEFIELDS: "Battlefields",
    Step.TURN_ORDER: "Turn order",
    Step.SET_ASIDE: "Cards set aside",
    Step.COMPANION: "Companions",
    Step.COMMANDER: "Commanders",
    Step.STICKERS: "Sticker sheets",
    Step.CONSPIRACIES: "Conspiracies",
    Step.SHUFFLE: "Shuffling",
    Step.SUPPLEMENTARY_DECKS: "Other decks",
    Step.TRACK: "Life and points",
    Step.OPENING_HAND: "Opening hands",
    Step.MULLIGANS: "Mulligans",
    Step.HAND_ACTIONS: "Actions from the opening hand",
    Step.FIRST_PLANE: "First plane",
    Step.FIRST_TURN: "First turns",
}


@dataclass(frozen=True)
class Table:
    """The numbered place and who sits at each position."""

    number: int | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SheetStep:
    """One step: what is done, line by line, and the rules topic that explains it."""

    number: int
    step: Step
    title: str
    lines: tuple[Line, ...]
    topic: str


@dataclass(frozen=True)
class SetupSheet:
    mode: str
    edition: str
    options: tuple[str, ...]
    table: int | None
    game: int
    order: tuple[str, ...]
    citations: tuple[str, ...]
    steps: tuple[SheetStep, ...]

    def as_dict(self) -> dict[str, object]:
        """The sheet as JSON-able values; match page, API and command show the same."""
        return dataclasses.asdict(self)


def setup_sheet(
    mode: Mode,
    options: Sequence[str],
    table: Table,
    opening: Opening,
    declared: Mapping[str, Declared] | None = None,
    *,
    game: int = 1,
    may_sideboard: bool | None = None,
) -> SetupSheet:
    """The ordered steps for this table, or for one board of it; a step nobody has to do is left out.

    `may_sideboard` is what the games before allow; None supposes that the last one was played and not drawn,
    unless the opening says that the order was kept.
    """
    brought = dict(declared or {})
    if not opening.order:
        raise RuleBroken("no-opening", "Choose who starts before the set-up sheet is made.")
    if game < 1:
        raise RuleBroken("wrong-game", "Games are numbered from 1.", game=game)
    _check_order(mode, opening.order)
    for position in brought:
        if position not in opening.order:
            known = ", ".join(opening.order)
            raise RuleBroken(
                "unknown-seat", f"This game has no seat {position!r}, only {known}.", seat=position
            )
    for position, what in brought.items():
        check_declared(position, what)
        check_battlefields(mode, position, what)
    check_teammates(mode, brought)
    laid_over = options_for(mode, options)
    swaps = _swaps(laid_over, opening, game, may_sideboard)
    scene = Scene(mode, tuple(one.key for one in laid_over), table.names, opening, brought, game, swaps)
    return SetupSheet(
        mode=mode.key,
        edition=mode.edition,
        options=scene.options,
        table=table.number,
        game=game,
        order=opening.order,
        citations=_citations(mode, laid_over),
        steps=_steps(mode, laid_over, scene),
    )


def _swaps(options: Sequence[PlayOption], opening: Opening, game: int, allowed: bool | None) -> bool:
    """Cards may be swapped before this game."""
    if game == 1:
        return any(option.sideboards_in_game_one for option in options)
    return opening.by is not OpeningBy.KEPT if allowed is None else allowed


def _check_order(mode: Mode, order: Sequence[str]) -> None:
    """Every seat is one of the mode's, once, and no member of a team that loses together is left out."""
    known = {f"{number}{label}" for number in range(1, mode.most_sides + 1) for label in mode.labels}
    together = mode.member_loss is MemberLoss.SIDE_LOSES
    needed = {f"{side_of(seat) + 1}{label}" for seat in order if seat in known for label in mode.labels}
    if not set(order) <= known or len(set(order)) != len(order) or (together and needed != set(order)):
        raise RuleBroken(
            "wrong-order",
            f"{' '.join(order)} is no turn order of {mode.name}; name each of its seats once.",
            order=tuple(order),
        )


def check_battlefields(mode: Mode, position: str, what: Declared) -> None:
    """As many different battlefields as the mode wants, and only those of them are used up."""
    brought = mode.battlefields.brought
    if brought and what.battlefields and len(what.battlefields) != brought:
        raise RuleBroken("wrong-count", f"{position}: bring {brought} battlefields.", needed=brought)
    if len(set(what.battlefields)) != len(what.battlefields):
        raise RuleBroken("same-card-twice", f"{position}: all battlefields must differ.")
    if what.battlefields and (strange := set(what.used_battlefields) - set(what.battlefields)):
        name = min(strange)
        raise RuleBroken(
            "unknown-battlefield",
            f"{position}: {name} is not one of the battlefields.",
            battlefield=name,
        )


def check_teammates(mode: Mode, brought: Mapping[str, Declared]) -> None:
    """No two of one team bring what its mode lets only one of them register."""
    owners: dict[tuple[int, Limit, str], str] = {}
    for position, what in brought.items():
        brings = {Limit.DIFFERENT_LEGENDS: (what.legend,), Limit.DIFFERENT_BATTLEFIELDS: what.battlefields}
        for limit in mode.registration_limits:
            for name in filter(None, brings.get(limit, ())):
                key = (side_of(position), limit, " ".join(name.casefold().split()))
                other = owners.setdefault(key, position)
                if other != position:
                    raise RuleBroken(
                        limit.value, f"{other} and {position} cannot both bring {name}.", card=name
                    )


def _steps(mode: Mode, options: Sequence[PlayOption], scene: Scene) -> tuple[SheetStep, ...]:
    filled = [(step, LINES[step](scene)) for step in steps_with(mode, options)]
    kept = [(step, lines) for step, lines in filled if lines]
    return tuple(
        SheetStep(number, step, TITLES[step], lines, f"setup-{step}")
        for number, (step, lines) in enumerate(kept, start=1)
    )


def _citations(mode: Mode, options: Sequence[PlayOption]) -> tuple[str, ...]:
    cited = [c for c in mode.citations if c.blank in ("setup_steps", "first_turn", "mulligan")]
    cited += [c for option in options for c in option.citations]
    return tuple(f"{c.document} {c.rule} ({c.edition})" for c in cited)
