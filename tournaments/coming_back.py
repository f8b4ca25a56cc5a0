"""A team that left by mistake is in again, exactly as if it had not left: same match, same result, no missed
round. What cannot be exact any more is a reinstatement instead."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed
from journal.recording import record
from matches.models import Match, Side
from matches.undoing import take_result_away
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState, RoundState, TeamState, TournamentState, check_move
from teams import seats
from teams.models import Team
from tournaments.models import Penalty, Round, Slot, Stage, Tournament
from tournaments.pairing import draw_and_save
from tournaments.repairing import undo_repair
from tournaments.rounds import current_round, void_round
from tournaments.withdrawals import refresh_standings

INSTEAD = "reinstate the team instead, it then plays on from the next round"


@transaction.atomic
def take_back_leaving(*, deed_id: int, actor: Actor, reason: str = "") -> Team:
    """The team is what it was before the drop or disqualification `deed_id`, its match and the draft too."""
    deed = Deed.objects.get(pk=deed_id)
    tournament = lock_one(Tournament, deed.tournament_id)
    if tournament.state not in (TournamentState.REGISTRATION, TournamentState.RUNNING):
        raise RuleBroken("tournament-over", f"{tournament.name} is {tournament.state}; reopen it first.")
    team = lock_one(Team, int(deed.subject.partition(":")[2]))
    was, then = deed.before or {}, deed.after or {}
    left = TeamState.DROPPED if deed.kind == DeedKind.TEAM_DROPPED else TeamState.DISQUALIFIED
    if team.state != left or "in_round" not in was:
        raise RuleBroken("not-out", f"{team} is {team.state}; there is nothing to take back.")
    stage = _played_stage(tournament)
    _nothing_since(stage, then)
    check_move(str(team), left, TeamState(was["state"]))
    if was["state"] != TeamState.DROPPED:
        seats.reseat(team)
    team.state, team.left_round = was["state"], was["left_round"]
    team.save(update_fields=["state", "left_round"])
    _give_match_back(was, then)
    if stage is not None:
        _give_draft_back(stage, was, then, actor)
        swiss = tournament.stages.get(number=1)
        swiss.tournament = tournament
        refresh_standings(swiss)
    Penalty.objects.filter(deed=deed, taken_back_at=None).update(taken_back_at=now())
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.TEAM_REINSTATED,
        actor=actor,
        subject=f"team:{team.pk}",
        before={"state": left},
        after={"state": team.state},
        reason=reason,
        undoes=deed,
    )
    return team


def _played_stage(tournament: Tournament) -> Stage | None:
    stage = tournament.stages.exclude(state="waiting").order_by("-number").first()
    if stage is not None:
        stage.tournament = tournament
    return stage


def _nothing_since(stage: Stage | None, then: Mapping[str, Any]) -> None:
    """The round is the one, and in the state, in which the team left."""
    went_on = went_on_since(current_round(stage) if stage is not None else None, then)
    if went_on:
        raise RuleBroken("round-went-on", went_on)


def went_on_since(rnd: Round | None, then: Mapping[str, Any]) -> str:
    """The sentence where the round that is played now is another, or in another state, than when the team
    left."""
    same = (rnd.pk if rnd else None) == then["in_round"]
    if same and (rnd is None or rnd.state == then["round_state"]):
        return ""
    named = f"Round {rnd.number} is {rnd.state}" if rnd else "The round is gone"
    return f"{named} since the team left; {INSTEAD}."


def _give_match_back(was: Mapping[str, Any], then: Mapping[str, Any]) -> None:
    """The match that leaving decided is what it was."""
    if "match_id" not in was or was["result"] == then["result"]:
        return
    match = lock_one(Match, was["match_id"])
    current = match.results.filter(is_current=True, board_label="").values_list("pk", flat=True).first()
    if match.state != MatchState.CONFIRMED or current != then["result"]:
        raise RuleBroken(
            "result-changed", f"The result of table {match.table} was changed since the team left; {INSTEAD}."
        )
    take_result_away(match, back_to=MatchState(was["match_state"]), earlier=was["result"])


def _give_draft_back(stage: Stage, was: Mapping[str, Any], then: Mapping[str, Any], actor: Actor) -> None:
    """The draft that followed the leaving is the one from before it."""
    if was["in_round"] is None or was["round_state"] != RoundState.PAIRED:
        return
    if was["in_round"] == then["in_round"]:
        if was["repair"] != then["repair"]:
            undo_repair(round_id=was["in_round"], actor=actor)
        return
    old = Round.objects.get(pk=was["in_round"])
    for draft in stage.rounds.filter(state=RoundState.PAIRED):
        draft.stage = stage
        void_round(draft)
    if stage.method == Stage.Method.ROUND_ROBIN:
        draw_and_save(stage, old.number, old.seed)
    else:
        draft_again(stage, old)


def draft_again(stage: Stage, old: Round) -> Round:
    """The scrapped draft stands again: a new round with the same seed, inputs, tables and sides."""
    matches = list(Match.objects.filter(round=old).order_by("pk"))
    seated: dict[int, list[Side]] = {match.pk: [] for match in matches}
    # Sides of a draft that was mended by hand: only the matches that stood at the end come back.
    for side in Side.objects.filter(match__in=matches).order_by("index"):
        seated[side.match_id].append(side)
    rnd = Round.objects.create(
        stage=stage,
        number=old.number,
        bracket=old.bracket,
        seed=old.seed,
        engine=old.engine,
        inputs=old.inputs,
        output=old.output,
        paired_at=old.paired_at,
    )
    for match in _last_drawn(matches, seated):
        sides = seated[match.pk]
        copy = Match.objects.create(
            tournament_id=match.tournament_id,
            round=rnd,
            kind=match.kind,
            table=match.table,
            terms=match.terms,
            why=match.why,
        )
        Side.objects.bulk_create(
            Side(match=copy, round=rnd, team_id=side.team_id, index=side.index) for side in sides
        )
        Slot.objects.filter(
            stage=stage, round_number=rnd.number, team__in=[side.team_id for side in sides]
        ).update(match=copy)
    return rnd


def _last_drawn(matches: list[Match], seated: Mapping[int, list[Side]]) -> list[Match]:
    """Of each team its newest match: what a repair of the draft had replaced stays away."""
    taken: set[int] = set()
    found = []
    for match in reversed(matches):
        teams = {side.team_id for side in seated[match.pk]}
        if not teams & taken:
            taken |= teams
            found.append(match)
    return found[::-1]
