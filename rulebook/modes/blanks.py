"""The blanks every play mode fills in, and the record that holds them."""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum


class Game(StrEnum):
    RIFTBOUND = "riftbound"
    MAGIC = "magic"


class Formation(StrEnum):
    ALONE = "alone"
    TEAM_SEPARATE_TURNS = "team-separate-turns"
    TEAM_SHARED_TURN = "team-shared-turn"
    TEAM_OF_BOARDS = "team-of-boards"
    ONE_AGAINST_THE_REST = "one-against-the-rest"


class Seating(StrEnum):
    """Who decides which seat of a team a player takes."""

    REGISTRATION = "registration"
    PER_MATCH = "per-match"
    RANDOM = "random"


class Direction(StrEnum):
    CLIMBS = "climbs"
    FALLS = "falls"


class Holder(StrEnum):
    SIDE = "side"
    PLAYER = "player"


class Contributors(StrEnum):
    NOBODY = "nobody"
    EVERYONE = "everyone"
    ALL_BUT_THE_STARTER = "all-but-the-starter"


class Selection(StrEnum):
    NONE = "none"
    RANDOM = "random"
    CHOSEN_UNUSED = "chosen-unused"


class Options(StrEnum):
    """What the chooser of an opening may name."""

    FIRST_OR_LAST = "first-or-last"
    CYCLE_POINT = "cycle-point"
    ANY_PLAYER = "any-player"
    STARTING_TEAM = "starting-team"
    NONE = "none"


class FirstChooser(StrEnum):
    RANDOM_SIDE = "random-side"
    FIRST_SIDE_STARTS = "first-side-starts"


class PlayoffChooser(StrEnum):
    HIGHER_SEED = "higher-seed"
    HIGHER_SEED_AT_HIGH_LEVEL = "higher-seed-at-high-level"
    AS_IN_SWISS = "as-in-swiss"


class AfterLoss(StrEnum):
    LOSER_CHOOSES = "loser-chooses"
    NO_RULE = "no-rule"


class AfterDraw(StrEnum):
    ORDER_KEPT = "order-kept"
    PREVIOUS_CHOOSER = "previous-chooser"
    NO_RULE = "no-rule"


class TurnOrder(StrEnum):
    CLOCKWISE = "clockwise"
    ALTERNATING_TEAMS = "alternating-teams"
    TEAM_BY_TEAM = "team-by-team"


class SkipsDraw(StrEnum):
    NOBODY = "nobody"
    STARTER = "starter"
    STARTING_TEAM = "starting-team"
    PRIMARY_OF_STARTING_TEAM = "primary-of-starting-team"
    STARTER_WHEN_TWO_PLAY = "starter-when-two-play"


class ExtraRune(StrEnum):
    NOBODY = "nobody"
    LAST_IN_ORDER = "last-in-order"


class MulliganKind(StrEnum):
    SET_ASIDE_TWO = "set-aside-two"
    LONDON = "london"
    LONDON_FIRST_FREE = "london-first-free"
    LONDON_FREE_BEYOND_TWO = "london-free-beyond-two"
    SHRINKING = "shrinking"


class Declaring(StrEnum):
    """In which order mulligans are declared and taken."""

    ONE_BY_ONE = "one-by-one"
    DECLARE_THEN_TOGETHER = "declare-then-together"
    TEAM_DECLARES_THEN_TOGETHER = "team-declares-then-together"
    TEAM_AFTER_TEAM = "team-after-team"


class Step(StrEnum):
    """The steps of a set-up, in the order in which an option's own step is put among them."""

    SIDEBOARDS = "sideboards"
    LEGEND = "legend"
    CHAMPION = "champion"
    BATTLEFIELDS = "battlefields"
    TURN_ORDER = "turn-order"
    SET_ASIDE = "set-aside"
    COMPANION = "companion"
    COMMANDER = "commander"
    STICKERS = "stickers"
    CONSPIRACIES = "conspiracies"
    SHUFFLE = "shuffle"
    SUPPLEMENTARY_DECKS = "supplementary-decks"
    TRACK = "track"
    OPENING_HAND = "opening-hand"
    MULLIGANS = "mulligans"
    HAND_ACTIONS = "hand-actions"
    FIRST_PLANE = "first-plane"
    FIRST_TURN = "first-turn"


class Unfinished(StrEnum):
    """What becomes of a game still running after the extra turns."""

    LEADER_BY_MARGIN_ELSE_DRAW = "leader-by-margin-else-draw"
    DRAW = "draw"


class Elimination(StrEnum):
    """How a match that may not be drawn is decided after time."""

    POINTS_THEN_GAMES_THEN_NEXT_POINT = "points-then-games-then-next-point"
    GAMES_THEN_LIFE_THEN_SUDDEN_DEATH = "games-then-life-then-sudden-death"


