"""Deeds about people: who serves in the tournament, and who is to be forgotten."""

from collections.abc import Mapping

from django.db.models import Q
from django.shortcuts import get_object_or_404

from rulebook.errors import RuleBroken
from teams.models import Player, Seat, User
from teams.names import tidy
from teams.people import rename_player
from tournaments.erasing import erase_person
from tournaments.invitations import invite_staff, revoke_invitation
from tournaments.models import Invitation, Staff
from tournaments.pages.asked import Asked, DeskDeed, number_in
from tournaments.pages.desk_scene import Desk
from tournaments.staff import Can, appoint, dismiss


def _invite(desk: Desk, asked: Asked) -> str:
    made = invite_staff(tournament_id=desk.tournament.pk, role=asked.get("role", ""), actor=desk.actor)
    return f"The link for a {made.get_role_display().lower()} is below. It works once, for seven days."


def _revoke(desk: Desk, asked: Asked) -> str:
    own = get_object_or_404(Invitation, tournament=desk.tournament, pk=number_in(asked, "invitation"))
    revoke_invitation(invitation_id=own.pk, actor=desk.actor)
    return "That link does not work any more."


def _appoint(desk: Desk, asked: Asked) -> str:
    user = _account(asked.get("login", ""))
    role = asked.get("role", "")
    appoint(tournament_id=desk.tournament.pk, user_id=user.pk, role=role, actor=desk.actor)
    return f"{user.get_full_name() or user.username} serves as {Staff.Role(role).label.lower()}."


def _account(login: str) -> User:
    """The active account of that user name or e-mail address."""
    said = tidy(login)
    named = Q(username__iexact=said) | Q(email__iexact=said)
    found = list(User.objects.filter(named, is_active=True)[:2]) if said else []
    if len(found) != 1:
        raise RuleBroken(
            "unknown-account", "There is no account of that name or address; send an invitation instead."
        )
    return found[0]


def _dismiss(desk: Desk, asked: Asked) -> str:
    own = get_object_or_404(
        Staff.objects.select_related("user"), tournament=desk.tournament, pk=number_in(asked, "staff")
    )
    dismiss(staff_id=own.pk, actor=desk.actor)
    return f"{own.user.get_full_name() or own.user.username} is no {own.get_role_display().lower()} any more."


def _rename(desk: Desk, asked: Asked) -> str:
    player = own_player(desk, number_in(asked, "player"))
    renamed = rename_player(
        player_id=player.pk,
        name=asked.get("name", ""),
        display_name=asked.get("display_name", ""),
        mark=asked.get("mark"),
        actor=desk.actor,
    )
    return f"The public reads {renamed.shown_name}."


def _erase(desk: Desk, asked: Asked) -> str:
    player = own_player(desk, number_in(asked, "player"))
    if not asked.get("sure"):
        raise RuleBroken("not-sure", "Tick the box: this cannot be taken back.")
    erased = erase_person(player_id=player.pk, actor=desk.actor)
    return f"The person is forgotten; results stay under “{erased.name}”."


def own_player(desk: Desk, player_id: int) -> Player:
    """A player who entered this tournament; 404 for any other."""
    entered = Seat.objects.filter(tournament=desk.tournament, player_id=player_id).select_related("player")
    seat = entered.order_by("id").first()
    return seat.player if seat else get_object_or_404(Player.objects.none())


STAFF_DEEDS: Mapping[str, DeskDeed] = {
    "invite": DeskDeed(Can.STAFF, _invite),
    "revoke-invitation": DeskDeed(Can.STAFF, _revoke),
    "appoint": DeskDeed(Can.STAFF, _appoint),
    "dismiss": DeskDeed(Can.STAFF, _dismiss),
    "rename-player": DeskDeed(Can.REGISTER, _rename),
    "erase-player": DeskDeed(Can.ERASE, _erase),
}
