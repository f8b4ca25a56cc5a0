"""A round robin: its rounds from one schedule, and what becomes of the matches of a team that left."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from journal.actors import Actor
from matches.models import Match, Result, Side
from matches.results import settle
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState, TeamState
from rulebook.pairing.round_robin import Removal, RobinRound, after_leaving, round_robin
from rulebook.scoring import ResultKind, lines_for
from teams.models import Team
from tournaments.models import Round, Stage

ROBIN_ENGINE = "circle-1"
MOST_TEAMS = 64
NOT_PLAYED = (ResultKind.NO_SHOW, ResultKind.BOTH_ABSENT, ResultKind.UNPLAYED)


def robin_rounds(teams: int) -> int:
    """How many rounds it takes until everybody has met; in an odd field each one rests once."""
    if teams > MOST_TEAMS:
        raise RuleBroken(
            "too-many-teams",
            f"A round robin of {teams} teams takes {teams - 1} rounds; plan Swiss rounds for more than "
            f"{MOST_TEAMS} teams.",
        )
    return teams - 1 + teams % 2


def schedule_of(stage: Stage, teams: Sequence[int], seed: int) -> tuple[dict[str, Any], Sequence[RobinRound]]:
    """What the rounds are made from, and all of them: those of the rounds already there go on."""
    first = stage.rounds.exclude(state=RoundState.SCRAPPED).order_by("number", "id").first()
    given: dict[str, Any] = {"entrants": sorted(teams), "seed": seed} if first is None else first.inputs
    return given, round_robin(given["entrants"], given["seed"])


def output_of(rounds: Sequence[RobinRound], number: int) -> dict[str, Any]:
    """The round as it is stored."""
    own = rounds[number - 1]
    return {"pairs": [list(pair) for pair in own.pairs], "bye": own.bye, "rounds": len(rounds)}


def settle_leavers(rnd: Round, actor: Actor) -> None:
    """In the round to be published nobody waits for a team that left: its match is lost, its rest no bye."""
    gone = Side.objects.filter(round=rnd, is_live=True).exclude(team__state=TeamState.PLAYING)
    absent: dict[int, list[int]] = {}
    for match_id, index in gone.order_by("match_id", "index").values_list("match_id", "index"):
        absent.setdefault(match_id, []).append(index)
    rnd.matches.filter(pk__in=absent, kind=MatchKind.BYE).update(kind=MatchKind.ASSIGNED_LOSS)
    for match in Match.objects.filter(pk__in=absent, kind=MatchKind.TABLE, state=MatchState.PAIRED):
        loser = absent[match.pk][0] if len(absent[match.pk]) == 1 else None
        kind = ResultKind.BOTH_ABSENT if loser is None else ResultKind.NO_SHOW
        settle(match, kind, lines_for(match.frozen_terms, kind, loser=loser), actor)


def removed_teams(stage: Stage) -> frozenset[int]:
    """The teams that left before half of their matches: none of their results counts."""
    if stage.method != Stage.Method.ROUND_ROBIN or stage.tournament.keeps_results:
        return frozenset()
    out = Team.objects.filter(
        tournament_id=stage.tournament_id, state__in=[TeamState.DROPPED, TeamState.DISQUALIFIED]
    )
    left = dict(out.values_list("pk", "left_round"))
    if not left:
        return frozenset()
    sides = Side.objects.filter(
        round__stage=stage, team__in=left, is_live=True, match__kind=MatchKind.TABLE
    ).exclude(round__state=RoundState.SCRAPPED)
    rows = list(sides.order_by().values_list("team_id", "round__number", "match_id"))
    results = Result.objects.filter(
        match__in=[match for *_, match in rows], is_current=True, board_label=""
    ).exclude(kind__in=NOT_PLAYED)
    done = set(results.order_by().values_list("match_id", flat=True))
    matches = Counter(team for team, *_ in rows)
    played = Counter(team for team, number, match in rows if number <= (left[team] or 0) and match in done)
    return frozenset(
        team for team in left if after_leaving(played[team], matches[team]) is Removal.REMOVE_ALL
    )
