"""Tournaments of people with real names, long names and Japanese names, made through the services."""

from random import Random

from journal.actors import COMMAND, seat_actor
from matches.games import choose_first
from matches.models import Match
from matches.results import enter_result, report_result
from rulebook.lifecycle import MatchKind
from rulebook.modes import mode_of
from rulebook.scoring import ResultKind
from teams.models import Seat, Store, Team, User
from teams.people import add_player, add_players
from teams.selectors import TeamCard, team_cards
from tournaments.cutting import finish_tournament, make_cut
from tournaments.models import Round, Staff, Tournament
from tournaments.pairing import pair_round
from tournaments.registration import register_team, register_teams
from tournaments.rounds import close_round, publish_round, start_round
from tournaments.setting_up import create_tournament, open_registration, start_tournament

NAMES = (
    "Ana Beatriz Carvalho", "Jörg Müller", "佐藤 陽菜", "Tom O'Neill", "Zoë van den Heuvel", "鈴木 蓮",
    "Lucía Fernández", "Mateusz Wiśniewski", "Priya Raghunathan", "Nguyễn Thị Hồng Nhung", "Ole Bjørnstad",
    "Chloé Dubois", "田中 さくら", "Giulia Rossi", "Aleksandra Kowalczyk", "Ben Li", "Samuel Adeyemi",
    "Ingrid Sørensen", "Maximilian von Hohenstein-Waldburg", "高橋 健太", "Fatima El Amrani", "Radu Ionescu",
    "Wolfeschlegelsteinhausenbergerdorff Maria-Magdalena", "Emre Yılmaz", "Katarzyna Nowak", "Liam Byrne",
    "伊藤 美咲", "Noor Haddad", "Pavel Dvořák", "Sofia Lindqvist", "Diego Ramírez", "Eun-ji Park",
)  # fmt: skip
TEAM_NAMES = (
    "The Table Twelve Irregulars", "", "二人三脚", "Donau Dragons", "",
    "Society for the Prevention of Mana Screw in Lower Saxony", "Zug um Zug", "", "Los Hermanos",
    "Rift Riders", "", "Aurora", "Tuesday Night", "", "Grün-Weiß Karlsruhe", "Comeback Kids",
)  # fmt: skip


def store(slug: str = "spielwiese") -> Store:
    made, _ = Store.objects.get_or_create(
        slug=slug, defaults={"name": "Spielwiese Karlsruhe", "zone": "Europe/Berlin"}
    )
    return made


def person(name: str, role: str | None = None, at: Tournament | None = None) -> User:
    """A staff account, appointed where a role is given."""
    user, _ = User.objects.get_or_create(username=name, defaults={"first_name": name.capitalize()})
    if role and at:
        Staff.objects.get_or_create(tournament=at, user=user, role=role)
    return user


def draft(name: str = "Autumn Team Open", **settings: object) -> Tournament:
    announced = {"mode": "riftbound-2v2", "planned_rounds": 3, "best_of": 3, "seed": 7, **settings}
    return create_tournament(store_id=store().pk, name=name, actor=COMMAND, **announced)  # type: ignore[arg-type]


def registering(teams: int = 8, **settings: object) -> Tournament:
    """Registration is open and the teams are in."""
    tournament = draft(**settings)  # type: ignore[arg-type]
    open_registration(tournament_id=tournament.pk, actor=COMMAND)
    labels = mode_of(tournament.mode).labels
    lone, seats = len(labels) == 1, max(2, len(labels))
    tournament.refresh_from_db()
    if not teams:
        return tournament
    people = [_name(seats * index + offset) for index in range(teams) for offset in range(len(labels))]
    players = iter(add_players(store_id=tournament.store_id, names=people))
    members = [{label: next(players).pk for label in labels} for _ in range(teams)]
    names = ["" if lone else TEAM_NAMES[index % len(TEAM_NAMES)] for index in range(teams)]
    register_teams(tournament_id=tournament.pk, members=members, names=names, actor=COMMAND)
    tournament.refresh_from_db()
    return tournament


def lone_member(tournament: Tournament, name: str = "Yuki Tanabe") -> Team:
    """A team that lacks its B."""
    player = add_player(store_id=tournament.store_id, name=name)
    return register_team(tournament_id=tournament.pk, members={"A": player.pk}, actor=COMMAND)


