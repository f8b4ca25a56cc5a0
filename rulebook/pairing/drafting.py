"""Drafting groups: seated at random, paired inside the group, then across."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from rulebook.errors import RuleBroken
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import Entrant, Pairing, SwissInput

FULL = 8


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
