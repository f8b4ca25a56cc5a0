"""Rows become the values the rulebook decides about."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, starmap
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Q, QuerySet

from matches.models import Line, Match, Side
from rulebook import policies
from rulebook.lifecycle import MatchKind, MatchState, RoundState, TeamState
from rulebook.pairing.pod_values import PodEntrant
from rulebook.pairing.values import Entrant
from rulebook.policies import StandingsPolicy
from rulebook.standings import Entered, Results, Standing, Status
from teams.models import Team
from tournaments.models import Stage, Tournament
from tournaments.robin import removed_teams

PLAYED_STATES = (TeamState.PLAYING, TeamState.DROPPED, TeamState.DISQUALIFIED)
MOST_ROUNDS = 10_000
_STATUS: dict[str, Status] = {TeamState.DROPPED: "dropped", TeamState.DISQUALIFIED: "disqualified"}


def policy_for(tournament: Tournament) -> StandingsPolicy:
    """The policy frozen at the start, or before it the one the tournament names."""
    if tournament.rules and "policy" in tournament.rules:
        return StandingsPolicy.from_dict(tournament.rules["policy"])
    return policies.policy_of(tournament.policy)


def entered_of(stage: Stage) -> list[Entered]:
    """Everybody who has played in the stage's tournament, with lot and standing in the field."""
    teams = Team.objects.filter(tournament_id=stage.tournament_id, state__in=PLAYED_STATES)
    return [
        Entered(pk, lot, _STATUS.get(state, "in"))
        for pk, lot, state in teams.order_by("number").values_list("pk", "lot", "state")
    ]


def contests_of(stage: Stage, *, after_round: int | None = None) -> Results:
    """The results that count: without those of a team removed from a round robin."""
    results = results_of(stage, after_round=after_round)
    removed = removed_teams(stage)
    if not removed:
        return results
    gone = {row[0] for row in results.rows if row[2] in removed}
    rows = [row for row in results.rows if row[0] not in gone]
    return Results(rows, results.wins_needed, results.numbers)


