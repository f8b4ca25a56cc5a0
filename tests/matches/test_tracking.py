"""The table tracker through its services: who may tap when, what is kept, and who is woken."""

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from journal.wake import listen_tables, stop_listening_tables
from matches.games import choose_first, record_game, undo_game
from matches.models import Entry, Match
from matches.tracking import note_tap, tracked_game, undo_tap
from rulebook.errors import RuleBroken
from rulebook.tracker import Ending, Tap, ending
from tests.day import new_day

pytestmark = pytest.mark.django_db


def table_one(mode: str = "riftbound-2v2") -> Match:
    return new_day(4, mode=mode).run().matches.get(table=1)


def tap(match: Match, tap: Tap, position: str, amount: int = 0, source: str = "", **more: int) -> Entry:
    return note_tap(
        match_id=match.pk, actor=COMMAND, tap=tap, position=position, amount=amount, source=source, **more
    )


def totals(match: Match) -> tuple[int, ...]:
    tracked = tracked_game(match)
    assert tracked is not None
    return tuple(tracked.table.sheet.total(f"{side + 1}A") for side in range(match.frozen_terms.sides))


def test_points_are_tapped_and_taken_back_without_a_deed_and_wake_their_table_only(
    django_capture_on_commit_callbacks: object,
) -> None:
    match, told = table_one(), []
    with pytest.raises(RuleBroken, match="No game runs"):
        tap(match, Tap.HOLD, "1A", source="1")
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="1A")
    deeds = Deed.objects.count()
    listen_tables(listener := lambda about, taps: told.append((about, taps)))
    try:
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
            tap(match, Tap.HOLD, "1A", source="1")
            tap(match, Tap.CONQUER, "1B", source="2")
            undo_tap(match_id=match.pk, actor=COMMAND, number=1)
    finally:
        stop_listening_tables(listener)
    assert told == [(match.pk, 1), (match.pk, 2), (match.pk, 3)]
    assert Deed.objects.count() == deeds
    assert totals(match) == (1, 0)
    assert list(Entry.objects.values_list("number", "undoes", "actor")) == [
        (1, None, "command"), (2, None, "command"), (3, 1, "command"),
    ]  # fmt: skip


def test_the_score_survives_an_opening_taken_back_and_each_game_has_its_own() -> None:
    match = table_one("magic-2hg")
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    tap(match, Tap.PAY, "1B", 2)
    undo_game(match_id=match.pk, actor=COMMAND)
    assert tracked_game(match) is None
    choose_first(match_id=match.pk, actor=COMMAND, chooser=1)
    assert totals(match) == (28, 30)
    tap(match, Tap.SCORE, "2A", -30)
    tracked = tracked_game(match)
    assert tracked is not None
    assert ending(tracked.table) == Ending(0)
    record_game(match_id=match.pk, actor=COMMAND, winner=None)
    choose_first(match_id=match.pk, actor=COMMAND)
    assert totals(match) == (30, 30)
    with pytest.raises(RuleBroken, match="Game 1 is over"):
        tap(match, Tap.SCORE, "2A", -1, game=1)
