"""Why a figure of the standings is what it is: whom it comes from and which fractions."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rulebook.contests import Contest, Entered
from rulebook.errors import RuleBroken
from rulebook.figure_parts import How, Note, Part, parts_of
from rulebook.ledger import Ledger
from rulebook.policies import StandingsPolicy
from rulebook.standings import column_of, ranked_columns
from rulebook.tiebreakers import Tiebreaker, tiebreaker_of

__all__ = ["Explanation", "How", "Note", "Part", "explain", "explain_row"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One figure of one entrant: `sentence` says how the parts make the value."""

    entrant: int
    figure: str
    label: str
    sentence: str
    value: Fraction
    how: How
    parts: tuple[Part, ...]


def explain(
    entrant: int,
    figure: str,
    entered: Iterable[Entered],
    contests: Iterable[Contest],
    policy: StandingsPolicy,
) -> Explanation:
    """The figure ("points" or a tiebreaker's key) with all its parts, in the order of the rounds."""
    return _explained(Ledger(tuple(entered), contests, policy), entrant, figure)


def explain_row(
    entrant: int, entered: Iterable[Entered], contests: Iterable[Contest], policy: StandingsPolicy
) -> tuple[Explanation, ...]:
    """Points and every tiebreaker of the policy, from one pass over the results."""
    ledger = Ledger(tuple(entered), contests, policy)
    return tuple(_explained(ledger, entrant, figure) for figure in ("points", *policy.tiebreakers))


def _explained(ledger: Ledger, entrant: int, figure: str) -> Explanation:
    if entrant not in ledger.index:
        raise RuleBroken("unknown-entrant", f"Entrant {entrant} is not in this stage.", entrant=entrant)
    me = ledger.index[entrant]
    if figure == "points":
        value, label, sentence = Fraction(ledger.points[me], ledger.unit), "Points", "The sum of all rounds."
    else:
        tiebreaker = tiebreaker_of(figure)
        value, label, sentence = _value(ledger, tiebreaker, me), tiebreaker.label, tiebreaker.explanation
    how, parts = parts_of(ledger, figure, me)
    return Explanation(entrant, figure, label, sentence, value, how, tuple(parts))


def _value(ledger: Ledger, tiebreaker: Tiebreaker, me: int) -> Fraction:
    if tiebreaker.compute is not None:
        return ledger.column(tiebreaker.key, tiebreaker.compute).fraction(me)
    rows, keys, columns = ranked_columns(ledger)
    column = dict(columns).get(tiebreaker.key) or column_of(ledger, tiebreaker, rows, keys)
    return column.fraction(me)
