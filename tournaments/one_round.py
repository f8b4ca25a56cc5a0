"""What deeds on one round share: its locks, its steps of the clock, its row in the journal."""

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState, TournamentState
from tournaments.models import Round, Stage, Step, Tournament

OPEN_STEPS = (Step.State.WAITING, Step.State.BLOCKED)
PLAYS = (MatchState.PAIRED, MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED)


def lock_round(round_id: int) -> Round:
    """The round, locked after its tournament, with its stage and tournament as they are under the locks."""
    found = Round.objects.filter(pk=round_id).select_related("stage").first()
    if found is None:
        raise RuleBroken("not-found", "There is no such round any more; reload the page.")
    tournament = lock_one(Tournament, found.stage.tournament_id)
    rnd = lock_one(Round, round_id)
    rnd.stage = Stage.objects.get(pk=found.stage_id)
    rnd.stage.tournament = tournament
    return rnd


def lock_round_in_play(round_id: int) -> Round:
    """As `lock_round`; refused unless the tournament runs."""
    rnd = lock_round(round_id)
    tournament = rnd.stage.tournament
    if tournament.state != TournamentState.RUNNING:
        raise RuleBroken("tournament-not-running", f"{tournament.name} is {tournament.state}; it has to run.")
    return rnd


def call_time_at_end(rnd: Round) -> None:
    """The clock calls time when the running round ends."""
    assert rnd.ends_at is not None, "a running clock has an end"
    Step.objects.update_or_create(
        tournament_id=rnd.stage.tournament_id,
        key=f"time:{rnd.pk}",
        defaults={"round": rnd, "kind": Step.Kind.TIME, "due_at": rnd.ends_at, "state": Step.State.WAITING},
    )


def cancel_steps(rnd: Round, *kinds: str) -> None:
    """What the clock would still do of these kinds with the round it does not do."""
    waiting = Step.objects.filter(round=rnd, kind__in=kinds, state__in=(*OPEN_STEPS, Step.State.MISSED))
    waiting.update(state=Step.State.CANCELLED)


def record_round(rnd: Round, kind: DeedKind, actor: Actor, **more: object) -> None:
    """The deed on the round is in the journal; the last statement of the deed."""
    record(
        tournament_id=rnd.stage.tournament_id,
        kind=kind,
        actor=actor,
        subject=f"round:{rnd.pk}",
        **more,  # type: ignore[arg-type]
    )
