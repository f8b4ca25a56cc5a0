"""One table at the desk: its result, its correction, its openings and games."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from matches.models import Match, Result
from matches.results import enter_result
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState
from tournaments.corrections import correct_result
from tournaments.models import Round
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.forms import result_choices, result_of
from tournaments.pages.openings import opening_state, positions
from tournaments.pages.scenes import name_of
from tournaments.pages.sheets import TableRow, row_of
from tournaments.staff import Can


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page()
def match_page(request: HttpRequest, desk: Desk, match_id: int) -> HttpResponse:
    """The table; a posted result is entered, or corrects the confirmed one with a reason."""
    match = get_object_or_404(Match, tournament=desk.tournament, pk=match_id)
    rnd = Round.objects.select_related("stage").defer("inputs", "output").get(pk=match.round_id)
    is_correction = match.state == MatchState.CONFIRMED
    error = ""
    if request.method == "POST":
        desk.require(Can.CORRECT if is_correction else Can.RESULTS)
        said = result_of(request.POST, match.frozen_terms.sides)
        try:
            if is_correction:
                reason = request.POST.get("reason", "")
                correct_result(match_id=match.pk, actor=desk.actor, reason=reason, **said)
            else:
                enter_result(match_id=match.pk, actor=desk.actor, **said)
            messages.success(request, f"Table {match.table} is {'corrected' if is_correction else 'in'}.")
            return redirect(_after(desk, rnd))
        except RuleBroken as broken:
            error = broken.sentence
    scene = desk.scene()
    row = row_of(match, scene.labels)
    cards = [side.card for side in row.sides]
    is_table = match.kind == MatchKind.TABLE
    terms = match.frozen_terms
    return desk_page(
        request,
        "desk/match.html",
        desk,
        tab="desk",
        status=409 if error else 200,
        scene=scene,
        match=match,
        rnd=rnd,
        round_name=name_of(rnd),
        row=row,
        terms=terms,
        choices=result_choices([card.shown_name for card in cards]),
        shown=_shown(request, row),
        error=error,
        is_correction=is_correction,
        can_enter=is_table and (Can.CORRECT if is_correction else Can.RESULTS) in desk.powers,
        waits=is_table and match.state == MatchState.PAIRED,
        opening=opening_state(match, rnd, cards) if is_table else None,
        seated=positions(cards),
        earlier=_earlier(match),
    )


def _after(desk: Desk, rnd: Round) -> str:
    """Back to the desk while the round runs; a round of the past is corrected from its own page."""
    if rnd.state == RoundState.RUNNING:
        return reverse("desk", args=[desk.tournament.slug])
    return reverse("desk-round", args=[desk.tournament.slug, rnd.pk])


def _shown(request: HttpRequest, row: TableRow) -> dict[str, Any]:
    """What the form shows: what was typed, else what counts now."""
    if request.method == "POST":
        return {
            "wins": [request.POST.get(f"wins_{side.index}", "") for side in row.sides],
            "draws": request.POST.get("draws", ""),
            "kind": request.POST.get("kind", "played"),
            "reason": request.POST.get("reason", ""),
        }
    kind = row.result_kind or "played"
    loser = next((side.index for side in row.sides if side.outcome == "loss"), 0)
    return {
        "wins": ["" if side.wins is None else side.wins for side in row.sides],
        "draws": row.draws,
        "kind": f"{kind}:{loser}" if kind in ("concession", "no-show", "match-loss") else kind,
        "reason": "",
    }


def _earlier(match: Match) -> list[Result]:
    """Results that do not count any more, newest first."""
    old = Result.objects.filter(match=match, is_current=False).prefetch_related("lines__side")
    return list(old.order_by("-id"))
