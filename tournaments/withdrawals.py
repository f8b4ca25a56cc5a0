"""A member leaves, and the team with him; a team comes back."""

from collections.abc import Sequence

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed
from journal.recording import record
from matches.games import score_so_far
from matches.models import Match, Side
from matches.results import settle
from rulebook.errors import RuleBroken
from rulebook.lifecycle import (
    MatchKind,
    MatchState,
    RoundState,
    StageState,
    TeamState,
    TournamentState,
    check_move,
)
from rulebook.scoring import ResultKind, lines_for
from rulebook.withdrawals import Effect, Leaving, MatchEffect, Moment, effect_of
from teams import seats
from teams.models import Seat, Team
from tournaments.drafts import repair_draft
from tournaments.late import credit_missed, rounds_after
from tournaments.models import Penalty, Round, Stage, Tournament
from tournaments.rounds import current_round
from tournaments.standings import last_closed, take_snapshot

LEAVES = {Leaving.DROP: TeamState.DROPPED, Leaving.DISQUALIFY: TeamState.DISQUALIFIED}
NOT_PLAYING = (TeamState.WAITLISTED, TeamState.REGISTERED, TeamState.CHECKED_IN)
KINDS = {Leaving.DROP: DeedKind.TEAM_DROPPED, Leaving.DISQUALIFY: DeedKind.TEAM_DISQUALIFIED}
RESULTS = {
    MatchEffect.NO_SHOW: ResultKind.NO_SHOW,
    MatchEffect.CONCEDE: ResultKind.CONCESSION,
    MatchEffect.LOSE: ResultKind.MATCH_LOSS,
}


@transaction.atomic
def drop_player(
    *,
    tournament_id: int,
    player_id: int,
    actor: Actor,
    reason: str = "",
    score: Sequence[int] = (),
    draws: int = 0,
) -> Team:
    """The player's team has left by choice and keeps its row; `score` are games won so far, in side order."""
    return _leave(tournament_id, player_id, Leaving.DROP, actor, reason, score, draws)


@transaction.atomic
def disqualify_player(
    *,
    tournament_id: int,
    player_id: int,
    actor: Actor,
    reason: str,
    score: Sequence[int] = (),
    draws: int = 0,
) -> Team:
    """The player's team is removed by ruling, out of the ranking, and has lost the match it is in."""
    if not reason.strip():
        raise RuleBroken("reason-missing", "Write down why the player is disqualified.")
    return _leave(tournament_id, player_id, Leaving.DISQUALIFY, actor, reason, score, draws)


@transaction.atomic
def drop_team(*, team_id: int, actor: Actor, reason: str = "") -> Team:
    """The team has left, as when one of its members drops."""
    seat = Seat.objects.filter(team_id=team_id, is_live=True).first()
    if seat is None:
        raise RuleBroken("already-out", "That team is out already; reload the page.")
    return _leave(seat.tournament_id, seat.player_id, Leaving.DROP, actor, reason, (), 0)


@transaction.atomic
def reinstate_team(*, team_id: int, actor: Actor, reason: str = "") -> Team:
    """The team plays on with its identity and history; rounds it missed count by the tournament's policy.

    Refused when a member meanwhile plays in another team. After the cut it takes its place in the ranking
    again, and its slot in the bracket as long as no round was paired without it.
    """
    found = Team.objects.filter(pk=team_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such team any more; reload the page.")
    tournament = lock_one(Tournament, found)
    team = lock_one(Team, team_id)
    if team.state not in (TeamState.DROPPED, TeamState.DISQUALIFIED):
        raise RuleBroken("not-out", f"{team} is {team.state}; only a team that left can be reinstated.")
    if tournament.state not in (TournamentState.REGISTRATION, TournamentState.RUNNING):
        raise RuleBroken("tournament-over", f"{tournament.name} is {tournament.state}; reopen it first.")
    before = team.state
    seats.reseat(team)
    left_round = team.left_round or 0
    playing = tournament.state == TournamentState.RUNNING
    team.state = TeamState.PLAYING if playing else TeamState.REGISTERED
    team.left_round = None
    team.save(update_fields=["state", "left_round"])
    stage = tournament.stages.filter(number=1).first()
    if stage is not None and playing:
        stage.tournament = tournament
        if stage.method == Stage.Method.SWISS:
            credit_missed(tournament, stage, team, rounds_after(stage, left_round), actor)
        refresh_standings(stage)
        if stage.state == StageState.RUNNING:
            repair_draft(tournament, actor)
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.TEAM_REINSTATED,
        actor=actor,
        subject=f"team:{team.pk}",
        before={"state": before},
        after={"state": team.state},
        reason=reason,
    )
    return team


