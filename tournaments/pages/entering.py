"""Teams typed at the desk: known players are found by name, new ones become known."""

import re
from collections.abc import Mapping, Sequence

from django.db import transaction

from journal.actors import Actor
from rulebook.errors import RuleBroken
from teams.models import Player, Seat, Team
from teams.names import folded
from teams.people import add_player, namesakes
from tournaments.models import Tournament
from tournaments.registration import fill_seat, register_team

SUGGESTED = 12
_NUMBERED = re.compile(r"^(?P<name>.*\S)\s+#(?P<id>\d{1,12})$")


@transaction.atomic
def enter_team(
    *,
    tournament: Tournament,
    names: Mapping[str, str],
    actor: Actor,
    team_name: str = "",
    new_labels: Sequence[str] = (),
) -> Team:
    """The team is registered with the people typed on its seats; `new_labels` are namesakes of known ones."""
    members = [
        (label, player_named(tournament, name, is_new=label in new_labels).pk)
        for label, name in names.items()
        if name.strip()
    ]
    return register_team(tournament_id=tournament.pk, members=members, name=team_name, actor=actor)


@transaction.atomic
def seat_by_name(
    *, tournament: Tournament, team_id: int, label: str, name: str, actor: Actor, is_new: bool = False
) -> Team:
    """The person typed sits on the empty seat."""
    player = player_named(tournament, name, is_new=is_new)
    return fill_seat(team_id=team_id, label=label, player_id=player.pk, actor=actor)


def player_named(tournament: Tournament, typed: str, *, is_new: bool = False) -> Player:
    """The store's player of that name, or a new one; several namesakes must be told apart by their number."""
    numbered = _NUMBERED.match(typed.strip())
    if numbered and not is_new:
        known = Player.objects.filter(
            store_id=tournament.store_id, pk=int(numbered["id"]), erased_at=None
        ).first()
        if known is not None and folded(known.name) == folded(numbered["name"]):
            return known
    found = [] if is_new else namesakes(tournament.store_id, typed)
    if len(found) > 1:
        choices = ", ".join(f"{player.name} #{player.pk}" for player in found)
        raise RuleBroken(
            "namesakes",
            f"Several players are called {found[0].name}: write {choices}, or say that it is a new person.",
        )
    return found[0] if found else add_player(store_id=tournament.store_id, name=typed)


def suggestions(tournament: Tournament, words: str) -> list[str]:
    """Known players of the store whose name holds the words and who do not play yet; namesakes numbered."""
    wanted = folded(words)
    if not wanted:
        return []
    seated = Seat.objects.filter(tournament=tournament, is_live=True).values("player_id")
    found = list(
        Player.objects.filter(store_id=tournament.store_id, folded__contains=wanted, erased_at=None)
        .exclude(pk__in=seated)
        .order_by("folded", "id")[:SUGGESTED]
    )
    names = [player.folded for player in found]
    return [
        f"{player.name} #{player.pk}" if names.count(player.folded) > 1 else player.name for player in found
    ]
