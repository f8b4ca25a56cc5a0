"""The elimination: a declarative table of slots, filled as rounds close."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from rulebook import modes
from rulebook.lifecycle import RoundState, TeamState
from rulebook.pairing.bracket_tables import PODS, BracketKind, BracketTable, Spot, bracket_table
from rulebook.pairing.elimination import SourceKind
from teams.models import Team
from tournaments.bracket_room import make_room
from tournaments.models import Slot, Stage, StageEntry


@dataclass(frozen=True, slots=True)
class PairedNode:
    """A node whose slots are known: its teams meet, one alone passes, nobody leaves it empty."""

    key: str
    teams: tuple[int, ...]
    why: str


METHODS = {BracketKind.DOUBLE: Stage.Method.DOUBLE, BracketKind.PODS: Stage.Method.PODS}


def method_of(kind: BracketKind | str) -> Stage.Method:
    """The method of a stage that is played as that kind of bracket."""
    return METHODS.get(BracketKind(kind), Stage.Method.ELIMINATION)


def table_of(stage: Stage) -> BracketTable:
    """The table that the stage's slots were made from."""
    return bracket_table(stage.settings.get("kind", BracketKind.SINGLE), stage.settings["size"])


def wave_name(stage: Stage, number: int) -> str:
    """What the bracket's round is called: Semifinals, Winners round 2 and losers round 1, Final pod."""
    return table_of(stage).waves[number - 1]


def build_bracket(stage: Stage, team_ids: Sequence[int]) -> None:
    """The stage has entries seeded 1, 2, ... in the order given and the empty bracket for them."""
    Slot.objects.filter(stage=stage).delete()
    StageEntry.objects.filter(stage=stage).delete()
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, team_id=team, seed=seed) for seed, team in enumerate(team_ids, 1)
    )
    Slot.objects.bulk_create(
        Slot(
            stage=stage,
            node=spot.key,
            round_number=spot.wave,
            index=index,
            source=source.kind,
            source_seed=source.seed,
            source_node=source.node or "",
            team_id=team_ids[source.seed - 1] if source.seed else None,
            is_settled=source.kind in (SourceKind.SEED, SourceKind.BYE),
        )
        for spot in table_of(stage).spots
        for index, source in enumerate(spot.sources)
    )


def paired_nodes(stage: Stage, number: int) -> list[PairedNode]:
    """The nodes of the bracket round, in the order of the table, after whoever left has made room.

    Nobody is promoted. In single elimination the best remaining seed gets the bye for each place left empty
    and its opponent moves (Magic Tournament Rules 2.10, Riftbound Tournament Rules 414.6); in double
    elimination the opponent passes; a pod is played by those who are left.
    """
    seeds = seeds_of(stage)
    slots = list(stage.slots.filter(round_number=number).order_by("node", "index"))
    vacant = _vacant(slots)
    by_node: dict[str, list[Slot]] = defaultdict(list)
    for slot in slots:
        by_node[slot.node].append(slot)
    table = table_of(stage)
    spots = {spot.key: spot for spot in table.spots}
    for slot in vacant:
        _place(stage, [slot.team_id], spots[slot.node].out)
    stays = _too_few(stage, by_node, vacant)
    for slot in vacant:
        if slot.node not in stays:
            slot.team_id = None
    if stage.method == Stage.Method.ELIMINATION:
        main = {key: pair for key, pair in by_node.items() if spots[key].bracket == "main"}
        make_room([slot for slot in vacant if slot.node in main], main, seeds)
    Slot.objects.bulk_update(slots, ["team"])
    name = table.waves[number - 1]
    return [
        PairedNode(spot.key, teams, _why(name, spot, [seeds[team] for team in teams]))
        for spot in table.spots
        if (teams := _in_order(spot, by_node.get(spot.key, ()), seeds))
    ]


def seeds_of(stage: Stage) -> dict[int, int]:
    """Team to seed, frozen when the bracket was made."""
    entries = StageEntry.objects.filter(stage=stage, seed__isnull=False)
    return {team: seed or 0 for team, seed in entries.values_list("team_id", "seed")}


def is_last_wave(stage: Stage, number: int) -> bool:
    """No round of the bracket after this one is paired."""
    later = stage.rounds.filter(number__gt=number).exclude(state=RoundState.SCRAPPED)
    return not later.exists()


def _vacant(slots: Sequence[Slot]) -> list[Slot]:
    """The slots whose team has left the tournament."""
    here = [slot.team_id for slot in slots if slot.team_id]
    playing = set(Team.objects.filter(pk__in=here, state=TeamState.PLAYING).values_list("pk", flat=True))
    return [slot for slot in slots if slot.team_id and slot.team_id not in playing]


def _too_few(stage: Stage, by_node: dict[str, list[Slot]], vacant: Sequence[Slot]) -> set[str]:
    """The pods that would be smaller than the mode is played by: whoever left keeps his empty chair there."""
    if stage.method != Stage.Method.PODS:
        return set()
    fewest = modes.mode_of(stage.tournament.mode).fewest_sides
    gone = {slot.pk for slot in vacant}
    left = {key: sum(bool(s.team_id) and s.pk not in gone for s in pod) for key, pod in by_node.items()}
    return {key for key, count in left.items() if 1 < count < fewest}


def _in_order(spot: Spot, slots: Sequence[Slot], seeds: dict[int, int]) -> tuple[int, ...]:
    """The better seed is the first side, except in the grand final, where the undefeated one is."""
    teams = [slot.team_id for slot in slots if slot.team_id]
    if spot.bracket == "final":
        return tuple(teams)
    return tuple(sorted(teams, key=lambda team: seeds[team]))


def _place(stage: Stage, teams: Sequence[int | None], place: int | None) -> None:
    StageEntry.objects.filter(stage=stage, team_id__in=[team for team in teams if team]).update(place=place)


def _why(name: str, spot: Spot, seeds: Sequence[int]) -> str:
    if len(seeds) > 2:
        listed = f"{', '.join(map(str, seeds[:-1]))} and {seeds[-1]}"
        return f"{name}: seeds {listed} share a pod, seated by seed."
    if len(seeds) == 2:
        return f"{name}: seed {seeds[0]} meets seed {seeds[1]}."
    if spot.bracket == PODS and len(spot.sources) == 1:
        return f"{name}: seed {seeds[0]} waits for the next round."
    return f"{name}: seed {seeds[0]} has no opponent left and passes."