def moment_of(tournament: Tournament, team: Team) -> tuple[Moment, Match | None]:
    """Where the team stands right now, and the match that leaving would touch."""
    stage = tournament.stages.exclude(state=StageState.WAITING).order_by("-number").first()
    rnd = current_round(stage) if stage else None
    if stage is None:
        return Moment.UNPAIRED, None
    in_bracket = stage.is_bracket and stage.entries.filter(team=team, place=None).exists()
    match = _match_in(rnd, team) if rnd else None
    if rnd is None or rnd.state == RoundState.CLOSED or match is None:
        if in_bracket:
            return Moment.CUT_MADE, None
        return (Moment.CLOSED if rnd and rnd.state == RoundState.CLOSED else Moment.UNPAIRED), None
    if rnd.state == RoundState.PAIRED:
        return (Moment.CUT_MADE if in_bracket else Moment.DRAFT), match
    if match.state in (MatchState.REPORTED, MatchState.DISPUTED, MatchState.CONFIRMED):
        return Moment.REPORTED, match
    if in_bracket:
        return Moment.CUT_PAIRED, match
    return (Moment.PUBLISHED if rnd.state == RoundState.PUBLISHED else Moment.RUNNING), match


def _leave(
    tournament_id: int,
    player_id: int,
    leaving: Leaving,
    actor: Actor,
    reason: str,
    score: Sequence[int],
    draws: int,
) -> Team:
    tournament = lock_one(Tournament, tournament_id)
    team = _team_of(tournament, player_id)
    if leaving is Leaving.DROP and team.state in NOT_PLAYING:
        raise RuleBroken("not-playing-yet", f"{team} does not play yet; withdraw it instead.")
    check_move(str(team), TeamState(team.state), LEAVES[leaving])
    moment, match = moment_of(tournament, team)
    effect = effect_of(leaving, moment, sides=match.frozen_terms.sides if match else 2)
    before = {"state": team.state, "left_round": team.left_round, **_traces(tournament, match)}
    team.state = LEAVES[leaving]
    team.left_round = _left_after(tournament)
    team.save(update_fields=["state", "left_round"])
    if leaving is Leaving.DROP:
        seats.vacate(team)
    _apply(effect, match, team, actor, score, draws)
    _after(tournament, match, actor)
    deed = record(
        tournament_id=tournament_id,
        kind=KINDS[leaving],
        actor=actor,
        subject=f"team:{team.pk}",
        before=before,
        after={
            "player": player_id,
            "moment": moment,
            "match": effect.match,
            **_traces(tournament, match),
        },
        reason=reason,
    )
    if leaving is Leaving.DISQUALIFY:
        Penalty.objects.create(
            tournament=tournament,
            team=team,
            player_id=player_id,
            match=match,
            infraction=reason[:200],
            level=Penalty.Level.DISQUALIFICATION,
            given_at=deed.at,
            deed=deed,
        )
    return team


def _traces(tournament: Tournament, match: Match | None) -> dict[str, object]:
    """The ids that leaving touches: the round that is played, the match with its state and result, the
    round's last repair. What was before and what is after tell how to take it back."""
    stage = tournament.stages.exclude(state=StageState.WAITING).order_by("-number").first()
    rnd = current_round(stage) if stage else None
    if rnd is None:
        return {"in_round": None}
    repairs = Deed.objects.filter(kind=DeedKind.ROUND_REPAIRED, subject=f"round:{rnd.pk}", undone_by=None)
    traces: dict[str, object] = {
        "in_round": rnd.pk,
        "round_state": rnd.state,
        "repair": repairs.order_by("-number").values_list("number", flat=True).first(),
    }
    if match is not None:
        result = match.results.filter(is_current=True, board_label="").values_list("pk", flat=True)
        state = Match.objects.values_list("state", flat=True).get(pk=match.pk)
        traces |= {"match_id": match.pk, "match_state": state, "result": result.first()}
    return traces


