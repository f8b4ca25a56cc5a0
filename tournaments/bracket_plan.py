"""Which elimination a tournament plays, and whether so many can play it."""

from collections.abc import Sequence
from typing import Any

from rulebook import modes, policies
from rulebook.errors import RuleBroken
from rulebook.lifecycle import StageState
from rulebook.pairing.bracket_tables import BracketKind, bracket_table
from rulebook.pairing.elimination import DRAFT_ORDER
from rulebook.pairing.playoff_pods import POD
from tournaments.bracket import build_bracket, method_of
from tournaments.models import Stage, Tournament

TWO_SIDED_CUTS = (2, 4, 8, 16, 32)
POD_CUTS = (4, 7, 10, 13, 16, 40)
CUTS = (0, *sorted({*TWO_SIDED_CUTS, *POD_CUTS}))


def cut_kind(tournament: Tournament) -> BracketKind:
    """The bracket as announced, else playoff pods where a match has more than two sides."""
    if tournament.cut_method:
        return BracketKind(tournament.cut_method)
    return BracketKind.PODS if modes.mode_of(tournament.mode).sides > 2 else BracketKind.SINGLE


def cuts_of(tournament: Tournament) -> tuple[int, ...]:
    """The sizes of a cut that the tournament's bracket is announced with."""
    kind = cut_kind(tournament)
    if kind is BracketKind.DRAFT:
        return (len(DRAFT_ORDER),)
    return POD_CUTS if kind is BracketKind.PODS else TWO_SIDED_CUTS


def check_kind(tournament: Tournament) -> None:
    """The mode can be played in the tournament's bracket."""
    mode, kind = modes.mode_of(tournament.mode), cut_kind(tournament)
    if kind is BracketKind.PODS and (mode.sides == 2 or not mode.fewest_sides <= POD <= mode.most_sides):
        raise RuleBroken("wrong-cut-method", f"{mode.name} is not played in pods of {POD}.")
    if kind is not BracketKind.PODS and mode.sides != 2:
        raise RuleBroken(
            "wrong-cut-method", f"{mode.name} is played in pods; this elimination needs two sides."
        )


def check_cut(tournament: Tournament, size: int) -> None:
    """A cut to so many, 0 for none, is one that the tournament's mode and bracket allow."""
    check_kind(tournament)
    sizes = cuts_of(tournament)
    if size and size not in sizes:
        listed = ", ".join(map(str, sizes))
        raise RuleBroken("wrong-cut", f"Cut to one of {listed} teams, or 0 for no cut.", sizes=list(sizes))


def _frozen_policy(tournament: Tournament) -> dict[str, Any]:
    if not tournament.cut_policy:
        return {}
    return {"policy": policies.policy_of(tournament.cut_policy).as_dict()}


def open_bracket(tournament: Tournament, number: int, seeded: Sequence[int], **settings: Any) -> Stage:
    """The tournament's stage of that number is running: the bracket of these teams, best seed first."""
    check_kind(tournament)
    kind = cut_kind(tournament)
    bracket, _ = Stage.objects.update_or_create(
        tournament=tournament,
        number=number,
        defaults={
            "method": method_of(kind),
            "planned_rounds": bracket_table(kind, len(seeded)).planned,
            "state": StageState.RUNNING,
            "policy": tournament.cut_policy,
            "settings": {"kind": kind, "size": len(seeded), **_frozen_policy(tournament), **settings},
        },
    )
    build_bracket(bracket, seeded)
    return bracket
