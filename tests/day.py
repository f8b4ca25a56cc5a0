"""A small tournament day for tests, driven through the services an organizer uses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from journal.actors import COMMAND
from matches.models import Match, Side
from matches.results import enter_result
from rulebook.lifecycle import MatchKind
from rulebook.modes import mode_of
from rulebook.scoring import ResultKind
from teams.models import Player, Store, Team
from teams.people import add_players
from tournaments.cutting import make_cut
from tournaments.models import Round, Stage, Tournament
from tournaments.pairing import pair_round, running_stage
from tournaments.registration import register_team, register_teams
from tournaments.rounds import close_round, current_round, publish_round, start_round
from tournaments.setting_up import create_tournament, open_registration, start_tournament
from tournaments.standings import standings_of

NAMES = ("Aiko Tanaka", "Björn Åström", "Chidi Okonkwo", "Dolores Fuentes", "Émile Lefèvre", "藤原 さくら")


@dataclass
class Day:
    """The tournament and its teams in the order they registered; `players[i]` are the members of team i."""

    tournament: Tournament
    teams: list[Team] = field(default_factory=list)
    players: list[list[Player]] = field(default_factory=list)

    def pair(self, seed: int = 1) -> Round:
        return pair_round(tournament_id=self.tournament.pk, actor=COMMAND, seed=seed)

    def publish(self, seed: int = 1) -> Round:
        return publish_round(round_id=self.pair(seed).pk, actor=COMMAND)

    def run(self, seed: int = 1) -> Round:
        return start_round(round_id=self.publish(seed).pk, actor=COMMAND)

    def play(self, seed: int = 1, wins: Sequence[int] = (2, 0)) -> Round:
        """A whole round in which the better registered team of each table wins."""
        rnd = self.run(seed)
        self.win_all(rnd, wins)
        return close_round(round_id=rnd.pk, actor=COMMAND)

    def win_all(self, rnd: Round, wins: Sequence[int] = (2, 0)) -> None:
        for match in rnd.matches.filter(kind=MatchKind.TABLE, state="open").order_by("table"):
            first, second = self.sides(match)
            better_first = self.place(first) < self.place(second)
            self.enter(match, wins if better_first else tuple(reversed(wins)))

    def enter(self, match: Match, wins: Sequence[int] = (), draws: int = 0, **more: Any) -> Match:
        return enter_result(match_id=match.pk, actor=COMMAND, wins=wins, draws=draws, **more)

    def enter_for(self, team: Team, rnd: Round, own: int, other: int, draws: int = 0) -> Match:
        """The result of the team's match, counted from its point of view."""
        match = self.match_of(team, rnd)
        mine = self.sides(match)[0] == team
        return self.enter(match, (own, other) if mine else (other, own), draws)

    def sides(self, match: Match) -> list[Team]:
        return [
            side.team for side in Side.objects.filter(match=match).order_by("index").select_related("team")
        ]

    def place(self, team: Team) -> int:
        return self.teams.index(team)

    def match_of(self, team: Team, rnd: Round) -> Match:
        return Match.objects.get(sides__team=team, sides__is_live=True, round=rnd)

    def opponent_of(self, team: Team, rnd: Round) -> Team:
        return next(side for side in self.sides(self.match_of(team, rnd)) if side != team)

    def cut(self, size: int) -> Stage:
        return make_cut(tournament_id=self.tournament.pk, actor=COMMAND, size=size, tie_decision="by lot")

    @property
    def stage(self) -> Stage:
        return running_stage(self.fresh)

    @property
    def swiss(self) -> Stage:
        stage = self.fresh.stages.get(number=1)
        stage.tournament = self.fresh
        return stage

    @property
    def now_round(self) -> Round | None:
        return current_round(self.stage)

    @property
    def fresh(self) -> Tournament:
        return Tournament.objects.get(pk=self.tournament.pk)

    def points(self) -> dict[Team, Any]:
        by_id = {team.pk: team for team in self.teams}
        return {by_id[row.entrant]: row.points for row in standings_of(self.swiss) if row.entrant in by_id}

    def ranking(self) -> list[Team]:
        by_id = {team.pk: team for team in self.teams}
        return [by_id[row.entrant] for row in standings_of(self.swiss)]

    def lines(self, match: Match) -> dict[Team, tuple[str, int, int]]:
        """Outcome, game wins and drawn games of the current result, by team."""
        result = match.results.get(is_current=True)
        return {line.side.team: (line.outcome, line.wins, line.draws) for line in result.lines.all()}

    def kind(self, match: Match) -> ResultKind:
        return ResultKind(match.results.get(is_current=True).kind)


def new_store(slug: str = "corner") -> Store:
    store, _ = Store.objects.get_or_create(
        slug=slug, defaults={"name": "Corner Store", "zone": "Europe/Berlin"}
    )
    return store


def new_day(
    teams: int = 4,
    *,
    rounds: int = 3,
    mode: str = "riftbound-2v2",
    best_of: int = 3,
    started: bool = True,
    **announced: Any,
) -> Day:
    """A tournament with so many complete teams, at registration or started."""
    store = new_store()
    tournament = create_tournament(
        store_id=store.pk,
        name="Magma Night",
        mode=mode,
        actor=COMMAND,
        planned_rounds=rounds,
        best_of=best_of,
        seed=7,
        **announced,
    )
    open_registration(tournament_id=tournament.pk, actor=COMMAND)
    day = Day(tournament)
    if tournament.capacity is None:
        add_teams(day, teams)
    else:
        for _ in range(teams):
            add_team(day)  # whoever has no place waits
    if started:
        start_tournament(tournament_id=tournament.pk, actor=COMMAND)
    return day


def add_team(day: Day, name: str = "") -> Team:
    """One more complete team of new players."""
    [members] = _new_members(day, 1)
    team = register_team(tournament_id=day.tournament.pk, members=members, actor=COMMAND, name=name)
    day.teams.append(team)
    return team


def add_teams(day: Day, count: int) -> None:
    """So many more complete teams of new players, at once."""
    if count:
        members = _new_members(day, count)
        day.teams += register_teams(tournament_id=day.tournament.pk, members=members, actor=COMMAND)


def _new_members(day: Day, teams: int) -> list[dict[str, int]]:
    """Who sits where in each of so many teams; they are members of the day from now on."""
    labels = mode_of(day.tournament.mode).labels
    first, seats = len(day.players) * len(labels), len(labels)
    names = [f"{NAMES[n % len(NAMES)]} {n}" for n in range(first, first + teams * seats)]
    players = add_players(store_id=day.tournament.store_id, names=names)
    of_each = [players[start : start + seats] for start in range(0, len(players), seats)]
    day.players += of_each
    return [{label: one.pk for label, one in zip(labels, team, strict=True)} for team in of_each]
