"""What I bring to my table: a form behind the personal link."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from journal.actors import seat_actor
from matches.declaring import chairs_by_position, declare
from matches.models import Chair, Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.modes import mode_of
from rulebook.modes.blanks import Game
from teams.models import Seat
from tournaments.pages.personal import personal

LISTS = ("companions", "commanders", "sticker_sheets", "conspiracies", "battlefields", "used_battlefields")
TEXTS = ("commander_color", "legend", "champion")
YES = ("sideboard", "is_limited", "planar_deck", "attraction_deck")
NUMBERS = ("life_modifier", "hand_modifier")
WORDS = {
    "companions": "Companion",
    "commanders": "Commander, one a line",
    "commander_color": "Colour chosen for the commander",
    "sticker_sheets": "Sticker sheets, one a line",
    "conspiracies": "Conspiracies, one a line",
    "legend": "Legend",
    "champion": "Chosen champion",
    "battlefields": "Battlefields, one a line",
    "used_battlefields": "Battlefields used in this match, one a line",
    "sideboard": "A sideboard or substitute cards",
    "is_limited": "The sticker sheets come from opened packs",
    "planar_deck": "A planar deck",
    "attraction_deck": "An attraction deck",
    "life_modifier": "Vanguard: life more or less",
    "hand_modifier": "Vanguard: cards more or less",
}
BY_GAME = {
    Game.RIFTBOUND: ("sideboard", "legend", "champion", "battlefields", "used_battlefields"),
    Game.MAGIC: tuple(
        key for key in WORDS if key not in ("legend", "champion", "battlefields", "used_battlefields")
    ),
}


@require_http_methods(["GET", "HEAD", "POST"])
@personal
def brings(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """The form with what was declared; posted, it is checked and the set-up sheet tells it."""
    match, position, chair = _own_chair(seat)
    asked = BY_GAME[mode_of(match.frozen_terms.mode).game]
    typed = {key: _shown(key, chair.declared.get(key)) for key in asked}
    error = ""
    if request.method == "POST":
        typed = {key: request.POST.get(key, "") for key in asked}
        try:
            declare(
                match_id=match.pk,
                position=position,
                brings={key: _given(key, value) for key, value in typed.items()},
                actor=seat_actor(seat.pk),
            )
            messages.success(request, "The set-up sheet of your table tells it now.")
            return redirect("me", token)
        except RuleBroken as broken:
            error = broken.sentence
    context = {
        "token": token,
        "tournament": seat.tournament,
        "error": error,
        "fields": [(key, WORDS[key], _kind(key), typed[key]) for key in asked],
    }
    return render(request, "phone/brings.html", context, status=409 if error else 200)


def _own_chair(seat: Seat) -> tuple[Match, str, Chair]:
    """The player's chair at the table of his current match."""
    match = (
        Match.objects.filter(
            chairs__player_id=seat.player_id, tournament_id=seat.tournament_id, kind=MatchKind.TABLE
        )
        .exclude(state__in=[MatchState.CONFIRMED, MatchState.VOID])
        .order_by("-pk")
        .first()
    )
    if match is None:
        raise RuleBroken("no-table", "You have no table now; come back when your pairing is published.")
    for position, chair in chairs_by_position(match).items():
        if chair.player_id == seat.player_id:
            return match, position, chair
    raise RuleBroken("no-table", "You have no chair at this table; ask the scorekeeper.")


def _kind(key: str) -> str:
    if key in YES:
        return "check"
    if key in NUMBERS:
        return "number"
    return "lines" if key in LISTS else "text"


def _shown(key: str, value: Any) -> Any:
    if key in LISTS:
        return "\n".join(value or ())
    return value or ""


def _given(key: str, typed: str) -> Any:
    if key in YES:
        return bool(typed)
    if key in LISTS:
        return [line.strip() for line in typed.splitlines() if line.strip()]
    if key in NUMBERS:
        return int(typed) if typed.strip().lstrip("+-").isdecimal() else 0
    return typed.strip()
