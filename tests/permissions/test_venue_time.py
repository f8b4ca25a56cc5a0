"""Times on the clock of the venue, whoever looks and whatever night it is."""

import re
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from journal.actors import COMMAND
from rulebook.errors import RuleBroken
from tests.pages import halls
from tests.pages.test_public import text_of
from tournaments.models import Tournament
from tournaments.setting_up import change_tournament
from tournaments.venue_time import comes_twice, moment_at

WINTER = datetime(2025, 11, 9, 13, 30)


@pytest.mark.parametrize(
    ("wall", "zone", "utc"),
    [
        (WINTER, "America/New_York", "2025-11-09T18:30"),
        (datetime(2025, 10, 30, 13, 30), "America/New_York", "2025-10-30T17:30"),
        (datetime(2026, 3, 29, 3, 0), "Europe/Madrid", "2026-03-29T01:00"),
        (datetime(2026, 10, 25, 2, 30), "Europe/Madrid", "2026-10-25T00:30"),
    ],
)
def test_a_wall_time_is_the_moment_of_its_own_day_not_of_today(wall: datetime, zone: str, utc: str) -> None:
    assert moment_at(wall, zone).astimezone(UTC).isoformat().startswith(utc)


def test_an_hour_that_comes_twice_is_known() -> None:
    assert comes_twice(moment_at(datetime(2026, 10, 25, 2, 30), "Europe/Madrid"))
    assert not comes_twice(moment_at(datetime(2026, 10, 25, 3, 30), "Europe/Madrid"))
    assert not comes_twice(moment_at(datetime(2026, 3, 29, 3, 30), "Europe/Madrid"))


@pytest.mark.parametrize("wall", [pytest.param(datetime(2026, 3, 29, 2, 30), id="case-128")])
def test_a_time_that_the_clock_skips_is_refused_with_the_next_one(wall: datetime) -> None:
    with pytest.raises(RuleBroken) as refused:
        moment_at(wall, "Europe/Madrid")
    assert refused.value.sentence == (
        "There is no 02:30 on 29 March 2026 in Europe/Madrid: the clocks go forward that night. Take 03:00."
    )


@pytest.mark.django_db
def test_the_desk_refuses_a_beginning_that_the_clock_skips_and_tells_of_one_that_comes_twice(
    signed_in: Any,
) -> None:
    """case-128: never an error page."""
    boss = halls.person("boss")
    halls.store().keepers.add(boss)
    client = signed_in(boss)
    form = {
        "store": halls.store().pk,
        "mode": "magic-2hg",
        "name": "Noche",
        "planned_rounds": 3,
        "cut": 0,
        "round_minutes": 45,
        "zone": "Europe/Madrid",
    }
    refused = client.post("/desk/new", {**form, "starts_at": "2026-03-29T02:30"})
    assert refused.status_code == 422
    assert "Take 03:00" in str(refused.context["form"].errors["starts_at"])
    told = client.post("/desk/new", {**form, "starts_at": "2026-10-25T02:30"}, follow=True)
    assert "02:30 comes twice. The first one is meant (CEST)" in text_of(told)
    running = halls.running(4)
    rnd = halls.paired(running)
    Tournament.objects.filter(pk=running.pk).update(zone="Europe/Madrid")
    halls.person("boss", "organizer", running)
    deed = {"round": rnd.pk, "at": "2026-03-29T02:30"}
    told = client.post(f"/desk/{running.slug}/do/schedule/", deed, follow=True)
    assert "There is no 02:30" in text_of(told)
    assert not running.steps.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("viewer", [pytest.param("America/Los_Angeles", id="case-125")])
def test_a_date_after_the_clock_change_is_told_with_the_offset_of_its_own_day(viewer: str) -> None:
    tournament = halls.registering(2)
    moment = moment_at(WINTER, "America/New_York")
    change_tournament(tournament_id=tournament.pk, actor=COMMAND, zone="America/New_York", starts_at=moment)
    html = Client().get(f"/t/{tournament.slug}/").content.decode()
    told = re.search(r'<time datetime="([^"]+)" data-zone="America/New_York">(.*?)</time>', html)
    assert told is not None
    assert "9 Nov 2025, 13:30" in told[2]
    shown = datetime.fromisoformat(told[1]).astimezone(ZoneInfo(viewer))
    assert f"{shown:%H:%M}" == "10:30"


@pytest.mark.django_db
@pytest.mark.parametrize("zone", [pytest.param("America/Toronto", id="case-129")])
def test_a_visitor_sees_the_time_of_the_venue_with_its_zone_and_a_clock_that_counts_to_a_stored_moment(
    zone: str,
) -> None:
    tournament = halls.running(4)
    moment = moment_at(datetime(2026, 7, 4, 10, 0), zone)
    change_tournament(tournament_id=tournament.pk, actor=COMMAND, zone=zone, starts_at=moment)
    rnd = halls.started(tournament)
    for page in ("", "pairings/"):
        answer = Client().get(f"/t/{tournament.slug}/{page}")
        assert "Sat 4 Jul 2026, 10:00 America/Toronto" in text_of(answer)
    front = text_of(Client().get("/"))
    assert "Sat 4 Jul 2026, 10:00 America/Toronto" in front
    rnd.refresh_from_db()
    html = Client().get(f"/t/{tournament.slug}/pairings/").content.decode()
    ends = re.search(r'data-ends="([^"]+)"', html)
    assert ends is not None
    assert datetime.fromisoformat(ends[1]) == rnd.ends_at


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("viewer", [pytest.param("America/Los_Angeles", id="case-125-in-a-browser")])
def test_a_visitor_elsewhere_reads_his_own_time_beside_that_of_the_venue(
    live_server: Any, new_context: Any, viewer: str
) -> None:
    tournament = halls.registering(2)
    moment = moment_at(WINTER, "America/New_York")
    change_tournament(tournament_id=tournament.pk, actor=COMMAND, zone="America/New_York", starts_at=moment)
    for zone, own in ((viewer, " (for you Sun 10:30)"), ("America/New_York", "")):
        page = new_context(base_url=live_server.url, timezone_id=zone).new_page()
        page.goto(f"/t/{tournament.slug}/")
        told = page.locator("time[data-zone]").inner_text()
        assert told == f"Sun 9 Nov 2025, 13:30 America/New York{own}"
