"""Pairings, results and standings as tables for a spreadsheet."""

from collections.abc import Sequence

from teams.selectors import TeamCard
from tournaments.exporting import csv_of
from tournaments.models import Round
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.ranking import ranking_of
from tournaments.pages.scenes import Scene, name_of
from tournaments.pages.tags import figure, points

PAIRINGS = ("round", "table", "side 1", "players 1", "side 2", "players 2", "more sides")
RESULTS = ("round", "table", "side", "team", "players", "games won", "drawn games", "outcome", "kind")


def pairings_csv(scene: Scene, rounds: Sequence[Round], for_staff: bool) -> str:
    """Each table of each round with its sides."""
    rows: list[list[object]] = []
    for rnd in rounds:
        for row in sheet_of(rnd, scene.labels).rows:
            sides = [part for side in row.sides for part in (side.card.shown_name, _names(side.card))]
            place = row.table if row.table and not row.is_alone else ("bye" if row.is_bye else "loss")
            more = " / ".join(sides[4::2])
            rows.append([name_of(rnd), place, *(sides[:4] + [""] * 4)[:4], more])
    return csv_of(PAIRINGS, rows)


def results_csv(scene: Scene, rounds: Sequence[Round], for_staff: bool) -> str:
    """Each side of each confirmed match; what a ruling was is told to staff alone."""
    rows = [
        [
            name_of(rnd), row.table or "", side.number, side.card.shown_name, _names(side.card), side.wins,
            row.draws, side.outcome, row.result_kind if for_staff else "",
        ]
        for rnd in rounds
        for row in sheet_of(rnd, scene.labels).rows
        for side in row.sides
        if side.wins is not None
    ]  # fmt: skip
    return csv_of(RESULTS, rows)


def standings_csv(scene: Scene, rounds: Sequence[Round], for_staff: bool) -> str:
    """The ranking as it is shown; empty before there is one."""
    ranking = ranking_of(scene, for_staff=for_staff)
    columns = [column.label for column in ranking.columns] if ranking else []
    rows = [
        [
            row.place, row.card.shown_name, _names(row.card), points(row.points), row.record,
            *(figure(key, value) for key, _, value in row.figures),
        ]
        for row in (ranking.rows if ranking else ())
    ]  # fmt: skip
    return csv_of(("rank", "team", "players", "points", "record", *columns), rows)


def _names(card: TeamCard) -> str:
    return " & ".join(member.name for member in card.members)
