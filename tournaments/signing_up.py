"""Teams enter by themselves: a place is held until the e-mail is confirmed, a partner is invited by a link.

Whoever signs up is a new person to the store; whether the desk knows him is asked at the desk, so that the
public page tells nobody's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import ProtectedError

from journal.actors import ANYBODY, CLOCK, Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState, TournamentState
from teams.models import Player, Seat, Team
from teams.names import clean_name, folded, repeated
from teams.people import add_player, clean_mark, namesakes
from teams.tokens import hash_of, token_for
from tournaments.models import SignUp, Tournament
from tournaments.registration import fill_seat, register_team, withdraw_team

CONFIRM, INVITE = "confirm", "invite"
WAITING = (TeamState.WAITLISTED, TeamState.REGISTERED)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody as he entered himself; the mark tells him from a namesake who is in already."""

    name: str
    mark: str = ""


@transaction.atomic
def sign_up(
    *,
    tournament_id: int,
    people: Mapping[str, Person],
    team_name: str = "",
    email: str = "",
    is_solo: bool = False,
    language: str = "en",
    actor: Actor = ANYBODY,
) -> SignUp:
    """The team has a place or waits for one; with an `email` the place is held until that is confirmed.

    `RuleBroken("name-entered", label=...)` where somebody of that name is in and no mark tells them apart."""
    tournament = _open(lock_one(Tournament, tournament_id))
    _two_people(people)
    players = {label: _new_person(tournament, label, person) for label, person in people.items()}
    members = {label: player.pk for label, player in players.items()}
    team = register_team(
        tournament_id=tournament_id, members=members, name=team_name, actor=actor, is_solo=is_solo
    )
    made = now()
    entered = SignUp.objects.create(
        tournament=tournament,
        team=team,
        email=email,
        language=language,
        asks=[player.pk for player in players.values() if _may_be_known(player)],
        made_at=made,
        held_until=made + timedelta(hours=tournament.hold_hours) if email else None,
        confirmed_at=None if email else made,
    )
    entered.confirm_hash = hash_of(token_of(entered, CONFIRM)) if email else ""
    entered.invite_hash = hash_of(token_of(entered, INVITE))
    entered.save(update_fields=["confirm_hash", "invite_hash"])
    return entered


@transaction.atomic
def confirm_sign_up(*, token: str, actor: Actor = ANYBODY) -> SignUp:
    """The place is not only held any more, and the store knows the address of who confirmed it."""
    entered = _locked(behind(token, CONFIRM).pk)
    if entered.released_at is not None:
        raise RuleBroken("released", "The place was held for a while and then given back. Sign up again.")
    if entered.confirmed_at is None:
        first = Seat.objects.filter(team=entered.team, is_live=True).order_by("label").first()
        if first is not None:
            Player.objects.filter(pk=first.player_id, contact="").update(contact=entered.email)
        _confirm(entered, actor)
    return entered


@transaction.atomic
def confirm_entry(*, team_id: int, actor: Actor) -> Team:
    """The desk has seen them: the place is theirs without an e-mail."""
    found = SignUp.objects.filter(team_id=team_id).values_list("pk", flat=True).first()
    if found is None:
        raise RuleBroken("not-signed-up", "The desk entered this team itself; there is nothing to confirm.")
    entered = _locked(found)
    if not entered.is_pending:
        raise RuleBroken(
            "confirmed-already", f"{entered.team} is confirmed or gone already; reload the page."
        )
    _confirm(entered, actor)
    return entered.team


@transaction.atomic
def take_seat(*, token: str, label: str, person: Person, actor: Actor = ANYBODY) -> Seat:
    """Who was invited sits on the free seat of the team."""
    entered = _locked(behind(token, INVITE).pk)
    _open(entered.tournament)
    if entered.released_at is not None or entered.team.state not in (*WAITING, TeamState.CHECKED_IN):
        raise RuleBroken("team-gone", "That team is not entered any more. Sign up with a team of your own.")
    player = _new_person(entered.tournament, label, person)
    fill_seat(team_id=entered.team_id, label=label, player_id=player.pk, actor=actor)
    if _may_be_known(player):
        entered.asks = [*entered.asks, player.pk]
        entered.save(update_fields=["asks"])
    return Seat.objects.get(team=entered.team, player=player)


def release_unconfirmed(moment: datetime) -> list[int]:
    """The places that were held until `moment` and never confirmed are free; returns the teams withdrawn.

    One query while nothing is due. Who has been checked in meanwhile is confirmed by that."""
    due = SignUp.objects.filter(confirmed_at=None, released_at=None, held_until__lte=moment)
    own = due.filter(tournament__state=TournamentState.REGISTRATION).order_by("held_until", "pk")
    return [team for pk in own.values_list("pk", flat=True) if (team := _released(pk)) is not None]


