"""The one computation of standings, and the snapshots everybody reads."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Max

from journal.clock import now
from rulebook import policies
from rulebook.lifecycle import RoundState
from rulebook.policies import StandingsPolicy
from rulebook.standings import Results, Standing, standings
from tournaments.models import Round, Snapshot, SnapshotRow, Stage, StageEntry, Tournament
from tournaments.rows import contests_of, entered_of, policy_for


def standings_of(
    stage: Stage,
    *,
    after_round: int | None = None,
    policy: StandingsPolicy | None = None,
    contests: Results | None = None,
) -> tuple[Standing, ...]:
    """The ranking after `after_round` (default: the last closed round), exact; unfinished rounds count for
    nothing. Who has read the contests that count gives them."""
    chosen = policy or stage_policy(stage)
    if contests is None:
        contests = contests_of(stage, after_round=after_round)
    return standings(entered_of(stage), contests, chosen)


def stage_policy(stage: Stage) -> StandingsPolicy:
    """The stage's own policy, frozen when it began, else the tournament's."""
    if "policy" in stage.settings:
        return StandingsPolicy.from_dict(stage.settings["policy"])
    return policies.policy_of(stage.policy) if stage.policy else policy_for(stage.tournament)


def take_snapshot(stage: Stage, after_round: int) -> Snapshot:
    """The standings after the round are stored as the newest version; an equal newest one is returned as
    it is. A correction of standings that are seen is seen, one of hidden standings is hidden."""
    policy = stage_policy(stage)
    rows = [_stored(row) for row in standings_of(stage, after_round=after_round, policy=policy)]
    digest = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
    newest = latest_snapshot(stage, after_round)
    if newest is not None and newest.digest == digest:
        return newest
    is_seen = newest.published_at is not None if newest else stage.tournament.shows_standings
    snapshot = Snapshot.objects.create(
        stage=stage,
        after_round=after_round,
        version=newest.version + 1 if newest else 1,
        policy=policy.key,
        digest=digest,
        taken_at=now(),
        published_at=now() if is_seen else None,
    )
    SnapshotRow.objects.bulk_create(
        SnapshotRow(snapshot=snapshot, position=position, **row) for position, row in enumerate(rows, 1)
    )
    return snapshot


def retake_snapshots(stage: Stage, from_round: int) -> None:
    """The snapshots of the closed rounds from `from_round` on show what is true now."""
    numbers = stage.rounds.filter(state=RoundState.CLOSED, number__gte=from_round).values_list(
        "number", flat=True
    )
    for number in sorted(set(numbers)):
        take_snapshot(stage, number)


def latest_snapshot(stage: Stage, after_round: int | None = None) -> Snapshot | None:
    """The newest version of the standings after the round, or after the last closed round."""
    snapshots = Snapshot.objects.filter(stage=stage)
    if after_round is None:
        after_round = last_closed(stage)
    return snapshots.filter(after_round=after_round).order_by("-version").first()


def shown_rounds_of(stage: Stage) -> tuple[int, ...]:
    """The closed rounds after which everybody sees the standings."""
    newest: dict[int, bool] = {}
    closed = stage.rounds.filter(state=RoundState.CLOSED).values("number")
    rows = Snapshot.objects.filter(stage=stage, after_round__in=closed).order_by("after_round", "version")
    for number, published_at in rows.values_list("after_round", "published_at"):
        newest[number] = published_at is not None
    return tuple(number for number, is_seen in newest.items() if is_seen)


def last_closed(stage: Stage) -> int:
    """The number of the stage's last closed round, 0 before the first."""
    closed = Round.objects.filter(stage=stage, state=RoundState.CLOSED)
    return int(closed.aggregate(last=Max("number"))["last"] or 0)


def swiss_stage(tournament: Tournament) -> Stage | None:
    """The tournament's first stage, whose points make the standings."""
    return tournament.stages.filter(number=1).first()


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the final ranking: `place` is shared by those who left the bracket in the same round."""

    position: int
    place: int
    team_id: int


def order_of_equals(tournament: Tournament) -> dict[int, int]:
    """What orders those who left a bracket in the same round: its own policy's standings, else the seeds."""
    order: dict[int, int] = {}
    for stage in tournament.stages.filter(method__in=Stage.BRACKETS):
        stage.tournament = tournament
        entries = dict(stage.entries.filter(seed__isnull=False).values_list("team_id", "seed"))
        if stage.policy:
            table = (row.entrant for row in standings_of(stage) if row.entrant in entries)
            entries = {team: at for at, team in enumerate(table, 1)}
        order |= {team: at or 0 for team, at in entries.items()}
    return order


def final_ranking(tournament: Tournament, table: Sequence[Standing]) -> tuple[Place, ...]:
    """The bracket's places first, by its policy or by seed among equals, then the others as the Swiss `table`
    has them."""
    ranked = {row.entrant for row in table}
    entries = StageEntry.objects.filter(
        stage__tournament=tournament,
        stage__method__in=Stage.BRACKETS,
        place__isnull=False,
        team_id__in=ranked,
    )
    order = order_of_equals(tournament)
    places = [(entry.place or 0, entry.team_id) for entry in entries.order_by("place", "seed")]
    places.sort(key=lambda one: (one[0], order.get(one[1], len(order) + 1)))
    above = {team for _, team in places}
    rest = [row for row in table if row.entrant not in above]
    for index, row in enumerate(rest):
        shared = index > 0 and row.rank == rest[index - 1].rank
        places.append((places[-1][0] if shared else len(places) + 1, row.entrant))
    return tuple(Place(position, place, team) for position, (place, team) in enumerate(places, 1))


def _stored(row: Standing) -> dict[str, object]:
    return {
        "team_id": row.entrant,
        "rank": row.rank,
        "points": str(row.points),
        "record": {
            "wins": row.wins,
            "losses": row.losses,
            "draws": row.draws,
            "played": row.played,
            "byes": row.byes,
        },
        "figures": {key: str(value) for key, value in row.figures},
    }


def as_fraction(stored: str) -> Fraction:
    """A figure as it was stored."""
    return Fraction(stored)
