"""Whether the public sees the standings after a round."""

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TournamentState
from tournaments.models import Snapshot, Tournament
from tournaments.standings import last_closed, latest_snapshot, swiss_stage


@transaction.atomic
def publish_standings(*, tournament_id: int, actor: Actor, after_round: int | None = None) -> Snapshot:
    """Everybody sees the standings after the round (default: the last closed one), and their corrections."""
    _, snapshot = _locked(tournament_id, after_round)
    if snapshot.published_at is not None:
        raise RuleBroken(
            "standings-published", f"The standings after round {snapshot.after_round} are published already."
        )
    snapshot.published_at = now()
    return _saved(snapshot, tournament_id, DeedKind.STANDINGS_PUBLISHED, actor)


@transaction.atomic
def hide_standings(
    *, tournament_id: int, actor: Actor, after_round: int | None = None, reason: str = ""
) -> Snapshot:
    """Only staff see the standings after the round; refused once the final ranking stands."""
    tournament, snapshot = _locked(tournament_id, after_round)
    if tournament.state == TournamentState.FINISHED:
        raise RuleBroken("tournament-over", "The final ranking is published; reopen the tournament first.")
    if snapshot.published_at is None:
        raise RuleBroken(
            "standings-hidden", f"The standings after round {snapshot.after_round} are hidden already."
        )
    snapshot.published_at = None
    return _saved(snapshot, tournament_id, DeedKind.STANDINGS_HIDDEN, actor, reason)


def _locked(tournament_id: int, after_round: int | None) -> tuple[Tournament, Snapshot]:
    tournament = lock_one(Tournament, tournament_id)
    stage = swiss_stage(tournament)
    number = after_round if after_round is not None else (last_closed(stage) if stage else 0)
    snapshot = latest_snapshot(stage, number) if stage and 1 <= number <= last_closed(stage) else None
    if snapshot is None:
        raise RuleBroken("no-standings", "There are no standings yet; they are made when a round closes.")
    return tournament, snapshot


def _saved(
    snapshot: Snapshot, tournament_id: int, kind: DeedKind, actor: Actor, reason: str = ""
) -> Snapshot:
    snapshot.save(update_fields=["published_at"])
    record(
        tournament_id=tournament_id,
        kind=kind,
        actor=actor,
        subject=f"snapshot:{snapshot.pk}",
        after={"after_round": snapshot.after_round, "standings": snapshot.version},
        reason=reason,
    )
    return snapshot
