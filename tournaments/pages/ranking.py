"""Standings as they are shown: from the stored snapshot, never computed for a reader."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulebook.lifecycle import RoundState
from rulebook.policies import StandingsPolicy
from rulebook.tiebreakers import TIEBREAKERS, Tiebreaker
from teams.selectors import TeamCard, team_cards
from tournaments.history import shown_rows
from tournaments.models import Snapshot, SnapshotRow, StageEntry
from tournaments.pages.scenes import Scene
from tournaments.rows import policy_for
from tournaments.standings import order_of_equals, shown_rounds_of


@dataclass(frozen=True, slots=True)
class RankRow:
    """One row of the table; `place` is the final one once there is any."""

    place: int
    card: TeamCard
    points: str
    record: str
    byes: int
    figures: tuple[tuple[str, str, str], ...]
    is_last_of_cut: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """The table after a round, or the final one."""

    after_round: int
    rounds: tuple[int, ...]
    columns: tuple[Tiebreaker, ...]
    rows: tuple[RankRow, ...]
    is_final: bool
    is_provisional: bool
    policy: StandingsPolicy
    is_hidden: bool = False


def ranking_of(scene: Scene, after_round: int | None = None, *, for_staff: bool = False) -> Ranking | None:
    """The table after the round (default: the last one that is shown); None where there is none.

    The public sees those that are published, staff see all. Six queries."""
    stage = scene.swiss
    if stage is None:
        return None
    closed = [r.number for r in scene.rounds if r.stage_id == stage.pk and r.state == RoundState.CLOSED]
    newest = closed[-1] if closed else 0
    if not for_staff:
        seen = set(shown_rounds_of(stage))
        closed = [number for number in closed if number in seen]
    wanted = after_round if after_round is not None else (closed[-1] if closed else None)
    if wanted not in closed:
        return None
    snapshot = Snapshot.objects.filter(stage=stage, after_round=wanted).order_by("-version").first()
    if snapshot is None:
        return None
    stored = list(SnapshotRow.objects.filter(snapshot=snapshot).select_related("team").order_by("position"))
    rows = shown_rows(scene.tournament, stored)
    cards = team_cards([row.team for row in rows], scene.labels)
    is_final = scene.is_over and after_round is None
    places = _final_places(scene) if is_final else {}
    if places:
        rows.sort(key=lambda row: places.get(row.team_id, (10**6, row.position)))
    policy = policy_for(scene.tournament)
    columns = tuple(TIEBREAKERS[key] for key in policy.tiebreakers)
    open_rounds = [r for r in scene.rounds if r.stage_id == stage.pk and r.state == RoundState.RUNNING]
    return Ranking(
        after_round=wanted,
        rounds=tuple(closed),
        columns=columns,
        rows=tuple(_shown(scene, row, cards, places, columns, index) for index, row in enumerate(rows, 1)),
        is_final=is_final,
        is_provisional=wanted == newest and bool(open_rounds) and not scene.is_over,
        policy=policy,
        is_hidden=snapshot.published_at is None,
    )


def _final_places(scene: Scene) -> dict[int, tuple[int, int]]:
    """Final place and what orders equals of the bracket, by team."""
    entries = (
        StageEntry.objects.filter(stage__in=scene.stages).values_list("team_id", "place", "seed").order_by()
    )
    places: dict[int, tuple[int, int]] = {}
    rows = list(entries)
    seeds = order_of_equals(scene.tournament)
    for team, place, seed in rows:
        if seed is None and place is not None:
            places[team] = (place, seeds.get(team, 10**5))
    return places


def _shown(
    scene: Scene,
    row: SnapshotRow,
    cards: dict[int, TeamCard],
    places: dict[int, tuple[int, int]],
    columns: Sequence[Tiebreaker],
    index: int,
) -> RankRow:
    told = row.record
    return RankRow(
        place=places[row.team_id][0] if row.team_id in places else row.rank,
        card=cards[row.team_id],
        points=row.points,
        record=_record([told["wins"], told["losses"], told["draws"]]),
        byes=told["byes"],
        figures=tuple((one.key, one.label, row.figures.get(one.key, "0")) for one in columns),
        is_last_of_cut=bool(scene.tournament.cut) and index == scene.tournament.cut + 1 and not places,
    )


def _record(counts: Sequence[int]) -> str:
    wins, losses, draws = counts
    return f"{wins}–{losses}–{draws}" if draws else f"{wins}–{losses}"
