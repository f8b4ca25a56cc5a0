"""The journal: numbered without gaps, never changed, and the clock everybody asks."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from journal import clock
from journal.actors import COMMAND
from journal.kinds import DeedKind
from journal.models import Deed
from journal.recording import record, record_many, version_of
from journal.wake import listen, stop_listening
from rulebook.errors import RuleBroken
from tests.day import new_day
from tournaments.setting_up import start_tournament

pytestmark = pytest.mark.django_db


def test_deeds_are_numbered_per_tournament_without_gaps() -> None:
    first, second = new_day(2), new_day(3)
    for day in (first, second):
        numbers = list(Deed.objects.filter(tournament=day.tournament).values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))
        assert version_of(day.tournament.pk) == len(numbers)


def test_many_deeds_at_once_take_the_next_numbers() -> None:
    day = new_day(2)
    before = version_of(day.tournament.pk)
    with transaction.atomic():
        record_many(
            tournament_id=day.tournament.pk,
            kind=DeedKind.LINK_MADE,
            actor=COMMAND,
            deeds=[("seat:1", None), ("seat:2", None)],
        )
    subjects = Deed.objects.filter(number__gt=before).order_by("number").values_list("number", "subject")
    assert list(subjects) == [(before + 1, "seat:1"), (before + 2, "seat:2")]


@pytest.mark.parametrize(
    "statement", ["UPDATE journal_deed SET kind = 'X'", "DELETE FROM journal_deed"], ids=["update", "delete"]
)
def test_the_database_refuses_to_change_or_delete_a_deed(statement: str) -> None:
    new_day(2)
    refusal = pytest.raises(DatabaseError, match="never changed or deleted")
    with refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Deed.objects.exists()


def test_a_deed_that_is_refused_leaves_no_row() -> None:
    day = new_day(1, started=False)
    before = version_of(day.tournament.pk)
    with pytest.raises(RuleBroken):
        start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    assert version_of(day.tournament.pk) == before


def test_listeners_hear_the_version_after_the_commit(django_capture_on_commit_callbacks: object) -> None:
    day = new_day(2)
    heard: list[tuple[int, int]] = []

    def hear(tournament_id: int, number: int, subject: str) -> None:
        heard.append((tournament_id, number))

    listen(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
            with transaction.atomic():
                deed = record(tournament_id=day.tournament.pk, kind=DeedKind.LINK_MADE, actor=COMMAND)
            assert heard == []
    finally:
        stop_listening(hear)
    assert heard == [(day.tournament.pk, deed.number)]


def test_the_journal_names_nobody() -> None:
    day = new_day(2)
    names = [player.name for players in day.players for player in players]
    told = " ".join(f"{deed.before} {deed.after} {deed.subject} {deed.actor}" for deed in Deed.objects.all())
    assert not [name for name in names if name in told]


def test_the_clock_can_be_set_and_sped_up_and_reset() -> None:
    shown = datetime(2027, 3, 28, 1, 30, tzinfo=UTC)
    clock.set_clock(shown, speed=60.0)
    first = clock.now()
    assert abs((first - shown).total_seconds()) < 60
    clock.shift_clock(timedelta(hours=2))
    assert (clock.now() - first) >= timedelta(hours=2)
    assert Client().get("/now")["X-Clock-Speed"] == "60"
    clock.reset_clock()
    assert Client().get("/now")["X-Clock-Speed"] == "1"
    assert abs((clock.now() - datetime.now(UTC)).total_seconds()) < 5


def test_where_the_clock_is_not_adjustable_a_setting_is_ignored(settings: object) -> None:
    clock.set_clock(datetime(2040, 1, 1, tzinfo=UTC))
    settings.CLOCK_ADJUSTABLE = False  # type: ignore[attr-defined]
    assert clock.now().year < 2040
    clock.reset_clock()
