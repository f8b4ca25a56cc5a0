"""The teams of a tournament at the desk: enter, change, leave, come back."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from matches.models import Side
from rulebook.decklists import Problem
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, TeamState, TournamentState
from rulebook.withdrawals import Leaving, Moment, effect_of
from teams.links import token_of
from teams.models import Decklist, Link, Team
from teams.selectors import TeamCard, team_cards
from tournaments.handing_in import problems_of
from tournaments.models import ByeGrant, SignUp
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.entering import (
    enter_team,
    questions_about,
    seat_by_name,
    suggestions,
    twice_named,
    typed_in,
)
from tournaments.pages.numbers import whole
from tournaments.pages.paper import qr
from tournaments.pages.scenes import Scene
from tournaments.pages.team_list import signed_up, teams_listed
from tournaments.staff import Can
from tournaments.withdrawals import disqualify_player, drop_player, moment_of

PLAYS = (TournamentState.REGISTRATION, TournamentState.RUNNING)
SCORED_MOMENTS = (Moment.RUNNING, Moment.CUT_PAIRED)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page()
def teams_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Every team; a posted one is registered, or the form keeps it and says what is in the way."""
    scene = desk.scene()
    typed = {label: typed_in(request.POST, label, f"seat_{label}") for label in scene.labels}
    name, error, questions = request.POST.get("name", ""), "", []
    if request.method == "POST":
        desk.require(Can.REGISTER)
        try:
            team = enter_team(
                tournament=desk.tournament,
                people=typed,
                team_name=name,
                actor=desk.actor,
                is_solo=bool(request.POST.get("solo")),
            )
            messages.success(request, _entered(team, scene.labels))
            return redirect("desk-teams", desk.tournament.slug)
        except RuleBroken as broken:
            error = broken.sentence
            questions = questions_about(desk.tournament, typed)
            questions += twice_named(typed, but=[asked.label for asked in questions])
    listed = teams_listed(desk.tournament, scene.labels, request.GET)
    can_enter = desk.tournament.state in PLAYS and Can.REGISTER in desk.powers
    return desk_page(
        request,
        "desk/teams.html",
        desk,
        tab="teams",
        status=409 if error else 200,
        scene=scene,
        seats=[(label, one.name) for label, one in typed.items()],
        name=name,
        questions=questions,
        error=error,
        can_enter=can_enter,
        is_solo=request.POST.get("solo"),
        listed=listed,
        signed=signed_up(desk.tournament) if Can.REGISTER in desk.powers else None,
    )


