"""Undo at the desk: the last deed in words with what it changes back, and the deed that does it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.shortcuts import get_object_or_404

from journal.models import Deed
from tournaments.pages.asked import Asked, DeskDeed, number_in
from tournaments.pages.desk_scene import Desk
from tournaments.pages.scenes import Scene
from tournaments.pages.words import told
from tournaments.staff import Can
from tournaments.undoing import UNDO, blocked_by, newest_undoable, seen_for, undo


@dataclass(frozen=True, slots=True)
class Offer:
    """One deed that can be undone now."""

    deed_id: int
    sentence: str
    changes: str


def undo_offer(desk: Desk, scene: Scene) -> Offer | None:
    """The last deed that this person can undo; None where there is none."""
    found = newest_undoable(desk.tournament, desk.powers, (scene.stages, scene.rounds))
    if found is None:
        return None
    deed, way = found
    return Offer(deed.pk, told(desk.tournament, [deed], scene.labels)[0].sentence, way.changes)


def undoable_rows(desk: Desk, scene: Scene, deeds: Sequence[Deed]) -> dict[int, Offer]:
    """Of the deeds shown those that can be undone, by number; a few queries however many they are."""
    own = [deed for deed in deeds if deed.kind in UNDO and UNDO[deed.kind].can in desk.powers]
    undone = set(Deed.objects.filter(undoes__in=[deed.pk for deed in own]).values_list("undoes", flat=True))
    seen = seen_for(desk.tournament, own, (scene.stages, scene.rounds))
    return {
        deed.number: Offer(deed.pk, "", UNDO[deed.kind].changes)
        for deed in own
        if deed.pk not in undone and not blocked_by(deed, seen)
    }


def _undo(desk: Desk, asked: Asked) -> str:
    deed = get_object_or_404(Deed, tournament=desk.tournament, pk=number_in(asked, "deed"))
    desk.require(UNDO[deed.kind].can if deed.kind in UNDO else Can.CORRECT)
    sentence = told(desk.tournament, [deed], desk.scene().labels)[0].sentence
    undo(deed_id=deed.pk, actor=desk.actor, reason=asked.get("reason", ""))
    return f"Undone: {sentence}."


# Whoever may undo anything may enter results; what the one deed needs is asked when it is known.
UNDO_DEEDS: Mapping[str, DeskDeed] = {"undo": DeskDeed(Can.RESULTS, _undo)}