def results_of(stage: Stage, *, after_round: int | None = None) -> Results:
    """The confirmed results of the stage's closed rounds up to `after_round`, from one query over Lines.

    They are ordered here: they nearly are when they arrive, and the database sorts from nothing. No match is
    asked for its state: a round closes when each of its matches is confirmed or void, and the sides of a void
    one are not live."""
    closed = stage.rounds.filter(state=RoundState.CLOSED)
    if after_round is not None:
        closed = closed.filter(number__lte=after_round)
    numbers = dict(closed.values_list("pk", "number"))
    lines = Line.objects.filter(
        result__is_current=True,
        result__board_label="",
        side__round_id__in=numbers,
        side__is_live=True,
    ).order_by()
    rows = list(
        lines.values_list(
            "result__match_id",
            "side__index",
            "side__team_id",
            "outcome",
            "wins",
            "draws",
            "half_points",
            "place",
            "out_order",
            "result__kind",
            "side__round_id",
        )
    )
    rows.sort()
    rows.sort(key=lambda row: numbers[row[10]])
    return Results(rows, stage.tournament.best_of // 2 + 1, numbers)


class Active(NamedTuple):
    """A team that plays in the next round, and the restricted group it belongs to."""

    pk: int
    group: str


@dataclass(frozen=True, slots=True)
class Past:
    """What a team's earlier rounds mean for the next pairing."""

    met: tuple[int, ...] = ()
    byes: int = 0
    bye_last: bool = False
    lean: int = 0


def pasts_of(stage: Stage, *, before: int | None = None, known: Results | None = None) -> dict[int, Past]:
    """Whom each team met, its byes and on which side it sat; scrapped rounds count not.

    Whoever has read all results of the stage gives them as `known`: then only the sides that they do not
    show are read, and all of them where a confirmed match lacks its result."""
    counted = stage.rounds.filter(number__lt=before or MOST_ROUNDS).exclude(state=RoundState.SCRAPPED)
    numbers = dict(counted.values_list("pk", "number"))
    rows = None if known is None or before is not None else _not_shown(known, numbers)
    shown = () if known is None or rows is None else known.rows
    if rows is None:
        rows = _rows_of(Side.objects.filter(round_id__in=numbers, is_live=True))
    byes = Counter([row.team for row in rows if row.kind == MatchKind.BYE])
    newest = max([numbers[row.round] for row in rows], default=0)
    if known is not None and shown:
        newest = max(newest, known.numbers[shown[-1][10]])
    rested = {row.team for row in rows if row.kind == MatchKind.BYE and numbers[row.round] == newest}
    apart = {row.match for row in rows}
    seats = [(row.match, row.place, row.team) for row in rows if row.kind == MatchKind.TABLE]
    seats += [row[:3] for row in shown if row[0] not in apart]
    seats.sort()
    met = _meetings(seats)
    first = Counter([team for _, index, team in seats if index == 0])
    sat = Counter([team for _, _, team in seats])
    return {
        team: Past(tuple(met.get(team, ())), byes[team], team in rested, 2 * first[team] - sat[team])
        for team in {*sat, *byes}
    }


def _meetings(seats: Iterable[tuple[int, int, int]]) -> dict[int, list[int]]:
    """Whom each team met, from (match, index, team) in order of the matches."""
    met: dict[int, list[int]] = defaultdict(list)
    for _, sitting in groupby(seats, itemgetter(0)):
        teams = [team for _, _, team in sitting]
        if len(teams) == 2:  # nearly always, and there are tens of thousands
            one, two = teams
            met[one].append(two)
            met[two].append(one)
            continue
        for team in teams:
            met[team].extend(other for other in teams if other != team)
    return met


class _Sat(NamedTuple):
    """A live side with what its match is and how far it is."""

    match: int
    kind: str
    round: int
    team: int
    place: int
    state: str


def _rows_of(sides: QuerySet[Side]) -> list[_Sat]:
    rows = sides.order_by("match_id", "index").values_list(
        "match_id", "match__kind", "round_id", "team_id", "index", "match__state"
    )
    return list(starmap(_Sat, rows))


def _not_shown(known: Results, numbers: Mapping[int, int]) -> list[_Sat] | None:
    """The sides of the rounds that the results do not show or that sit at no table; None where the count
    tells that a confirmed match has no result."""
    sides = Side.objects.filter(round_id__in=numbers, is_live=True)
    still_open = [pk for pk in numbers if pk not in known.numbers]
    matches = Match.objects.filter(round_id__in=numbers).filter(
        ~Q(kind=MatchKind.TABLE) | ~Q(state=MatchState.CONFIRMED) | Q(round_id__in=still_open)
    )
    rows = _rows_of(sides.filter(match_id__in=matches.values("pk")))
    missing = sum(row.state != MatchState.CONFIRMED or row.round not in known.numbers for row in rows)
    return rows if sides.count() == len(known.rows) + missing else None


def entrants_of(
    stage: Stage,
    teams: Iterable[Active],
    table: Iterable[Standing],
    *,
    before: int | None = None,
    known: Results | None = None,
) -> tuple[Entrant, ...]:
    """The teams to be paired, with points and rank from the standings and their past before that round."""
    standing = {row.entrant: (position, row.points) for position, row in enumerate(table, 1)}
    pasts = pasts_of(stage, before=before, known=known)
    bottom = len(standing) + 1
    nothing = Past()
    entrants = []
    for team in teams:
        position, points = standing.get(team.pk, (bottom, Fraction(0)))
        past = pasts.get(team.pk, nothing)
        entrants.append(
            Entrant(
                id=team.pk,
                points=points,
                rank=position,
                byes=past.byes,
                bye_last=past.bye_last,
                met=past.met,
                group=team.group or None,
                lean=past.lean,
            )
        )
    return tuple(entrants)


def pod_entrants_of(
    stage: Stage, teams: Iterable[Active], table: Iterable[Standing], full: int
) -> tuple[PodEntrant, ...]:
    """The teams to be seated in pods, with the seats they had and how often their pod was short."""
    seats: dict[int, list[int]] = defaultdict(list)
    in_match: dict[int, list[int]] = defaultdict(list)
    rows = (
        Side.objects.filter(round__stage=stage, is_live=True, match__kind=MatchKind.TABLE)
        .exclude(round__state=RoundState.SCRAPPED)
        .order_by("round__number", "match_id", "index")
    )
    for match, team, index in rows.values_list("match_id", "team_id", "index"):
        seats[team].append(index)
        in_match[match].append(team)
    short = Counter(team for pod in in_match.values() if len(pod) < full for team in pod)
    return tuple(
        PodEntrant(
            id=entrant.id,
            points=entrant.points,
            rank=entrant.rank,
            byes=entrant.byes,
            bye_last=entrant.bye_last,
            met=entrant.met,
            seats=tuple(seats[entrant.id]),
            short=short[entrant.id],
        )
        for entrant in entrants_of(stage, teams, table)
    )
