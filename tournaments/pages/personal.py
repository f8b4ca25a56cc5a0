"""Whoever holds a personal link: the door of every page of one player, and the match he plays now.

The link itself is opened once. What it leads to stands at /me/<seat>, and the key to that is a cookie, so
that neither the address bar nor a log nor another site ever shows a working link.
"""

import re
from functools import partial, wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _

from journal.clock import now
from matches.models import Match, Side
from rulebook.errors import RuleBroken
from teams.links import link_dead, seat_behind
from teams.models import Seat
from teams.tokens import hash_of
from tournaments.models import Round, Tournament
from tournaments.pages.conditional import View, own_page
from tournaments.pages.own_version import door_behind
from tournaments.pages.scenes import scene_of
from tournaments.pages.sent_once import sent_once, told_in_json, wants_json

SEAT = re.compile(r"\d{1,18}")
KEPT_S = 90 * 24 * 3600


def personal(view: View) -> View:
    """`view(request, token, seat)` for whoever holds a working link; `token` is then the seat's number, which
    opens nothing without the cookie. A link is answered by a cookie and an address without it."""

    @wraps(view)
    def answer(request: HttpRequest, token: str, **more: Any) -> HttpResponse:
        is_link = not SEAT.fullmatch(token)
        try:
            seat = seat_behind(token) if is_link else _known(request, token)
        except RuleBroken as broken:
            response = _closed(request, broken)
        else:
            response = _answered(request, view, seat, is_link, more)
            if is_link:
                _remember(response, token, seat)
        return _for_one(response)

    return answer


def personal_unless_known(view: View) -> View:
    """As `personal`, for `view(request, door)` of a page that is sent again only when it may have changed;
    one query where it did not."""

    def through_link(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
        raise AssertionError("a link is answered by the address without it")

    links = personal(wraps(view)(through_link))

    @wraps(view)
    def answer(request: HttpRequest, token: str) -> HttpResponse:
        if not SEAT.fullmatch(token):
            return links(request, token)
        try:
            door = door_behind(hash_of(_kept_token(request, token)), now())
            if door is None:
                raise link_dead()
            _require_same(door.seat_id, token)
        except RuleBroken as broken:
            return _for_one(_closed(request, broken))
        return _for_one(own_page(request, door, partial(view, request, door)))

    return answer


def _for_one(response: HttpResponse) -> HttpResponse:
    """Nobody else is shown the page, and no search engine finds it."""
    if not response.has_header("ETag"):
        add_never_cache_headers(response)
    # A form has to tell its origin to be believed; other sites are still told nothing.
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response


def _kept_token(request: HttpRequest, seat_id: str) -> str:
    """The token in the browser's cookie; the same refusal whether or not there is such a seat."""
    token = request.COOKIES.get(_cookie(seat_id), "")
    if not token:
        raise RuleBroken(
            "link-unknown", _("This browser does not know you. Open your personal link, or scan its code.")
        )
    return token


def _known(request: HttpRequest, seat_id: str) -> Seat:
    """The seat whose cookie the browser has."""
    seat = seat_behind(_kept_token(request, seat_id))
    _require_same(seat.pk, seat_id)
    return seat


def _require_same(found: int, seat_id: str) -> None:
    if str(found) != seat_id:
        raise RuleBroken("link-dead", _("This link opens another page. Open your personal link again."))


def _answered(
    request: HttpRequest, view: View, seat: Seat, is_link: bool, more: dict[str, Any]
) -> HttpResponse:
    """The page, or for a link the way to its address without the link; a broken rule is a message there."""
    here = str(seat.pk)
    if is_link and request.method in ("GET", "HEAD") and request.resolver_match:
        query = request.META.get("QUERY_STRING", "")
        page: HttpResponseRedirect = redirect(request.resolver_match.view_name, here, **more)
        return HttpResponseRedirect(f"{page.url}?{query}" if query else page.url)
    try:
        response = sent_once(request, seat, partial(view, request, here, seat, **more))
    except RuleBroken as broken:
        messages.error(request, broken.sentence)
        response = redirect("me", here)
    return told_in_json(request, response) if wants_json(request) else response


def _closed(request: HttpRequest, broken: RuleBroken) -> HttpResponse:
    """A page of its own for a link that opens nothing; it says nothing about what it may have opened."""
    status = 403 if broken.code == "link-unknown" else 404
    if wants_json(request):
        response = told_in_json(request, status=status, said=broken.sentence)
    else:
        response = render(request, "phone/dead.html", {"sentence": broken.sentence}, status=status)
    # Django would write the address, and with it the token, into its log.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _remember(response: HttpResponse, token: str, seat: Seat) -> None:
    """The browser has the key to the seat's pages and sends it nowhere else."""
    response.set_cookie(
        _cookie(str(seat.pk)),
        token,
        max_age=KEPT_S,
        path=f"/me/{seat.pk}",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _cookie(seat_id: str) -> str:
    return f"link-{seat_id}"


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


def own_board(match: Match, label: str) -> str:
    """The board the player sits at: his own where teammates play games of their own."""
    return label if len(match.frozen_terms.boards) > 1 else ""