def running(teams: int = 8, rounds: int = 0, **settings: object) -> Tournament:
    """The tournament runs and so many rounds are played."""
    tournament = registering(teams, **settings)
    start_tournament(tournament_id=tournament.pk, actor=COMMAND)
    for _ in range(rounds):
        play(tournament)
    tournament.refresh_from_db()
    return tournament


def paired(tournament: Tournament) -> Round:
    return pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=11)


def published(tournament: Tournament) -> Round:
    return publish_round(round_id=paired(tournament).pk, actor=COMMAND)


def started(tournament: Tournament) -> Round:
    return start_round(round_id=published(tournament).pk, actor=COMMAND)


def tables(rnd: Round) -> list[Match]:
    return list(Match.objects.filter(round=rnd, kind=MatchKind.TABLE).exclude(state="void").order_by("table"))


def cards_of(match: Match) -> list[TeamCard]:
    """Both teams as they are shown, in side order."""
    sides = list(match.sides.select_related("team").order_by("index"))
    cards = team_cards([side.team for side in sides], match.frozen_terms.labels)
    return [cards[side.team_id] for side in sides]


def play(tournament: Tournament) -> Round:
    """One whole round with results that are the same every time."""
    rnd = started(tournament)
    elimination = rnd.stage.method == "elimination"
    for match in tables(rnd):
        chance = Random(f"{rnd.number}:{match.table}").random()
        if match.frozen_terms.sides > 2:
            won = int(chance * match.frozen_terms.sides)
            wins_of_pod = tuple(int(side == won) for side in range(match.frozen_terms.sides))
            enter_result(match_id=match.pk, actor=COMMAND, wins=wins_of_pod)
            continue
        wins, draws = ((2, 0), 0) if chance < 0.45 else ((1, 2), 0) if chance < 0.9 else ((1, 1), 1)
        if elimination and draws:
            wins, draws = (2, 1), 0
        if match.frozen_terms.best_of == 1:
            wins, draws = ((1, 0) if chance < 0.5 else (0, 1)), 0
        enter_result(match_id=match.pk, actor=COMMAND, wins=wins, draws=draws)
    return close_round(round_id=rnd.pk, actor=COMMAND)


def busy(rnd: Round) -> None:
    """A running round as a desk sees it: some tables in, one reported, one disputed, one with its opening."""
    first, second, third, *others = tables(rnd)
    enter_result(match_id=first.pk, actor=COMMAND, wins=(2, 1))
    report(second, 0, ours=2, theirs=0)
    report(third, 0, ours=2, theirs=1)
    report(third, 1, ours=2, theirs=0)
    for match in others[:1]:
        choose_first(match_id=match.pk, actor=COMMAND, seed=3)
    for match in others[1:2]:
        enter_result(match_id=match.pk, actor=COMMAND, kind=ResultKind.NO_SHOW, loser=1)


def finish(rnd: Round) -> Round:
    """Every table that still plays is in, and the round is closed."""
    for match in tables(rnd):
        if match.state != "confirmed":
            enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 0))
    return close_round(round_id=rnd.pk, actor=COMMAND)


def report(match: Match, side: int, *, ours: int, theirs: int) -> None:
    sides = list(match.sides.order_by("index"))
    mine, other = sides[side], sides[1 - side]
    seat = Seat.objects.filter(team_id=mine.team_id).first()
    assert seat is not None
    report_result(
        match_id=match.pk,
        team_id=mine.team_id,
        actor=seat_actor(seat.pk),
        wins={mine.team_id: ours, other.team_id: theirs},
    )


def in_cut(teams: int = 12, *, bracket_rounds: int = 0, finish: bool = False) -> Tournament:
    """The cut to the top four or eight is made after three rounds."""
    cut = 8 if teams >= 8 else 4
    tournament = running(teams, 3, cut=cut, name=f"Rhine Valley Championship {teams}")
    make_cut(tournament_id=tournament.pk, actor=COMMAND, tie_decision="by lot")
    for _ in range(bracket_rounds):
        play(tournament)
    if finish:
        finish_tournament(tournament_id=tournament.pk, actor=COMMAND)
    tournament.refresh_from_db()
    return tournament


def _name(index: int) -> str:
    turn, place = divmod(index, len(NAMES))
    return f"{NAMES[place]} {turn + 1}" if turn else NAMES[place]
