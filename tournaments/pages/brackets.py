"""The bracket as it is drawn: what is public, never what a draft knows."""

from collections import defaultdict
from dataclasses import dataclass

from matches.models import Line
from rulebook.lifecycle import MatchState, RoundState
from rulebook.pairing.elimination import round_name
from rulebook.scoring import Outcome
from teams.selectors import TeamCard, team_cards
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
    """One round of the bracket."""

    name: str
    nodes: tuple[Drawn, ...]


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
    rounds = sorted({slot.round_number for slot in slots})
    return tuple(
        Column(round_name(number, stage.planned_rounds), drawing.nodes_of(number)) for number in rounds
    )


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
        self.slots = slots
        self.seeds = {entry.team_id: entry.seed for entry in entries}
        self.by_seed = {entry.seed: entry.team_id for entry in entries}
        own = [rnd for rnd in scene.rounds if rnd.stage_id == stage.pk]
        self.shown = {rnd.number for rnd in own if rnd.state in SHOWN}
        self.closed = {rnd.number for rnd in own if rnd.state == RoundState.CLOSED}
        self.lines = self._lines({slot.match_id for slot in slots if slot.match_id})
        self.numbers: dict[str, tuple[int, int]] = {}
        self.won: dict[str, int | None] = {}

    def nodes_of(self, number: int) -> tuple[Drawn, ...]:
        by_node: dict[str, list[Slot]] = defaultdict(list)
        for slot in self.slots:
            if slot.round_number == number:
                by_node[slot.node].append(slot)
        return tuple(self._node(number, key, pair) for key, pair in by_node.items())

    def _node(self, number: int, key: str, pair: list[Slot]) -> Drawn:
        teams = [self._team(number, slot) for slot in pair]
        known = [team for team in teams if team]
        is_shown = number in self.shown
        match = next((slot.match for slot in pair if slot.match_id), None) if is_shown else None
        lines = {team: self.lines.get((match.pk, team)) if match and team else None for team in known}
        winner = next((team for team in known if (line := lines[team]) and line[0] == Outcome.WIN), None)
        if winner is None and len(known) == 1 and self._stays_alone(number, pair):
            winner = known[0]
        self.won[key] = winner if number in self.closed or (len(known) == 1 and winner) else None
        decided = any(lines.values())
        places = tuple(
            self._place(slot, team, lines.get(team) if team else None, winner, decided)
            for slot, team in zip(pair, teams, strict=True)
        )
        return Drawn(key, self._label(key), match.table if match else None, places)

    def _label(self, key: str) -> str:
        """Semifinal 1, or Round of 16, match 3; the final needs no number."""
        number, _, place = key.removeprefix("r").partition("m")
        if not place:
            return "Third place"
        name = round_name(int(number), self.planned)
        if name == "Final":
            return name
        return f"{name[:-1]} {place}" if name.endswith("s") else f"{name}, match {place}"

    def _team(self, number: int, slot: Slot) -> int | None:
        if number in self.shown:
            return slot.team_id
        if slot.source == Slot.Source.SEED:
            return self.by_seed.get(slot.source_seed)
        return self.won.get(slot.source_node) if slot.source == Slot.Source.WINNER else None

    def _stays_alone(self, number: int, pair: list[Slot]) -> bool:
        return any(slot.source == Slot.Source.BYE for slot in pair) or number in self.closed

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
        if slot.source_node and slot.round_number - 1 not in self.closed:
            return f"Winner of {self._label(slot.source_node)}"
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
