"""One idea for life and points: an append-only list of entries over a start, with undo."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rulebook.errors import RuleBroken
from rulebook.modes import Mode, mode_of
from rulebook.modes.blanks import Direction, Holder, Track
from rulebook.terms import Terms
from rulebook.turns import chair_codes, side_of


class EntryKind(StrEnum):
    """`SCORE` is life or points; the two bans are on while their amounts add up to more than zero."""

    SCORE = "score"
    POISON = "poison"
    COMMANDER = "commander"
    CANNOT_GAIN = "cannot-gain"
    CANNOT_LOSE = "cannot-lose"
    UNDO = "undo"


@dataclass(frozen=True)
class Entry:
    """One change at one seat; `source` names the commander, `undoes` an earlier entry."""

    number: int
    position: str
    kind: EntryKind
    amount: int
    source: str = ""
    undoes: int | None = None


@dataclass(frozen=True)
class Sheet:
    """The track of one game: who sits there, what they start with, and every entry so far."""

    mode: str
    positions: tuple[str, ...]
    modifiers: Mapping[str, int] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()

    @property
    def track(self) -> Track:
        return mode_of(self.mode).track

    def counted(self) -> tuple[Entry, ...]:
        """The entries that count: neither undone nor undoing."""
        undone: set[int] = set()
        counted = []
        for entry in reversed(self.entries):
            if entry.number in undone:
                continue
            if entry.undoes is not None:
                undone.add(entry.undoes)
            else:
                counted.append(entry)
        return tuple(reversed(counted))

    def sharing(self, position: str) -> tuple[str, ...]:
        """The seats whose score is one with that of `position`."""
        if position not in self.positions:
            known = ", ".join(self.positions)
            raise RuleBroken(
                "unknown-seat", f"This game has no seat {position!r}, only {known}.", seat=position
            )
        if self.track.holder is Holder.PLAYER:
            return (position,)
        return tuple(p for p in self.positions if side_of(p) == side_of(position))

    def start(self, position: str) -> int:
        """Life or points `position` begins with."""
        first = self.track.first_side_start
        usual = first if first is not None and side_of(position) == 0 else self.track.start
        return usual + sum(self.modifiers.get(p, 0) for p in self.sharing(position))

    def total(self, position: str) -> int:
        """Life or points of `position`, which is that of its side where the mode shares it (810.9a)."""
        return self.start(position) + self.sum_of(position, EntryKind.SCORE)

    def poison(self, position: str) -> int:
        return self.sum_of(position, EntryKind.POISON)

    def commander_damage(self, position: str) -> Mapping[str, int]:
        """Damage that `position` alone took, by commander."""
        damage: dict[str, int] = {}
        for entry in self.counted():
            if entry.kind is EntryKind.COMMANDER and entry.position == position:
                damage[entry.source] = damage.get(entry.source, 0) + entry.amount
        return damage

    def is_banned(self, position: str, kind: EntryKind) -> bool:
        """The seat or one that shares its score cannot gain, or cannot lose (810.9g, 810.9h)."""
        return self.sum_of(position, kind) > 0

    def sum_of(self, position: str, kind: EntryKind) -> int:
        shared = self.sharing(position)
        return sum(e.amount for e in self.counted() if e.kind is kind and e.position in shared)


def open_sheet(terms: Terms, *, modifiers: Mapping[str, int] | None = None) -> Sheet:
    """The sheet of a game under `terms`, before anything happened."""
    sheet = Sheet(terms.mode, chair_codes(terms), dict(modifiers or {}))
    for position in sheet.modifiers:
        sheet.sharing(position)
    return sheet


def record(
    sheet: Sheet, position: str, amount: int, *, kind: EntryKind = EntryKind.SCORE, source: str = ""
) -> Sheet:
    """One more entry; what cannot be gained or lost is not, and then nothing is written."""
    return record_all(sheet, ((position, amount),), kind=kind, source=source)


def record_all(
    sheet: Sheet,
    changes: Iterable[tuple[str, int]],
    *,
    kind: EntryKind = EntryKind.SCORE,
    source: str = "",
) -> Sheet:
    """One entry for each seat that something happens to."""
    _known_kind(sheet, kind)
    if kind is EntryKind.COMMANDER and not source.strip():
        raise RuleBroken("source-missing", "Say which commander dealt the damage.")
    entries = list(sheet.entries)
    for position, amount in changes:
        sheet.sharing(position)
        if kind is EntryKind.SCORE and _is_prevented(sheet, position, amount):
            continue
        if amount:
            entries.append(Entry(len(entries) + 1, position, kind, amount, source))
    after = replace(sheet, entries=tuple(entries))
    _nothing_below_zero(after, entries[len(sheet.entries) :])
    return after


def undo(sheet: Sheet, number: int | None = None) -> Sheet:
    """Entry `number`, or the last that counts, counts no more; nothing is deleted.

    A gain that was partly lost again is refused: undo the later loss first.
    """
    counted = sheet.counted()
    if number is None:
        if not counted:
            raise RuleBroken("nothing-to-undo", "There is no entry to undo.")
        number = counted[-1].number
    known = {entry.number: entry for entry in sheet.entries}
    if number not in known:
        raise RuleBroken("nothing-to-undo", f"There is no entry {number}.", number=number)
    if known[number].undoes is None and number not in {entry.number for entry in counted}:
        raise RuleBroken("nothing-to-undo", f"Entry {number} is undone already.", number=number)
    position = known[number].position
    entry = Entry(len(sheet.entries) + 1, position, EntryKind.UNDO, 0, undoes=number)
    after = replace(sheet, entries=(*sheet.entries, entry))
    _nothing_below_zero(after, after.entries)
    return after


def redo(sheet: Sheet) -> Sheet:
    """The last undo is itself undone."""
    undone: set[int] = set()
    for entry in reversed(sheet.entries):
        if entry.undoes is None or entry.number in undone:
            continue
        target = sheet.entries[entry.undoes - 1]
        if target.undoes is None:
            return undo(sheet, entry.number)
        undone.add(entry.undoes)
    raise RuleBroken("nothing-to-redo", "There is nothing to redo.")


def beaten(sheet: Sheet) -> tuple[str, ...]:
    """Seats that have lost by what the sheet shows: no life left, too much poison or commander damage."""
    return tuple(position for position in sheet.positions if _is_beaten(sheet, position))


def winner_by_points(sheet: Sheet) -> int | None:
    """The side at the goal with strictly more than every opponent; a tie plays on (Riftbound 467)."""
    if sheet.track.direction is Direction.FALLS:
        return None
    points: dict[int, int] = {}
    for position in sheet.positions:
        points[side_of(position)] = sheet.total(position)
    best = max(points.values())
    leaders = [side for side, total in points.items() if total == best]
    return leaders[0] if best >= sheet.track.goal and len(leaders) == 1 else None


def _is_beaten(sheet: Sheet, position: str) -> bool:
    track = sheet.track
    if track.direction is Direction.FALLS and sheet.total(position) <= 0:
        return True
    if track.poison is not None and sheet.poison(position) >= track.poison:
        return True
    limit = track.commander_damage
    return limit is not None and any(
        damage >= limit for p in sheet.sharing(position) for damage in sheet.commander_damage(p).values()
    )


def _is_prevented(sheet: Sheet, position: str, amount: int) -> bool:
    gaining = EntryKind.CANNOT_GAIN if amount > 0 else EntryKind.CANNOT_LOSE
    return sheet.track.direction is Direction.FALLS and sheet.is_banned(position, gaining)


def _nothing_below_zero(sheet: Sheet, new: Iterable[Entry]) -> None:
    """Only life falls below zero: counted points, poison and damage are there or not."""
    for entry in new:
        if entry.undoes is not None or (
            entry.kind is EntryKind.SCORE and sheet.track.direction is Direction.FALLS
        ):
            continue
        if entry.kind is EntryKind.COMMANDER:
            left = sheet.commander_damage(entry.position).get(entry.source, 0)
        elif entry.kind is EntryKind.SCORE:
            left = sheet.total(entry.position)
        else:
            left = sheet.sum_of(entry.position, entry.kind)
        if left < 0:
            raise RuleBroken(
                "below-zero", f"That leaves {entry.position} at {left}. Take away no more than there is."
            )


def _known_kind(sheet: Sheet, kind: EntryKind) -> None:
    mode: Mode = mode_of(sheet.mode)
    missing = {
        EntryKind.POISON: mode.track.poison is None,
        EntryKind.COMMANDER: mode.track.commander_damage is None,
    }
    if missing.get(kind) or kind is EntryKind.UNDO:
        raise RuleBroken("no-such-track", f"{mode.name} does not count {kind}.", kind=kind, mode=mode.key)