@transaction.atomic
def settle_namesake(
    *, team_id: int, player_id: int, known_id: int | None, actor: Actor, mark: str = ""
) -> Team:
    """Who signed up is the known player, who sits there now with the same link, or stays a new one (None),
    with a mark if one is given."""
    found = SignUp.objects.filter(team_id=team_id).values_list("pk", flat=True).first()
    entered = _locked(found) if found is not None else None
    if entered is None or player_id not in entered.asks:
        raise RuleBroken("settled-already", "That was answered already; reload the page.")
    entered.asks = [pk for pk in entered.asks if pk != player_id]
    entered.save(update_fields=["asks"])
    if known_id is not None:
        _put_known(entered, player_id, known_id)
    elif mark.strip():
        Player.objects.filter(pk=player_id).update(mark=clean_mark(mark))
    record(
        tournament_id=entered.tournament_id,
        kind=DeedKind.NAMESAKE_SETTLED,
        actor=actor,
        subject=f"team:{team_id}",
        before={"was": player_id},
        after={"player": known_id or player_id},
    )
    return entered.team


def behind(token: str, purpose: str) -> SignUp:
    """The entry a link opens; `RuleBroken("link-dead")` where it opens none."""
    found = SignUp.objects.select_related("team", "tournament__store").filter(
        **{f"{purpose}_hash": hash_of(token)}
    )
    entered = found.first()
    if entered is None:
        raise RuleBroken("link-dead", "This link does not work any more; ask at the desk.")
    return entered


def token_of(entered: SignUp, purpose: str) -> str:
    """The token of one of its links, derived from the installation's secret."""
    said = f"sign-up:{purpose}:{entered.pk}:{entered.team_id}"
    return token_for(said)


def _open(tournament: Tournament) -> Tournament:
    if tournament.state != TournamentState.REGISTRATION or not tournament.signs_up:
        raise RuleBroken(
            "sign-up-closed", f"{tournament.name} takes no entries on this page now; ask at the desk."
        )
    return tournament


def _new_person(tournament: Tournament, label: str, person: Person) -> Player:
    name = folded(clean_name(person.name, "name"))
    shown = Seat.objects.filter(tournament=tournament, is_live=True, player__display_name="")
    marks = list(shown.filter(player__folded=name).values_list("player__mark", flat=True))
    if marks and (not person.mark.strip() or folded(person.mark) in map(folded, marks)):
        raise _entered_already(person, label)
    return add_player(store_id=tournament.store_id, name=person.name, mark=person.mark)


def _two_people(people: Mapping[str, Person]) -> None:
    """No name stands on two seats, unless a mark tells the second person from the first."""
    for label in repeated({label: person.name for label, person in people.items()}):
        if not people[label].mark.strip():
            raise _entered_already(people[label], label)


def _entered_already(person: Person, label: str) -> RuleBroken:
    return RuleBroken(
        "name-entered",
        f"{person.name.strip()} is entered already. If you are a namesake, add your town or club.",
        label=label,
    )


def _may_be_known(player: Player) -> bool:
    return len(namesakes(player.store_id, player.name)) > 1


def _confirm(entered: SignUp, actor: Actor) -> None:
    entered.confirmed_at, entered.email = now(), ""
    entered.save(update_fields=["confirmed_at", "email"])
    record(
        tournament_id=entered.tournament_id,
        kind=DeedKind.SIGN_UP_CONFIRMED,
        actor=actor,
        subject=f"team:{entered.team_id}",
    )


@transaction.atomic
def _released(sign_up_id: int) -> int | None:
    entered = _locked(sign_up_id)
    if not entered.is_pending:
        return None
    if entered.team.state not in WAITING:
        is_here = entered.team.state in (TeamState.CHECKED_IN, TeamState.PLAYING)
        entered.email = ""
        entered.confirmed_at = now() if is_here else None
        entered.released_at = None if is_here else now()
        entered.save(update_fields=["email", "confirmed_at", "released_at"])
        return None
    entered.email, entered.released_at = "", now()
    entered.save(update_fields=["email", "released_at"])
    withdraw_team(team_id=entered.team_id, actor=CLOCK, reason="The e-mail was not confirmed in time.")
    return entered.team_id


def _put_known(entered: SignUp, player_id: int, known_id: int) -> None:
    """The known player sits where the new one did, who is nobody any more."""
    new = Player.objects.get(pk=player_id)
    known = Player.objects.filter(
        pk=known_id, store=entered.tournament.store_id, folded=new.folded, erased_at=None
    ).first()
    if known is None:
        raise RuleBroken("unknown-player", "This store does not know that player; reload the page.")
    if Seat.objects.filter(tournament=entered.tournament, player=known, is_live=True).exists():
        raise RuleBroken("player-in-another-team", f"{known.shown_name} plays in another team already.")
    Seat.objects.filter(team=entered.team, player=new).update(player=known)
    if new.contact and not known.contact:
        Player.objects.filter(pk=known.pk).update(contact=new.contact)
    try:
        new.delete()
    except ProtectedError:
        return  # a penalty or a chair names him: his row stays


def _locked(sign_up_id: int) -> SignUp:
    """The entry as it is once its tournament is locked."""
    tournament = lock_one(
        Tournament, SignUp.objects.values_list("tournament_id", flat=True).get(pk=sign_up_id)
    )
    entered = SignUp.objects.select_related("team").get(pk=sign_up_id)
    entered.tournament = tournament
    return entered
