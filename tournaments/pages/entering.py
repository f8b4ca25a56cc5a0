"""Teams typed at the desk: known players are found by name and asked about, new ones become known."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.http import QueryDict

from journal.actors import Actor
from rulebook.errors import RuleBroken
from teams.models import Player, Seat, Team
from teams.names import folded, repeated
from teams.people import add_player, told_by
from tournaments.models import Tournament
from tournaments.registration import fill_seat, register_team

SUGGESTED = 12
NEW = "new"
_NUMBERED = re.compile(r"^(?P<name>.*\S)\s+#(?P<id>\d{1,12})$")


@dataclass(frozen=True, slots=True)
class Typed:
    """A name as it was typed, who it is said to be ("new" or a player's id), and the mark of a new one."""

    name: str
    who: str = ""
    mark: str = ""

    @property
    def is_new(self) -> bool:
        return self.who == NEW


@dataclass(frozen=True, slots=True)
class Choice:
    """A known person a typed name may mean; one who plays already cannot be chosen."""

    player_id: int
    words: str
    is_free: bool


@dataclass(frozen=True, slots=True)
class Question:
    """Is this the person you know? `answer` is what was said, else the only one it can be."""

    label: str
    name: str
    choices: tuple[Choice, ...]
    answer: str
    mark: str

    @property
    def is_one(self) -> bool:
        return len(self.choices) == 1


def typed_in(posted: QueryDict, label: str, field: str) -> Typed:
    """What a form says of the person on one seat."""
    return Typed(posted.get(field, ""), posted.get(f"who_{label}", ""), posted.get(f"mark_{label}", ""))


@transaction.atomic
def enter_team(
    *,
    tournament: Tournament,
    people: Mapping[str, Typed],
    actor: Actor,
    team_name: str = "",
    is_solo: bool = False,
) -> Team:
    """The team is registered with the people typed on its seats, or the one who looks for a partner; a name
    the store knows is asked about, and so is one that stands on two seats."""
    for asked in twice_named(people):
        if not asked.answer:
            raise RuleBroken("named-twice", f"{asked.name} stands on two seats. Mend one, or say who it is.")
    members = [
        (label, player_named(tournament, typed).pk) for label, typed in people.items() if typed.name.strip()
    ]
    return register_team(
        tournament_id=tournament.pk, members=members, name=team_name, actor=actor, is_solo=is_solo
    )


@transaction.atomic
def seat_by_name(*, tournament: Tournament, team_id: int, label: str, typed: Typed, actor: Actor) -> Team:
    """The person typed sits on the empty seat."""
    player = player_named(tournament, typed)
    return fill_seat(team_id=team_id, label=label, player_id=player.pk, actor=actor)


def player_named(tournament: Tournament, typed: Typed) -> Player:
    """The store's player who is meant, or a new one; a known name needs the answer who it is."""
    numbered = _NUMBERED.match(typed.name.strip())
    asked = typed.who if typed.who.isdecimal() and len(typed.who) < 13 else ""
    name, said = (numbered["name"], numbered["id"]) if numbered else (typed.name, asked)
    known = Player.objects.filter(store_id=tournament.store_id, folded=folded(name), erased_at=None)
    if said and not typed.is_new:
        found = known.filter(pk=int(said)).first()
        if found is not None:
            return found
    if numbered:
        known = Player.objects.filter(store_id=tournament.store_id, folded=folded(typed.name), erased_at=None)
    if not typed.is_new and (first := known.first()) is not None:
        raise RuleBroken("known-name", f"Is this the {first.name} you know?")
    return add_player(store_id=tournament.store_id, name=typed.name, mark=typed.mark)


def questions_about(
    tournament: Tournament, people: Mapping[str, Typed], but: Iterable[int] = ()
) -> list[Question]:
    """For each typed name that the store knows, who it may be, without the players `but`; two queries however
    many names."""
    wanted = {label: folded(typed.name) for label, typed in people.items() if typed.name.strip()}
    known = list(
        Player.objects.filter(store_id=tournament.store_id, folded__in=set(wanted.values()), erased_at=None)
        .exclude(pk__in=list(but))
        .order_by("id")
    )
    if not known:
        return []
    newest: dict[int, Seat] = {}
    seats = Seat.objects.filter(player__in=known).select_related("tournament", "team").order_by("id")
    for seat in seats:
        held = newest.get(seat.player_id)
        if held is None or not (held.is_live and held.tournament_id == tournament.pk):
            newest[seat.player_id] = seat
    asked = []
    for label, words in wanted.items():
        choices = tuple(
            _choice(player, newest.get(player.pk), tournament) for player in known if player.folded == words
        )
        if choices:
            typed = people[label]
            asked.append(Question(label, typed.name, choices, typed.who or _only(choices), typed.mark))
    return asked


def twice_named(people: Mapping[str, Typed], but: Iterable[str] = ()) -> list[Question]:
    """Each seat on which a name stands that an earlier seat has too, without the seats `but`."""
    labels = repeated({label: typed.name for label, typed in people.items()})
    asked = ((label, people[label]) for label in labels if label not in but)
    return [Question(label, typed.name, (), typed.who, typed.mark) for label, typed in asked]


def _only(choices: tuple[Choice, ...]) -> str:
    only = choices[0] if len(choices) == 1 and choices[0].is_free else None
    return str(only.player_id) if only else ""


def _choice(player: Player, seat: Seat | None, tournament: Tournament) -> Choice:
    told = f"{player.name}, {told_by(player)}"
    if seat is None:
        return Choice(player.pk, told, True)
    if seat.is_live and seat.tournament_id == tournament.pk:
        return Choice(player.pk, f"{told}: already plays in {seat.team}", False)
    return Choice(player.pk, f"{told}: played last in {seat.tournament}", True)


def suggestions(tournament: Tournament, words: str) -> list[tuple[str, str]]:
    """Known players of the store whose name holds the words and who do not play yet, by name and number, and
    what tells each from a namesake."""
    wanted = folded(words)
    if not wanted:
        return []
    seated = Seat.objects.filter(tournament=tournament, is_live=True).values("player_id")
    found = (
        Player.objects.filter(store_id=tournament.store_id, folded__contains=wanted, erased_at=None)
        .exclude(pk__in=seated)
        .order_by("folded", "id")[:SUGGESTED]
    )
    return [(f"{player.name} #{player.pk}", told_by(player)) for player in found]
