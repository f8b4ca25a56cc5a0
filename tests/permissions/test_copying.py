"""An old tournament once more."""

from typing import Any

import pytest

from journal.actors import COMMAND
from journal.models import Deed
from teams.models import Seat
from tests.pages import halls
from tournaments.cloning import clone_tournament
from tournaments.erasing import erase_person
from tournaments.models import Staff, Tournament
from tournaments.setting_up import EDITABLE
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def old_tournament() -> Tournament:
    old = halls.running(5, mode="riftbound-2v2", cut=4, hall="1-9", level="competitive", capacity=16)
    halls.person("boss", "organizer", old)
    halls.person("judge", "judge", old)
    return old


def test_a_copy_has_the_settings_and_the_staff_and_nothing_that_was_played() -> None:
    old = old_tournament()
    halls.play(old)
    boss = halls.person("boss")
    new = clone_tournament(tournament_id=old.pk, name="Again", actor=COMMAND, organizer_id=boss.pk)
    for field in EDITABLE - {"name", "starts_at"}:
        assert getattr(new, field) == getattr(old, field), field
    assert (new.mode, new.state, new.announced_at, new.rules) == (old.mode, "draft", None, None)
    assert new.seed != old.seed
    roles = Staff.objects.filter(tournament=new).order_by("role").values_list("user__username", "role")
    assert list(roles) == [("judge", "judge"), ("boss", "organizer")]
    assert not new.teams.exists()
    assert not new.stages.exists()


def test_a_copy_with_its_teams_registers_them_without_whom_nobody_may_name() -> None:
    old = old_tournament()
    gone, grouped = old.teams.order_by("number")[:2]
    type(grouped).objects.filter(pk=grouped.pk).update(group="Club", fixed_table=7)
    drop_team(team_id=gone.pk, actor=COMMAND)
    erase_person(player_id=gone.seats.first().player_id, actor=COMMAND)
    new = clone_tournament(tournament_id=old.pk, name="Again", actor=COMMAND, with_teams=True)
    assert new.state == "registration"
    assert new.teams.count() == 4
    assert Seat.objects.filter(tournament=new, is_live=True).count() == 8
    again = new.teams.get(group="Club")
    assert (again.fixed_table, again.name) == (7, grouped.name)
    assert Deed.objects.filter(tournament=new, kind="TeamRegistered").count() == 4


def test_the_desk_copies_for_the_keepers_of_the_store_only(signed_in: Any) -> None:
    old = old_tournament()
    client, address = signed_in(halls.person("boss")), f"/desk/{old.slug}/copy/"
    assert client.get(address).status_code == 403
    assert address not in client.get("/desk/").content.decode()
    halls.store().keepers.add(halls.person("boss"))
    assert address in client.get("/desk/").content.decode()
    assert address in client.get(f"/desk/{old.slug}/settings/").content.decode()
    assert client.post(address, {"name": " "}).status_code == 422
    done = client.post(address, {"name": "Next week", "starts_at": "2026-07-04T10:00", "with_teams": "on"})
    new = Tournament.objects.get(name="Next week")
    assert done.url == f"/desk/{new.slug}/"
    assert new.starts_at.isoformat() == "2026-07-04T08:00:00+00:00"
    assert new.teams.count() == 5
    assert Staff.objects.filter(tournament=new, user__username="boss", role="organizer").count() == 1
