"""Life changes where a team shares its life, by Magic Comprehensive Rules 810.9 (text 002).

Where each player has a life total of his own the same functions do what the cards say.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

from rulebook.errors import RuleBroken
from rulebook.tracks import EntryKind, Sheet, record, record_all
from rulebook.turns import side_of


def each_player(sheet: Sheet, amount: int) -> Sheet:
    """Every player gains or loses `amount`; a team's total takes the sum of its members."""
    return record_all(sheet, ((position, amount) for position in sheet.positions))


def each_player_loses_share(sheet: Sheet, share: Fraction, *, round_up: bool) -> Sheet:
    """Every player loses a share of his life, all measured before anybody loses."""
    rounded = ceil if round_up else floor
    return record_all(sheet, [(p, -rounded(max(sheet.total(p), 0) * share)) for p in sheet.positions])


def double(sheet: Sheet, position: str) -> Sheet:
    """The player gains as much as the team has, which doubles it (810.9a)."""
    return record(sheet, position, sheet.total(position))


def pay(sheet: Sheet, amounts: Mapping[str, int]) -> Sheet:
    """The players pay at once, a team no more than it has (810.9b) and under a ban only 0 (810.9h)."""
    for position, amount in amounts.items():
        if amount < 0:
            raise RuleBroken("negative-count", "Nobody pays a negative amount of life.", amount=amount)
        if amount and sheet.is_banned(position, EntryKind.CANNOT_LOSE):
            raise RuleBroken("cannot-lose-life", f"{position} cannot lose life and so can pay only 0.")
        shared = sum(amounts.get(p, 0) for p in sheet.sharing(position))
        if shared and shared > sheet.total(position):
            raise RuleBroken(
                "not-enough-life",
                f"The side of {position} has {sheet.total(position)} life and cannot pay {shared}.",
                life=sheet.total(position),
                asked=shared,
            )
    return record_all(sheet, [(position, -amount) for position, amount in amounts.items()])


def pay_half(sheet: Sheet, position: str, *, round_up: bool = True) -> Sheet:
    """The player pays half of the life the team has (810.9a)."""
    half = Fraction(max(sheet.total(position), 0), 2)
    return pay(sheet, {position: ceil(half) if round_up else floor(half)})


def set_life(sheet: Sheet, position: str, life: int) -> Sheet:
    """The player gains or loses what leads to `life`, and the team with him (810.9c)."""
    return record(sheet, position, life - sheet.total(position))


def set_each(sheet: Sheet, life: int, chosen: Mapping[int, str]) -> Sheet:
    """Each player's life becomes `life`: on a team that shares it only the member it names (810.9d)."""
    affected: list[str] = []
    for side in sorted({side_of(p) for p in sheet.positions}):
        members = tuple(p for p in sheet.positions if side_of(p) == side)
        if len(sheet.sharing(members[0])) == 1:
            affected += members
            continue
        if chosen.get(side) not in members:
            raise RuleBroken(
                "member-missing", f"Team {side + 1} names which of its members is affected.", side=side
            )
        affected.append(chosen[side])
    return record_all(sheet, [(p, life - sheet.total(p)) for p in affected])


def exchange(sheet: Sheet, one: str, other: str) -> Sheet:
    """The two exchange life totals; teammates who share one do not (810.9e), nor does one under a ban."""
    if other in sheet.sharing(one):
        return sheet
    gap = sheet.total(other) - sheet.total(one)
    gainer, loser = (one, other) if gap > 0 else (other, one)
    if gap and (
        sheet.is_banned(gainer, EntryKind.CANNOT_GAIN) or sheet.is_banned(loser, EntryKind.CANNOT_LOSE)
    ):
        return sheet
    return record_all(sheet, [(one, gap), (other, -gap)])


def redistribute(sheet: Sheet, totals: Mapping[str, int]) -> Sheet:
    """The totals of these players are dealt out anew among them, at most one of each team (810.9f).

    Nobody under a ban can be dealt more, or less (Magic 119.7, 119.8).
    """
    for position in totals:
        if len([p for p in sheet.sharing(position) if p in totals]) > 1:
            raise RuleBroken(
                "two-of-one-team", "At most one member of each team can take part.", side=side_of(position)
            )
    if sorted(totals.values()) != sorted(sheet.total(p) for p in totals):
        raise RuleBroken(
            "not-the-same-totals", "Redistributing deals out the same totals again, none else.", totals=totals
        )
    for position, life in totals.items():
        gap = life - sheet.total(position)
        kind = EntryKind.CANNOT_GAIN if gap > 0 else EntryKind.CANNOT_LOSE
        if gap and sheet.is_banned(position, kind):
            code, word = ("cannot-gain-life", "gain") if gap > 0 else ("cannot-lose-life", "lose")
            raise RuleBroken(
                code, f"{position} cannot {word} life; deal out another total there.", seat=position
            )
    return record_all(sheet, [(p, life - sheet.total(p)) for p, life in totals.items()])


def ban(sheet: Sheet, position: str, kind: EntryKind, *, ends: bool = False) -> Sheet:
    """A player cannot gain, or cannot lose, life, and so his team cannot (810.9g, 810.9h)."""
    if kind not in (EntryKind.CANNOT_GAIN, EntryKind.CANNOT_LOSE):
        raise RuleBroken("no-such-track", f"{kind} is no ban.", kind=kind)
    if ends and not sheet.is_banned(position, kind):
        raise RuleBroken("nothing-to-undo", f"Nothing of that kind holds for {position}.", kind=kind)
    return record(sheet, position, -1 if ends else 1, kind=kind)
