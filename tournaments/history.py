"""What a team's rounds were, and the rows of the standings as they are shown."""

from enum import StrEnum

from matches.models import Side
from rulebook.lifecycle import MatchKind, RoundState, TeamState
from teams.models import Team
from tournaments.models import SnapshotRow, Stage, Tournament
from tournaments.standings import latest_snapshot, swiss_stage

OUT = (TeamState.WITHDRAWN, TeamState.DROPPED, TeamState.DISQUALIFIED)


class Presence(StrEnum):
    """What a round was for one team."""

    NOT_ENTERED = "not entered"
    PLAYED = "played"
    BYE = "bye"
    ASSIGNED_LOSS = "assigned loss"
    ABSENT = "absent"
    OUT = "out"


KINDS = {
    MatchKind.TABLE: Presence.PLAYED,
    MatchKind.BYE: Presence.BYE,
    MatchKind.ASSIGNED_LOSS: Presence.ASSIGNED_LOSS,
}


def presence_of(team: Team, stage: Stage) -> list[tuple[int, Presence]]:
    """Each published round of the stage and what it was for the team; out only after it left."""
    kinds = dict(
        Side.objects.filter(team=team, is_live=True, round__stage=stage).values_list(
            "round__number", "match__kind"
        )
    )
    return [(number, _presence(team, number, kinds.get(number))) for number in _numbers(team, stage)]


def _numbers(team: Team, stage: Stage) -> list[int]:
    """The published rounds, and for a team that left in between the one it is missing from next."""
    rounds = stage.rounds.exclude(state__in=[RoundState.PAIRED, RoundState.SCRAPPED])
    numbers = sorted(set(rounds.values_list("number", flat=True)))
    if team.state in OUT and team.left_round is not None and team.left_round < stage.planned_rounds:
        return sorted({*numbers, team.left_round + 1})
    return numbers


def _presence(team: Team, number: int, kind: str | None) -> Presence:
    if kind is not None:
        return KINDS[MatchKind(kind)]
    if number < team.entered_round:
        return Presence.NOT_ENTERED
    if team.state in OUT and team.left_round is not None and number > team.left_round:
        return Presence.OUT
    return Presence.ABSENT


def standing_rows(
    tournament: Tournament, *, after_round: int | None = None, everybody: bool = False
) -> list[SnapshotRow]:
    """The rows of the newest standings after the round, in order; every door shows these.

    Who left without a match is not among them where the tournament says so, unless `everybody` is asked
    for (exports).
    """
    stage = swiss_stage(tournament)
    snapshot = latest_snapshot(stage, after_round) if stage else None
    if snapshot is None:
        return []
    rows = list(snapshot.rows.select_related("team").order_by("position"))
    return rows if everybody else shown_rows(tournament, rows)


def shown_rows(tournament: Tournament, rows: list[SnapshotRow]) -> list[SnapshotRow]:
    """The rows, without those who left and never played where the tournament hides them."""
    if not tournament.hide_never_played:
        return rows
    return [row for row in rows if row.record["played"] or row.team.state not in OUT]
