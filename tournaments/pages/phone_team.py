"""What a player does for the team: say that it is here, hand in a deck list, leave."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from journal.actors import seat_actor
from journal.clock import now
from matches.games import score_so_far
from matches.models import Match
from rulebook.decklists import Problem
from rulebook.errors import RuleBroken
from rulebook.lifecycle import OVER, MatchKind, TournamentState
from rulebook.withdrawals import Leaving, Moment, effect_of
from teams.models import Decklist, Seat
from teams.selectors import team_cards
from tournaments.checkin import check_in_self
from tournaments.handing_in import check_open, format_at, hand_in_decklist, problems_between, problems_of
from tournaments.history import OUT
from tournaments.models import Tournament
from tournaments.pages.personal import personal
from tournaments.pages.result_form import count_in, is_pod
from tournaments.pages.scenes import scene_of
from tournaments.registration import withdraw_team
from tournaments.withdrawals import drop_player, moment_of

SCORED = (Moment.RUNNING, Moment.CUT_PAIRED)


@require_POST
@personal
def check_in(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """The team is here."""
    check_in_self(team_id=seat.team_id, actor=seat_actor(seat.pk))
    messages.success(request, _("Your team is checked in."))
    return redirect("me", token)


@require_http_methods(["GET", "HEAD", "POST"])
@personal
def leave(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """What leaving does is said first; posted with the box ticked, the player's whole team has left. Who taps
    once more sees that it has."""
    tournament = Tournament.objects.get(pk=seat.tournament_id)
    if seat.team.state in OUT or tournament.state in OVER:
        return redirect("me", token)
    playing = tournament.state == TournamentState.RUNNING
    moment, match = moment_of(tournament, seat.team) if playing else (Moment.UNPAIRED, None)
    at_table = match if match is not None and match.kind == MatchKind.TABLE else None
    asks = at_table is not None and moment in SCORED and not is_pod(at_table.frozen_terms)
    error = ""
    if request.method == "POST":
        try:
            _leave(request, seat, playing, at_table if asks else None)
            messages.success(request, _("Your team has left the tournament."))
            return redirect("me", token)
        except RuleBroken as broken:
            error = broken.sentence
    scene = scene_of(tournament)
    card = team_cards([seat.team], scene.labels)[seat.team_id]
    context = {
        "token": token,
        "tournament": tournament,
        "card": card,
        "others": [member.name for member in card.members if member.seat_id != seat.pk],
        "effect": effect_of(Leaving.DROP, moment, sides=match.frozen_terms.sides if match is not None else 2),
        "playing": playing,
        "counts": _counts_so_far(at_table, seat, scene.labels) if asks and at_table else [],
        "table": at_table.table if at_table else None,
        "error": error,
    }
    return render(request, "phone/leave.html", context, status=409 if error else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@personal
def deck(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """The player's own list with its problems by line; handed in, it can be replaced until the deadline."""
    tournament = Tournament.objects.get(pk=seat.tournament_id)
    saved = Decklist.objects.filter(seat=seat).first()
    body, error = saved.body if saved else "", ""
    problems = _problems(tournament, seat, body) if body else ()
    checked = bool(body)
    if request.method == "POST":
        body = request.POST.get("body", "")
        problems, checked = (_problems(tournament, seat, body) if body.strip() else ()), True
        try:
            check_open(tournament, now())
            if not problems or "anyway" in request.POST:
                hand_in_decklist(seat_id=seat.pk, body=body, actor=seat_actor(seat.pk))
                messages.success(request, _("Your deck list is handed in."))
                return redirect("me-deck", token)
        except RuleBroken as broken:
            error = broken.sentence
    marked = {problem.line for problem in problems if problem.line}
    context = {
        "token": token,
        "tournament": tournament,
        "format": format_at(tournament),
        "saved": saved,
        "is_open": _is_open(tournament, saved),
        "body": body,
        "lines": [(n, line, n in marked) for n, line in enumerate(body.splitlines(), 1)] if marked else [],
        "problems": problems,
        "checked": checked,
        "posted": request.method == "POST",
        "error": error,
    }
    return render(request, "phone/deck.html", context, status=409 if error else 200)


def _problems(tournament: Tournament, seat: Seat, body: str) -> tuple[Problem, ...]:
    """What is wrong with the list itself, and what a teammate plays already."""
    others = Decklist.objects.filter(seat__team_id=seat.team_id, seat__is_live=True).exclude(seat=seat)
    bodies = dict(others.values_list("seat__label", "body"))
    return (*problems_of(tournament, body), *problems_between(tournament, {**bodies, seat.label: body}))


def _is_open(tournament: Tournament, saved: Decklist | None) -> bool:
    try:
        check_open(tournament, now())
    except RuleBroken:
        return False
    return saved is None or saved.locked_at is None


def _leave(request: HttpRequest, seat: Seat, playing: bool, match: Match | None) -> None:
    if request.POST.get("sure") != "1":
        raise RuleBroken("not-sure", _("Tick the box if your team really leaves."))
    actor, reason = seat_actor(seat.pk), request.POST.get("reason", "")
    if not playing:
        withdraw_team(team_id=seat.team_id, actor=actor, reason=reason)
        return
    score: tuple[int, ...] = ()
    draws = 0
    if match is not None:
        sides = match.sides.order_by("index").values_list("team_id", flat=True)
        score = tuple(count_in(request.POST.get(f"wins_{team}", "")) for team in sides)
        draws = count_in(request.POST.get("draws", ""))
    drop_player(
        tournament_id=seat.tournament_id,
        player_id=seat.player_id,
        actor=actor,
        reason=reason,
        score=score,
        draws=draws,
    )


def _counts_so_far(match: Match, seat: Seat, labels: Any) -> list[tuple[int, str, int]]:
    """Team, name and games won so far, my own team first: keyed by team, never by left and right."""
    won, _drawn = score_so_far(match)
    sides = list(match.sides.select_related("team").order_by("index"))
    cards = team_cards([side.team for side in sides], labels)
    rows = [(side.team_id, cards[side.team_id].shown_name, won[side.index]) for side in sides]
    return sorted(rows, key=lambda row: row[0] != seat.team_id)
