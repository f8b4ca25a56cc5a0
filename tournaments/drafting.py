"""Drafting groups of a Swiss tournament: who sits where, and the rounds inside the groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState, StageState, TeamState
from rulebook.pairing.drafting import drafting_groups, pair_drafts
from rulebook.pairing.values import Pairing, SwissInput
from teams.models import Team
from tournaments.models import Stage, Tournament
from tournaments.running import refuse_unless_running

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class DraftSeat:
    """Where a team drafts: the number of its group and its seat in it, both from 1."""

    group: int
    seat: int


@transaction.atomic
def seat_draft(*, tournament_id: int, actor: Actor, seed: int | None = None) -> Stage:
    """The groups are drawn and everybody sees who drafts where; drawn anew until round 1 is paired."""
    tournament = lock_one(Tournament, tournament_id)
    refuse_unless_running(tournament)
    if not tournament.draft_rounds:
        raise RuleBroken("no-draft", "This tournament is played without drafting groups; see its settings.")
    stage = tournament.stages.filter(number=1, state=StageState.RUNNING).first()
    if stage is None or stage.rounds.exclude(state=RoundState.SCRAPPED).exists():
        raise RuleBroken("draft-over", "The draft is played already; its groups stay as they are.")
    stage.tournament = tournament
    groups = _drawn(stage, _seed_of(tournament) if seed is None else seed)
    record(
        tournament_id=tournament_id,
        kind=DeedKind.DRAFT_SEATED,
        actor=actor,
        subject=f"stage:{stage.pk}",
        after={"groups": [list(group) for group in groups]},
    )
    return stage


def is_draft_round(stage: Stage, number: int) -> bool:
    """The round is played inside the drafting groups."""
    return stage.method == Stage.Method.SWISS and number <= stage.tournament.draft_rounds


def groups_of(stage: Stage) -> Groups:
    """The groups in seat order; empty before they are drawn."""
    return tuple(tuple(group) for group in stage.settings.get("draft_groups", ()))


def seats_of(stage: Stage) -> dict[int, DraftSeat]:
    """Group and seat of every team."""
    return {
        team: DraftSeat(number, seat)
        for number, group in enumerate(groups_of(stage), 1)
        for seat, team in enumerate(group, 1)
    }


def pair_in_groups(stage: Stage, given: SwissInput) -> tuple[Pairing, dict[str, Any]]:
    """The round inside the groups and what it was made from; the groups are drawn if nobody did before."""
    groups = groups_of(stage) or _drawn(stage, _seed_of(stage.tournament))
    return pair_drafts(given, groups), {**given.as_dict(), "groups": [list(group) for group in groups]}


def _seed_of(tournament: Tournament) -> int:
    return Random(f"draft:{tournament.seed}").getrandbits(62)


def _drawn(stage: Stage, seed: int) -> Groups:
    playing: Sequence[int] = list(
        Team.objects.filter(tournament_id=stage.tournament_id, state=TeamState.PLAYING).values_list(
            "pk", flat=True
        )
    )
    groups = drafting_groups(playing, seed)
    stage.settings = {**stage.settings, "draft_groups": [list(group) for group in groups]}
    stage.save(update_fields=["settings"])
    return groups
