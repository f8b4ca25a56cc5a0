"""The clean-up takes contacts, links, uploads and invitations of old tournaments, nothing that was played."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from journal.actors import COMMAND
from journal.clock import now, reset_clock, shift_clock
from journal.models import Deed
from matches.models import Line, Result
from teams.links import make_link
from teams.models import Link, Player, Seat, User
from tests import small_event
from tournaments.cutting import finish_tournament
from tournaments.invitations import invite_staff
from tournaments.models import Invitation, SnapshotRow, Tournament, Upload
from tournaments.pages.words import sentence_of
from tournaments.setting_up import cancel_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_seasons() -> Any:
    """A tournament that ended a hundred days ago and one that runs, with a player who is in both."""
    old = small_event.running(4, slug="spring", planned_rounds=1)
    small_event.played(old)
    finish_tournament(tournament_id=old.pk, actor=COMMAND)
    user = User.objects.create_user("jo")
    for tournament in (old, small_event.running(4, slug="autumn")):
        for seat in Seat.objects.filter(tournament=tournament)[:3]:
            make_link(seat_id=seat.pk)
        invite_staff(tournament_id=tournament.pk, role="judge", actor=COMMAND)
        for at in (None, now()):
            Upload.objects.create(
                tournament=tournament, user=user, name="teams.csv", body=b"Ana", made_at=now(), applied_at=at
            )
    Player.objects.update(contact="somebody@example.org")
    shift_clock(timedelta(days=100))
    running = Tournament.objects.get(slug="autumn")
    stays = Seat.objects.filter(tournament=old).first()
    assert stays is not None
    newest = Seat.objects.filter(tournament=running).latest("pk")
    Player.objects.filter(pk=newest.player_id).update(contact="")
    Seat.objects.filter(pk=newest.pk).update(player=stays.player)
    yield old, running, stays.player
    reset_clock()


def clean_up(*words: str) -> str:
    out = io.StringIO()
    call_command("clean_up", *words, stdout=out)
    return out.getvalue()


def played() -> list[int]:
    return [model.objects.count() for model in (Player, Seat, Result, Line, SnapshotRow)]


def test_contacts_links_uploads_and_invitations_go_once_and_what_was_played_stays(
    two_seasons: Any,
) -> None:
    old, running, stays = two_seasons
    with pytest.raises(CommandError, match="three months"):
        clean_up("--older-than", "91")
    assert "nothing" in clean_up("--older-than", "101")
    before, deeds = played(), Deed.objects.count()
    told = "7 contacts, 3 personal links, 4 uploads, 2 invitations."
    assert f"Would remove what is older than {now() - timedelta(days=92):%Y-%m-%d}: {told}" in clean_up(
        "--older-than", "92", "--dry-run"
    )
    assert (Link.objects.count(), Deed.objects.count()) == (6, deeds)
    assert told in clean_up("--older-than", "92")
    assert "nothing" in clean_up("--older-than", "92")
    known = set(Player.objects.exclude(contact="").values_list("pk", flat=True))
    assert known == set(Seat.objects.filter(tournament=running).values_list("player", flat=True))
    assert stays.pk in known
    assert set(Link.objects.values_list("seat__tournament", flat=True)) == {running.pk}
    assert {bytes(body) for body in Upload.objects.values_list("body", flat=True)} == {b""}
    assert not Upload.objects.filter(applied_at=None).exists()
    assert not Invitation.objects.exists()
    assert played() == before
    assert Deed.objects.count() == deeds + 2
    deed = Deed.objects.get(tournament=old, kind="DataForgotten")
    assert deed.after == {"contacts": 7, "personal links": 3, "uploads": 2, "invitations": 1}
    assert sentence_of(old, deed, "AB").startswith("Cleaned up: 7 contacts, 1 invitations, 3 personal links")


def test_a_tournament_counts_from_its_last_end(two_seasons: Any) -> None:
    _, running, _ = two_seasons
    cancel_tournament(tournament_id=running.pk, actor=COMMAND, reason="No hall")
    shift_clock(timedelta(days=91))
    clean_up("--older-than", "92")
    assert Link.objects.filter(seat__tournament=running).count() == 3
    shift_clock(timedelta(days=2))
    assert "8 contacts, 3 personal links" in clean_up("--older-than", "92")
    assert not Player.objects.exclude(contact="").exists()
