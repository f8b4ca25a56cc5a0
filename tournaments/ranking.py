"""The ranking with names and records, and its comparison with a published one."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from matches.models import Line
from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, TournamentState
from rulebook.policies import StandingsPolicy
from rulebook.scoring import Outcome
from rulebook.standings import Standing
from teams.models import Team
from teams.names import clean_name
from teams.selectors import TeamCard, team_cards
from tournaments.eventfile import Event
from tournaments.models import Stage, Tournament
from tournaments.standings import final_ranking, last_closed, standings_of, swiss_stage

RECORD = {"wins": Outcome.WIN, "losses": Outcome.LOSS, "draws": Outcome.DRAW}
SWISS = {f"{cell}_swiss": outcome for cell, outcome in RECORD.items()}
PLAYOFF = {f"{cell}_playoff": outcome for cell, outcome in RECORD.items()}
CELLS = ("rank", "points", "omw", "gw", "ogw", *RECORD, *SWISS, *PLAYOFF, "byes")
# A bye has three points everywhere, but these systems do not print it as a won match.
BYE_IS_NO_WIN = frozenset({"topdeck", "topdeck-pods"})
MOST_DIGITS = 12  # a double keeps no more of a sum of shares


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row: `rank` and `last` are the first and last position of those who are equal in everything but the
    lot; `standing` is of the Swiss rounds, `playoff` of the elimination, `record` counts both."""

    position: int
    rank: int
    last: int
    team: TeamCard
    standing: Standing
    playoff: Mapping[Outcome, int]

    @property
    def record(self) -> Mapping[Outcome, int]:
        return {
            outcome: count + self.playoff[outcome] for outcome, count in _swiss_record(self.standing).items()
        }


def ranking_of(
    tournament: Tournament, *, after_round: int | None = None, policy: StandingsPolicy | None = None
) -> tuple[Ranked, ...]:
    """Everybody ranked after the round, by default after the last closed one.

    Without a round, a finished tournament has the places of its elimination first."""
    stage = swiss_stage(tournament)
    if stage is None:
        raise RuleBroken("not-started", f"{tournament.name} has not started, so there are no standings yet.")
    stage.tournament = tournament
    closed = last_closed(stage)
    if after_round is not None and not 0 <= after_round <= closed:
        raise RuleBroken(
            "round-not-closed",
            f"No standings after round {after_round}: {tournament.name} has {closed} closed rounds.",
        )
    table = standings_of(stage, after_round=after_round, policy=policy)
    with_bracket = after_round is None and tournament.state == TournamentState.FINISHED
    order = _with_bracket(tournament, table) if with_bracket else [(row.rank, row) for row in table]
    labels = modes.mode_of(tournament.mode).labels
    cards = team_cards(list(Team.objects.filter(tournament=tournament)), labels)
    records = _bracket_records(tournament) if with_bracket else {}
    last = {rank: position for position, (rank, _) in enumerate(order, 1)}
    return tuple(
        Ranked(position, rank, last[rank], cards[row.entrant], row, records.get(row.entrant, Counter()))
        for position, (rank, row) in enumerate(order, 1)
    )


def differences(event: Event, ranking: Iterable[Ranked], cells: Collection[str] = CELLS) -> list[str]:
    """Each cell that is not as the event's system published it, in a line; what the file leaves out is not
    compared, figures are as many digits long as they were printed."""
    ours = {member.name: row for row in ranking for member in row.team.members}
    found = []
    for published in event.published:
        mine = ours.get(clean_name(published["player"]))
        if mine is None:
            found.append(f"{published['player']}: not in the standings")
            continue
        for cell in (cell for cell in CELLS if cell in cells and published.get(cell) is not None):
            value, printed = _value(mine, cell, event.system), Fraction(published[cell])
            is_equal = (
                mine.rank <= printed <= mine.last
                if cell == "rank"
                else value is not None and abs(value - printed) <= _precision(event, cell)
            )
            if not is_equal:
                found.append(f"{published['player']} {cell}: {_shown(value)}, published {published[cell]}")
    return found


def _with_bracket(tournament: Tournament, table: tuple[Standing, ...]) -> list[tuple[int, Standing]]:
    """By final place; those who left the bracket in one round stand by seed, so they are no equals here."""
    rows = {row.entrant: row for row in table}
    entries = Team.objects.filter(
        tournament=tournament, entries__stage__method__in=Stage.BRACKETS, entries__place__isnull=False
    )
    in_bracket = set(entries.values_list("pk", flat=True))
    return [
        (place.position if place.team_id in in_bracket else place.place, rows[place.team_id])
        for place in final_ranking(tournament, table)
    ]


def _bracket_records(tournament: Tournament) -> dict[int, Counter[Outcome]]:
    lines = Line.objects.filter(
        result__is_current=True,
        result__board_label="",
        result__match__state=MatchState.CONFIRMED,
        result__match__kind=MatchKind.TABLE,
        result__match__round__stage__tournament=tournament,
        result__match__round__stage__method__in=Stage.BRACKETS,
        result__match__round__stage__number__gt=1,
    )
    records: dict[int, Counter[Outcome]] = {}
    for team, outcome in lines.values_list("side__team_id", "outcome"):
        records.setdefault(team, Counter())[Outcome(outcome)] += 1
    return records


def _swiss_record(row: Standing) -> Mapping[Outcome, int]:
    return {Outcome.WIN: row.wins, Outcome.LOSS: row.losses, Outcome.DRAW: row.draws}


def _value(row: Ranked, cell: str, system: str) -> Fraction | None:
    if cell == "rank":
        return Fraction(row.position)
    if cell == "points":
        return row.standing.points
    if cell == "byes":
        return Fraction(row.standing.byes)
    if cell in PLAYOFF:
        return Fraction(row.playoff[PLAYOFF[cell]])
    counted = {**RECORD, **SWISS}.get(cell)
    if counted is not None:
        uncounted = row.standing.byes if counted is Outcome.WIN and system in BYE_IS_NO_WIN else 0
        record = row.record if cell in RECORD else _swiss_record(row.standing)
        return Fraction(record[counted] - uncounted)
    return dict(row.standing.figures).get(cell)


def _precision(event: Event, cell: str) -> Fraction:
    """One in the last digit that the system printed in this column; whole numbers are exact."""
    printed: list[Any] = [row.get(cell) for row in event.published]
    digits = [-int(value.as_tuple().exponent) for value in printed if isinstance(value, Decimal)]
    most = min(max(digits, default=0), MOST_DIGITS)
    return Fraction(1, 10**most) if most and cell in ("omw", "gw", "ogw") else Fraction(0)


def _shown(value: Fraction | None) -> str:
    if value is None:
        return "not computed by this policy"
    return str(value) if value.denominator == 1 else f"{float(value):.9g}"
