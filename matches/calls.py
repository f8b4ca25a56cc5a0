"""Somebody at a table asks for a judge: opened there or at the desk, taken by one of the staff, ended."""

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Call, Match, Side
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState
from teams.names import tidy


@transaction.atomic
def call_judge(*, match_id: int, actor: Actor, team_id: int | None = None, note: str = "") -> Call:
    """A judge is called to the table; a second call while one is open is that same call."""
    match = lock_one(Match, match_id)
    if match.kind != MatchKind.TABLE or match.state == MatchState.VOID:
        raise RuleBroken("no-table", "This match has no table a judge could come to.")
    known = _open(match, Call.Kind.JUDGE)
    if known is not None:
        return known
    side = Side.objects.filter(match=match, team_id=team_id).first() if team_id else None
    call = Call.objects.create(match=match, side=side, note=tidy(note)[:200], opened_at=now())
    _record(call, DeedKind.JUDGE_CALLED, actor, after={"match": match.pk, "kind": call.kind})
    return call


@transaction.atomic
def take_call(*, call_id: int, user_id: int, actor: Actor) -> Call:
    """The user goes to the table; a call somebody else took is his from now on."""
    call = _locked(call_id)
    if call.ended_at is not None:
        raise RuleBroken("call-ended", "That call is ended already; reload the page.")
    if call.taken_by_id == user_id:
        return call
    before = {"user": call.taken_by_id}
    call.taken_by_id, call.taken_at = user_id, now()
    call.save(update_fields=["taken_by", "taken_at"])
    _record(call, DeedKind.CALL_TAKEN, actor, before=before, after={"user": user_id})
    return call


@transaction.atomic
def end_call(*, call_id: int, actor: Actor) -> Call:
    """The judge is done at the table."""
    call = _locked(call_id)
    if call.ended_at is not None:
        return call
    call.ended_at = now()
    call.save(update_fields=["ended_at"])
    _record(call, DeedKind.CALL_ENDED, actor)
    return call


def open_dispute(match: Match, side: Side | None) -> None:
    """The disputed match has an open call; the deed that disputes it is its record. The match is locked."""
    if _open(match, Call.Kind.DISPUTE) is None:
        Call.objects.create(match=match, side=side, kind=Call.Kind.DISPUTE, opened_at=now())


def end_disputes(match_ids: list[int]) -> None:
    """What was disputed at these matches is decided. They are locked."""
    Call.objects.filter(match_id__in=match_ids, kind=Call.Kind.DISPUTE, ended_at=None).update(ended_at=now())


def _open(match: Match, kind: str) -> Call | None:
    return Call.objects.filter(match=match, kind=kind, ended_at=None).first()


def _locked(call_id: int) -> Call:
    """The call; its match is locked, so that two judges do not take it at one moment."""
    found = Call.objects.filter(pk=call_id).values_list("match_id", flat=True).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such call any more; reload the page.")
    match = lock_one(Match, found)
    call = Call.objects.get(pk=call_id)
    call.match = match
    return call


def _record(call: Call, kind: DeedKind, actor: Actor, before: object = None, after: object = None) -> None:
    record(
        tournament_id=call.match.tournament_id,
        kind=kind,
        actor=actor,
        subject=f"match:{call.match_id}",
        before=before,
        after=after,
    )