def _apply(
    effect: Effect, match: Match | None, team: Team, actor: Actor, score: Sequence[int], draws: int
) -> None:
    kind = RESULTS.get(effect.match)
    if kind is None or match is None or match.kind != MatchKind.TABLE:
        return
    held = lock_one(Match, match.pk)
    if held.frozen_terms.sides > 2 and held.state != MatchState.CONFIRMED:
        _leave_pod(held, actor)
        return
    if effect.match is not MatchEffect.LOSE and held.state in (MatchState.REPORTED, MatchState.CONFIRMED):
        return
    recorded, drawn = score_so_far(held)
    if not any(recorded) and not drawn:
        recorded, drawn = _reported_score(held)
    index = Side.objects.values_list("index", flat=True).get(match=held, team=team)
    judged = lines_for(
        held.frozen_terms, kind, wins=tuple(score) or recorded, draws=draws or drawn, loser=index
    )
    settle(held, kind, judged, actor)


def _leave_pod(match: Match, actor: Actor) -> None:
    """The others play on; the last one left has won."""
    playing = Side.objects.filter(match=match, team__state=TeamState.PLAYING).values_list("index", flat=True)
    if len(playing) == 1:
        judged = lines_for(match.frozen_terms, ResultKind.PLAYED, winner=playing[0])
        settle(match, ResultKind.PLAYED, judged, actor)


def _reported_score(match: Match) -> tuple[tuple[int, ...], int]:
    """The counts of the current result, or of a single report; nothing won where there is neither."""
    current = match.results.filter(board_label="", is_current=True).first()
    if current is not None:
        lines = list(current.lines.order_by("side__index"))
        return tuple(line.wins for line in lines), lines[0].draws
    reports = list(match.reports.filter(is_current=True))
    if len(reports) != 1:
        return (), 0
    wins = reports[0].body["wins"]
    sides = match.sides.order_by("index").values_list("team_id", flat=True)
    return tuple(int(wins.get(str(team), 0)) for team in sides), int(reports[0].body["draws"])


def _after(tournament: Tournament, match: Match | None, actor: Actor) -> None:
    stage = tournament.stages.exclude(state=StageState.WAITING).order_by("-number").first()
    if stage is None:
        return
    rnd = current_round(stage)
    if rnd is not None and rnd.state == RoundState.PAIRED and match is not None:
        repair_draft(tournament, actor)
    swiss = stage if stage.number == 1 else tournament.stages.get(number=1)
    swiss.tournament = tournament
    refresh_standings(swiss)


def refresh_standings(stage: Stage) -> None:
    """The newest standings show who is in the ranking now."""
    last = last_closed(stage)
    if last and not stage.is_bracket:
        take_snapshot(stage, last)


def _team_of(tournament: Tournament, player_id: int) -> Team:
    seat = (
        Seat.objects.filter(tournament=tournament, player_id=player_id)
        .order_by("-is_live", "-id")
        .select_related("player")
    ).first()
    if seat is None:
        raise RuleBroken("unknown-player", "That player is in no team of this tournament.")
    team = lock_one(Team, seat.team_id)
    if team.state in (TeamState.DROPPED, TeamState.WITHDRAWN) and not seat.is_live:
        raise RuleBroken("already-out", f"{seat.player.shown_name} left already with {team}.")
    return team


def _left_after(tournament: Tournament) -> int:
    """The last Swiss round that was published when the team left, 0 before the first."""
    rounds = Round.objects.filter(stage__tournament=tournament, stage__number=1)
    seen = rounds.exclude(state__in=[RoundState.PAIRED, RoundState.SCRAPPED])
    last = seen.order_by("-number").first()
    return last.number if last else 0


def _match_in(rnd: Round, team: Team) -> Match | None:
    side = Side.objects.filter(round=rnd, team=team, is_live=True).select_related("match").first()
    return side.match if side else None
