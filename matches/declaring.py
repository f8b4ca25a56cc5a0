"""What a player brings to a table beyond a deck: kept on the chair, told on the set-up sheet."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Chair, Match
from rulebook.declared import Declared, Face, HandAction, check_declared
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState
from rulebook.modes import mode_of
from rulebook.setup import check_battlefields, check_teammates

OVER = (MatchState.CONFIRMED, MatchState.VOID)
_KNOWN = {field.name: field for field in fields(Declared)}


@transaction.atomic
def declare(*, match_id: int, position: str, brings: Mapping[str, Any], actor: Actor) -> Chair:
    """The chair's player brings these things; a new declaration replaces the old one."""
    match = lock_one(Match, match_id)
    if match.state in OVER:
        raise RuleBroken("match-over", f"This match is {match.state}; nothing is set up any more.")
    chair = chairs_by_position(match).get(position)
    if chair is None:
        raise RuleBroken("unknown-seat", f"This match has no seat {position!r}.", seat=position)
    kept = {key: value for key, value in brings.items() if value not in ("", 0, None, False, [], ())}
    what = declared_from(kept)
    check_declared(position, what)
    mode = mode_of(match.frozen_terms.mode)
    check_battlefields(mode, position, what)
    check_teammates(mode, {**declared_at(match), position: what})
    chair.declared = kept
    chair.save(update_fields=["declared"])
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.SET_UP_DECLARED,
        actor=actor,
        subject=f"match:{match.pk}",
        after={"position": position, "what": sorted(kept)},
    )
    return chair


def declared_at(match: Match) -> dict[str, Declared]:
    """What each position of the match brings, by position; who declared nothing is left out."""
    return {
        position: declared_from(chair.declared)
        for position, chair in chairs_by_position(match).items()
        if chair.declared
    }


def chairs_by_position(match: Match) -> dict[str, Chair]:
    """The chairs of the match by side number and seat label: {"1A": ..., "2A": ...}."""
    chairs = Chair.objects.filter(match=match).select_related("side", "player").order_by("position")
    return {f"{chair.side.index + 1}{chair.label}": chair for chair in chairs}


def declared_from(brings: Mapping[str, Any]) -> Declared:
    """The declaration of JSON-able words; `RuleBroken("unknown-declaration")` names what it does not know."""
    unknown = sorted(set(brings) - set(_KNOWN))
    if unknown:
        raise RuleBroken(
            "unknown-declaration",
            f"Nobody can bring {unknown[0]!r}; choose from {', '.join(_KNOWN)}.",
            unknown=unknown,
        )
    try:
        return Declared(**{key: _valued(key, value) for key, value in brings.items()})
    except (TypeError, ValueError) as error:
        raise RuleBroken(
            "unreadable-declaration", "Write each thing as a name, a number or a list of names."
        ) from error


def _valued(key: str, value: Any) -> Any:
    default = _KNOWN[key].default
    if key == "substitutes":
        return tuple((str(card), Face(face)) for card, face in value)
    if key == "hand_actions":
        return tuple((str(card), HandAction(action)) for card, action in value)
    if isinstance(default, bool):
        return bool(value)
    if isinstance(default, int):
        return int(value)
    if isinstance(default, tuple):
        return tuple(str(one) for one in value) if isinstance(value, list | tuple) else (str(value),)
    return str(value)
