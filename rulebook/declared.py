"""What a player brings to the table beyond a deck, and what of it the rules allow."""

from dataclasses import dataclass
from enum import StrEnum

from rulebook.errors import RuleBroken

STICKER_SHEETS_AT_LEAST = 10
STICKER_SHEETS_USED = 3


class Face(StrEnum):
    """Which kind of card a substitute card stands for."""

    DOUBLE_FACED = "double-faced"
    MELD = "meld"
    ORDINARY = "ordinary"


class HandAction(StrEnum):
    BATTLEFIELD = "battlefield"
    REVEAL = "reveal"


@dataclass(frozen=True)
class Declared:
    """One player's declaration; what is left out does not appear on the sheet."""

    sideboard: bool = False
    substitutes: tuple[tuple[str, Face], ...] = ()
    companions: tuple[str, ...] = ()
    commanders: tuple[str, ...] = ()
    commander_needs_color: bool = False
    commander_color: str | None = None
    sticker_sheets: tuple[str, ...] = ()
    is_limited: bool = False
    conspiracies: tuple[str, ...] = ()
    planar_deck: bool = False
    attraction_deck: bool = False
    life_modifier: int = 0
    hand_modifier: int = 0
    hand_actions: tuple[tuple[str, HandAction], ...] = ()
    legend: str = ""
    champion: str = ""
    battlefields: tuple[str, ...] = ()
    used_battlefields: tuple[str, ...] = ()


def check_declared(position: str, declared: Declared) -> None:
    """The declaration obeys the rules of text 004; otherwise `RuleBroken` says what to change."""
    for card, face in declared.substitutes:
        if face is Face.ORDINARY:
            raise RuleBroken(
                "substitute-not-allowed",
                f"{position}: a substitute may stand for a double-faced or meld card only, not for {card}.",
                card=card,
            )
    if len(declared.companions) > 1:
        raise RuleBroken("two-companions", f"{position}: reveal one companion at most.")
    if declared.commander_needs_color and not declared.commander_color:
        raise RuleBroken("color-missing", f"{position}: name the color chosen for the commander.")
    _check_stickers(position, declared)
    reveals = [card for card, action in declared.hand_actions if action is HandAction.REVEAL]
    if len(set(reveals)) != len(reveals):
        raise RuleBroken("revealed-twice", f"{position}: a card is revealed once only.", cards=reveals)


def _check_stickers(position: str, declared: Declared) -> None:
    sheets = declared.sticker_sheets
    if not sheets:
        return
    if declared.is_limited:
        if len(sheets) > STICKER_SHEETS_USED:
            raise RuleBroken(
                "too-many-sticker-sheets", f"{position}: choose at most three opened sticker sheets."
            )
        return
    if len(sheets) < STICKER_SHEETS_AT_LEAST:
        raise RuleBroken("too-few-sticker-sheets", f"{position}: bring at least ten sticker sheets.")
    if len(set(sheets)) != len(sheets):
        raise RuleBroken("same-sticker-sheet-twice", f"{position}: all sticker sheets must differ.")
