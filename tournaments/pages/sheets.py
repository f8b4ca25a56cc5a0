"""One round as it is shown: its tables with both sides, names and scores, in a constant number of queries."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from matches.boards import board_lines
from matches.models import Line, Match, Report, Side
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.scoring import Outcome, ResultKind
from teams.names import folded
from teams.selectors import TeamCard, team_cards
from tournaments.models import Round

KIND_WORDS = {
    ResultKind.CONCESSION: "concession",
    ResultKind.INTENTIONAL_DRAW: "intentional draw",
    ResultKind.NO_SHOW: "no-show",
    ResultKind.BOTH_ABSENT: "both absent",
    ResultKind.DOUBLE_LOSS: "double loss",
    ResultKind.MATCH_LOSS: "match loss",
}


@dataclass(frozen=True, slots=True)
class SideRow:
    """A team's part in one match; `wins` is None until a result is confirmed."""

    index: int
    card: TeamCard
    wins: int | None = None
    outcome: str = ""
    place: int | None = None
    out_order: int | None = None

    @property
    def number(self) -> int:
        return self.index + 1


@dataclass(frozen=True, slots=True)
class TableRow:
    """One match: a table with its sides, a bye or an assigned loss."""

    match_id: int
    table: int | None
    kind: str
    state: str
    sides: tuple[SideRow, ...]
    why: str = ""
    draws: int = 0
    result_kind: str = ""
    reported_by: tuple[str, ...] = ()
    reported: str = ""
    extension_s: int = 0

    @property
    def extra_minutes(self) -> int:
        """Extra time of this table, in whole minutes."""
        return self.extension_s // 60

    @property
    def is_bye(self) -> bool:
        return self.kind == MatchKind.BYE

    @property
    def is_alone(self) -> bool:
        return self.kind != MatchKind.TABLE

    @property
    def is_pod(self) -> bool:
        """Three sides or more."""
        return len(self.sides) > 2

    @property
    def is_in(self) -> bool:
        return not self.is_alone and all(side.wins is not None for side in self.sides)

    @property
    def winner(self) -> SideRow | None:
        return next((side for side in self.sides if side.outcome == Outcome.WIN), None)

    @property
    def score(self) -> str:
        """Games won by each side, then the drawn ones: 2–1 or 1–1–1; empty in a pod and before it is in."""
        if not self.is_in or self.is_pod:
            return ""
        return counts_text([side.wins or 0 for side in self.sides], self.draws)

    @property
    def verdict(self) -> str:
        """The result of a pod in words; empty before it is in."""
        if not self.is_in or not self.is_pod:
            return ""
        if self.winner:
            return f"{self.winner.card.shown_name} won"
        return "drawn" if any(side.outcome == Outcome.DRAW for side in self.sides) else "nobody won"

    @property
    def kind_word(self) -> str:
        return KIND_WORDS.get(ResultKind(self.result_kind), "") if self.result_kind else ""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One player of the list by name: where to go, and against whom."""

    name: str
    label: str
    side: int
    row: TableRow
    own: TeamCard
    opponents: tuple[TeamCard, ...]

    @property
    def rivals(self) -> str:
        """The names of the other teams at the table."""
        return ", ".join(card.shown_name for card in self.opponents)


@dataclass(frozen=True, slots=True)
class Sheet:
    """All of a round: tables in their order, byes and assigned losses last."""

    tables: tuple[TableRow, ...]
    alone: tuple[TableRow, ...]
    matches: Mapping[int, Match] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[TableRow, ...]:
        return self.tables + self.alone

    def with_state(self, *states: str) -> list[TableRow]:
        return [row for row in self.tables if row.state in states]

    @property
    def missing(self) -> list[TableRow]:
        return [row for row in self.tables if row.state != MatchState.CONFIRMED]


def counts_text(wins: Sequence[int], draws: int) -> str:
    """Counts as they are read aloud: 2–1, with drawn games 1–1–1."""
    return "–".join(map(str, (*wins, draws) if draws else wins))


def read_sheet(
    rnd: Round,
    labels: Sequence[str],
    *,
    with_reports: bool = False,
    only: Collection[int] | None = None,
    cards: Mapping[int, TeamCard] | None = None,
) -> Sheet:
    """The round's live matches as they are shown, or those of them with these ids; three queries, one more
    with the reports. `cards` are the teams where they are known. Pages ask `kept_sheets.sheet_of`."""
    sides = (
        Side.objects.filter(round=rnd, is_live=True)
        .exclude(match__state=MatchState.VOID)
        .select_related("match", "team")
        .order_by("match__table", "match_id", "index")
    )
    wanted = sides if only is None else sides.filter(match_id__in=list(only))
    return _sheet(list(wanted), labels, with_reports=with_reports, known=cards)


def row_of(match: Match, labels: Sequence[str]) -> TableRow:
    """One match as it is shown."""
    sides = list(Side.objects.filter(match=match).select_related("match", "team").order_by("index"))
    return _sheet(sides, labels, with_reports=True).rows[0]


def rows_of(match_ids: Sequence[int], labels: Sequence[str]) -> dict[int, TableRow]:
    """Several matches as they are shown, by id; the same few queries however many they are."""
    sides = Side.objects.filter(match_id__in=match_ids).select_related("match", "team")
    found = _sheet(
        list(sides.defer("match__terms").order_by("match_id", "index")), labels, with_reports=False
    )
    return {row.match_id: row for row in found.rows}


def board_scores(match: Match) -> list[tuple[str, str]]:
    """Each board of the match with its result, empty before it is in."""
    found = board_lines(match)
    return [
        (
            label,
            counts_text([line.wins for line in found[label]], found[label][0].draws)
            if label in found
            else "",
        )
        for label in match.frozen_terms.boards
    ]


def people_of(sheet: Sheet) -> list[PersonRow]:
    """Every player of the round once, by name."""
    people = [
        PersonRow(
            member.name,
            member.label,
            side.number,
            row,
            side.card,
            tuple(other.card for other in row.sides if other is not side),
        )
        for row in sheet.rows
        for side in row.sides
        for member in side.card.members
    ]
    return sorted(people, key=lambda person: (folded(person.name), person.own.number))


def matching(words: str, row: TableRow) -> bool:
    """The search words are in a team's or member's name, or are the table's number."""
    wanted = folded(words)
    if not wanted:
        return True
    if wanted.isdecimal():
        return str(row.table) == wanted
    return any(
        wanted in folded(name)
        for side in row.sides
        for name in (side.card.shown_name, *(member.name for member in side.card.members))
    )


