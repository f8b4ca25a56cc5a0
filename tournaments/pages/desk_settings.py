"""Making a tournament and changing what it announces, with the recommended rounds and cut."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from journal.actors import user_actor
from rulebook.errors import RuleBroken
from teams.models import User
from tournaments.pages.advice import advice_for
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.forms import ChangeForm, CreateForm, stores_of
from tournaments.setting_up import change_tournament, complete_teams, create_tournament
from tournaments.staff import Can


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """A draft of a tournament exists, its maker is its organizer."""
    user = cast(User, request.user)
    if not stores_of(user).exists():
        raise PermissionDenied
    asked = _advised(request, request.POST.get("mode", ""))
    form = CreateForm(None if asked else request.POST or None, user=user, initial=asked)
    if request.method == "POST" and not asked and form.is_valid():
        store = form.cleaned_data["store"]
        announced = form.announced(store.zone)
        announced.pop("store")
        try:
            tournament = create_tournament(
                store_id=store.pk, organizer_id=user.pk, actor=user_actor(user.pk), **announced
            )
            messages.success(
                request, f"{tournament.name} is a draft. Open its registration when it is ready."
            )
            return redirect("desk", tournament.slug)
        except RuleBroken as broken:
            form.add_error(None, broken.sentence)
    status = 422 if form.errors else 200
    advice = advice_for(str(asked.get("mode", "")), number_typed(asked.get("expected")))
    return render(request, "desk/create.html", {"form": form, "advice": advice}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.SETTINGS)
def settings_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The settings are changed, or the form says what is in the way."""
    tournament = desk.tournament
    asked = _advised(request, tournament.mode)
    form = ChangeForm(None if asked else request.POST or None, tournament=tournament, initial=asked)
    if request.method == "POST" and not asked and form.is_valid():
        try:
            change_tournament(
                tournament_id=tournament.pk, actor=desk.actor, **form.announced(tournament.zone)
            )
            messages.success(request, "The settings are saved.")
            return redirect("desk-settings", tournament.slug)
        except RuleBroken as broken:
            form.add_error(None, broken.sentence)
    status = 422 if form.errors else 200
    expected = (
        number_typed(asked.get("expected")) or complete_teams(tournament).count() or tournament.capacity
    )
    return desk_page(
        request,
        "desk/settings.html",
        desk,
        tab="settings",
        form=form,
        advice=advice_for(tournament.mode, expected),
        status=status,
    )


def _advised(request: HttpRequest, mode: str) -> dict[str, Any]:
    """What was typed, with the recommended rounds and cut, when the form asks for them; else empty."""
    if "recommend" not in request.POST:
        return {}
    typed_in: dict[str, Any] = {**request.POST.dict(), "options": request.POST.getlist("options")}
    expected = number_typed(typed_in.get("expected")) or number_typed(typed_in.get("capacity"))
    advice = advice_for(mode, expected)
    if advice is not None and advice.rounds:
        typed_in |= {"planned_rounds": advice.rounds, "cut": advice.cut}
    return {**typed_in, "expected": expected}


def number_typed(text: Any) -> int | None:
    """The number that was typed, if it is one."""
    return int(text) if str(text or "").isdecimal() and len(str(text)) < 6 else None
