"""Whoever holds a personal link: the door of every page of one player, and the match he plays now."""

from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from matches.models import Match, Side
from rulebook.errors import RuleBroken
from teams.links import seat_behind
from teams.models import Seat
from tournaments.models import Round, Tournament
from tournaments.pages.conditional import View
from tournaments.pages.scenes import scene_of


def personal(view: View) -> View:
    """`view(request, token, seat)` for whoever holds a working link; the address is told to nobody."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, token: str, **more: Any) -> HttpResponse:
        try:
            response = view(request, token, seat_behind(token), **more)
        except RuleBroken as broken:
            response = _refused(request, token, broken)
        # A form has to tell its origin to be believed; other sites are still told nothing.
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex"
        return response

    return answer


def _refused(request: HttpRequest, token: str, broken: RuleBroken) -> HttpResponse:
    """A dead link has a page of its own; any other broken rule is a message on the player's page."""
    if broken.code != "link-dead":
        messages.error(request, broken.sentence)
        return redirect("me", token)
    response = render(request, "phone/dead.html", {"sentence": broken.sentence}, status=404)
    # Django would write the address, and with it the token, into its log.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def match_now(seat: Seat) -> Match:
    """The match of the seat's team in the newest published round."""
    match = own_match(scene_of(Tournament.objects.get(pk=seat.tournament_id)).shown_round, seat)
    if match is None:
        raise RuleBroken("no-match", _("Your team has no match now; wait for the next pairings."))
    return match


def own_match(rnd: Round | None, seat: Seat) -> Match | None:
    """The match of the seat's team in the round; None where it has none."""
    if rnd is None:
        return None
    sides = Side.objects.filter(round=rnd, team_id=seat.team_id, is_live=True).select_related("match")
    side = sides.order_by("id").first()
    return side.match if side else None


def own_board(match: Match, seat: Seat) -> str:
    """The board the player sits at: his own where teammates play games of their own."""
    return seat.label if len(match.frozen_terms.boards) > 1 else ""
