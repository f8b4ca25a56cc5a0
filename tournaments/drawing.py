"""A pairing by the stage's method: the rulebook's engines fed from rows, nothing saved yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any

from django.db.models import Q

from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState
from rulebook.pairing.pod_values import PodsInput
from rulebook.pairing.pods import pair_pods
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.tables import Hall
from rulebook.pairing.values import SwissInput
from teams.models import Team
from tournaments.bracket import paired_nodes
from tournaments.drafting import is_draft_round, pair_in_groups
from tournaments.models import ByeGrant, Stage, Tournament
from tournaments.robin import ROBIN_ENGINE, output_of, schedule_of
from tournaments.rows import Active, entrants_of, pod_entrants_of, results_of
from tournaments.standings import latest_snapshot, standings_of


@dataclass(frozen=True, slots=True)
class Drawn:
    """A pairing ready to be saved: sides per match in side order, the lone ones, and why.

    `losses` are those who get an assigned loss; `node_of` names the bracket's node of a team."""

    tables: Sequence[tuple[int, ...]]
    byes: Sequence[int]
    why: Mapping[int, str]
    inputs: Mapping[str, Any]
    output: Mapping[str, Any]
    engine: str
    node_of: Mapping[int, str]
    losses: Sequence[int] = ()


def draw(stage: Stage, number: int, seed: int) -> Drawn:
    """The pairing of the stage's round `number`; everything random in it follows from `seed`."""
    if stage.is_bracket:
        return _from_bracket(stage, number)
    if stage.method == Stage.Method.ROUND_ROBIN:
        return _robin(stage, number, seed)
    if is_in_pods(stage.tournament):
        return _pods(stage, number, seed)
    return _swiss(stage, number, seed)


def is_in_pods(tournament: Tournament) -> bool:
    """The mode is played by three or more sides."""
    return modes.mode_of(tournament.mode).sides > 2


def pod_policy_for(tournament: Tournament) -> str:
    """How the field is cut into pods: as announced, else what the mode's number of sides allows."""
    mode = modes.mode_of(tournament.mode)
    if tournament.pod_policy:
        return tournament.pod_policy
    if mode.fewest_sides == mode.most_sides:
        return "threes" if mode.sides == 3 else "byes"
    return "short-low"


def active_teams(stage: Stage, number: int) -> list[Active]:
    """Who plays in the round: everybody playing but those who announced to miss it."""
    playing = Team.objects.filter(tournament_id=stage.tournament_id, state=TeamState.PLAYING)
    playing = playing.filter(Q(sits_out=None) | ~Q(sits_out=number)).order_by("number")
    return list(starmap(Active, playing.values_list("pk", "group")))


def granted_byes(stage: Stage, number: int, teams: Sequence[Active]) -> tuple[int, ...]:
    """The teams that have a bye in the round by award or by their own request."""
    granted = ByeGrant.objects.filter(team__tournament_id=stage.tournament_id, round_number=number)
    return tuple(sorted({team.pk for team in teams}.intersection(granted.values_list("team_id", flat=True))))


def hall_of(text: str) -> Hall | None:
    """The usable tables from words like "1-20, 31-40"; None where nothing is said."""
    if not text.strip():
        return None
    try:
        parts = [part.strip().split("-") for part in text.split(",") if part.strip()]
        ranges = tuple((int(part[0]), int(part[-1])) for part in parts)
    except ValueError:
        ranges = ()
    if not ranges or any(first < 1 or last < first for first, last in ranges):
        raise RuleBroken("wrong-hall", "Write the tables as ranges, for example 1-20, 31-40.")
    return Hall(ranges)


def _swiss(stage: Stage, number: int, seed: int) -> Drawn:
    teams = active_teams(stage, number)
    is_draft = is_draft_round(stage, number)
    rounds_left = (stage.tournament.draft_rounds if is_draft else stage.planned_rounds) - number + 1
    known = results_of(stage)  # read once for points and for who met whom: no team is removed from a Swiss
    given = SwissInput(
        entrants=entrants_of(stage, teams, standings_of(stage, contests=known), known=known),
        seed=seed,
        rounds_left=rounds_left,
        fixed_byes=granted_byes(stage, number, teams),
        by_standing=rounds_left == 1 and stage.tournament.last_round_by_standing and not is_draft,
    )
    pairing, inputs = pair_in_groups(stage, given) if is_draft else (pair_swiss(given), given.as_dict())
    return Drawn(
        tables=pairing.pairs,
        byes=pairing.byes,
        why=pairing.reasons,
        inputs={**inputs, "standings": _version(stage)},
        output=pairing.as_dict(),
        engine=pairing.report.engine,
        node_of={},
    )


def _pods(stage: Stage, number: int, seed: int) -> Drawn:
    teams = active_teams(stage, number)
    first = stage.rounds.exclude(state="scrapped").order_by("number").first()
    given = PodsInput(
        entrants=pod_entrants_of(
            stage, teams, standings_of(stage), modes.mode_of(stage.tournament.mode).sides
        ),
        seed=seed,
        round_number=number,
        rounds_left=stage.planned_rounds - number + 1,
        policy=pod_policy_for(stage.tournament),
        fixed_byes=granted_byes(stage, number, teams),
        design_seed=first.seed if first is not None else None,
    )
    pairing = pair_pods(given)
    if not pairing.pods:
        raise RuleBroken(
            "not-enough-entrants", f"{len(teams)} teams do not fill one pod; more have to enter."
        )
    return Drawn(
        tables=pairing.pods,
        byes=pairing.byes,
        why=pairing.reasons,
        inputs={**given.as_dict(), "standings": _version(stage)},
        output=pairing.as_dict(),
        engine=pairing.report.engine,
        node_of={},
    )


def _from_bracket(stage: Stage, number: int) -> Drawn:
    nodes = paired_nodes(stage, number)
    tables = [node.teams for node in nodes if len(node.teams) > 1]
    return Drawn(
        tables=tables,
        byes=[node.teams[0] for node in nodes if len(node.teams) == 1],
        why={team: node.why for node in nodes for team in node.teams},
        inputs={"bracket": [[node.key, list(node.teams)] for node in nodes]},
        output={"pairs": [list(pair) for pair in tables]},
        engine="bracket-1",
        node_of={team: node.key for node in nodes for team in node.teams},
    )


def _robin(stage: Stage, number: int, seed: int) -> Drawn:
    playing = Team.objects.filter(tournament_id=stage.tournament_id, state=TeamState.PLAYING)
    given, rounds = schedule_of(stage, list(playing.values_list("pk", flat=True)), seed)
    own = rounds[number - 1]
    met = f"Everybody meets everybody: round {number} of {len(rounds)}."
    rests = f"Everybody rests once in a round robin of {len(rounds)} teams."
    return Drawn(
        tables=own.pairs,
        byes=[] if own.bye is None else [own.bye],
        why={**{team: met for pair in own.pairs for team in pair}, **({own.bye: rests} if own.bye else {})},
        inputs=given,
        output=output_of(rounds, number),
        engine=ROBIN_ENGINE,
        node_of={},
    )


def _version(stage: Stage) -> int | None:
    snapshot = latest_snapshot(stage)
    return snapshot.version if snapshot else None
