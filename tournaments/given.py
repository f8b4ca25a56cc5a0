"""A round as an organizer gives it by hand: a judge's ruling, or what another system paired."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from matches.lineup import confirm_lone_sides
from rulebook.errors import RuleBroken
from teams.models import Team
from tournaments.drawing import Drawn, active_teams
from tournaments.models import Round, Slot, Stage, StageEntry, Tournament
from tournaments.pairing import next_number, record_paired, running_stage, save_drawn
from tournaments.rows import Active, entrants_of
from tournaments.running import refuse_unless_running
from tournaments.standings import standings_of

ENGINE = "given"
WHY = "Paired by hand."


@transaction.atomic
def pair_given(
    *,
    tournament_id: int,
    tables: Sequence[tuple[int, ...]],
    actor: Actor,
    byes: Sequence[int] = (),
    losses: Sequence[int] = (),
    absent: Sequence[int] = (),
    half_points: Mapping[int, int] | None = None,
    reason: str = "",
) -> Round:
    """The next round is a draft with exactly these tables, each in side order.

    Every playing team is named once: at a table, with a bye, with an assigned loss, or as absent, which
    counts for nothing; otherwise `RuleBroken` says who is wrong and nothing is written. `half_points` are
    match points times two that a bye or an assigned loss is worth instead of the policy's. A round of the
    bracket has tables and byes only, of the teams whom the bracket waits for.
    """
    tournament = lock_one(Tournament, tournament_id)
    refuse_unless_running(tournament)
    stage = running_stage(tournament)
    if stage.method == Stage.Method.ROUND_ROBIN:
        raise RuleBroken("round-robin", "A round robin follows its schedule; pair its rounds without names.")
    number = next_number(stage)
    waiting = _waiting(stage, number)
    seated = [team for table in tables for team in table]
    _named_once(tournament, waiting, [*seated, *byes, *losses, *absent])
    _fits_stage(stage, tables, losses, absent)
    worth = _worth(half_points or {}, [*byes, *losses])
    drawn = Drawn(
        tables=[tuple(table) for table in tables],
        byes=byes,
        losses=losses,
        why=dict.fromkeys([*seated, *byes, *losses], WHY),
        inputs={"given": True, "absent": list(absent)},
        output=_output(stage, waiting, tables, byes, losses),
        engine=ENGINE,
        node_of=_nodes_for(stage, number, [*tables, *((team,) for team in byes)]) if stage.is_bracket else {},
    )
    rnd = save_drawn(stage, number, drawn, seed=0)
    for points, teams in worth.items():
        # Publishing scores the others by the policy and leaves these as they are.
        confirm_lone_sides(list(rnd.matches.filter(sides__team__in=teams)), actor, points)
    record_paired(rnd, DeedKind.ROUND_PAIRED, actor, after={"given": True}, reason=reason)
    return rnd


def _waiting(stage: Stage, number: int) -> list[Active]:
    """Everybody playing, or in the bracket everybody of its round who still plays."""
    playing = active_teams(stage, number)
    if not stage.is_bracket:
        return playing
    slots = stage.slots.filter(round_number=number, team__isnull=False)
    standing = set(slots.values_list("team_id", flat=True))
    return [team for team in playing if team.pk in standing]


def _named_once(tournament: Tournament, waiting: Iterable[Active], named: Sequence[int]) -> None:
    teams = {team.pk for team in waiting}
    strangers = [pk for pk in named if pk not in teams]
    if strangers:
        raise RuleBroken(
            "team-not-waiting",
            f"Not to be paired in this round: {_names(tournament, strangers)}. Take it out of the pairing.",
            teams=strangers,
        )
    twice = [pk for pk, count in Counter(named).items() if count > 1]
    if twice:
        raise RuleBroken(
            "team-twice", f"Named twice: {_names(tournament, twice)}. Name each team once.", teams=twice
        )
    left_out = sorted(teams - set(named))
    if left_out:
        raise RuleBroken(
            "team-left-out",
            f"Left out: {_names(tournament, left_out)}. Give it a table, a bye or a loss, or call it absent.",
            teams=left_out,
        )


def _fits_stage(
    stage: Stage, tables: Sequence[tuple[int, ...]], losses: Sequence[int], absent: Sequence[int]
) -> None:
    if any(len(table) < 2 for table in tables):
        raise RuleBroken("one-side-only", "A table needs two teams; a team alone gets a bye.")
    if not stage.is_bracket:
        return
    if losses or absent:
        raise RuleBroken(
            "bracket-tables-only",
            "A bracket round has tables and byes only; drop the team that does not play.",
            teams=[*losses, *absent],
        )


def _worth(half_points: Mapping[int, int], lone: Sequence[int]) -> dict[int, list[int]]:
    """The teams alone by what it is worth to them, in match points times two."""
    worth: dict[int, list[int]] = {}
    for team, points in half_points.items():
        if team not in lone or points < 0:
            raise RuleBroken(
                "points-follow-the-result",
                "Only a bye or an assigned loss can be given other points, and not less than none.",
                teams=[team],
            )
        worth.setdefault(points, []).append(team)
    return worth


def _output(
    stage: Stage,
    waiting: Iterable[Active],
    tables: Sequence[tuple[int, ...]],
    byes: Sequence[int],
    losses: Sequence[int],
) -> dict[str, object]:
    """The pairing as a computed one is stored, with what the desk wants to know about it."""
    entrants = {entrant.id: entrant for entrant in entrants_of(stage, waiting, standings_of(stage))}
    pairs = [(one, other) for table in tables for one in table for other in table if one < other]
    return {
        "pairs": [list(table) for table in tables],
        "byes": list(byes),
        "losses": list(losses),
        "report": {
            "engine": ENGINE,
            "rematches": sum(other in entrants[one].met for one, other in pairs),
            "pair_downs": sum(len({entrants[team].points for team in table}) > 1 for table in tables),
            "second_byes": sum(entrants[team].byes > 0 for team in byes),
        },
    }


def _nodes_for(stage: Stage, number: int, groups: Sequence[tuple[int, ...]]) -> dict[int, str]:
    """The slots of the bracket round hold the groups, each at the node of its best seed if that is free."""
    seeds = dict(StageEntry.objects.filter(stage=stage).values_list("team_id", "seed"))
    nodes: dict[str, list[Slot]] = defaultdict(list)
    for slot in stage.slots.filter(round_number=number).exclude(source=Slot.Source.BYE).order_by("pk"):
        nodes[slot.node].append(slot)
    home = {slot.team_id: node for node, slots in nodes.items() for slot in slots if slot.team_id}

    def at_home_first(group: tuple[int, ...]) -> tuple[bool, int]:
        return len({home[team] for team in group}) > 1, min(seeds[team] or 0 for team in group)

    node_of: dict[int, str] = {}
    free = dict(nodes)
    for group in sorted(groups, key=at_home_first):
        wanted = [home[team] for team in sorted(group, key=lambda team: seeds[team] or 0)]
        node = next((key for key in [*wanted, *free] if key in free and len(free[key]) >= len(group)), None)
        if node is None:
            raise RuleBroken(
                "bracket-too-small", "This bracket round has fewer matches; give the other teams a bye."
            )
        for slot, team in zip_longest(free.pop(node), sorted(group, key=lambda team: seeds[team] or 0)):
            slot.team_id = team
        node_of.update(dict.fromkeys(group, node))
    for slots in free.values():
        for slot in slots:
            slot.team_id = None
    Slot.objects.bulk_update([slot for slots in nodes.values() for slot in slots], ["team"])
    return node_of


def _names(tournament: Tournament, ids: Sequence[int]) -> str:
    known = {team.pk: str(team) for team in Team.objects.filter(tournament=tournament, pk__in=ids)}
    return ", ".join(known.get(pk, f"a team of another tournament ({pk})") for pk in ids)