@require_safe
@staff_page(Can.REGISTER)
def players(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Known players of the store as options of a text field."""
    names = suggestions(desk.tournament, request.GET.get("q", ""))
    return render(request, "desk/_options.html", {"names": names})


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page()
def team_page(request: HttpRequest, desk: Desk, team_id: int) -> HttpResponse:
    """One team with everything that can be done to it; a posted name fills its empty seat."""
    team = get_object_or_404(Team, tournament=desk.tournament, pk=team_id)
    scene, error, questions = desk.scene(), "", []
    label = request.POST.get("label", "")
    typed = typed_in(request.POST, label, "player")
    if request.method == "POST":
        desk.require(Can.REGISTER)
        try:
            seat_by_name(
                tournament=desk.tournament, team_id=team.pk, label=label, typed=typed, actor=desk.actor
            )
            messages.success(request, "The seat is filled.")
            return redirect("desk-team", desk.tournament.slug, team.pk)
        except RuleBroken as broken:
            error = broken.sentence
            questions = questions_about(desk.tournament, {label: typed})
    card = team_cards([team], scene.labels)[team.pk]
    taken = {member.label for member in card.members}
    return desk_page(
        request,
        "desk/team.html",
        desk,
        tab="teams",
        status=409 if error else 200,
        scene=scene,
        team=team,
        card=card,
        links=_links(request, card) if Can.REGISTER in desk.powers else [],
        shows_links="links" in request.GET,
        decklists=_decklists(desk, team) if Can.DECKLISTS in desk.powers else [],
        empty=[label for label in scene.labels if label not in taken],
        error=error,
        typed=typed.name,
        typed_at=label,
        questions=questions,
        entered=SignUp.objects.filter(team=team, released_at=None).first(),
        is_over=desk.tournament.state not in PLAYS,
        was_paired=Side.objects.filter(team=team, is_live=True).exists(),
        **_missing(scene, team),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page()
def leave(request: HttpRequest, desk: Desk, team_id: int, player_id: int, how: str) -> HttpResponse:
    """What leaving changes is shown first; posted, the player's team has left."""
    leaving = {Leaving.DROP.value: Leaving.DROP, Leaving.DISQUALIFY.value: Leaving.DISQUALIFY}.get(how)
    if leaving is None:
        raise Http404
    desk.require(Can.DROP if leaving is Leaving.DROP else Can.DISQUALIFY)
    team = get_object_or_404(Team, tournament=desk.tournament, pk=team_id)
    scene = desk.scene()
    card = team_cards([team], scene.labels)[team.pk]
    member = next((one for one in card.members if one.player_id == player_id), None)
    if member is None:
        raise Http404
    moment, match = moment_of(desk.tournament, team)
    is_table = match is not None and match.kind == MatchKind.TABLE
    sides = list(match.sides.select_related("team").order_by("index")) if match and is_table else []
    asks_score = bool(sides) and moment in SCORED_MOMENTS
    error = ""
    if request.method == "POST":
        service = drop_player if leaving is Leaving.DROP else disqualify_player
        counts = [request.POST.get(f"wins_{side.index}", "") for side in sides] if asks_score else []
        try:
            service(
                tournament_id=desk.tournament.pk,
                player_id=player_id,
                actor=desk.actor,
                reason=request.POST.get("reason", ""),
                score=[whole(count) or 0 for count in counts],
            )
            messages.success(
                request, f"{card.shown_name} {'dropped' if leaving is Leaving.DROP else 'is disqualified'}."
            )
            return redirect("desk-team", desk.tournament.slug, team.pk)
        except RuleBroken as broken:
            error = broken.sentence
    names = team_cards([side.team for side in sides], scene.labels) if asks_score else {}
    return desk_page(
        request,
        "desk/leave.html",
        desk,
        tab="teams",
        status=409 if error else 200,
        scene=scene,
        team=team,
        card=card,
        member=member,
        is_drop=leaving is Leaving.DROP,
        effect=effect_of(leaving, moment, sides=match.frozen_terms.sides if match else 2),
        counts=[(side.index, names[side.team_id].shown_name) for side in sides] if asks_score else [],
        table=match.table if match else None,
        error=error,
        reason=request.POST.get("reason", ""),
    )


def _decklists(desk: Desk, team: Team) -> list[tuple[Decklist, tuple[Problem, ...]]]:
    """The lists the team has handed in, each with what its counts make doubtful."""
    lists = Decklist.objects.filter(seat__team=team, seat__is_live=True).select_related("seat")
    return [(one, problems_of(desk.tournament, one.body)) for one in lists.order_by("seat__label")]


def _missing(scene: Scene, team: Team) -> dict[str, object]:
    """The rounds to come that the team can sit out or have off, and those it has off already."""
    seen = [rnd.number for rnd in scene.shown_rounds if rnd.stage.number == 1]
    drafted = [rnd.number for rnd in scene.rounds if rnd.stage.number == 1]
    last = scene.tournament.planned_rounds
    playing = team.state in (TeamState.REGISTERED, TeamState.CHECKED_IN, TeamState.PLAYING)
    in_swiss = playing and scene.bracket is None and scene.tournament.state in PLAYS
    return {
        "bye_rounds": list(range(max(seen, default=0) + 1, last + 1)) if in_swiss else [],
        "free_rounds": list(range(max(drafted, default=0) + 1, last + 1)) if in_swiss else [],
        "sits_out": team.sits_out if team.sits_out not in seen else None,
        "granted": list(ByeGrant.objects.filter(team=team).order_by("round_number")),
        "bye_reasons": ByeGrant.Reason.choices,
    }


def _entered(team: Team, labels: Sequence[str]) -> str:
    """The number and who sits where, to be read to the people at the desk."""
    members = team_cards([team], labels)[team.pk].members
    if team.is_solo:
        return f"Number {team.number}, {members[0].name}, looks for a partner."
    seats = ", ".join(f"{one.label} {one.name}" if len(labels) > 1 else one.name for one in members)
    if team.state == TeamState.WAITLISTED:
        return f"Team {team.number} is on the waiting list: {seats}."
    return f"Team {team.number} registered: {seats}."


def _links(request: HttpRequest, card: TeamCard) -> list[tuple[object, str, str]]:
    """Each member with the address of his personal page and its code, both empty where he has none."""
    seats = {member.seat_id: member for member in card.members}
    newest = {
        link.seat_id: link
        for link in Link.objects.filter(seat_id__in=list(seats), revoked_at=None).order_by("id")
    }
    addresses = {
        seat: request.build_absolute_uri(reverse("me", args=[token_of(link)]))
        for seat, link in newest.items()
    }
    return [
        (member, addresses.get(seat, ""), qr(addresses[seat]) if seat in addresses else "")
        for seat, member in seats.items()
    ]
