"""Undo at the desk: the last deed in words with what it changes back, and the deed that does it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.shortcuts import get_object_or_404

from journal.models import Deed
from matches.models import Match
from tournaments.pages.asked import Asked, DeskDeed, number_in
from tournaments.pages.desk_scene import Desk
from tournaments.pages.scenes import Scene, name_of
from tournaments.pages.sheets import Sheet
from tournaments.pages.words import match_words, sentence_of
from tournaments.staff import Can
from tournaments.undoing import UNDO, Known, blocked_by, newest_undoable, seen_for, undo


@dataclass(frozen=True, slots=True)
class Offer:
    """One deed that can be undone now."""

    deed_id: int
    sentence: str
    changes: str


def undo_offer(desk: Desk, scene: Scene, sheet: Sheet | None) -> Offer | None:
    """The last deed that this person can undo; None where there is none."""
    matches = sheet.matches if sheet else {}
    found = newest_undoable(desk.tournament, desk.powers, Known(scene.stages, scene.rounds, matches))
    if found is None:
        return None
    deed, way = found
    names = _subject_name(deed, scene, matches)
    return Offer(deed.pk, sentence_of(desk.tournament, deed, scene.labels, names), way.changes)


def _subject_name(deed: Deed, scene: Scene, matches: Mapping[int, Match]) -> dict[str, str]:
    """The name of the round or match the deed is about, where the page has read it."""
    sort, _, number = deed.subject.partition(":")
    rounds = {rnd.pk: rnd for rnd in scene.rounds}
    if sort == "round" and int(number) in rounds:
        return {deed.subject: name_of(rounds[int(number)])}
    match = matches.get(int(number)) if sort == "match" else None
    return {deed.subject: match_words(rounds[match.round_id], match)} if match else {}


def undoable_rows(desk: Desk, scene: Scene, deeds: Sequence[Deed]) -> dict[int, Offer]:
    """Of the deeds shown those that can be undone, by number; a few queries however many they are."""
    own = [deed for deed in deeds if deed.kind in UNDO and UNDO[deed.kind].can in desk.powers]
    undone = set(Deed.objects.filter(undoes__in=[deed.pk for deed in own]).values_list("undoes", flat=True))
    seen = seen_for(desk.tournament, own, Known(scene.stages, scene.rounds))
    return {
        deed.number: Offer(deed.pk, "", UNDO[deed.kind].changes)
        for deed in own
        if deed.pk not in undone and not blocked_by(deed, seen)
    }


def _undo(desk: Desk, asked: Asked) -> str:
    deed = get_object_or_404(Deed, tournament=desk.tournament, pk=number_in(asked, "deed"))
    desk.require(UNDO[deed.kind].can if deed.kind in UNDO else Can.CORRECT)
    sentence = sentence_of(desk.tournament, deed, desk.scene().labels)
    undo(deed_id=deed.pk, actor=desk.actor, reason=asked.get("reason", ""))
    return f"Undone: {sentence}."


# Whoever may undo anything may enter results; what the one deed needs is asked when it is known.
UNDO_DEEDS: Mapping[str, DeskDeed] = {"undo": DeskDeed(Can.RESULTS, _undo)}
