"""Making a tournament, copying an old one, and changing what it announces."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from journal.actors import user_actor
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState
from rulebook.modes import MODES
from teams.models import User
from tournaments.cloning import clone_tournament
from tournaments.models import Tournament
from tournaments.pages.advice import advice_for
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.forms import ChangeForm, CloneForm, CreateForm, stores_of
from tournaments.pages.setting_choices import mode_cards, policy_notes, zones
from tournaments.setting_up import change_tournament, complete_teams, create_tournament
from tournaments.staff import Can, served_with
from tournaments.venue_time import comes_twice


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """A draft of a tournament exists, its maker is its organizer; what is played is asked first."""
    user = cast(User, request.user)
    if not stores_of(user).exists():
        raise PermissionDenied
    mode = MODES.get(request.POST.get("mode") or request.GET.get("mode", ""))
    if mode is None:
        old = served_with(user, Can.SETTINGS).filter(store__in=stores_of(user))[:12]
        return render(request, "desk/choose_mode.html", {"games": mode_cards(), "old": old})
    asked = _advised(request, mode.key)
    initial = {"mode": mode.key, **asked}
    form = CreateForm(None if asked else request.POST or None, user=user, mode=mode, initial=initial)
    if request.method == "POST" and not asked and form.is_valid():
        made = _created(request, form, user)
        if made is not None:
            return redirect("desk", made.slug)
    advice = advice_for(mode.key, number_typed(asked.get("expected")))
    context = {"form": form, "advice": advice, "mode": mode, **_lists()}
    return render(request, "desk/create.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.SETTINGS)
def settings_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The settings are changed, or the form says what is in the way."""
    tournament = desk.tournament
    asked = _advised(request, tournament.mode)
    form = ChangeForm(None if asked else request.POST or None, tournament=tournament, initial=asked)
    if request.method == "POST" and not asked and form.is_valid():
        try:
            changed = change_tournament(tournament_id=tournament.pk, actor=desk.actor, **form.announced())
            messages.success(request, "The settings are saved.")
            _warn_of_two(request, changed, form)
            return redirect("desk-settings", tournament.slug)
        except RuleBroken as broken:
            form.refuse(broken)
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
        may_clone=may_clone(desk),
        status=422 if form.errors else 200,
        **_lists(),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.SETTINGS)
def clone_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The tournament is there once more, with its settings and staff; its store's keepers do that."""
    old = desk.tournament
    if not may_clone(desk):
        raise PermissionDenied
    form = CloneForm(request.POST or None, zone=old.zone, initial={"name": old.name})
    if request.method == "POST" and form.is_valid():
        try:
            made = clone_tournament(
                tournament_id=old.pk, organizer_id=desk.user.pk, actor=desk.actor, **form.cleaned_data
            )
            messages.success(request, f"{made.name} has the settings and the staff of {old.name}.")
            return redirect("desk", made.slug)
        except RuleBroken as broken:
            form.refuse(broken)
    teams = old.teams.exclude(state__in=[TeamState.WITHDRAWN, TeamState.WAITLISTED]).count()
    status = 422 if form.errors else 200
    return desk_page(request, "desk/clone.html", desk, tab="settings", form=form, teams=teams, status=status)


def may_clone(desk: Desk) -> bool:
    """The person keeps the tournament's store and may change its settings."""
    return Can.SETTINGS in desk.powers and stores_of(desk.user).filter(pk=desk.tournament.store_id).exists()


def _created(request: HttpRequest, form: CreateForm, user: User) -> Tournament | None:
    """The draft; None where a rule refuses it, which the form then says."""
    given = form.cleaned_data
    try:
        tournament = create_tournament(
            store_id=given["store"].pk,
            mode=given["mode"],
            organizer_id=user.pk,
            actor=user_actor(user.pk),
            **form.announced(),
        )
    except RuleBroken as broken:
        form.refuse(broken)
        return None
    messages.success(request, f"{tournament.name} is a draft. Open its registration when it is ready.")
    _warn_of_two(request, tournament, form)
    return tournament


def _warn_of_two(request: HttpRequest, tournament: Tournament, form: CreateForm | ChangeForm) -> None:
    moment = form.cleaned_data.get("starts_at")
    if moment is not None and tournament.starts_at == moment and comes_twice(moment):
        messages.warning(
            request,
            f"The clocks of {tournament.zone} go back that night: {moment:%H:%M} comes twice. "
            f"The first one is meant ({moment:%Z}).",
        )


def _lists() -> dict[str, Any]:
    return {"zones": zones(), "policy_notes": policy_notes()}


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
