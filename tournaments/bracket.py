"""The elimination after the cut: a declarative table of slots, filled as rounds close."""

from collections import defaultdict
from dataclasses import dataclass

from matches.models import Line
from rulebook.lifecycle import MatchState, TeamState
from rulebook.pairing.elimination import SourceKind, nodes, round_name, rounds_of
from rulebook.scoring import Outcome
from teams.models import Team
from tournaments.models import Round, Slot, Stage, StageEntry


@dataclass(frozen=True, slots=True)
class PairedNode:
    """A node whose slots are known: two teams meet, one alone passes, nobody leaves it empty."""

    key: str
    teams: tuple[int, ...]
    why: str


def build_bracket(stage: Stage, team_ids: list[int]) -> None:
    """The stage has entries seeded 1, 2, ... in the order given and the empty bracket for them."""
    Slot.objects.filter(stage=stage).delete()
    StageEntry.objects.filter(stage=stage).delete()
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, team_id=team, seed=seed) for seed, team in enumerate(team_ids, 1)
    )
    slots = []
    for node in nodes(len(team_ids)):
        for index, source in enumerate(node.sources):
            team = team_ids[source.seed - 1] if source.seed else None
            slots.append(
                Slot(
                    stage=stage,
                    node=node.key,
                    round_number=node.round,
                    index=index,
                    source=source.kind,
                    source_seed=source.seed,
                    source_node=source.node or "",
                    team_id=team,
                    is_settled=source.kind in (SourceKind.SEED, SourceKind.BYE),
                )
            )
    Slot.objects.bulk_create(slots)


def paired_nodes(stage: Stage, number: int) -> list[PairedNode]:
    """The nodes of the bracket round, better seed first, after whoever left has made room.

    Nobody is promoted: for each place left empty the best remaining seed gets the bye and its opponent moves
    (Magic Tournament Rules 2.10, Riftbound Tournament Rules 414.6).
    """
    seeds = dict(StageEntry.objects.filter(stage=stage).values_list("team_id", "seed"))
    slots = list(stage.slots.filter(round_number=number).order_by("node", "index"))
    playing = set(
        Team.objects.filter(
            pk__in=[s.team_id for s in slots if s.team_id], state=TeamState.PLAYING
        ).values_list("pk", flat=True)
    )
    vacant = [slot for slot in slots if slot.team_id and slot.team_id not in playing]
    by_node: dict[str, list[Slot]] = defaultdict(list)
    for slot in slots:
        by_node[slot.node].append(slot)
    _place_the_gone(stage, number, vacant)
    for slot in vacant:
        slot.team_id = None
    _make_room(vacant, by_node, seeds)
    Slot.objects.bulk_update(slots, ["team"])
    name = round_name(number, stage.planned_rounds)
    paired = []
    for key, pair in sorted(
        by_node.items(), key=lambda item: int(item[0].split("m")[-1]) if "m" in item[0] else 99
    ):
        teams = tuple(sorted((s.team_id for s in pair if s.team_id), key=lambda team: seeds[team] or 0))
        if teams:
            paired.append(PairedNode(key, teams, _why(name, [seeds[team] or 0 for team in teams])))
    return paired


def settle_slots(rnd: Round) -> None:
    """Whoever won or lost in the closed bracket round stands in the slots that wait for it; losers have a
    place."""
    winners, losers = _decided(rnd)
    for slot in rnd.stage.slots.filter(
        source__in=[Slot.Source.WINNER, Slot.Source.LOSER], round_number__gt=rnd.number
    ):
        if slot.source_node not in winners:
            continue
        side = winners if slot.source == Slot.Source.WINNER else losers
        slot.team_id = side[slot.source_node]
        slot.is_settled = True
        slot.save(update_fields=["team", "is_settled"])
    _place(rnd, winners, losers)


def unsettle_slots(rnd: Round) -> None:
    """The slots that waited for the reopened round are unknown again and its teams have no place."""
    keys = set(rnd.stage.slots.filter(round_number=rnd.number).values_list("node", flat=True))
    waiting = rnd.stage.slots.filter(source_node__in=keys)
    waiting.update(team=None, is_settled=False)
    teams = rnd.stage.slots.filter(round_number=rnd.number, team__isnull=False).values_list(
        "team_id", flat=True
    )
    StageEntry.objects.filter(stage=rnd.stage, team_id__in=list(teams)).update(place=None)


