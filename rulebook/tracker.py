"""The table tracker: what may be tapped in a mode, and the table as the taps so far leave it.

A tap is one change that somebody at the table notes. The table is replayed from the taps that count, so
that an undone one leaves no trace in it and the rules of the mode hold for every one that is left.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rulebook.conquest import Gain, How, ScoringTurn, score
from rulebook.errors import RuleBroken
from rulebook.modes import Mode, mode_of
from rulebook.modes.blanks import Direction, MemberLoss
from rulebook.shared_life import ban, pay
from rulebook.terms import Terms
from rulebook.tracks import EntryKind, Sheet, beaten, open_sheet, record, winner_by_points
from rulebook.turns import side_of

MOST = 9_999


class Tap(StrEnum):
    """`SCORE` is life or points; `HOLD` to `TURN` are for modes whose battlefields score once a turn."""

    SCORE = "score"
    PAY = "pay"
    POISON = "poison"
    COMMANDER = "commander"
    CANNOT_GAIN = "cannot-gain"
    CANNOT_LOSE = "cannot-lose"
    HOLD = "hold"
    CONQUER = "conquer"
    ALLY = "ally"
    TURN = "turn"
    RESTART = "restart"
    UNDO = "undo"


@dataclass(frozen=True)
class Tapped:
    """One tap: at which seat, how much, and of what (a battlefield, a commander); `undoes` an earlier one."""

    number: int
    position: str
    tap: Tap
    amount: int = 0
    source: str = ""
    undoes: int | None = None


@dataclass(frozen=True)
class Table:
    """Totals and the running turn: whose it is, which battlefields gave what to whom in it."""

    terms: Terms
    order: tuple[str, ...]
    sheet: Sheet
    turn: int = 1
    active: str = ""
    scored: frozenset[tuple[int, str]] = field(default_factory=frozenset)
    held_by_ally: frozenset[str] = field(default_factory=frozenset)

    @property
    def mode(self) -> Mode:
        return mode_of(self.terms.mode)

    @property
    def battlefields(self) -> tuple[str, ...]:
        """The battlefields in play by number; none where the mode knows none."""
        return tuple(map(str, range(1, self.mode.battlefields.in_play + 1)))

    @property
    def next_in_order(self) -> str:
        return self.order[(self.order.index(self.active) + 1) % len(self.order)]


@dataclass(frozen=True)
class Ending:
    """The game is over by what the table shows: `winner` is a side index, None for a draw."""

    winner: int | None


def open_table(terms: Terms, order: Sequence[str], modifiers: Mapping[str, int] | None = None) -> Table:
    """The table before anybody tapped; `order` is the turn order of this game."""
    known = {p: n for p, n in (modifiers or {}).items() if p in order}
    return Table(terms, tuple(order), open_sheet(terms, modifiers=known), active=order[0])


def counted(taps: Iterable[Tapped]) -> tuple[Tapped, ...]:
    """The taps that count: neither undone nor undoing, and none before the last new beginning."""
    undone: set[int] = set()
    left: list[Tapped] = []
    for one in reversed(tuple(taps)):
        if one.number in undone:
            continue
        if one.undoes is not None:
            undone.add(one.undoes)
            continue
        left.append(one)
        if one.tap is Tap.RESTART:
            break
    return tuple(reversed(left))


def replay(start: Table, taps: Iterable[Tapped]) -> Table:
    """The table after the taps that count; `RuleBroken` where one of them cannot follow the others."""
    table = start
    for one in counted(taps):
        table = start if one.tap is Tap.RESTART else _after(table, one)
    return table


def tapped(start: Table, taps: Sequence[Tapped], new: Tapped) -> tuple[Table, Tapped]:
    """The table after one tap more, and the tap with what it was worth; refused where a rule forbids it."""
    if abs(new.amount) > MOST:
        raise RuleBroken("amount-too-large", f"Nobody gains or loses more than {MOST} at once.")
    before = replay(start, taps)
    if new.tap is Tap.UNDO:
        raise RuleBroken("unknown-tap", "An undo names the entry it takes back.")
    valued = _valued(before, new)
    after = _after(before, valued) if new.tap is not Tap.RESTART else start
    if after == before:
        raise RuleBroken("nothing-changed", _why_nothing(before, new))
    return after, valued


def untapped(start: Table, taps: Sequence[Tapped], number: int | None = None) -> tuple[Table, Tapped]:
    """The table without tap `number`, or without the last that counts, and the tap that takes it back."""
    known = counted(taps)
    wanted = [one for one in known if number in (None, one.number)]
    if not wanted:
        raise RuleBroken("nothing-to-undo", "There is no such entry, or it is taken back already.")
    gone = wanted[-1]
    new = Tapped(len(taps) + 1, gone.position, Tap.UNDO, undoes=gone.number)
    try:
        return replay(start, (*taps, new)), new
    except RuleBroken as broken:
        raise RuleBroken(
            "later-needs-it", "A later entry builds on this one; take that back first."
        ) from broken


def ending(table: Table) -> Ending | None:
    """How the game ended by points reached or by life, poison or damage; None while it goes on."""
    winner = winner_by_points(table.sheet)
    if winner is not None:
        return Ending(winner)
    lost = set(beaten(table.sheet))
    whole = table.mode.member_loss is MemberLoss.SIDE_PLAYS_ON
    judge = all if whole else any
    sides = range(table.terms.sides)
    left = [s for s in sides if not judge(p in lost for p in table.sheet.positions if side_of(p) == s)]
    if len(left) > 1:
        return None
    return Ending(left[0] if left else None)


def _valued(table: Table, new: Tapped) -> Tapped:
    """The tap with what it is worth by the rules of the mode: a battlefield gives a point or a card."""
    if new.tap in (Tap.HOLD, Tap.CONQUER):
        is_own = side_of(new.position) == side_of(table.active)
        turn = ScoringTurn(
            points=table.sheet.total(new.position),
            goal=table.sheet.track.goal,
            in_play=frozenset(table.battlefields),
            held_by_ally=table.held_by_ally if is_own else frozenset(),
            scored=frozenset(b for side, b in table.scored if side == side_of(new.position)),
        )
        _, gain = score(turn, new.source, How(new.tap.value))
        return replace(new, amount=1 if gain is Gain.POINT else 0)
    if new.tap in (Tap.ALLY, Tap.TURN, Tap.RESTART):
        return replace(new, amount=0)
    return new


def _after(table: Table, one: Tapped) -> Table:
    table.sheet.sharing(one.position)
    if one.tap in (Tap.HOLD, Tap.CONQUER, Tap.ALLY, Tap.TURN):
        return _of_turn(table, one)
    return replace(table, sheet=_of_sheet(table.sheet, one))


def _of_turn(table: Table, one: Tapped) -> Table:
    if not table.battlefields:
        raise RuleBroken("no-such-track", f"{table.mode.name} has no battlefields.", mode=table.mode.key)
    if one.tap is Tap.TURN:
        if one.position not in table.order:
            raise RuleBroken("unknown-seat", f"{one.position} takes no turn in this game.")
        return replace(
            table, turn=table.turn + 1, active=one.position, scored=frozenset(), held_by_ally=frozenset()
        )
    _may_score(table, one)
    if one.tap is Tap.ALLY:
        return replace(table, held_by_ally=table.held_by_ally | {one.source})
    return replace(
        table,
        scored=table.scored | {(side_of(one.position), one.source)},
        sheet=record(table.sheet, one.position, one.amount),
    )


def _may_score(table: Table, one: Tapped) -> None:
    """Once per side and turn, holding only in its own turn, and never where a teammate held it."""
    side, own = side_of(one.position), side_of(table.active)
    if one.source not in table.battlefields:
        raise RuleBroken("unknown-battlefield", f"There is no battlefield {one.source!r} in this game.")
    if one.tap is not Tap.CONQUER and side != own:
        raise RuleBroken("not-your-turn", "Only the side whose turn it is holds a battlefield.")
    if one.tap is Tap.ALLY and len(table.terms.labels) < 2:
        raise RuleBroken("no-teammate", "Nobody has a teammate in this mode.")
    if (side, one.source) in table.scored:
        raise RuleBroken(
            "scored-already",
            f"Battlefield {one.source} has scored this turn; it scores again in a later turn.",
            battlefield=one.source,
        )
    if side == own and one.source in table.held_by_ally:
        raise RuleBroken(
            "held-by-ally",
            f"A teammate held battlefield {one.source} when this turn began; it does not score this turn.",
            battlefield=one.source,
        )


def _of_sheet(sheet: Sheet, one: Tapped) -> Sheet:
    if one.tap is Tap.PAY:
        if sheet.track.direction is not Direction.FALLS:
            raise RuleBroken("no-such-track", "Nobody pays with points in this mode.")
        return pay(sheet, {one.position: one.amount})
    if one.tap in (Tap.CANNOT_GAIN, Tap.CANNOT_LOSE):
        if sheet.track.direction is not Direction.FALLS:
            raise RuleBroken("no-such-track", "No card forbids points in this mode.")
        return ban(sheet, one.position, EntryKind(one.tap.value), ends=one.amount < 0)
    after = record(sheet, one.position, one.amount, kind=EntryKind(one.tap.value), source=one.source)
    # Damage of a commander is damage: whoever takes it loses as much life (Magic 120.3a, 903.10a).
    return record(after, one.position, -one.amount) if one.tap is Tap.COMMANDER else after


def _why_nothing(table: Table, new: Tapped) -> str:
    if new.tap is Tap.SCORE and new.amount:
        return f"{new.position} cannot {'gain' if new.amount > 0 else 'lose'} life now; nothing is noted."
    return "That changes nothing; say how much."
