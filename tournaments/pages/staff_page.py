"""Who serves in a tournament, how somebody joins, and the page on which a person is erased."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from journal.actors import user_actor
from rulebook.errors import RuleBroken
from teams.models import Player, Seat
from tournaments.invitations import INVITED_BY, accept_invitation, invitation_behind, token_of, why_dead
from tournaments.models import Invitation, Staff
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.staff_deeds import own_player
from tournaments.staff import ROLES, Can

SHOWN_INVITATIONS = 30


@require_safe
@never_cache
@staff_page()
def people(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Who serves in which role, what each role may do, and for those who may: links that invite."""
    serving = Staff.objects.filter(tournament=desk.tournament).select_related("user")
    order = [role for role, _ in Staff.Role.choices]
    return desk_page(
        request,
        "desk/staff.html",
        desk,
        tab="staff",
        serving=sorted(serving, key=lambda one: (order.index(one.role), one.user.username.lower())),
        roles=[(role, label, *role_in_words(role)) for role, label in Staff.Role.choices],
        invitations=_invitations(request, desk) if Can.STAFF in desk.powers else [],
        choices=Staff.Role.choices,
    )


@require_safe
@staff_page()
def person_page(request: HttpRequest, desk: Desk, player_id: int) -> HttpResponse:
    """A player's names, and for those who register also how he is reached."""
    player = own_player(desk, player_id)
    return desk_page(
        request, "desk/person.html", desk, tab="teams", player=player, tournaments=_entered(player)
    )


@require_safe
@staff_page(Can.ERASE)
def erase_page(request: HttpRequest, desk: Desk, player_id: int) -> HttpResponse:
    """What erasing a person takes away and what stays, before it is done."""
    player = own_player(desk, player_id)
    return desk_page(
        request, "desk/erase.html", desk, tab="teams", player=player, tournaments=_entered(player)
    )


@require_safe
@never_cache
def join_link(request: HttpRequest, token: str) -> HttpResponse:
    """The link is put into the visitor's session, and its address is left."""
    request.session[INVITED_BY] = token
    response = redirect("join")
    response["Referrer-Policy"] = "no-referrer"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest) -> HttpResponse:
    """What one is invited to; posted by somebody with an account, the role is his."""
    token = str(request.session.get(INVITED_BY, ""))
    try:
        invitation = invitation_behind(token)
        if request.method == "POST" and request.user.is_authenticated:
            user_id = request.user.pk
            staff = accept_invitation(token=token, user_id=user_id, actor=user_actor(user_id))
            del request.session[INVITED_BY]
            messages.success(
                request, f"You serve in {staff.tournament} as {staff.get_role_display().lower()}."
            )
            return redirect("desk", staff.tournament.slug)
    except RuleBroken as broken:
        status = 409 if broken.code == "serves-already" else 404
        return render(request, "desk/join.html", {"dead": broken.sentence}, status=status)
    lead, words = role_in_words(invitation.role)
    return render(request, "desk/join.html", {"invitation": invitation, "lead": lead, "words": words})


def _entered(player: Player) -> int:
    """How many tournaments the player entered."""
    return Seat.objects.filter(player=player).order_by().values("tournament_id").distinct().count()


def role_in_words(role: str) -> tuple[str, list[str]]:
    """What the role may do: a lead, and the things that it is about, the shorter list of the two."""
    powers = ROLES[role]
    lacks = [can.words for can in Can if can not in powers]
    if not lacks:
        return "Everything here.", []
    if len(lacks) < len(powers) / 2:
        return "Everything here, but not:", lacks
    return "", [can.words for can in Can if can in powers]


def _invitations(request: HttpRequest, desk: Desk) -> list[tuple[Invitation, str, str]]:
    """The newest invitations: each with its address while it works, and else why it does not."""
    rows = Invitation.objects.filter(tournament=desk.tournament).select_related("used_by").order_by("-id")
    told = []
    for row in rows[:SHOWN_INVITATIONS]:
        dead = why_dead(row)
        address = "" if dead else request.build_absolute_uri(reverse("join-link", args=[token_of(row)]))
        told.append((row, address, dead))
    return told
