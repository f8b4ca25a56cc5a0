"""The lines of each set-up step; every function takes the whole scene and returns who does what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulebook.declared import STICKER_SHEETS_USED, Declared, HandAction
from rulebook.first_turns import first_turns
from rulebook.modes import Mode
from rulebook.modes.blanks import (
    Contributors,
    Declaring,
    Direction,
    Formation,
    Game,
    Holder,
    MulliganKind,
    Selection,
    Step,
    TurnOrder,
)
from rulebook.mulligans import begin_mulligans
from rulebook.turns import Opening, OpeningBy, side_of


@dataclass(frozen=True)
class Line:
    """Who does what; an empty position means everybody."""

    position: str
    name: str
    text: str


@dataclass(frozen=True)
class Scene:
    """All that a step may ask for."""

    mode: Mode
    options: tuple[str, ...]
    names: Mapping[str, str]
    opening: Opening
    declared: Mapping[str, Declared]
    game: int
    may_sideboard: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        return self.opening.order

    def line(self, position: str, text: str) -> Line:
        return Line(position, self.names.get(position, position), text)

    def brought(self, position: str) -> Declared:
        return self.declared.get(position, Declared())

    def each(self, text: Callable[[str, Declared], str]) -> tuple[Line, ...]:
        """One line for every seat in turn order that `text` has words for."""
        told = ((position, text(position, self.brought(position))) for position in self.order)
        return tuple(self.line(position, words) for position, words in told if words)


def everybody(text: str) -> tuple[Line, ...]:
    return (Line("", "", text),)


def sideboards(scene: Scene) -> tuple[Line, ...]:
    if scene.may_sideboard and scene.mode.game is Game.RIFTBOUND:
        return everybody("You may swap cards one for one; runes, legend and battlefields stay.")
    if scene.may_sideboard:
        return everybody("You may swap cards with your sideboard.")
    return everybody("Keep the deck of the last game; nobody swaps cards.") if scene.game > 1 else ()


def legend(scene: Scene) -> tuple[Line, ...]:
    return scene.each(lambda _, d: f"Place the legend {d.legend}." if d.legend else "Place your legend.")


def champion(scene: Scene) -> tuple[Line, ...]:
    return scene.each(
        lambda _, d: f"Place the champion {d.champion}." if d.champion else "Place your chosen champion."
    )


def turn_order(scene: Scene) -> tuple[Line, ...]:
    numbers = {position: number for number, position in enumerate(scene.order, start=1)}
    if scene.mode.turn_order is TurnOrder.TEAM_BY_TEAM:
        first = side_of(scene.order[0])
        return scene.each(
            lambda p, _: "Takes the first turn." if side_of(p) == first else "Takes the turn after that."
        )
    return scene.each(lambda p, _: f"Takes turn {numbers[p]}.")


def battlefields(scene: Scene) -> tuple[Line, ...]:
    rule = scene.mode.battlefields
    if scene.opening.by is OpeningBy.KEPT:
        return everybody("Keep the battlefields of the drawn game.")

    def words(position: str, d: Declared) -> str:
        if rule.contributors is Contributors.ALL_BUT_THE_STARTER and position == scene.order[0]:
            return "Takes the first turn and brings no battlefield."
        if rule.selection is Selection.RANDOM:
            return f"Puts in one of {rule.brought} battlefields at random."
        unused = [name for name in d.battlefields if name not in d.used_battlefields]
        return f"Chooses one not used yet: {', '.join(unused)}." if unused else "Chooses one not used yet."

    return scene.each(words)


def set_aside(scene: Scene) -> tuple[Line, ...]:
    def words(_: str, d: Declared) -> str:
        aside = ["the sideboard"] if d.sideboard else []
        aside += [f"{card}, for which a substitute is played" for card, _face in d.substitutes]
        return f"Sets aside {'; '.join(aside)}." if aside else ""

    return scene.each(words)


def companion(scene: Scene) -> tuple[Line, ...]:
    return scene.each(lambda _, d: f"May reveal the companion {d.companions[0]}." if d.companions else "")


def commander(scene: Scene) -> tuple[Line, ...]:
    def words(_: str, d: Declared) -> str:
        who = " and ".join(d.commanders) or "the commander"
        color = f" and says the color {d.commander_color}" if d.commander_color else ""
        return f"Puts {who} face up into the command zone{color}."

    return scene.each(words)


def stickers(scene: Scene) -> tuple[Line, ...]:
    def words(_: str, d: Declared) -> str:
        if not d.sticker_sheets:
            return ""
        if d.is_limited:
            return f"Reveals the sticker sheets {', '.join(d.sticker_sheets)}."
        return f"Reveals {len(d.sticker_sheets)} sticker sheets and takes {STICKER_SHEETS_USED} at random."

    return scene.each(words)


def conspiracies(scene: Scene) -> tuple[Line, ...]:
    return scene.each(
        lambda _, d: f"Puts {', '.join(d.conspiracies)} into the command zone." if d.conspiracies else ""
    )


def shuffle(scene: Scene) -> tuple[Line, ...]:
    decks = "main deck and your runes" if scene.mode.game is Game.RIFTBOUND else "deck"
    return everybody(f"Shuffle your {decks}; opponents may shuffle or cut.")


def supplementary_decks(scene: Scene) -> tuple[Line, ...]:
    def words(position: str, d: Declared) -> str:
        decks = ["planar deck"] if d.planar_deck and "planechase" in scene.options else []
        decks += ["attraction deck"] if d.attraction_deck else []
        if scene.mode.formation is Formation.ONE_AGAINST_THE_REST and side_of(position) == 0:
            decks.append("scheme deck")
        return f"Shuffles the {' and the '.join(decks)}; opponents may cut." if decks else ""

    told = scene.each(words)
    if "planechase" in scene.options and not any(scene.brought(p).planar_deck for p in scene.order):
        return (*told, scene.line(scene.order[0], "Shuffles the common planar deck; opponents may cut."))
    return told


def track(scene: Scene) -> tuple[Line, ...]:
    blank = scene.mode.track
    if blank.direction is Direction.CLIMBS:
        return everybody(f"Every side begins at {blank.start} points; {blank.goal} win.")
    if blank.holder is Holder.SIDE:
        if any(_life_modifier(scene, p) for p in scene.order):
            return scene.each(lambda p, _: f"The team begins with {_life_of_team(scene, p)} life.")
        return everybody(f"Every team begins with {blank.start} life.")
    return scene.each(lambda p, _: f"Begins with {_life(scene, p)} life.")


def _life(scene: Scene, position: str) -> int:
    blank = scene.mode.track
    first = blank.first_side_start
    usual = first if first is not None and side_of(position) == 0 else blank.start
    return usual + _life_modifier(scene, position)


def _life_of_team(scene: Scene, position: str) -> int:
    team = [p for p in scene.order if side_of(p) == side_of(position)]
    return scene.mode.track.start + sum(_life_modifier(scene, p) for p in team)


def _life_modifier(scene: Scene, position: str) -> int:
    return scene.brought(position).life_modifier if "vanguard" in scene.options else 0


def opening_hand(scene: Scene) -> tuple[Line, ...]:
    modified = "vanguard" in scene.options
    hand = scene.mode.opening_hand

    def words(_: str, d: Declared) -> str:
        cards = max(hand + d.hand_modifier, 0) if modified else hand
        return f"Draws {cards} cards." + (f" The maximum hand size is {cards}." if modified else "")

    return scene.each(words)


def mulligans(scene: Scene) -> tuple[Line, ...]:
    state = begin_mulligans(scene.mode, scene.order)
    kind, declaring = scene.mode.mulligan.kind, scene.mode.mulligan.declaring
    if kind is MulliganKind.SET_ASIDE_TWO:
        return scene.each(lambda *_: "May set aside up to two cards, draw as many and recycle them.")
    when = {
        Declaring.DECLARE_THEN_TOGETHER: "Declares {n}; all are taken together.",
        Declaring.TEAM_DECLARES_THEN_TOGETHER: "The team declares {n}, in any order; all are taken together.",
        Declaring.TEAM_AFTER_TEAM: "The team takes its mulligans {n}, until both have kept.",
    }[declaring]
    places = {p: n for n, group in enumerate(state.groups, start=1) for p in group}
    ordinal = {1: "first", 2: "second", 3: "third", 4: "fourth"}
    return scene.each(lambda p, _: when.format(n=ordinal.get(places[p], f"in place {places[p]}")))


def hand_actions(scene: Scene) -> tuple[Line, ...]:
    does = {
        HandAction.BATTLEFIELD: "may begin with {card} on the battlefield",
        HandAction.REVEAL: "may reveal {card} until the first turn begins",
    }

    def words(_: str, d: Declared) -> str:
        deeds = [does[action].format(card=card) for card, action in d.hand_actions]
        told = "; ".join(deeds)
        return f"{told[:1].upper()}{told[1:]}." if told else ""

    return scene.each(words)


def first_plane(scene: Scene) -> tuple[Line, ...]:
    text = "Turns up planar cards until a plane lies there; a phenomenon goes to the bottom."
    return (scene.line(scene.order[0], text),)


def first_turn(scene: Scene) -> tuple[Line, ...]:
    runes = {0: "", 1: " and channels one rune more"}
    lines = first_turns(scene.mode, scene.order)
    return tuple(
        scene.line(
            seat.position,
            f"{'Draws' if seat.draws else 'Does not draw'} on the first turn{runes[seat.extra_runes]}.",
        )
        for seat in lines
    )


LINES: Mapping[Step, Callable[[Scene], tuple[Line, ...]]] = {
    Step.SIDEBOARDS: sideboards,
    Step.LEGEND: legend,
    Step.CHAMPION: champion,
    Step.BATTLEFIELDS: battlefields,
    Step.TURN_ORDER: turn_order,
    Step.SET_ASIDE: set_aside,
    Step.COMPANION: companion,
    Step.COMMANDER: commander,
    Step.STICKERS: stickers,
    Step.CONSPIRACIES: conspiracies,
    Step.SHUFFLE: shuffle,
    Step.SUPPLEMENTARY_DECKS: supplementary_decks,
    Step.TRACK: track,
    Step.OPENING_HAND: opening_hand,
    Step.MULLIGANS: mulligans,
    Step.HAND_ACTIONS: hand_actions,
    Step.FIRST_PLANE: first_plane,
    Step.FIRST_TURN: first_turn,
}
