"""How many rounds and which cut are recommended for a field; every table is a record and may be replaced."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulebook.errors import RuleBroken

# One round-one bye weighs like two players, two rounds like four, three like eight (MTR Appendix E).
BYE_WEIGHT: Mapping[int, int] = {1: 2, 2: 4, 3: 8}


@dataclass(frozen=True, slots=True)
class Step:
    """From so many entrants on: Swiss rounds (0: elimination only) and the size of the cut (0: none)."""

    entrants: int
    rounds: int
    cut: int
    elimination_rounds: int = 0


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A published or organizer's own table; `steps` ascend."""

    key: str
    name: str
    steps: tuple[Step, ...]
    citation: str
    is_verified: bool = True
    is_cut_optional: bool = False


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What a table says for a field; `counted` is the field with its awarded byes counted in."""

    rounds: int
    cut: int
    elimination_rounds: int
    counted: int
    table: str
    is_verified: bool
    is_cut_optional: bool


def _table(
    key: str, name: str, rows: Iterable[tuple[int, int, int]], citation: str, **marks: bool
) -> RoundTable:
    steps = tuple(Step(entrants, rounds, cut, _elimination(cut)) for entrants, rounds, cut in rows)
    return RoundTable(key, name, steps, citation, **marks)


def _elimination(cut: int) -> int:
    return max(cut - 1, 0).bit_length()


_MAGIC_LARGE = ((17, 5, 8), (33, 6, 8), (65, 7, 8), (129, 8, 8), (227, 9, 8), (410, 10, 8))
_MAGIC = "MTR 2026-02 Appendix E"

ROUND_TABLES: Mapping[str, RoundTable] = {
    table.key: table
    for table in (
        _table("magic", "Magic", ((2, 0, 4), (5, 0, 8), (9, 5, 4), *_MAGIC_LARGE), _MAGIC),
        _table(
            "magic-draft-playoff",
            "Magic, limited with a draft playoff",
            ((2, 0, 4), (5, 0, 8), (9, 4, 8), *_MAGIC_LARGE),
            _MAGIC,
        ),
        _table(
            "riftbound",
            "Riftbound, store practice",
            ((3, 3, 0), (9, 4, 0), (17, 5, 8), (33, 6, 8), (65, 7, 8), (129, 8, 8)),
            "store presets; the rules give no table",
            is_verified=False,
            is_cut_optional=True,
        ),
        _table(
            "doubling",
            "One round for each doubling",
            ((2, 1, 0), *((2**rounds + 1, rounds + 1, 0) for rounds in range(1, 14))),
            "public rules page of one system",
            is_verified=False,
        ),
        _table(
            "topdeck-pods",
            "Pods, large",
            ((4, 4, 4), (19, 5, 4), (35, 4, 10), (65, 5, 16), (129, 6, 16), (209, 7, 16)),
            "TopDeck guide",
            is_verified=False,
        ),
        _table(
            "store-pods",
            "Pods, stores",
            ((4, 3, 4), (9, 4, 4), (19, 5, 4), (33, 5, 16), (45, 6, 16)),
            "store pages",
            is_verified=False,
        ),
    )
}


def counted_entrants(entrants: int, awarded_byes: Iterable[int] = ()) -> int:
    """The head count of the tables: a team with byes for 1, 2 or 3 rounds counts as 2, 4 or 8."""
    return entrants + sum(BYE_WEIGHT[min(rounds, 3)] - 1 for rounds in awarded_byes if rounds > 0)


def recommended(
    entrants: int, table: RoundTable | str = "magic", awarded_byes: Iterable[int] = ()
) -> Recommendation:
    """Rounds and cut for a field; RuleBroken for an unknown table or a field below its smallest step."""
    chosen = table_of(table) if isinstance(table, str) else table
    counted = counted_entrants(entrants, awarded_byes)
    steps = [step for step in chosen.steps if step.entrants <= counted]
    if not steps:
        least = chosen.steps[0].entrants
        raise RuleBroken(
            "not-enough-entrants",
            f"The table {chosen.name} starts at {least} teams; {entrants} are too few.",
            entrants=entrants,
        )
    step = steps[-1]
    return Recommendation(
        rounds=step.rounds,
        cut=min(step.cut, entrants) if step.rounds else entrants,
        elimination_rounds=step.elimination_rounds,
        counted=counted,
        table=chosen.key,
        is_verified=chosen.is_verified,
        is_cut_optional=chosen.is_cut_optional,
    )


def table_of(key: str) -> RoundTable:
    """The table of that key."""
    if key not in ROUND_TABLES:
        known = ", ".join(ROUND_TABLES)
        raise RuleBroken("unknown-round-table", f"There is no table {key!r}; choose one of {known}.", key=key)
    return ROUND_TABLES[key]
