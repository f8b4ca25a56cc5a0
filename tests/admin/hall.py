"""Halls that know nothing of each other: a store, a tournament with every kind of record, and its staff."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from integrations.models import ApiKey, Delivery, Endpoint, Once, Order, Payout, Prize, Stream
from journal.actors import COMMAND
from journal.clock import now, set_clock
from matches.games import choose_first, record_game
from matches.models import Call, Match
from matches.results import enter_result, report_result, sides_of
from matches.tracking import note_tap
from notices.models import Agreement, Notice, Reader, Subscription
from rulebook.lifecycle import MatchKind
from rulebook.tracker import Tap
from teams.links import make_link
from teams.models import Decklist, Seat, Store, Team, User
from teams.people import add_players
from tournaments.cutting import make_cut
from tournaments.models import (
    Announcement,
    DeckCheck,
    Invitation,
    Penalty,
    Round,
    SignUp,
    Tournament,
    Upload,
)
from tournaments.pairing import pair_round
from tournaments.registration import grant_bye, register_team
from tournaments.rounds import close_round, publish_round, start_round
from tournaments.schedule import schedule_publish
from tournaments.setting_up import create_tournament, open_registration, start_tournament
from tournaments.staff import appoint
from tournaments.withdrawals import disqualify_player

PASSWORD = "a long enough secret"


@dataclass
class Hall:
    store: Store
    tournament: Tournament
    organizer: User
    teams: list[Team]


def superuser() -> User:
    return User.objects.create_superuser("root", "root@example.org", PASSWORD)


def staff_user(name: str, **more: Any) -> User:
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, is_staff=True, **more)


def new_hall(name: str, *, teams: int = 4, rounds: int = 1, cut: int = 2) -> Hall:
    """A tournament at registration with its organizer and so many complete teams."""
    store = Store.objects.create(name=f"{name} store", slug=f"{name.lower()}-store", zone="Europe/Berlin")
    organizer = staff_user(f"{name.lower()}-organizer")
    tournament = create_tournament(
        store_id=store.pk,
        name=f"{name} Open",
        mode="riftbound-2v2",
        planned_rounds=rounds,
        cut=cut,
        best_of=3,
        organizer_id=organizer.pk,
        actor=COMMAND,
        seed=11,
    )
    open_registration(tournament_id=tournament.pk, actor=COMMAND)
    hall = Hall(store, tournament, organizer, [])
    for number in range(1, teams + 1):
        add_team(hall, f"{name} Anna {number}", f"{name} Bert {number}")
    return hall


def add_team(hall: Hall, first: str, second: str) -> Team:
    players = add_players(store_id=hall.store.pk, names=[first, second])
    members = {"A": players[0].pk, "B": players[1].pk}
    team = register_team(tournament_id=hall.tournament.pk, members=members, actor=COMMAND)
    hall.teams.append(team)
    return team


def running_round(hall: Hall) -> Round:
    """The next round, paired, published and started."""
    rnd = pair_round(tournament_id=hall.tournament.pk, actor=COMMAND, seed=3)
    publish_round(round_id=rnd.pk, actor=COMMAND)
    return start_round(round_id=rnd.pk, actor=COMMAND)


def tables(rnd: Round) -> list[Match]:
    return list(rnd.matches.filter(kind=MatchKind.TABLE).exclude(state="void").order_by("table"))


def full_hall(name: str) -> Hall:
    """A hall in which every model has at least one row of this tournament."""
    hall = new_hall(name, teams=5)
    grant_bye(team_id=hall.teams[4].pk, round_number=1, actor=COMMAND)
    start_tournament(tournament_id=hall.tournament.pk, actor=COMMAND)
    rnd = running_round(hall)
    first, *others = tables(rnd)
    choose_first(match_id=first.pk, actor=COMMAND, chooser=0)
    note_tap(match_id=first.pk, actor=COMMAND, tap=Tap.HOLD, position="1A", source="1")
    record_game(match_id=first.pk, actor=COMMAND, winner=0)
    side = sides_of(others[0])[0]
    report_result(match_id=others[0].pk, team_id=side.team_id, actor=COMMAND, wins={side.team_id: 2})
    enter_result(match_id=others[0].pk, actor=COMMAND, wins=(2, 0))
    enter_result(match_id=first.pk, actor=COMMAND, wins=(1, 0))
    close_round(round_id=rnd.pk, actor=COMMAND)
    make_cut(tournament_id=hall.tournament.pk, actor=COMMAND, tie_decision="by lot")
    final = pair_round(tournament_id=hall.tournament.pk, actor=COMMAND, seed=5)
    schedule_publish(round_id=final.pk, at=now() + timedelta(minutes=10), actor=COMMAND)
    for seat in Seat.objects.filter(team=hall.teams[0]):
        make_link(seat_id=seat.pk)
    last = Seat.objects.filter(team__in=hall.teams, team__sides__round=rnd).exclude(
        team__entries__stage__number=2
    )
    disqualify_player(
        tournament_id=hall.tournament.pk,
        player_id=last.order_by("-team__number")[0].player_id,
        reason="left without a word",
        actor=COMMAND,
    )
    Penalty.objects.get_or_create(
        tournament=hall.tournament, team=hall.teams[0], infraction="tardiness", level=Penalty.Level.WARNING
    )
    _desk_records(hall, first)
    _store_software(hall)
    _notices(hall, first)
    set_clock(speed=1.0)
    return hall


def _desk_records(hall: Hall, match: Match) -> None:
    seat = Seat.objects.filter(team=hall.teams[0])[0]
    Decklist.objects.create(seat=seat, body="40 Card", submitted_at=now())
    Call.objects.create(match=match, opened_at=now())
    Announcement.objects.create(tournament=hall.tournament, text="Lunch", made_at=now())
    DeckCheck.objects.create(round_id=match.round_id, match=match, seed=1, picked_at=now())
    Upload.objects.create(
        tournament=hall.tournament,
        user=hall.organizer,
        name="teams.csv",
        body=b"Team,A,B\nX,Y,Z\n",
        made_at=now(),
    )
    Invitation.objects.create(
        tournament=hall.tournament,
        role="judge",
        token_hash=hall.store.slug,
        made_at=now(),
        expires_at=now() + timedelta(days=1),
    )
    SignUp.objects.create(tournament=hall.tournament, team=hall.teams[0], made_at=now(), confirmed_at=now())


def _store_software(hall: Hall) -> None:
    """An endpoint that is told of the hall, an order, and a ledger of prizes."""
    ApiKey.objects.create(
        store=hall.store, name="till", prefix=f"hall{hall.store.pk:04}", hash="-", created_at=now()
    )
    Once.objects.create(caller="user:1", key=hall.store.slug, method="POST", path="/", created_at=now())
    endpoint = Endpoint.objects.create(
        store=hall.store, url="https://till.example/hook", salt="salt", made_at=now(), disabled_at=now()
    )
    stream = Stream.objects.create(endpoint=endpoint, tournament=hall.tournament)
    Delivery.objects.create(
        stream=stream, number=1, event="team.registered", message_id=f"msg_{hall.tournament.pk}"
    )
    Order.objects.create(
        store=hall.store,
        tournament=hall.tournament,
        team=hall.teams[0],
        external_order_id="1001",
        state=Order.State.CONFIRMED,
        hold_minutes=15,
        made_at=now(),
    )
    Payout.objects.create(tournament=hall.tournament, first=1, last=1, amount_minor=10_000, currency="EUR")
    Prize.objects.create(
        tournament=hall.tournament, team=hall.teams[0], place=1, what="a box", awarded_at=now()
    )


def _notices(hall: Hall, match: Match) -> None:
    """A player who wants to be told, and something told."""
    seat = Seat.objects.filter(team=hall.teams[0])[0]
    Agreement.objects.create(seat=seat, agreed_at=now())
    Subscription.objects.create(seat=seat, endpoint="https://push.example/1", made_at=now())
    Reader.objects.create(tournament=hall.tournament)
    Notice.objects.create(
        tournament=hall.tournament,
        round_id=match.round_id,
        seat=seat,
        kind="table",
        channel="push",
        due_at=now(),
        expires_at=now(),
    )


def colleague(hall: Hall, role: str) -> User:
    user = staff_user(f"{hall.store.slug}-{role}")
    appoint(tournament_id=hall.tournament.pk, user_id=user.pk, role=role, actor=COMMAND)
    return user
