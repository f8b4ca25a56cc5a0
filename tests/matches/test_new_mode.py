"""A play mode is one record: the database and the sheet of a table know it without another edit."""

import dataclasses

import pytest
from django.core.management import call_command

from journal.actors import COMMAND
from matches.games import choose_first
from matches.sheets import sheet_of
from rulebook.modes import MODES
from tests.day import new_day
from tournaments.models import Tournament


@pytest.fixture
def quick_chamber(monkeypatch: pytest.MonkeyPatch) -> str:
    """2v2 to 7 points, which nobody plays yet."""
    known = MODES["riftbound-2v2"]
    track = dataclasses.replace(known.track, goal=7)
    record = dataclasses.replace(known, key="riftbound-quick", name="Riftbound 2v2 to seven", track=track)
    monkeypatch.setitem(MODES, record.key, record)
    return record.key


@pytest.mark.django_db
def test_a_new_record_is_offered_played_and_needs_no_migration(quick_chamber: str) -> None:
    offered = Tournament._meta.get_field("mode").flatchoices
    assert (quick_chamber, "Riftbound 2v2 to seven") in offered
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    match = new_day(2, mode=quick_chamber).run().matches.get()
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="2B")
    sheet = sheet_of(match)
    assert sheet.order == ("2B", "1A", "2A", "1B")
    assert any("7 win" in line.text for step in sheet.steps for line in step.lines)
