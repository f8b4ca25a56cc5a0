"""Drafting groups: seated at random, paired inside the group, then across."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from rulebook.errors import RuleBroken
from rulebook.pairing.check import check_pairing
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import ENGINE, Entrant, Pairing, Report, SwissInput

FULL = 8
DRAFT_ENGINE = f"draft-1 {ENGINE}"


def group_sizes(entrants: int, full: int = FULL) -> tuple[int, ...]:
    """Groups near the full size, as many even ones as possible, the larger ones first."""
    if entrants < 2:
        raise RuleBroken("not-enough-entrants", "Drafting needs at least two players.", entrants=entrants)
    groups = max(1, (entrants + full // 2) // full)
    sizes = [2 * (entrants // 2 // groups)] * groups
    left = entrants - sum(sizes)
    for at in range(left // 2):
        sizes[at % groups] += 2
    if left % 2:
        sizes[-1] += 1
    return tuple(sorted(sizes, reverse=True))


def drafting_groups(entrants: Sequence[int], seed: int, full: int = FULL) -> tuple[tuple[int, ...], ...]:
    """The groups in seat order, drawn from the seed."""
    drawn = sorted(entrants)
    Random(seed).shuffle(drawn)
    groups: list[tuple[int, ...]] = []
    for size in group_sizes(len(drawn), full):
        groups.append(tuple(drawn[:size]))
        drawn = drawn[size:]
    return tuple(groups)


def first_pairs(seats: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The first round inside a group: everybody meets whoever sits opposite."""
    half = len(seats) // 2
    return tuple((seats[at], seats[at + half]) for at in range(half))


def pair_inside(swiss: SwissInput, groups: Sequence[Sequence[int]]) -> tuple[Pairing, ...]:
    """One Swiss pairing for each group, as if it were a tournament of its own."""
    known = {entrant.id: entrant for entrant in swiss.entrants}
    placed = [entrant for group in groups for entrant in group if entrant in known]
    if sorted(placed) != sorted(known):
        raise RuleBroken("not-in-a-group", "Every active player must be in exactly one drafting group.")
    pairings: list[Pairing] = []
    for number, group in enumerate(groups):
        members = tuple(known[entrant] for entrant in group if entrant in known)
        fixed = tuple(entrant for entrant in swiss.fixed_byes if entrant in group)
        if members:
            pairings.append(_pair_group(swiss, members, fixed, number))
    return tuple(pairings)


def pair_drafts(swiss: SwissInput, groups: Sequence[Sequence[int]]) -> Pairing:
    """One round inside the drafting groups, group by group: across the table where nobody of the group has
    played, else by points; whoever is alone in a group has a bye.

    `rounds_left` counts the rounds of the draft."""
    known = {entrant.id: entrant for entrant in swiss.entrants}
    placed = [entrant for group in groups for entrant in group if entrant in known]
    if sorted(placed) != sorted(known):
        raise RuleBroken("not-in-a-group", "Every active player must be in exactly one drafting group.")
    pairs: list[tuple[int, int]] = []
    byes: list[int] = []
    reasons: dict[int, str] = {}
    reports: list[Report] = []
    for number, group in enumerate(groups, 1):
        seats = tuple(entrant for entrant in group if entrant in known)
        if not seats:
            continue
        made = _round_of_group(swiss, group, tuple(known[seat] for seat in seats), number)
        pairs += made.pairs
        byes += made.byes
        reports.append(made.report)
        reasons |= {entrant: f"Drafting group {number}. {why}" for entrant, why in made.reasons.items()}
    return Pairing(tuple(pairs), tuple(byes), _whole(reports), reasons)


def check_drafts(swiss: SwissInput, groups: Sequence[Sequence[int]], pairing: Pairing) -> tuple[str, ...]:
    """One sentence for every fault: nobody leaves his group, and no group could have been paired better."""
    group_of = {entrant: number for number, group in enumerate(groups, 1) for entrant in group}
    known = {entrant.id: entrant for entrant in swiss.entrants}
    faults = [
        f"Entrants {one} and {other} are of different drafting groups."
        for one, other in pairing.pairs
        if group_of.get(one) != group_of.get(other)
    ]
    placed = sorted([*(side for pair in pairing.pairs for side in pair), *pairing.byes])
    if placed != sorted(known):
        faults.append("Not everybody has exactly one match or bye.")
    if faults:
        return tuple(faults)
    for group in groups:
        inside = {entrant for entrant in group if entrant in known}
        own = replace(
            swiss,
            entrants=tuple(known[entrant] for entrant in sorted(inside)),
            fixed_byes=tuple(bye for bye in swiss.fixed_byes if bye in inside),
        )
        pairs = tuple(pair for pair in pairing.pairs if pair[0] in inside)
        byes = tuple(bye for bye in pairing.byes if bye in inside)
        said = check_pairing(own, replace(pairing, pairs=pairs, byes=byes))
        faults += [fault for fault in said if _is_own(fault)]
    return tuple(faults)


def _round_of_group(
    swiss: SwissInput, group: Sequence[int], members: tuple[Entrant, ...], number: int
) -> Pairing:
    fixed = _fixed(swiss, group)
    is_first = not any(member.met or member.byes for member in members)
    if len(members) == 1:
        alone = members[0].id
        return Pairing((), (alone,), _across(), {alone: "Nobody else of the group plays this round."})
    if is_first and not fixed and len(members) % 2 == 0 and len(members) == len(group):
        pairs = first_pairs([member.id for member in members])
        seat = {entrant: at for at, entrant in enumerate(group, 1)}
        why = {
            side: f"Seat {seat[pair[0]]} meets seat {seat[pair[1]]}, on the other side of the draft's table."
            for pair in pairs
            for side in pair
        }
        return Pairing(pairs, (), _across(), why)
    return _pair_group(swiss, members, fixed, number)


def _fixed(swiss: SwissInput, group: Sequence[int]) -> tuple[int, ...]:
    return tuple(entrant for entrant in swiss.fixed_byes if entrant in group)


def _is_own(fault: str) -> bool:
    """The report counts the whole round, so only a group's own faults are faults here."""
    return not fault.startswith("The report")


def _across() -> Report:
    """Nobody has played: there is nothing to repeat and no gap, and nothing better."""
    return Report(DRAFT_ENGINE, "across", True, 0, 0, 0, Fraction(0), Fraction(0), 0)


def _whole(reports: Sequence[Report]) -> Report:
    """The groups of a round added up."""
    return Report(
        engine=DRAFT_ENGINE,
        stage="groups",
        proved_optimal=all(report.proved_optimal for report in reports),
        squared_gap=sum((report.squared_gap for report in reports), Fraction(0)),
        bound=sum((report.bound for report in reports), Fraction(0)),
        rematches=sum(report.rematches for report in reports),
        group_pairs=sum(report.group_pairs for report in reports),
        pair_downs=sum(report.pair_downs for report in reports),
        second_byes=sum(report.second_byes for report in reports),
        alternatives=sum(report.alternatives for report in reports),
    )


def _pair_group(
    swiss: SwissInput, members: tuple[Entrant, ...], fixed: tuple[int, ...], number: int
) -> Pairing:
    if len(members) == 1:
        raise RuleBroken(
            "group-too-small",
            "One player is alone in a drafting group; give a bye or merge two groups.",
            entrant=members[0].id,
        )
    return pair_swiss(replace(swiss, entrants=members, fixed_byes=fixed, seed=swiss.seed + number))