def _sheet(
    sides: list[Side],
    labels: Sequence[str],
    *,
    with_reports: bool,
    known: Mapping[int, TeamCard] | None = None,
) -> Sheet:
    cards = known or {}
    if any(side.team_id not in cards for side in sides):
        cards = team_cards([side.team for side in sides], labels)
    ids = {side.match_id for side in sides}
    lines = _lines(ids)
    grouped: dict[int, list[Side]] = defaultdict(list)
    for side in sides:
        grouped[side.match_id].append(side)
    reports = _reports(grouped, cards) if with_reports else {}
    rows = []
    for match_id, own in grouped.items():
        match = own[0].match
        found = [lines[side.pk] for side in own if side.pk in lines]
        by, told = reports.get(match_id, ((), ""))
        rows.append(
            TableRow(
                match_id=match_id,
                table=match.table,
                kind=match.kind,
                state=match.state,
                sides=tuple(_side(side, cards[side.team_id], lines.get(side.pk)) for side in own),
                why=match.why,
                draws=found[0].draws if found else 0,
                result_kind=found[0].result.kind if found else "",
                reported_by=by,
                reported=told,
                extension_s=match.extension_s,
            )
        )
    tables = tuple(row for row in rows if not row.is_alone)
    return Sheet(
        tables, without_opponent(rows), {match_id: own[0].match for match_id, own in grouped.items()}
    )


def without_opponent(rows: Iterable[TableRow]) -> tuple[TableRow, ...]:
    """The byes, then the assigned losses."""
    return tuple(
        sorted((row for row in rows if row.is_alone), key=lambda row: (not row.is_bye, row.match_id))
    )


def _side(side: Side, card: TeamCard, line: Line | None) -> SideRow:
    if line is None:
        return SideRow(side.index, card)
    return SideRow(side.index, card, line.wins, line.outcome, line.place, line.out_order)


def _lines(match_ids: set[int]) -> dict[int, Line]:
    lines = Line.objects.filter(
        result__match_id__in=match_ids,
        result__is_current=True,
        result__board_label="",
        result__match__state=MatchState.CONFIRMED,
    ).select_related("result")
    return {line.side_id: line for line in lines.order_by()}


def _reports(
    sides: Mapping[int, list[Side]], cards: Mapping[int, TeamCard]
) -> dict[int, tuple[tuple[str, ...], str]]:
    """By match: who reported, and what the last report says in side order."""
    by: dict[int, list[str]] = defaultdict(list)
    told: dict[int, str] = {}
    rows = Report.objects.filter(match_id__in=list(sides), is_current=True).select_related("side")
    for report in rows.order_by("reported_at"):
        by[report.match_id].append(cards[report.side.team_id].shown_name)
        told[report.match_id] = _told(report, sides[report.match_id], cards)
    return {match: (tuple(names), told[match]) for match, names in by.items()}


def _told(report: Report, sides: Sequence[Side], cards: Mapping[int, TeamCard]) -> str:
    body = report.body
    wins = [int(body["wins"].get(str(side.team_id), 0)) for side in sides]
    if len(sides) > 2 and body["kind"] == ResultKind.PLAYED and max(wins) <= 1:
        won = [cards[side.team_id].shown_name for side, count in zip(sides, wins, strict=True) if count]
        return f"{won[0]} won" if won else "a draw"
    return KIND_WORDS.get(ResultKind(body["kind"])) or counts_text(wins, int(body["draws"]))
