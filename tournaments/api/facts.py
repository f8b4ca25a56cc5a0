"""Rows as the API tells them: plain values, public names, no contact."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from matches.models import Match
from rulebook import modes
from rulebook.lifecycle import MatchKind, RoundState, TeamState
from rulebook.scoring import ResultKind
from rulebook.tiebreakers import TIEBREAKERS
from teams.models import Team
from teams.selectors import Member, TeamCard, members_of
from tournaments.history import shown_rows
from tournaments.models import SnapshotRow, Stage, Tournament
from tournaments.rows import policy_for
from tournaments.standings import (
    as_fraction,
    last_closed,
    latest_snapshot,
    shown_rounds_of,
    swiss_stage,
)

Facts = dict[str, Any]
OUT = "out"
STATUSES = (
    TeamState.WAITLISTED.value,
    TeamState.REGISTERED.value,
    TeamState.CHECKED_IN.value,
    TeamState.PLAYING.value,
    OUT,
)
LONE = {MatchKind.BYE: "bye", MatchKind.ASSIGNED_LOSS: "assigned-loss"}


def facts_of_teams(teams: Sequence[Team], mode: str) -> list[Facts]:
    """The teams with their members; why a team is out is not told."""
    members = members_of(team.pk for team in teams)
    labels = modes.mode_of(mode).labels
    return [_facts_of_team(team, members.get(team.pk, ()), labels) for team in teams]


def facts_of_pairings(matches: Sequence[Match]) -> list[Facts]:
    """The matches, table by table; whoever has no opponent meets an explicit bye."""
    names = _names({side.team for match in matches for side in match.sides.all()})
    return [_facts_of_match(match, names) for match in matches]


def facts_of_standings(
    tournament: Tournament, after_round: int | None, *, for_staff: bool = False
) -> Facts | None:
    """The stored standings after the round (default: the last one that is shown); None where there are none.

    The public sees what is published, staff see all."""
    stage = swiss_stage(tournament)
    newest = last_closed(stage) if stage else 0
    seen = range(1, newest + 1) if for_staff else shown_rounds_of(stage) if stage else ()
    closed = seen[-1] if seen else 0
    wanted = closed if after_round is None else after_round
    policy = policy_for(tournament)
    told: Facts = {
        "after_round": wanted,
        "version": 0,
        "policy": policy.key,
        "policy_is_verified": policy.verified,
        "is_published": True,
        "is_provisional": False,
        "tiebreakers": [
            {"key": key, "name": TIEBREAKERS[key].label, "explanation": TIEBREAKERS[key].explanation}
            for key in policy.tiebreakers
        ],
        "rows": [],
    }
    if stage is None or closed == 0:
        return told if after_round is None else None
    snapshot = latest_snapshot(stage, wanted) if wanted in seen else None
    if snapshot is None:
        return None
    is_played = stage.rounds.filter(number__gt=wanted, state=RoundState.RUNNING).exists()
    return {
        **told,
        "version": snapshot.version,
        "is_published": snapshot.published_at is not None,
        "is_provisional": wanted == newest and is_played,
        "rows": _rows(stage, snapshot.pk, policy.tiebreakers),
    }


def _rows(stage: Stage, snapshot_id: int, keys: Iterable[str]) -> list[Facts]:
    stored = SnapshotRow.objects.filter(snapshot_id=snapshot_id).select_related("team").order_by("position")
    rows = shown_rows(stage.tournament, list(stored))
    names = _names({row.team for row in rows})
    return [
        {
            "rank": row.rank,
            "position": row.position,
            "team": _reference(row.team, names),
            "points": _figure(row.points),
            "record": row.record,
            "figures": [{"key": key, **_figure(row.figures[key])} for key in keys if key in row.figures],
        }
        for row in rows
    ]


def _figure(stored: str) -> Facts:
    """Exact, and rounded for the eye."""
    exact: Fraction = as_fraction(stored)
    return {"exact": str(exact), "decimal": f"{float(exact):.4f}"}


def _facts_of_team(team: Team, members: tuple[Member, ...], labels: Sequence[str]) -> Facts:
    is_out = team.state in (TeamState.WITHDRAWN, TeamState.DROPPED, TeamState.DISQUALIFIED)
    return {
        "id": team.pk,
        "number": team.number,
        "name": _shown(team, members),
        "status": OUT if is_out else team.state,
        "is_complete": {member.label for member in members} == set(labels),
        "members": [{"seat": m.label, "player": m.player_id, "name": m.name} for m in members],
    }


def _facts_of_match(match: Match, names: Mapping[int, str]) -> Facts:
    result = next(iter(match.results.all()), None)
    lines = {line.side_id: line for line in result.lines.all()} if result else {}
    sides: list[Facts] = [
        {
            "kind": "team",
            "team": _reference(side.team, names),
            "wins": lines[side.pk].wins if side.pk in lines else 0,
            "outcome": lines[side.pk].outcome if side.pk in lines else "open",
        }
        for side in match.sides.all()
    ]
    if match.kind in LONE:
        sides.append({"kind": LONE[MatchKind(match.kind)]})
    return {
        "id": match.pk,
        "table": match.table,
        "kind": match.kind,
        "state": match.state,
        "sides": sides,
        "why": match.why,
        "draws": max((line.draws for line in lines.values()), default=0),
        "result": ResultKind(result.kind).value if result else "open",
    }


def team_references(teams: Iterable[Team]) -> dict[int, Facts]:
    """Id, number and shown name of each team, by its id."""
    known = list(teams)
    names = _names(known)
    return {team.pk: _reference(team, names) for team in known}


def _names(teams: Iterable[Team]) -> dict[int, str]:
    known = list(teams)
    members = members_of(team.pk for team in known)
    return {team.pk: _shown(team, members.get(team.pk, ())) for team in known}


def _shown(team: Team, members: tuple[Member, ...]) -> str:
    return TeamCard(team.pk, team.number, team.name, team.state, members, True).shown_name


def _reference(team: Team, names: Mapping[int, str]) -> Facts:
    return {"id": team.pk, "number": team.number, "name": names[team.pk]}
