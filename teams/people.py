"""Players of a store."""

from collections.abc import Iterable

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.lifecycle import OVER, TeamState
from teams.links import revoke_links
from teams.models import Player, Seat, Team
from teams.names import clean_name, folded

PLAYS_OR_WILL = (TeamState.WAITLISTED, TeamState.REGISTERED, TeamState.CHECKED_IN, TeamState.PLAYING)
MARK_LENGTH = 40


@transaction.atomic
def add_player(
    *,
    store_id: int,
    name: str,
    display_name: str = "",
    source: str = "",
    external_id: str = "",
    contact: str = "",
    mark: str = "",
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
        mark=clean_mark(mark),
    )


def clean_mark(mark: str) -> str:
    """The mark as it is kept; an overlong one is refused."""
    shown = clean_name(mark, "mark") if mark.strip() else ""
    if len(shown) > MARK_LENGTH:
        raise RuleBroken("mark-too-long", f"Shorten the town or club to {MARK_LENGTH} characters.")
    return shown


def add_players(*, store_id: int, names: Iterable[str], source: str = "") -> list[Player]:
    """New players, one a name, in the order of the names, in one statement."""
    shown = [clean_name(name, "player's name") for name in names]
    return Player.objects.bulk_create(
        Player(store_id=store_id, name=name, folded=folded(name), source=source) for name in shown
    )


def namesakes(store_id: int, name: str) -> list[Player]:
    """Players of the store whose folded name is the same."""
    return list(Player.objects.filter(store_id=store_id, folded=folded(name), erased_at=None))


def told_by(player: Player) -> str:
    """What tells staff this person from a namesake: his mark, the end of the id, else the address."""
    if player.mark:
        return player.mark
    if player.external_id:
        return f"{player.source or 'id'} …{player.external_id[-4:]}"
    if player.contact:
        return player.contact
    return f"known as #{player.pk}"


@transaction.atomic
def rename_player(
    *, player_id: int, name: str, actor: Actor, display_name: str = "", mark: str | None = None
) -> Player:
    """The player has the new name everywhere, and the mark unless it is None; each tournament he entered has
    a new version that shows it."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise RuleBroken("not-found", "There is no such player any more; reload the page.")
    if player.erased_at is not None:
        raise RuleBroken("erased-already", "That person is erased and has no name any more.")
    player.name = clean_name(name, "player's name")
    player.display_name = clean_name(display_name, "public name") if display_name.strip() else ""
    player.folded = folded(player.name)
    if mark is not None:
        player.mark = clean_mark(mark)
    player.save(update_fields=["name", "display_name", "folded", "mark"])
    _record_where_entered(player, DeedKind.PLAYER_RENAMED, actor)
    return player


@transaction.atomic
def erase_player(*, player_id: int, actor: Actor) -> Player:
    """Nothing tells any more who the player was: name, contact and ids are gone, personal links are dead, and
    team names that held the name are empty. Results stay, under "Erased player" and a number.

    Refused while the player is in a team that plays or will."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise RuleBroken("not-found", "There is no such player any more; reload the page.")
    if player.erased_at is not None:
        raise RuleBroken("erased-already", "That person is erased already.")
    seats = Seat.objects.filter(player=player)
    if seats.filter(is_live=True, team__state__in=PLAYS_OR_WILL).exclude(tournament__state__in=OVER).exists():
        raise RuleBroken(
            "still-plays", f"{player} is in a team that plays; drop or withdraw the team first, then erase."
        )
    for seat in seats.filter(links__revoked_at=None, links__isnull=False).order_by("id").distinct():
        revoke_links(seat_id=seat.pk, actor=actor)
    _forget_team_names(player)
    player.name = f"Erased player {player.pk}"
    player.folded = folded(player.name)
    player.display_name = player.source = player.external_id = player.contact = player.mark = ""
    player.erased_at = now()
    player.save()
    _record_where_entered(player, DeedKind.PLAYER_ERASED, actor)
    return player


def _forget_team_names(player: Player) -> None:
    """Teams that were called after the player have no name of their own any more."""
    words = {folded(player.name), *([folded(player.display_name)] if player.display_name else [])}
    named = Team.objects.filter(seats__player=player).exclude(name="").distinct()
    called_after = [team.pk for team in named if any(word in folded(team.name) for word in words)]
    Team.objects.filter(pk__in=called_after).update(name="")


def _record_where_entered(player: Player, kind: DeedKind, actor: Actor) -> None:
    """Each tournament the player ever entered has a new version."""
    entered = Seat.objects.filter(player=player).order_by().values_list("tournament_id", flat=True).distinct()
    for tournament in sorted(entered):
        record(tournament_id=tournament, kind=kind, actor=actor, subject=f"player:{player.pk}")
