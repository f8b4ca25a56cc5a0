"""One demo tournament, told by a seed file and played up to where the file leaves it, in times before now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from journal.actors import Actor, seat_actor, user_actor
from journal.clock import set_clock
from matches.games import choose_first, record_game
from matches.models import Match, Side
from matches.results import enter_result, report_result
from rulebook import modes
from rulebook.lifecycle import MatchKind
from teams.links import make_link
from teams.models import Player, Seat, Team, User
from teams.people import add_player
from tournaments.cutting import finish_tournament, make_cut
from tournaments.models import Round, Staff, Tournament
from tournaments.pairing import pair_round
from tournaments.registration import check_in_team, register_team, withdraw_team
from tournaments.rounds import close_round, publish_round, start_round
from tournaments.setting_up import create_tournament, open_registration, start_tournament
from tournaments.staff import appoint
from tournaments.withdrawals import drop_team

REGISTRATION_OPENS = timedelta(days=9)
BETWEEN_ROUNDS = 8  # minutes
TO_PUBLISH = 4  # minutes from the pairings to the clock
DRAWS = 0.06


@dataclass
class Scene:
    """A tournament on its way to what its seed file tells; `now` is the present of whoever loads it."""

    told: Mapping[str, Any]
    tournament: Tournament
    now: datetime
    rng: Random
    actor: Actor
    teams: dict[str, Team] = field(default_factory=dict)

    @property
    def begins(self) -> datetime:
        return self.now + timedelta(minutes=self.told["starts_minutes"])

    def round_begins(self, number: int) -> datetime:
        """When the clock of the round starts: rounds are played in full, with a pause between them."""
        length = self.tournament.round_minutes + BETWEEN_ROUNDS
        return self.begins + timedelta(minutes=TO_PUBLISH + 1 + (number - 1) * length)


def stage(told: Mapping[str, Any], *, store_id: int, staff: Mapping[str, User], now: datetime) -> Tournament:
    """The tournament of the seed file stands in the database as if it had been run by hand until now."""
    organizer = staff["organizer"]
    actor = user_actor(organizer.pk)
    begins = now + timedelta(minutes=told["starts_minutes"])
    set_clock(min(begins, now) - REGISTRATION_OPENS)
    tournament = create_tournament(
        store_id=store_id, organizer_id=organizer.pk, actor=actor, starts_at=begins, **told["tournament"]
    )
    for role, user in staff.items():
        if role != Staff.Role.ORGANIZER:
            appoint(tournament_id=tournament.pk, user_id=user.pk, role=role, actor=actor)
    open_registration(tournament_id=tournament.pk, actor=actor)
    scene = Scene(told, tournament, now, Random(told["tournament"]["seed"]), actor)
    _register(scene)
    if "closed_rounds" in told:
        _play(scene)
    if "link" in told:
        make_link(seat_id=Seat.objects.get(tournament=tournament, player__name=told["link"], is_live=True).pk)
    return tournament


def _register(scene: Scene) -> None:
    """Everybody of the file has registered, one after the other; some withdrew, some are checked in."""
    labels = modes.mode_of(scene.tournament.mode).labels
    seated: set[int] = set()
    for index, entry in enumerate(scene.told["teams"]):
        set_clock(min(scene.begins, scene.now) - REGISTRATION_OPENS * (1 - (index + 1) / 50))
        members = {}
        for label, name in zip(labels, entry["members"], strict=False):
            members[label] = _person(scene.tournament.store_id, name, seated).pk
        team = register_team(
            tournament_id=scene.tournament.pk, members=members, name=entry.get("name", ""), actor=scene.actor
        )
        scene.teams[entry.get("name") or entry["members"][0]] = team
    set_clock(min(scene.begins, scene.now) - timedelta(minutes=12))
    for name in scene.told.get("withdraws", ()):
        withdraw_team(team_id=scene.teams[name].pk, actor=scene.actor)
    for name in scene.told.get("checked_in", ()):
        check_in_team(team_id=scene.teams[name].pk, actor=scene.actor)


def _person(store_id: int, name: str, seated: set[int]) -> Player:
    """Who the store knows by that name, or somebody new: a name met twice in one tournament is two people."""
    known = Player.objects.filter(store_id=store_id, name=name).exclude(pk__in=seated).first()
    person = known or add_player(store_id=store_id, name=name)
    seated.add(person.pk)
    return person


def _play(scene: Scene) -> None:
    tournament, actor = scene.tournament, scene.actor
    set_clock(scene.begins)
    start_tournament(tournament_id=tournament.pk, actor=actor)
    closed = scene.told["closed_rounds"]
    for number in range(1, closed + 1):
        _play_round(scene, number)
        for drop in scene.told.get("drops", ()):
            if drop["after_round"] == number:
                drop_team(team_id=scene.teams[drop["team"]].pk, actor=actor)
    if "under_way" in scene.told:
        _leave_under_way(scene, scene.told["under_way"])
    if scene.told.get("finished"):
        make_cut(tournament_id=tournament.pk, actor=actor, tie_decision="By lot.")
        for number in range(1, tournament.cut.bit_length()):
            _play_round(scene, closed + number, draws=0)
        finish_tournament(tournament_id=tournament.pk, actor=actor)


def _play_round(scene: Scene, number: int, draws: float = DRAWS) -> None:
    begins = scene.round_begins(number)
    rnd = _started(scene, begins)
    tables = list(Match.objects.filter(round=rnd, kind=MatchKind.TABLE).order_by("table"))
    shares = sorted(scene.rng.uniform(0.4, 0.99) for _ in tables)
    for share, match in zip(shares, scene.rng.sample(tables, len(tables)), strict=True):
        set_clock(begins + timedelta(minutes=scene.tournament.round_minutes * share))
        wins, drawn = _score(scene, match, draws)
        enter_result(match_id=match.pk, wins=wins, draws=drawn, actor=scene.actor)
    set_clock(begins + timedelta(minutes=scene.tournament.round_minutes))
    close_round(round_id=rnd.pk, actor=scene.actor)


def _started(scene: Scene, begins: datetime) -> Round:
    set_clock(begins - timedelta(minutes=TO_PUBLISH))
    rnd = pair_round(tournament_id=scene.tournament.pk, actor=scene.actor, seed=scene.rng.getrandbits(60))
    publish_round(round_id=rnd.pk, actor=scene.actor)
    set_clock(begins)
    return start_round(round_id=rnd.pk, actor=scene.actor)


def _score(scene: Scene, match: Match, draws: float) -> tuple[Sequence[int], int]:
    needed = match.frozen_terms.wins_needed
    if scene.rng.random() < draws:
        return (needed - 1, needed - 1), 1
    wins = [needed, scene.rng.randrange(needed)]
    scene.rng.shuffle(wins)
    return wins, 0


def _leave_under_way(scene: Scene, told: Mapping[str, int]) -> None:
    """The round runs: some tables are done, some wait for the other side or for a judge, some are in a game.

    The table of the player whose link is printed is untouched, so that a visitor can play it.
    """
    begins = scene.now - timedelta(minutes=told["minutes"])
    rnd = _started(scene, begins)
    set_clock(scene.now - timedelta(minutes=2))
    visitor = Side.objects.filter(round=rnd, team__seats__player__name=scene.told["link"]).values("match_id")
    tables = Match.objects.filter(round=rnd, kind=MatchKind.TABLE).exclude(pk__in=visitor)
    waiting = iter(scene.rng.sample(list(tables.order_by("table")), tables.count()))
    for _ in range(told["results"]):
        match = next(waiting)
        wins, drawn = _score(scene, match, DRAWS)
        enter_result(match_id=match.pk, wins=wins, draws=drawn, actor=scene.actor)
    for _ in range(told["reports"]):
        _report(next(waiting), 0)
    for _ in range(told["disputes"]):
        match = next(waiting)
        _report(match, 0)
        _report(match, 1)
    for _ in range(told["games"]):
        _open_game(scene, next(waiting))


def _report(match: Match, index: int) -> None:
    """The side says that it has won."""
    sides = list(match.sides.order_by("index").values_list("team_id", flat=True))
    seat = Seat.objects.filter(team=sides[index], is_live=True).order_by("label").first()
    assert seat is not None
    report_result(
        match_id=match.pk,
        team_id=sides[index],
        wins={sides[index]: match.frozen_terms.wins_needed, sides[1 - index]: 1},
        actor=seat_actor(seat.pk),
    )


def _open_game(scene: Scene, match: Match) -> None:
    """Game one is won, and its loser has chosen who starts game two."""
    choose_first(match_id=match.pk, actor=scene.actor, seed=scene.rng.getrandbits(60))
    record_game(match_id=match.pk, actor=scene.actor, winner=scene.rng.randrange(2))
    choose_first(match_id=match.pk, actor=scene.actor)
