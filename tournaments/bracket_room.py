"""A place of a single elimination left empty before its round is paired."""

from collections.abc import Mapping, Sequence

from tournaments.models import Slot


def make_room(vacant: Sequence[Slot], by_node: Mapping[str, list[Slot]], seeds: Mapping[int, int]) -> None:
    """For each empty slot the best remaining seed gets the bye and its opponent moves."""
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
        best = min((team for team in candidates if team), key=lambda team: seeds[team])
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
