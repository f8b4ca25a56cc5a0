"""manage.py standings SLUG: the ranking as a table, JSON or CSV, or compared with a published one."""

import csv
import json
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rulebook.errors import RuleBroken
from rulebook.policies import StandingsPolicy
from rulebook.scoring import Outcome
from rulebook.tiebreakers import tiebreaker_of
from tournaments.eventfile import read_event
from tournaments.models import Tournament
from tournaments.ranking import CELLS, Ranked, differences, ranking_of
from tournaments.rows import policy_for


class Command(BaseCommand):
    help = "Print the standings of a tournament, or compare them with those an event file holds."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--after-round", type=int, help="Swiss standings after this round")
        parser.add_argument("--format", choices=["table", "json", "csv"], default="table")
        parser.add_argument("--floor", help="floor of the percentages: 1/3, 0.33, 0.2, none")
        parser.add_argument("--check", type=Path, metavar="FILE", help="event file to compare with")
        parser.add_argument("--only", default=",".join(CELLS), help="cells to compare, default: %(default)s")

    def handle(self, *, slug: str, after_round: int | None, only: str, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            raise CommandError(f"There is no tournament {slug}.")
        try:
            policy = _policy(tournament, options["floor"])
            ranking = ranking_of(tournament, after_round=after_round, policy=policy)
            if options["check"]:
                self._check(ranking, options["check"], _cells(only))
                return
        except RuleBroken as refused:
            raise CommandError(refused.sentence) from refused
        write = {"table": self._table, "json": self._json, "csv": self._csv}[options["format"]]
        write(ranking, policy, tournament)

    def _check(self, ranking: Sequence[Ranked], file: Path, cells: Sequence[str]) -> None:
        try:
            event = read_event(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{file} cannot be read: it is not UTF-8 text.") from error
        if not event.published:
            raise CommandError(f"{file} holds no published standings.")
        found = differences(event, ranking, cells)
        for line in found:
            self.stdout.write(line)
        named = ", ".join(cells)
        if found:
            raise CommandError(f"{len(found)} cells differ from the published standings ({named}).")
        self.stdout.write(f"All {len(event.published)} published rows agree in {named}.")

    def _table(self, ranking: Sequence[Ranked], policy: StandingsPolicy, tournament: Tournament) -> None:
        figures = policy.tiebreakers
        rows = [["", "", "Points", "W-L-D", *(tiebreaker_of(key).label for key in figures)]]
        for row in ranking:
            record = [str(row.record[outcome]) for outcome in (Outcome.WIN, Outcome.LOSS, Outcome.DRAW)]
            shown = [_rounded(key, value) for key, value in row.standing.figures]
            rows.append(
                [f"{row.rank}.", row.team.shown_name, _number(row.standing.points), "-".join(record), *shown]
            )
        widths = [max(_width(line[column]) for line in rows) for column in range(len(rows[0]))]
        for line in rows:
            cells = [
                _padded(text, width, is_name=column == 1)
                for column, (text, width) in enumerate(zip(line, widths, strict=True))
            ]
            self.stdout.write("  ".join(cells).rstrip())

    def _json(self, ranking: Sequence[Ranked], policy: StandingsPolicy, tournament: Tournament) -> None:
        self.stdout.write(
            json.dumps(
                {
                    "tournament": tournament.slug,
                    "policy": policy.key,
                    "floor": None if policy.floor is None else str(policy.floor),
                    "rows": [_as_dict(row) for row in ranking],
                },
                ensure_ascii=False,
                indent=1,
            )
        )

    def _csv(self, ranking: Sequence[Ranked], policy: StandingsPolicy, tournament: Tournament) -> None:
        out = csv.writer(self.stdout, lineterminator="\n")
        words = ("position", "rank", "team", "points", "wins", "losses", "draws", "byes", "played")
        out.writerow([*words, "players", *policy.tiebreakers])
        for row in ranking:
            plain = _as_dict(row)
            figures = [float(value) for _, value in row.standing.figures]
            out.writerow([*(plain[word] for word in words), " / ".join(plain["players"]), *figures])


def _policy(tournament: Tournament, floor: str | None) -> StandingsPolicy:
    policy = policy_for(tournament)
    if floor is None:
        return policy
    if floor.lower() == "none":
        return policy.with_floor(None)
    try:
        return policy.with_floor(Fraction(floor))
    except (ValueError, ZeroDivisionError) as error:
        raise CommandError(
            f"A floor is written like 1/3, 0.33 or 0.2, or as none; {floor} is none of them."
        ) from error


def _cells(only: str) -> list[str]:
    cells = [cell.strip() for cell in only.split(",") if cell.strip()]
    unknown = [cell for cell in cells if cell not in CELLS]
    if unknown or not cells:
        raise CommandError(f"--only takes some of: {', '.join(CELLS)}.")
    return cells


def _as_dict(row: Ranked) -> dict[str, Any]:
    return {
        "position": row.position,
        "rank": row.rank,
        "team": row.team.shown_name,
        "players": [member.name for member in row.team.members],
        "state": row.team.state,
        "points": _number(row.standing.points),
        "wins": row.record[Outcome.WIN],
        "losses": row.record[Outcome.LOSS],
        "draws": row.record[Outcome.DRAW],
        "byes": row.standing.byes,
        "played": row.standing.played,
        "figures": {key: {"exact": str(value), "value": float(value)} for key, value in row.standing.figures},
    }


def _number(points: Fraction) -> str:
    """Whole points without a fraction, halves as 7.5, anything else exactly."""
    if points.denominator == 1:
        return str(points.numerator)
    return str(float(points)) if points.denominator in (2, 4, 5, 10) else str(points)


def _width(text: str) -> int:
    """Columns of a terminal: two for a wide sign, none for a mark upon another."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide - sum(unicodedata.combining(sign) > 0 for sign in text)


def _padded(text: str, width: int, *, is_name: bool) -> str:
    blanks = " " * (width - _width(text))
    return text + blanks if is_name else blanks + text


def _rounded(key: str, value: Fraction) -> str:
    return f"{float(100 * value):.2f}" if tiebreaker_of(key).is_share else f"{float(value):g}"
