"""The shape of a legal deck, one record per format and edition."""

from dataclasses import dataclass

from rulebook.errors import RuleBroken
from rulebook.modes import Mode
from rulebook.modes.blanks import Game

BASIC_LANDS = frozenset(
    {"plains", "island", "swamp", "mountain", "forest", "wastes"}
    | {f"snow-covered {land}" for land in ("plains", "island", "swamp", "mountain", "forest", "wastes")}
)
NO_LIMIT = 10_000


@dataclass(frozen=True)
class Sizes:
    """How many cards a section may hold: a range, or none at all besides."""

    fewest: int
    most: int
    or_none: bool = False

    def __contains__(self, total: object) -> bool:
        if not isinstance(total, int):
            return False
        return self.fewest <= total <= self.most or (self.or_none and total == 0)


@dataclass(frozen=True)
class Section:
    key: str
    name: str
    sizes: Sizes
    all_different: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def sizes_in_words(self) -> str:
        low, high = self.sizes.fewest, self.sizes.most
        if low == high:
            words = f"exactly {low}"
        elif high == NO_LIMIT:
            words = f"at least {low}"
        else:
            words = f"{low} to {high}"
        return f"none or {words}" if self.sizes.or_none else words


@dataclass(frozen=True)
class DeckFormat:
    """One format. `copies` is how often a name may appear in the sections `copies_of`; None is no limit.

    `whole` is the size of the main deck together with the card or cards of the section `picked`.
    """

    key: str
    name: str
    edition: str
    sections: tuple[Section, ...]
    copies: int | None
    copies_of: tuple[str, ...]
    citation: str
    whole: int | None = None
    picked: str = ""


def _riftbound(edition: str, sideboard: Sizes, citation: str) -> DeckFormat:
    return DeckFormat(
        key=f"riftbound-constructed-{edition}",
        name="Riftbound constructed",
        edition=edition,
        sections=(
            Section("main", "Main deck", Sizes(39, 40), aliases=("maindeck", "deck")),
            Section("legend", "Legend", Sizes(1, 1), True, ("championlegend",)),
            Section("champion", "Chosen champion", Sizes(1, 1), True, ("chosenchampion",)),
            Section("battlefields", "Battlefields", Sizes(3, 3), True, ("battlefield",)),
            Section("runes", "Runes", Sizes(12, 12), aliases=("runedeck",)),
            Section("sideboard", "Sideboard", sideboard),
        ),
        copies=3,
        copies_of=("main", "champion", "sideboard"),
        citation=citation,
        whole=40,
        picked="champion",
    )


_MAGIC = ("main", "sideboard", "commander", "companion")
_SIDEBOARD = Section("sideboard", "Sideboard", Sizes(0, 15))
_COMPANION = Section("companion", "Companion", Sizes(0, 1), True)

FORMATS: dict[str, DeckFormat] = {
    one.key: one
    for one in (
        _riftbound("2026-07", Sizes(0, 10), "Riftbound Tournament Rules 402, 601.1.c.1 (2026-07-16)"),
        _riftbound("2026-04", Sizes(0, 8), "Riftbound Tournament Rules 402, 601.1.c.1 (2026-04-29)"),
        _riftbound("2025", Sizes(8, 8, or_none=True), "Riftbound Tournament Rules 601.1.c.1 (2025)"),
        DeckFormat(
            "magic-constructed",
            "Magic constructed",
            "2026",
            (
                Section("main", "Deck", Sizes(60, NO_LIMIT), aliases=("deck", "maindeck")),
                _SIDEBOARD,
                _COMPANION,
            ),
            4,
            _MAGIC,
            "Magic Comprehensive Rules 100.2a, 100.4a (2026-08-07)",
        ),
        DeckFormat(
            "magic-2hg-constructed",
            "Magic Two-Headed Giant constructed",
            "2026",
            (
                Section("main", "Deck", Sizes(60, NO_LIMIT), aliases=("deck", "maindeck")),
                Section("sideboard", "Sideboard", Sizes(0, 0)),
                _COMPANION,
            ),
            4,
            _MAGIC,
            "Magic Comprehensive Rules 100.2a (2026-08-07); Magic Tournament Rules 8.4, 9 (2026-02-27)",
        ),
        DeckFormat(
            "magic-limited",
            "Magic limited",
            "2026",
            (
                Section("main", "Deck", Sizes(40, NO_LIMIT), aliases=("deck", "maindeck")),
                Section("sideboard", "Sideboard", Sizes(0, NO_LIMIT)),
            ),
            None,
            _MAGIC,
            "Magic Comprehensive Rules 100.2b, 100.4b (2026-08-07)",
        ),
        DeckFormat(
            "magic-commander",
            "Magic Commander",
            "2026",
            (
                Section("main", "Deck", Sizes(98, 100), aliases=("deck", "maindeck")),
                Section("commander", "Commander", Sizes(1, 2), True, ("commanders",)),
                _COMPANION,
            ),
            1,
            _MAGIC,
            "Magic Comprehensive Rules 903.5 (2026-08-07)",
            100,
            "commander",
        ),
        DeckFormat(
            "magic-brawl",
            "Magic Brawl",
            "2026",
            (
                Section("main", "Deck", Sizes(59, 60), aliases=("deck", "maindeck")),
                Section("commander", "Commander", Sizes(1, 1), True, ("commanders",)),
                _COMPANION,
            ),
            1,
            _MAGIC,
            "Magic Comprehensive Rules 903.12 (2026-08-07)",
            60,
            "commander",
        ),
    )
}


def format_of(key: str) -> DeckFormat:
    """The format called `key`; `RuleBroken("unknown-format")` names the known ones."""
    if key not in FORMATS:
        raise RuleBroken(
            "unknown-format",
            f"There is no deck format {key!r}; choose from {', '.join(FORMATS)}.",
            format=key,
        )
    return FORMATS[key]


# The formats of the modes that do not play constructed, by the beginning of the mode's key.
_OF_MODES = (
    ("magic-commander", "magic-commander"),
    ("magic-brawl", "magic-brawl"),
    ("magic-2hg", "magic-2hg-constructed"),
)
_USUAL = {Game.RIFTBOUND: "riftbound-constructed-2026-07", Game.MAGIC: "magic-constructed"}


def format_for(mode: Mode) -> str:
    """The key of the format that `mode` is played in, unless another one is announced."""
    found = (key for start, key in _OF_MODES if mode.key.startswith(start))
    return next(found, _USUAL[mode.game])
