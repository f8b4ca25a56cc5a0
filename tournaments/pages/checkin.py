"""Who is here: a list to tap, a field to type or scan into, and those who never came."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState, TournamentState
from teams.models import Team
from teams.selectors import team_cards
from tournaments.checkin import check_in_by
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.staff import Can


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.REGISTER)
def check_in_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Teams that are awaited stand first; what is typed or scanned checks one of them in."""
    error, words = "", request.POST.get("words", "")
    if request.method == "POST":
        try:
            team = check_in_by(tournament_id=desk.tournament.pk, words=words, actor=desk.actor)
            messages.success(request, f"Number {team.number}, {team}, is here.")
            return redirect("desk-check-in", desk.tournament.slug)
        except RuleBroken as broken:
            error = broken.sentence
    scene = desk.scene()
    shown = (TeamState.REGISTERED, TeamState.CHECKED_IN)
    teams = list(Team.objects.filter(tournament=desk.tournament, state__in=shown).order_by("number"))
    cards = list(team_cards(teams, scene.labels).values())
    awaited = [card for card in cards if card.state == TeamState.REGISTERED]
    return desk_page(
        request,
        "desk/checkin.html",
        desk,
        tab="teams",
        status=409 if error else 200,
        scene=scene,
        error=error,
        words=words,
        awaited=awaited,
        here=[card for card in cards if card.state == TeamState.CHECKED_IN],
        absent=",".join(str(card.id) for card in awaited),
        is_open=desk.tournament.state == TournamentState.REGISTRATION,
    )
