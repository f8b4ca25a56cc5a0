"""The bracket as it is drawn: what is public, never what a draft knows."""

from collections import defaultdict
from dataclasses import dataclass

from matches.models import Line
from rulebook.lifecycle import MatchState, RoundState
from rulebook.pairing.bracket_tables import PODS, Spot
from rulebook.pairing.playoff_pods import POD, seats_of
from rulebook.scoring import Outcome
from teams.selectors import TeamCard, team_cards
from tournaments.bracket import table_of
from tournaments.models import Slot, Stage, StageEntry
from tournaments.pages.scenes import SHOWN, Scene


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a node: a team, nobody, or where the team will come from."""

    card: TeamCard | None
    seed: int | None
    words: str = ""
    wins: int | None = None
    has_won: bool = False
    has_lost: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """One node of the drawing."""

    key: str
    label: str
    table: int | None
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One round of the bracket, or of a part of it that has a heading of its own."""

    name: str
    nodes: tuple[Drawn, ...]
    part: str = ""


PARTS = {"winners": "Winners", "losers": "Losers", "final": "Grand final"}


def bracket_of(scene: Scene, stage: Stage) -> tuple[Column, ...]:
    """The columns of the bracket, first round first; five queries."""
    slots = list(
        Slot.objects.filter(stage=stage)
        .select_related("match")
        .defer("match__terms")
        .order_by("round_number", "id")
    )
    entries = list(StageEntry.objects.filter(stage=stage).select_related("team").order_by())
    cards = team_cards([entry.team for entry in entries], scene.labels)
    drawing = _Drawing(scene, stage, slots, entries, cards)
    return drawing.columns()


class _Drawing:
    """Walks the slots from the first round on; winners go on when their round is closed."""

    def __init__(
        self,
        scene: Scene,
        stage: Stage,
        slots: list[Slot],
        entries: list[StageEntry],
        cards: dict[int, TeamCard],
    ) -> None:
        self.cards = cards
        self.planned = stage.planned_rounds
        self.table = table_of(stage)
        self.spots = {spot.key: spot for spot in self.table.spots}
        self.pairs: dict[str, list[Slot]] = defaultdict(list)
        for slot in slots:
            self.pairs[slot.node].append(slot)
        self.seeds = {entry.team_id: entry.seed for entry in entries}
        self.by_seed = {entry.seed: entry.team_id for entry in entries}
        own = [rnd for rnd in scene.rounds if rnd.stage_id == stage.pk]
        self.shown = {rnd.number for rnd in own if rnd.state in SHOWN}
        self.closed = {rnd.number for rnd in own if rnd.state == RoundState.CLOSED}
        self.lines = self._lines({slot.match_id for slot in slots if slot.match_id})
        self.won: dict[str, int | None] = {}
        self.lost: dict[str, int | None] = {}

    def columns(self) -> tuple[Column, ...]:
        """Part by part, each from its first round on; the reset of a final only when it is played."""
        spots = sorted((s for s in self.spots.values() if s.wave <= self.planned), key=lambda s: s.wave)
        nodes = {spot.key: self._node(spot, self.pairs[spot.key]) for spot in spots}
        groups: dict[tuple[str, str], list[Drawn]] = defaultdict(list)
        for part in ("", *PARTS.values()):
            for spot in (spot for spot in spots if PARTS.get(spot.bracket, "") == part):
                groups[part, self._round(spot)].append(nodes[spot.key])
        return tuple(Column(name, tuple(drawn), part) for (part, name), drawn in groups.items())

    def _round(self, spot: Spot) -> str:
        if spot.bracket in PARTS:
            return spot.label.partition(", match")[0]
        return self.table.waves[spot.wave - 1]

    def _node(self, spot: Spot, pair: list[Slot]) -> Drawn:
        number = spot.wave
        teams = self._teams(spot, pair)
        known = [team for team in teams if team]
        is_shown = number in self.shown
        match = next((slot.match for slot in pair if slot.match_id), None) if is_shown else None
        lines = {team: self.lines.get((match.pk, team)) if match and team else None for team in known}
        winner = next((team for team in known if (line := lines[team]) and line[0] == Outcome.WIN), None)
        if winner is None and len(known) == 1 and self._stays_alone(number, pair):
            winner = known[0]
        self.won[spot.key] = winner if number in self.closed or (len(known) == 1 and winner) else None
        beaten = [team for team in known if team != winner]
        self.lost[spot.key] = beaten[0] if number in self.closed and winner and len(beaten) == 1 else None
        decided = any(lines.values())
        places = tuple(
            self._place(slot, team, lines.get(team) if team else None, winner, decided)
            for slot, team in zip(pair, teams, strict=True)
        )
        return Drawn(spot.key, spot.label, match.table if match else None, places)

    def _teams(self, spot: Spot, pair: list[Slot]) -> list[int | None]:
        """Who is in the node as far as the public may know."""
        if spot.wave in self.shown:
            return [slot.team_id for slot in pair]
        if spot.bracket == PODS and spot.wave > 1:
            return self._next_pod(spot)
        return [self._team(slot) for slot in pair]

    def _team(self, slot: Slot) -> int | None:
        if slot.source == Slot.Source.SEED:
            return self.by_seed.get(slot.source_seed)
        came = self.won if slot.source == Slot.Source.WINNER else self.lost
        return came.get(slot.source_node)

    def _next_pod(self, spot: Spot) -> list[int | None]:
        """The winners of a closed round of pods, seated by seed."""
        if spot.wave - 1 not in self.closed:
            return [None] * POD
        before = [self.won.get(s.key) for s in self.spots.values() if s.wave == spot.wave - 1]
        pods = sum(s.wave == spot.wave for s in self.spots.values())
        seats = seats_of([self.seeds[team] or 0 for team in before if team], pods)
        return [self.by_seed.get(seed) for seed in seats[int(spot.key.partition("m")[2]) - 1]]

    def _stays_alone(self, number: int, pair: list[Slot]) -> bool:
        is_lone = len(pair) == 1 or any(slot.source == Slot.Source.BYE for slot in pair)
        return is_lone or number in self.closed

    def _place(
        self, slot: Slot, team: int | None, line: tuple[str, int] | None, winner: int | None, decided: bool
    ) -> Place:
        if team is None:
            return Place(None, None, self._words(slot))
        return Place(
            self.cards.get(team),
            self.seeds.get(team),
            wins=line[1] if line else None,
            has_won=decided and team == winner,
            has_lost=decided and team != winner,
        )

    def _words(self, slot: Slot) -> str:
        if slot.source == Slot.Source.BYE:
            return "Bye"
        if slot.source == Slot.Source.WINNER and not slot.source_node:
            return "Nobody" if slot.round_number - 1 in self.closed else "A winner, by seed"
        source = self.spots.get(slot.source_node)
        if source is not None and source.wave not in self.closed:
            return f"{slot.get_source_display()} of {source.label}"
        return "Nobody"

    @staticmethod
    def _lines(match_ids: set[int]) -> dict[tuple[int, int], tuple[str, int]]:
        rows = Line.objects.filter(
            result__match_id__in=match_ids,
            result__is_current=True,
            result__board_label="",
            result__match__state=MatchState.CONFIRMED,
        ).values_list("result__match_id", "side__team_id", "outcome", "wins")
        rows = rows.order_by()
        return {(match, team): (outcome, wins) for match, team, outcome, wins in rows}
