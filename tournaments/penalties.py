"""Penalties: given, served at the next match when none is played, taken back; and what each one does.

What a penalty does is the rulebook's: Riftbound Tournament Rules 701-704 (2026-04-29), Magic Infraction
Procedure Guide 1.1, 3.1 (2024-09-23). A penalty of one member is his team's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed
from journal.recording import record
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.infractions import infraction_name
from rulebook.lifecycle import TeamState, TournamentState
from rulebook.modes import mode_of
from rulebook.penalties import Level
from teams.models import Seat, Team
from teams.names import tidy
from tournaments.models import Penalty, Tournament
from tournaments.penalty_effects import Effect, apply_at_table, current_table
from tournaments.withdrawals import disqualify_player, reinstate_team

OWED = (Level.GAME_LOSS, Level.MATCH_LOSS)


@dataclass(frozen=True, slots=True)
class Given:
    """The penalties of one moment, and what they did."""

    penalties: tuple[Penalty, ...]
    effect: Effect


class _Foreseen(Exception):
    """Nothing of it happened."""


@transaction.atomic
def give_penalties(
    *,
    tournament_id: int,
    player_ids: Sequence[int],
    infraction: str,
    level: str,
    actor: Actor,
    match_id: int | None = None,
    note: str = "",
    score: Sequence[int] = (),
) -> Given:
    """Each player has the penalty and his team what follows from it: several game losses of one moment are
    one, everybody's game loss is a drawn game, a loss with no match running is owed at the next one.

    `score` are games won so far, in side order, where none were recorded.
    """
    infraction, note = tidy(infraction), tidy(note)
    if not infraction:
        raise RuleBroken("infraction-missing", "Say what the penalty is for.")
    if level not in Penalty.Level.values:
        raise RuleBroken("unknown-level", f"Choose one of: {', '.join(Penalty.Level.values)}.")
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state not in (TournamentState.REGISTRATION, TournamentState.RUNNING):
        raise RuleBroken("tournament-not-running", f"{tournament.name} is {tournament.state}.")
    seats = [_seat(tournament, player_id) for player_id in dict.fromkeys(player_ids)]
    if not seats:
        raise RuleBroken("player-missing", "Say who gets the penalty.")
    match = _match(tournament, seats, match_id)
    if level == Level.DISQUALIFICATION:
        return _disqualified(tournament, seats, infraction, note, actor, score)
    effect = apply_at_table(match, seats, Level(level), actor, score)
    made = [
        Penalty(
            tournament=tournament,
            team_id=seat.team_id,
            player_id=seat.player_id,
            match=None if effect.is_owed else match,
            infraction=infraction.strip()[:200],
            level=level,
            note=note.strip()[:300],
            given_at=now(),
        )
        for seat in seats
    ]
    Penalty.objects.bulk_create(made)
    for penalty in made:
        penalty.deed = _record(penalty, DeedKind.PENALTY_GIVEN, actor, match, note)
        penalty.save(update_fields=["deed"])
    return Given(tuple(made), effect)


def give_penalty(*, player_id: int, **more: object) -> Penalty:
    """One player has the penalty; otherwise as `give_penalties`."""
    return give_penalties(player_ids=[player_id], **more).penalties[0]  # type: ignore[arg-type]


def foreseen_penalties(**asked: object) -> Effect:
    """What `give_penalties` would do, told without doing it."""
    effect = Effect()
    try:
        with transaction.atomic():
            effect = give_penalties(**asked).effect  # type: ignore[arg-type]
            raise _Foreseen
    except _Foreseen:
        return effect


@transaction.atomic
def serve_penalty(*, penalty_id: int, match_id: int, actor: Actor, score: Sequence[int] = ()) -> Given:
    """The loss that was owed is taken at this match."""
    tournament, penalty = _locked(penalty_id)
    if not is_owed(penalty):
        raise RuleBroken("nothing-owed", "That penalty owes no game or match any more.")
    seat = _seat(tournament, penalty.player_id or 0)
    match = _match(tournament, [seat], match_id)
    effect = apply_at_table(match, [seat], Level(penalty.level), actor, score)
    if effect.is_owed or match is None:
        raise RuleBroken("match-not-running", "That match does not run; the penalty waits for the next one.")
    penalty.match = match
    penalty.save(update_fields=["match"])
    _record(penalty, DeedKind.PENALTY_SERVED, actor, match, "")
    return Given((penalty,), effect)


@transaction.atomic
def take_back_penalty(*, penalty_id: int, actor: Actor, reason: str = "") -> Penalty:
    """The penalty counts no more and is no history; a disqualified team plays on. Games and results that
    followed from it stay until somebody corrects them."""
    _, penalty = _locked(penalty_id)
    if penalty.taken_back_at is not None:
        raise RuleBroken("taken-back", "That penalty was taken back already.")
    if penalty.level == Level.DISQUALIFICATION and penalty.team_id:
        state = Team.objects.values_list("state", flat=True).get(pk=penalty.team_id)
        if state == TeamState.DISQUALIFIED:
            reinstate_team(team_id=penalty.team_id, actor=actor, reason=reason)
    penalty.taken_back_at = now()
    penalty.save(update_fields=["taken_back_at"])
    record(
        tournament_id=penalty.tournament_id,
        kind=DeedKind.PENALTY_TAKEN_BACK,
        actor=actor,
        subject=f"team:{penalty.team_id}" if penalty.team_id else "",
        before={"penalty": penalty.pk, "level": penalty.level},
        reason=reason,
        undoes=penalty.deed,
    )
    return penalty


def is_owed(penalty: Penalty) -> bool:
    """Its game or match is still to be lost."""
    return penalty.level in OWED and penalty.match_id is None and penalty.taken_back_at is None


def owed_in(tournament_id: int) -> list[Penalty]:
    """Losses still to be taken, oldest first."""
    rows = Penalty.objects.filter(
        tournament_id=tournament_id, level__in=OWED, match=None, taken_back_at=None, team__state="playing"
    )
    return list(rows.select_related("team", "player").order_by("id"))


def history_of(tournament_id: int, player_ids: Sequence[int]) -> list[Penalty]:
    """What these players were given in the tournament and keep, oldest first."""
    rows = Penalty.objects.filter(
        tournament_id=tournament_id, player_id__in=list(player_ids), taken_back_at=None
    )
    return list(rows.select_related("match__round__stage", "player").order_by("id"))


def _disqualified(
    tournament: Tournament,
    seats: Sequence[Seat],
    infraction: str,
    note: str,
    actor: Actor,
    score: Sequence[int],
) -> Given:
    named = infraction_name(mode_of(tournament.mode).game, infraction.strip())
    made: list[Penalty] = []
    for seat in {seat.team_id: seat for seat in seats}.values():
        disqualify_player(
            tournament_id=tournament.pk,
            player_id=seat.player_id,
            actor=actor,
            reason=": ".join(part for part in (named, note.strip()) if part),
            score=score,
        )
        penalty = Penalty.objects.filter(tournament=tournament, team_id=seat.team_id).latest("id")
        penalty.infraction, penalty.note = infraction.strip()[:200], note.strip()[:300]
        penalty.save(update_fields=["infraction", "note"])
        made.append(penalty)
    return Given(tuple(made), replace(Effect(), leaves=True))


def _seat(tournament: Tournament, player_id: int) -> Seat:
    found = Seat.objects.filter(tournament=tournament, player_id=player_id).select_related("player", "team")
    seat = found.order_by("-is_live", "-id").first()
    if seat is None:
        raise RuleBroken("unknown-player", "That player is in no team of this tournament.")
    if seat.team.state == TeamState.DISQUALIFIED:
        raise RuleBroken("already-out", f"{seat.team} is disqualified already.")
    return seat


def _match(tournament: Tournament, seats: Sequence[Seat], match_id: int | None) -> Match | None:
    """The match named, or the one the team plays; every penalised team sits at it."""
    teams = {seat.team_id for seat in seats}
    if match_id is None:
        return current_table(tournament, seats[0].team_id) if len(teams) == 1 else None
    match = lock_one(Match, match_id)
    if match.tournament_id != tournament.pk or match.sides.filter(team__in=teams).count() != len(teams):
        raise RuleBroken("not-their-match", "Not everybody named plays at that table.")
    return match


def _locked(penalty_id: int) -> tuple[Tournament, Penalty]:
    found = Penalty.objects.filter(pk=penalty_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such penalty any more; reload the page.")
    tournament = lock_one(Tournament, found)
    return tournament, Penalty.objects.get(pk=penalty_id)


def _record(penalty: Penalty, kind: DeedKind, actor: Actor, match: Match | None, note: str) -> Deed:
    return record(
        tournament_id=penalty.tournament_id,
        kind=kind,
        actor=actor,
        subject=f"team:{penalty.team_id}",
        after={
            "penalty": penalty.pk,
            "player": penalty.player_id,
            "level": penalty.level,
            "match": match.pk if match else None,
            "is_owed": is_owed(penalty),
        },
        reason=note.strip()[:300],
    )
