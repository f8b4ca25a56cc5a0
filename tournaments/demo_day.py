"""A day that runs by the clock alone, to be watched: its plan, and a crowd that signs up, comes and plays."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from django.conf import settings

from journal.actors import COMMAND, user_actor
from journal.clock import now
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState, TournamentState
from rulebook.modes import mode_of
from teams.models import Store, Team, User
from teams.people import add_players
from tournaments.day_plan import DayPlan
from tournaments.models import Step, Tournament
from tournaments.planning import change_plan
from tournaments.registration import check_in_team, register_team
from tournaments.setting_up import create_tournament
from tournaments.simulated_phones import Phones
from tournaments.staff import appoint

FIRST = (
    "Amara",
    "Björn",
    "Chiara",
    "Dmitri",
    "Elif",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Keiko",
    "Luis",
)
LAST = (
    "Aalto",
    "Bauer",
    "Costa",
    "Dubois",
    "Eriksen",
    "Fischer",
    "García",
    "Haddad",
    "Ito",
    "Jansen",
    "Klein",
)
TEAMS = ("Ember", "Tide", "Thorn", "Glass", "Iron", "Moss", "Salt", "Dawn")
KINDS = ("Foxes", "Owls", "Wardens", "Dragons", "Sparks", "Anchors", "Ravens", "Comets")
BY_CLOCK = dict.fromkeys(Step.Kind.values, Step.Mode.AUTOMATIC)


def plan_day(*, store: Store, staff: dict[str, User], begins: datetime, rounds: int, cut: int) -> Tournament:
    """A tournament whose registration opens a minute from now and whose first round starts at `begins`."""
    if settings.PRODUCTION:
        raise RuleBroken("demo-in-production", "The demo does not run in production.")
    organizer = staff["organizer"]
    made = create_tournament(
        store_id=store.pk,
        name="A day by the clock",
        mode="riftbound-2v2",
        actor=user_actor(organizer.pk),
        organizer_id=organizer.pk,
        planned_rounds=rounds,
        cut=cut,
        starts_at=begins,
    )
    for role, user in staff.items():
        if role != "organizer":
            appoint(tournament_id=made.pk, user_id=user.pk, role=role, actor=user_actor(organizer.pk))
    plan = DayPlan(
        opens_at=now() + timedelta(minutes=1),
        check_in_until=begins - timedelta(minutes=12),
        drops_no_shows=True,
        lunch_from="12:30",
        lunch_minutes=30,
        cut_by_lot=True,
        modes=BY_CLOCK,
    )
    return change_plan(tournament_id=made.pk, plan=plan, actor=user_actor(organizer.pk))


@dataclass
class Crowd:
    """Everybody who wants to play in the tournament; `absent` of the teams do not come to check in."""

    tournament_id: int
    teams: int
    absent: int = 2
    seed: int = 1
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = Random(f"crowd:{self.seed}")
        people = [f"{first} {last}" for first in FIRST for last in LAST]
        self.names = rng.sample(people, min(len(people), 2 * self.teams))
        self.teams = min(self.teams, len(self.names) // 2, len(TEAMS) * len(KINDS))

    def act(self, most: int = 4) -> None:
        """Some sign up and check in while registration is open; once it runs, phones send results."""
        tournament = Tournament.objects.get(pk=self.tournament_id)
        if tournament.state == TournamentState.RUNNING:
            Phones(tournament.pk, self.seed).send()
        elif tournament.state == TournamentState.REGISTRATION:
            signed = list(Team.objects.filter(tournament=tournament).order_by("number"))
            for index in range(len(signed), min(len(signed) + most, self.teams)):
                _sign_up(tournament, index, self.names[2 * index : 2 * index + 2])
            _check_in(signed[self.absent :], most)


def _sign_up(tournament: Tournament, index: int, names: Sequence[str]) -> None:
    labels = mode_of(tournament.mode).labels
    people = add_players(store_id=tournament.store_id, names=list(names))
    register_team(
        tournament_id=tournament.pk,
        members={label: player.pk for label, player in zip(labels, people, strict=True)},
        name=f"{TEAMS[index % len(TEAMS)]} {KINDS[index // len(TEAMS)]}",
        actor=COMMAND,
    )


def _check_in(signed: Sequence[Team], most: int) -> None:
    waiting = [team for team in signed if team.state == TeamState.REGISTERED]
    for team in waiting[:most]:
        check_in_team(team_id=team.pk, actor=COMMAND)


def next_quarter(moment: datetime, at_least: timedelta) -> datetime:
    """A quarter of an hour that begins so much later, or a little more."""
    later = moment + at_least
    return later.replace(minute=later.minute // 15 * 15, second=0, microsecond=0) + timedelta(minutes=15)
