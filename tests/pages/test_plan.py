"""The plan of the day at the desk: made in a form, seen as a timeline, changed step by step, held."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from journal.clock import now, reset_clock, set_clock, shift_clock
from journal.models import Deed
from tests.pages import halls
from tournaments import schedule
from tournaments.day_plan import plan_of
from tournaments.models import Round, Step, Tournament

pytestmark = pytest.mark.django_db
FORM = {
    "look_minutes": "2", "walk_minutes": "5", "break_minutes": "10", "lunch_minutes": "0",
    "overdue_minutes": "10", "warnings": "10, 5", "mode_publish": "automatic",
}  # fmt: skip


@pytest.fixture(autouse=True)
def still_clock() -> Iterator[None]:
    set_clock(speed=0)
    yield
    reset_clock()


def fresh(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def text_of(client: Any, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_the_day_is_planned_seen_changed_and_held_at_the_desk(at_desk: Any) -> None:
    tournament = halls.running(8, 1, zone="Europe/Berlin")
    client, desk = at_desk(tournament), f"/desk/{tournament.slug}/"
    assert "There is no plan yet" in text_of(client, f"{desk}plan/")
    assert client.post(f"{desk}plan/", FORM).status_code == 302
    plan = plan_of(fresh(tournament).plan)
    assert plan is not None
    assert "</td><td>Round 3</td>" in text_of(client, f"{desk}plan/").split("The rounds to come")[1]
    assert (plan.warnings, plan.mode_of("publish"), plan.mode_of("pair")) == ((10, 5), "automatic", "asked")

    # The next round is asked for, with its time, on the plan and at the desk.
    pair = Step.objects.get(tournament=tournament, kind="pair", state="waiting")
    assert pair.mode == "asked"
    assert "Pair Round 2" in text_of(client, f"{desk}plan/")
    assert "The clock asks you to pair Round 2" in text_of(client, desk)
    shift_clock(timedelta(hours=1))
    assert schedule.tick() == []
    client.post(f"{desk}do/do-step/", {"step": pair.pk})
    pair.refresh_from_db()
    assert (pair.state, pair.deed.kind, pair.deed.actor[:5]) == ("done", "RoundPaired", "user:")  # type: ignore[union-attr]

    # The clock publishes by itself unless somebody cancels that.
    publish = Step.objects.get(tournament=tournament, kind="publish", state="waiting")
    assert "The clock will publish Round 2" in text_of(client, desk)
    client.post(f"{desk}do/cancel-step/", {"step": publish.pk})
    shift_clock(timedelta(hours=1))
    assert schedule.tick() == []
    assert "The clock will publish" not in text_of(client, desk)

    # Held, nothing happens; released, what was to come is later by the time the clock was held.
    client.post(f"{desk}do/publish/", {"round": publish.round_id})
    start = Step.objects.get(tournament=tournament, kind="start", state="waiting")
    client.post(f"{desk}do/set-step/", {"step": start.pk, "mode": "automatic"})
    client.post(f"{desk}do/hold-clock/", {"reason": "Fire alarm"})
    assert "The clock is held since" in text_of(client, desk)
    shift_clock(timedelta(minutes=20))
    assert schedule.tick() == []
    client.post(f"{desk}do/release-clock/", {"shifts": "yes"})
    due = start.due_at
    start.refresh_from_db()
    assert start.due_at - due == timedelta(minutes=20)
    shift_clock(timedelta(minutes=5))
    assert schedule.tick() == [start.pk]
    kinds = Deed.objects.filter(tournament=tournament).values_list("kind", flat=True)
    assert {"PlanChanged", "StepCancelled", "StepChanged", "ClockHeld", "ClockReleased"} <= set(kinds)
    assert "Round 2 started</td>" in text_of(client, f"{desk}plan/")

    # Late tables are named.
    shift_clock(timedelta(minutes=61))
    schedule.tick()
    assert "is overdue: tables" in text_of(client, desk)
    client.post(f"{desk}do/drop-plan/")
    assert fresh(tournament).plan == {}
    assert set(
        Step.objects.filter(tournament=tournament, state="waiting").values_list("kind", flat=True)
    ) <= {"time"}


def test_before_the_day_the_plan_tells_when_the_last_round_and_the_final_will_be(at_desk: Any) -> None:
    begins = datetime(2026, 5, 2, 10, tzinfo=UTC)
    announced = {"starts_at": begins, "planned_rounds": 4, "cut": 4, "round_minutes": 50, "zone": "UTC"}
    tournament = halls.draft(**announced)
    set_clock(begins - timedelta(days=2), speed=0)
    client, page = at_desk(tournament), f"/desk/{tournament.slug}/plan/"
    client.post(page, {**FORM, "lunch_from": "12:30", "lunch_minutes": "45", "last_start": "16:00"})
    told = text_of(client, page).split("The rounds to come")[1].split("</section>")[0]
    assert re.findall(r"(\d\d:\d\d) to (\d\d:\d\d)</td><td>([\w ]+?) ?<", told + "<") == [
        ("10:00", "10:50", "Round 1"), ("11:07", "11:57", "Round 2"), ("12:14", "13:04", "Round 3"),
        ("13:56", "14:46", "Round 4"), ("15:03", "15:53", "Semifinals"), ("16:10", "17:00", "Final"),
    ]  # fmt: skip
    assert told.count("after lunch") == 1
    assert told.count("later than the plan allows") == 1


def test_what_was_done_tells_who_did_it_when_it_was_planned_and_what_was_refused_or_missed(
    at_desk: Any,
) -> None:
    tournament = halls.running(4, 1)
    client, page = at_desk(tournament), f"/desk/{tournament.slug}/plan/"
    client.post(f"/desk/{tournament.slug}/do/pair/")
    draft, closed = Round.objects.order_by("-number")[:2]
    late = {"publish": (draft, 3), "start": (closed, 2), "time": (closed, 7 * 60)}
    for kind, (rnd, minutes) in late.items():
        Step.objects.create(
            tournament=tournament, key=kind, kind=kind, round=rnd, due_at=now() - timedelta(minutes=minutes)
        )
    schedule.tick()
    done = text_of(client, page).split("What was done")[1].split("</section>")[0]
    assert "The clock missed its time to call time in Round 1</span>" in done
    assert re.search(
        r"The clock could not start Round 1: Round 1 is scrapped[^<]+</span></td><td>the clock", done
    )
    assert re.search(r"planned \d\d:\d\d</span></td><td>Round 2 published</td><td>the clock</td>", done)
    assert re.search(
        r"Round 2 paired, 2 tables</td><td><span class=\"quiet\">by hand:</span> Organizer</td>", done
    )


@pytest.mark.parametrize(
    "wall, says",
    [
        pytest.param("2026-03-29T02:30", "There is no 02:30", id="case-128"),
        pytest.param("2026-10-25T02:30", "comes twice", id="the hour that comes twice"),
    ],
)
def test_a_time_of_the_night_of_the_change_is_refused_or_told(at_desk: Any, wall: str, says: str) -> None:
    tournament = halls.draft(zone="Europe/Berlin")
    client, page = at_desk(tournament), f"/desk/{tournament.slug}/plan/"
    answer = client.post(page, {**FORM, "opens_at": wall}, follow=True)
    assert says in answer.content.decode()
    plan = plan_of(fresh(tournament).plan)
    opens = plan.opens_at.isoformat() if plan is not None and plan.opens_at else None
    assert opens == (None if says.startswith("There") else "2026-10-25T02:30:00+02:00")


def test_only_who_may_change_settings_makes_a_plan_and_a_viewer_changes_no_step(at_desk: Any) -> None:
    tournament = halls.running(4, 1)
    client = at_desk(tournament, "viewer")
    page = f"/desk/{tournament.slug}/plan/"
    assert client.get(page).status_code == 200
    assert client.post(page, FORM).status_code == 403
    step = Step.objects.create(tournament=tournament, key="x", kind="pair", due_at=now(), mode="asked")
    for deed in ("do-step", "set-step", "cancel-step", "hold-clock"):
        assert client.post(f"/desk/{tournament.slug}/do/{deed}/", {"step": step.pk}).status_code == 403