def bracket_rounds(entrants: int) -> int:
    """How many rounds a bracket of so many teams takes."""
    return rounds_of(entrants)


def _place_the_gone(stage: Stage, number: int, vacant: list[Slot]) -> None:
    """Who left before the round was paired shares the place of those who lose in it."""
    gone = [slot.team_id for slot in vacant if slot.team_id]
    place = 2 ** (stage.planned_rounds - number) + 1
    StageEntry.objects.filter(stage=stage, team_id__in=gone).update(place=place)


def _make_room(vacant: list[Slot], by_node: dict[str, list[Slot]], seeds: dict[int, int | None]) -> None:
    for hole in sorted(vacant, key=lambda slot: slot.pk):
        with_opponent = [pair for pair in by_node.values() if all(slot.team_id for slot in pair)]
        alone = [
            slot.team_id
            for pair in by_node.values()
            for slot in pair
            if sum(bool(s.team_id) for s in pair) == 1
        ]
        lone = next((slot for slot in by_node[hole.node] if slot.team_id), None)
        if lone is None or not with_opponent:
            continue
        candidates = [slot.team_id for pair in with_opponent for slot in pair] + [lone.team_id]
        best = min((team for team in candidates if team), key=lambda team: seeds[team] or 0)
        if best == lone.team_id or best in [team for team in alone if team != lone.team_id]:
            continue
        moved = next(
            slot
            for pair in with_opponent
            if best in (s.team_id for s in pair)
            for slot in pair
            if slot.team_id != best
        )
        hole.team_id, moved.team_id = moved.team_id, None


def _decided(rnd: Round) -> tuple[dict[str, int | None], dict[str, int | None]]:
    keys = set(rnd.stage.slots.filter(round_number=rnd.number).values_list("node", flat=True))
    winners: dict[str, int | None] = dict.fromkeys(keys)
    losers: dict[str, int | None] = dict.fromkeys(keys)
    nodes_of = dict(
        rnd.stage.slots.filter(round_number=rnd.number, match__isnull=False).values_list("match_id", "node")
    )
    lines = Line.objects.filter(
        result__match_id__in=list(nodes_of),
        result__is_current=True,
        result__board_label="",
        result__match__state=MatchState.CONFIRMED,
    ).values_list("result__match_id", "side__team_id", "outcome")
    # In no order: the own one joins up to the tournament, and a planner without statistics goes astray.
    lines = lines.order_by()
    for match, team, outcome in lines:
        (winners if outcome == Outcome.WIN else losers)[nodes_of[match]] = team
    return winners, losers


def _place(rnd: Round, winners: dict[str, int | None], losers: dict[str, int | None]) -> None:
    """Who lost in this round shares the best place of those who did; the last winner is first.

    A double loss leaves both without a way on, so both share that place.
    """
    in_round = set(
        rnd.stage.slots.filter(round_number=rnd.number, team__isnull=False).values_list("team_id", flat=True)
    )
    going_on = {team for team in winners.values() if team}
    beaten = in_round - going_on
    left = rnd.stage.planned_rounds - rnd.number
    place = 2**left + 1
    entries = StageEntry.objects.filter(stage=rnd.stage)
    # After a correction a team that was beaten here goes on after all.
    entries.filter(team_id__in=going_on, place=place).update(place=None)
    entries.filter(team_id__in=beaten).update(place=place)
    if left == 0:
        StageEntry.objects.filter(stage=rnd.stage, team_id__in=going_on).update(place=1)
        if not going_on:
            StageEntry.objects.filter(stage=rnd.stage, team_id__in=beaten).update(place=1)


def _why(name: str, seeds: list[int]) -> str:
    if len(seeds) == 1:
        return f"{name}: seed {seeds[0]} has no opponent left and passes."
    return f"{name}: seed {seeds[0]} meets seed {seeds[1]}."