class MemberLoss(StrEnum):
    IS_THE_SIDE = "is-the-side"
    SIDE_LOSES = "side-loses"
    SIDE_PLAYS_ON = "side-plays-on"
    BOARD_LOSES = "board-loses"


class Limit(StrEnum):
    """What teammates may not register both."""

    DIFFERENT_LEGENDS = "different-legends"
    DIFFERENT_BATTLEFIELDS = "different-battlefields"
    UNIFIED_DECKS = "unified-decks"


@dataclass(frozen=True, kw_only=True)
class Track:
    """A score that climbs to `goal` or a life total that falls from `start` to zero.

    `first_side_start` is the start of the first side where it is another one (the archenemy).
    """

    direction: Direction
    holder: Holder
    start: int
    first_side_start: int | None
    goal: int
    poison: int | None
    commander_damage: int | None


@dataclass(frozen=True, kw_only=True)
class Battlefields:
    brought: int
    in_play: int
    contributors: Contributors
    selection: Selection


@dataclass(frozen=True, kw_only=True)
class FirstTurn:
    """What changes on the first turns: who skips a draw and who channels one rune more."""

    skips_draw: SkipsDraw
    extra_rune: ExtraRune


@dataclass(frozen=True, kw_only=True)
class Mulligan:
    kind: MulliganKind
    declaring: Declaring


@dataclass(frozen=True, kw_only=True)
class EndOfRound:
    """Extra turns after the turn that runs when time is called, and the margin a leader needs."""

    extra_turns: int
    unfinished: Unfinished
    margin: int
    elimination: Elimination


@dataclass(frozen=True, kw_only=True)
class Communication:
    """What teammates may do during a game of their own match."""

    may_talk: bool
    may_show_hidden: bool
    may_act_when_invited: bool


@dataclass(frozen=True)
class Citation:
    """Where a blank is printed; rule ids drift, so the edition belongs to it."""

    blank: str
    document: str
    edition: str
    rule: str


@dataclass(frozen=True, kw_only=True)
class Mode:
    """One play mode with every blank filled; a record that misses one cannot be built."""

    key: str
    edition: str
    name: str
    game: Game
    players: int
    sides: int
    fewest_sides: int
    most_sides: int
    players_per_side: int
    formation: Formation
    labels: tuple[str, ...]
    label_meanings: tuple[str, ...]
    seating: Seating
    seating_note: str
    boards: tuple[str, ...]
    track: Track
    battlefields: Battlefields
    best_of: int
    first_chooser: FirstChooser
    playoff_chooser: PlayoffChooser
    options: Options
    after_loss: AfterLoss
    after_draw: AfterDraw
    turn_order: TurnOrder
    first_turn: FirstTurn
    opening_hand: int
    mulligan: Mulligan
    setup_steps: tuple[Step, ...]
    end_of_round: EndOfRound
    member_loss: MemberLoss
    registration_limits: tuple[Limit, ...]
    reserves: int
    communication: Communication
    notes: tuple[str, ...]
    citations: tuple[Citation, ...]

    def __post_init__(self) -> None:
        """Numbers that contradict each other are a defect of the record, not a choice of the user."""
        if self.players != self.sides * self.players_per_side:
            raise ValueError(f"{self.key}: {self.players} players are not {self.sides} equal sides")
        if not self.fewest_sides <= self.sides <= self.most_sides:
            raise ValueError(f"{self.key}: the usual number of sides is outside its own range")
        if not len(self.labels) == len(self.label_meanings) == self.players_per_side:
            raise ValueError(f"{self.key}: one label and one meaning per player of a side")
        if unknown := {c.blank for c in self.citations} - BLANKS:
            raise ValueError(f"{self.key}: cites unknown blanks {sorted(unknown)}")
        if missing := CITED - {c.blank for c in self.citations}:
            raise ValueError(f"{self.key}: no citation for {sorted(missing)}")

    def as_dict(self) -> dict[str, object]:
        """The record as JSON-able values."""
        return dataclasses.asdict(self)


BLANKS = frozenset(field.name for field in dataclasses.fields(Mode))
# What a rules document prints; the others are names or follow from these.
CITED = frozenset(
    {
        "players",
        "formation",
        "seating",
        "track",
        "best_of",
        "first_chooser",
        "options",
        "after_loss",
        "after_draw",
        "turn_order",
        "first_turn",
        "opening_hand",
        "mulligan",
        "setup_steps",
        "end_of_round",
        "member_loss",
    }
)


def recite(old: tuple[Citation, ...], *new: Citation) -> tuple[Citation, ...]:
    """The old citations, those of a blank that is cited anew replaced."""
    blanks = {citation.blank for citation in new}
    return (*(citation for citation in old if citation.blank not in blanks), *new)


def cite(document: str, edition: str, **rules: str) -> tuple[Citation, ...]:
    """One citation per blank, all of one document and edition."""
    return tuple(Citation(blank, document, edition, rule) for blank, rule in rules.items())
