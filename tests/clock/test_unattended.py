"""A tournament that nobody attends: from registration to the final ranking by the clock alone."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from journal.actors import CLOCK, COMMAND
from journal.clock import now, reset_clock, set_clock
from journal.kinds import DeedKind
from journal.models import Deed
from rulebook.lifecycle import RoundState, TeamState, TournamentState
from teams.models import Store, Team
from teams.people import add_players
from tournaments import schedule
from tournaments.day_plan import DayPlan
from tournaments.models import Round, StageEntry, Step, Tournament
from tournaments.planning import change_plan
from tournaments.registration import check_in_team, register_teams
from tournaments.setting_up import create_tournament
from tournaments.simulated_phones import Phones

pytestmark = pytest.mark.django_db

# The night before this Sunday the clocks of Berlin go forward.
EVENING = datetime(2026, 3, 28, 17, tzinfo=UTC)
BEGINS = datetime(2026, 3, 29, 8, tzinfo=UTC)
TEAMS, ABSENT, ROUNDS, CUT = 64, 2, 6, 8
PLAN = DayPlan(
    opens_at=EVENING + timedelta(hours=1),
    closes_at=BEGINS - timedelta(hours=1),
    check_in_until=BEGINS - timedelta(minutes=15),
    drops_no_shows=True,
    lunch_from="12:30",
    lunch_minutes=45,
    cut_by_lot=True,
    modes=dict.fromkeys(Step.Kind.values, Step.Mode.AUTOMATIC),
)


@pytest.fixture(autouse=True)
def own_clock() -> Iterator[None]:
    yield
    reset_clock()


def planned() -> Tournament:
    store = Store.objects.create(name="The Corner", slug="corner", zone="Europe/Berlin")
    made = create_tournament(
        store_id=store.pk, name="Unattended", mode="riftbound-2v2", actor=COMMAND, seed=5,
        planned_rounds=ROUNDS, cut=CUT, best_of=3, starts_at=BEGINS,
    )  # fmt: skip
    return change_plan(tournament_id=made.pk, plan=PLAN, actor=COMMAND)


def sign_up(tournament: Tournament) -> None:
    """More teams come than play: two are not there at the end of check-in."""
    people = iter(
        add_players(store_id=tournament.store_id, names=[f"P {n}" for n in range(2 * (TEAMS + ABSENT))])
    )
    members = [{label: next(people).pk for label in "AB"} for _ in range(TEAMS + ABSENT)]
    teams = register_teams(tournament_id=tournament.pk, members=members, actor=COMMAND)
    for team in teams[:TEAMS]:
        check_in_team(team_id=team.pk, actor=COMMAND)


def until(tournament: Tournament, state: str, phones: Phones) -> None:
    """The day goes on a minute at a time; nobody is at the desk."""
    for _ in range(36 * 60):
        schedule.tick()
        if Tournament.objects.values_list("state", flat=True).get(pk=tournament.pk) == state:
            return
        waits = (
            Step.objects.filter(tournament=tournament, state=Step.State.WAITING).order_by("due_at").first()
        )
        assert waits is not None, "the clock has nothing more to do"
        plays = Round.objects.filter(state=RoundState.RUNNING).values_list("started_at", flat=True).first()
        # Nobody is done in the first minutes of a round.
        quiet = plays + timedelta(minutes=17) if plays else waits.due_at
        set_clock(max(quiet, now() + timedelta(seconds=60 if plays else 1)), speed=0)
        phones.send()
    raise AssertionError("the day has no end")


@pytest.mark.long
def test_64_teams_play_six_rounds_and_a_top_8_by_the_clock_alone() -> None:
    set_clock(EVENING, speed=0)
    tournament = planned()
    phones = Phones(tournament.pk, seed=7)
    until(tournament, TournamentState.REGISTRATION, phones)
    assert now() == PLAN.opens_at
    sign_up(tournament)
    last_by_hand = Deed.objects.filter(tournament=tournament).latest("number").number
    until(tournament, TournamentState.FINISHED, phones)

    first, *_ = rounds = list(Round.objects.order_by("stage__number", "number"))
    assert [(rnd.stage.number, rnd.number) for rnd in rounds] == [
        *((1, number) for number in range(1, ROUNDS + 1)), (2, 1), (2, 2), (2, 3),
    ]  # fmt: skip
    assert first.started_at == BEGINS
    assert {rnd.state for rnd in rounds} == {RoundState.CLOSED}
    withdrawn = Team.objects.filter(tournament=tournament, state=TeamState.WITHDRAWN).count()
    assert withdrawn == ABSENT
    places = StageEntry.objects.filter(stage__number=1).order_by("place").values_list("place", flat=True)
    assert list(places)[:2] == [1, 2]
    assert len(places) == TEAMS

    later = Deed.objects.filter(tournament=tournament, number__gt=last_by_hand)
    assert {actor.partition(":")[0] for actor in later.values_list("actor", flat=True)} == {"clock", "seat"}
    for kind in (
        DeedKind.ROUND_PAIRED,
        DeedKind.ROUND_PUBLISHED,
        DeedKind.ROUND_STARTED,
        DeedKind.ROUND_CLOSED,
    ):
        assert later.filter(kind=kind, actor=CLOCK.who).count() == ROUNDS + 3, kind
    assert not later.filter(kind__in=[DeedKind.STEP_BLOCKED, DeedKind.STEP_MISSED]).exists()
    steps = Step.objects.filter(tournament=tournament)
    assert set(steps.values_list("state", flat=True)) == {Step.State.DONE, Step.State.CANCELLED}
    for step in steps.filter(state=Step.State.DONE).select_related("deed"):
        assert step.deed is not None or step.kind == Step.Kind.CLOSE_REGISTRATION, step
        assert step.deed is None or step.deed.actor == CLOCK.who, step
