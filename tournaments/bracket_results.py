"""What a closed bracket round decides: who stands in the slots that waited for it, and who has a place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from matches.models import Line
from rulebook.lifecycle import MatchState, TeamState
from rulebook.pairing.bracket_tables import Spot
from rulebook.pairing.elimination import SourceKind
from rulebook.pairing.playoff_pods import POD, seats_of
from rulebook.scoring import Outcome
from teams.models import Team
from tournaments.bracket import is_last_wave, seeds_of, table_of
from tournaments.models import Round, Slot, Stage, StageEntry


@dataclass(frozen=True, slots=True)
class Decided:
    """One node of the round: who was in it, who won, and of two sides who lost."""

    spot: Spot
    teams: tuple[int, ...]
    winner: int | None
    loser: int | None


def settle_slots(rnd: Round) -> None:
    """Whoever won or lost in the closed bracket round stands in the slots that wait for it; those who play no
    more have a place. The reset of a grand final is planned when the undefeated side lost it."""
    decided = _decided(rnd)
    if rnd.stage.method == Stage.Method.PODS:
        _seat_winners(rnd, decided.values())
    else:
        _fill(rnd, decided)
    again = _plan_reset(rnd, decided)
    _give_places(rnd, decided.values(), again)


def unsettle_slots(rnd: Round) -> None:
    """The slots that waited for the reopened round are unknown again and its teams have no place."""
    own = rnd.stage.slots.filter(round_number=rnd.number)
    waiting = rnd.stage.slots.filter(source_node__in=set(own.values_list("node", flat=True)))
    if rnd.stage.method == Stage.Method.PODS:
        waiting = rnd.stage.slots.filter(round_number=rnd.number + 1)
    waiting.update(team=None, is_settled=False)
    teams = own.filter(team__isnull=False).values_list("team_id", flat=True)
    StageEntry.objects.filter(stage=rnd.stage, team_id__in=list(teams)).update(place=None)
    _plan(rnd.stage, table_of(rnd.stage).planned)


def _decided(rnd: Round) -> dict[str, Decided]:
    slots = list(rnd.stage.slots.filter(round_number=rnd.number).order_by("node", "index"))
    node_of = {slot.match_id: slot.node for slot in slots if slot.match_id}
    outcomes: dict[str, dict[int, str]] = {slot.node: {} for slot in slots}
    lines = Line.objects.filter(
        result__match_id__in=list(node_of),
        result__is_current=True,
        result__board_label="",
        result__match__state=MatchState.CONFIRMED,
    ).values_list("result__match_id", "side__team_id", "outcome")
    # In no order: the own one joins up to the tournament, and a planner without statistics goes astray.
    for match, team, outcome in lines.order_by():
        outcomes[node_of[match]][team] = outcome
    spots = {spot.key: spot for spot in table_of(rnd.stage).spots}
    found = {}
    for key, by_team in outcomes.items():
        winner = next((team for team, outcome in by_team.items() if outcome == Outcome.WIN), None)
        others = [team for team in by_team if team != winner]
        loser = others[0] if winner and len(others) == 1 else None
        teams = tuple(slot.team_id for slot in slots if slot.node == key and slot.team_id)
        found[key] = Decided(spots[key], teams, winner, loser)
    return found


def _fill(rnd: Round, decided: Mapping[str, Decided]) -> None:
    waiting = list(rnd.stage.slots.filter(source_node__in=list(decided)))
    for slot in waiting:
        node = decided[slot.source_node]
        slot.team_id = node.winner if slot.source == Slot.Source.WINNER else node.loser
        slot.is_settled = True
    Slot.objects.bulk_update(waiting, ["team", "is_settled"])


def _seat_winners(rnd: Round, decided: Iterable[Decided]) -> None:
    """The winners stand in the next pods by the order of their seeds."""
    slots = list(rnd.stage.slots.filter(round_number=rnd.number + 1, source=SourceKind.WINNER))
    if not slots:
        return
    seeds = seeds_of(rnd.stage)
    teams = {seed: team for team, seed in seeds.items()}
    advancing = [seeds[node.winner] for node in decided if node.winner]
    pods = seats_of(advancing, len(slots) // POD)
    for slot in slots:
        seed = pods[int(slot.node.partition("m")[2]) - 1][slot.index]
        slot.team_id = teams[seed] if seed else None
        slot.is_settled = True
    Slot.objects.bulk_update(slots, ["team", "is_settled"])


def _plan_reset(rnd: Round, decided: Mapping[str, Decided]) -> bool:
    """The final is played again when the undefeated side lost it and both still play."""
    table = table_of(rnd.stage)
    final = decided.get("final")
    if not table.has_reset or final is None:
        return False
    is_needed = (
        final.loser is not None
        and final.loser == final.teams[0]
        and Team.objects.filter(pk=final.loser, state=TeamState.PLAYING).exists()
    )
    _plan(rnd.stage, table.planned + is_needed)
    return is_needed


def _plan(stage: Stage, rounds: int) -> None:
    stage.planned_rounds = rounds
    Stage.objects.filter(pk=stage.pk).update(planned_rounds=rounds)


def _give_places(rnd: Round, decided: Iterable[Decided], again: bool) -> None:
    """Who goes out here shares the best place of those who do; where nothing follows the winner has his own.

    A double loss leaves nobody a way on, so all share that place; in the last match of all, the first.
    """
    placed: dict[int, int | None] = {}
    is_last = is_last_wave(rnd.stage, rnd.number)
    for node in decided:
        is_over = node.spot.top is not None and not again
        out = node.spot.top if is_over and node.winner is None else node.spot.out
        for team in node.teams:
            if team == node.winner:
                placed[team] = node.spot.top if is_over else None
            else:
                goes_on = team == node.loser and node.spot.goes_on and (again or not is_over)
                placed[team] = None if goes_on else out
    for place in set(placed.values()):
        teams = [team for team, own in placed.items() if own == place]
        # Who goes on may have a place by now that a later round has given him.
        if place is not None or is_last:
            StageEntry.objects.filter(stage=rnd.stage, team_id__in=teams).update(place=place)
