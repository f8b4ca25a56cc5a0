"""Players of a store."""

from collections.abc import Iterable

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.recording import record
from rulebook.errors import RuleBroken
from teams.models import Player, Seat
from teams.names import clean_name, folded


@transaction.atomic
def add_player(
    *,
    store_id: int,
    name: str,
    display_name: str = "",
    source: str = "",
    external_id: str = "",
    contact: str = "",
) -> Player:
    """The store knows the player; one with the same source and external id is returned, not doubled."""
    shown = clean_name(name, "player's name")
    if external_id:
        known = Player.objects.filter(store_id=store_id, source=source, external_id=external_id).first()
        if known:
            return known
    return Player.objects.create(
        store_id=store_id,
        name=shown,
        display_name=display_name.strip(),
        folded=folded(shown),
        source=source,
        external_id=external_id,
        contact=contact,
    )


def add_players(*, store_id: int, names: Iterable[str], source: str = "") -> list[Player]:
    """New players, one a name, in the order of the names, in one statement."""
    shown = [clean_name(name, "player's name") for name in names]
    return Player.objects.bulk_create(
        Player(store_id=store_id, name=name, folded=folded(name), source=source) for name in shown
    )


def namesakes(store_id: int, name: str) -> list[Player]:
    """Players of the store whose folded name is the same."""
    return list(Player.objects.filter(store_id=store_id, folded=folded(name), erased_at=None))


@transaction.atomic
def rename_player(*, player_id: int, name: str, actor: Actor, display_name: str = "") -> Player:
    """The player has the new name everywhere; each tournament he entered has a new version that shows it."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise RuleBroken("not-found", "There is no such player any more; reload the page.")
    player.name = clean_name(name, "player's name")
    player.display_name = display_name.strip()
    player.folded = folded(player.name)
    player.save(update_fields=["name", "display_name", "folded"])
    entered = Seat.objects.filter(player=player).values_list("tournament_id", flat=True).distinct()
    for tournament in sorted(entered):
        record(
            tournament_id=tournament, kind=DeedKind.PLAYER_RENAMED, actor=actor, subject=f"player:{player_id}"
        )
    return player
