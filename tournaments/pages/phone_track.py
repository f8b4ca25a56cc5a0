"""The table tracker on a phone: totals and buttons derived from the mode's record, each tap undoable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from journal.actors import seat_actor
from journal.recording import version_of
from matches.models import Match
from matches.tracking import Tracked, note_tap, taps_at, tracked_game, undo_tap
from rulebook.errors import RuleBroken
from rulebook.panels import Button, Panel, panels
from rulebook.tracker import Tap, Tapped, counted, ending
from teams.models import Seat
from teams.selectors import TeamCard, team_cards
from tournaments.models import Tournament
from tournaments.pages.openings import positions
from tournaments.pages.personal import match_now, own_board, personal
from tournaments.pages.result_form import is_pod

NEWEST = 12
TYPED = "typed"


@dataclass(frozen=True, slots=True)
class Shown:
    """One button: what it sends, what it says, and whether a rule forbids it now."""

    value: str
    words: str
    ready: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One total at the table with its name and buttons."""

    panel: Panel
    name: str
    is_mine: bool
    facts: tuple[str, ...]
    buttons: tuple[Shown, ...]
    more: tuple[Shown, ...]
    typed: tuple[Shown, ...]


@require_safe
@personal
def track(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """The running game as both sides' phones see it; without one the player is led back to the table."""
    match = match_now(seat)
    tracked = tracked_game(match, own_board(match, seat.label))
    if tracked is None:
        messages.info(request, _("No game runs now; choose who starts, then the table is tracked."))
        return redirect("me", token)
    tournament = Tournament.objects.get(pk=seat.tournament_id)
    sides = list(match.sides.select_related("team").order_by("index"))
    by_team = team_cards([side.team for side in sides], match.frozen_terms.labels)
    cards = [by_team[side.team_id] for side in sides]
    who, table, over = positions(cards), tracked.table, ending(tracked.table)
    names = {code: _name(one, cards, who) for one in panels(table) for code in one.seats}
    context = {
        "token": token,
        "tournament": tournament,
        "match": match,
        "game": tracked.game,
        "table": table,
        "stream": f"{tournament.slug}/table/{match.pk}",
        "version": version_of(tournament.pk) + taps_at([match.pk])[match.pk],
        "parts": [_part(tracked, panel, cards, who, seat) for panel in panels(table)],
        "turn": who.get(table.active, table.active) if table.battlefields else "",
        "turns": _turns(tracked, who) if table.battlefields else [],
        "log": [(one.number, _told(one, names, who)) for one in reversed(counted(tracked.taps)[-NEWEST:])],
        "over": over,
        "terms": match.frozen_terms,
        "notes_games": match.frozen_terms.best_of > 1 or bool(own_board(match, seat.label)),
        "is_pod": is_pod(match.frozen_terms),
        "mine_won": over is not None and over.winner is not None and cards[over.winner].id == seat.team_id,
        "winner": cards[over.winner] if over is not None and over.winner is not None else None,
    }
    return render(request, "phone/track.html", context)


@require_POST
@personal
def tap(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """One change at the table is noted; a refused one says why on the same page."""
    match = match_now(seat)
    try:
        kind, position, amount, source = _asked(request.POST)
        note_tap(
            match_id=match.pk,
            actor=seat_actor(seat.pk),
            tap=kind,
            position=position,
            amount=amount,
            source=source,
            game=_number(request.POST.get("game", "")),
            board_label=own_board(match, seat.label),
        )
        _say_card(request, match, seat, kind)
    except RuleBroken as broken:
        messages.error(request, broken.sentence)
    return redirect("me-track", token)


@require_POST
@personal
def untap(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """One entry is taken back."""
    match = match_now(seat)
    try:
        undo_tap(
            match_id=match.pk,
            actor=seat_actor(seat.pk),
            number=_number(request.POST.get("number", "")),
            game=_number(request.POST.get("game", "")),
            board_label=own_board(match, seat.label),
        )
    except RuleBroken as broken:
        messages.error(request, broken.sentence)
    return redirect("me-track", token)


def _asked(asked: Mapping[str, str]) -> tuple[Tap, str, int, str]:
    """What a button sends: kind, seat, amount and source; a typed amount stands in its own field."""
    parts = asked.get("tap", "").split("|")
    if len(parts) != 4 or parts[0] not in [one.value for one in Tap]:
        raise RuleBroken("unknown-tap", _("Tap one of the buttons of the page."))
    kind, position, amount, source = parts
    if amount.lstrip("-") == TYPED:
        typed = asked.get("amount", "").strip()
        if not typed.isdecimal() or not typed.isascii() or len(typed) > 4:
            raise RuleBroken("amount-missing", _("Type how much, as a number."))
        amount = ("-" if amount.startswith("-") else "") + typed
    if not amount.lstrip("-").isdecimal() or len(amount) > 6:
        raise RuleBroken("unknown-tap", _("Tap one of the buttons of the page."))
    return Tap(kind), position, int(amount), source


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 9 else None


def _say_card(request: HttpRequest, match: Match, seat: Seat, kind: Tap) -> None:
    """A conquered battlefield that gave no point says what it gave instead."""
    if kind is not Tap.CONQUER:
        return
    tracked = tracked_game(match, own_board(match, seat.label))
    last = counted(tracked.taps)[-1:] if tracked else ()
    if last and last[0].tap is Tap.CONQUER and not last[0].amount:
        messages.info(
            request, _("No point: the last one needs every battlefield this turn. Draw a card instead.")
        )


def _part(
    tracked: Tracked, panel: Panel, cards: Sequence[TeamCard], who: Mapping[str, str], seat: Seat
) -> Part:
    facts = []
    if panel.poison and panel.poison[0]:
        facts.append(_("poison %(n)s of %(most)s") % {"n": panel.poison[0], "most": panel.poison[1]})
    facts += [
        _("%(n)s damage from %(who)s") % {"n": n, "who": who.get(source, source)}
        for source, n in panel.damage
    ]
    falls = panel.goal is None
    typed = (
        (Tap.SCORE, f"-{TYPED}", _("Lose")),
        (Tap.SCORE, TYPED, _("Gain")),
        (Tap.PAY, TYPED, _("Pay")),
    )
    return Part(
        panel=panel,
        name=_name(panel, cards, who),
        is_mine=cards[panel.side].id == seat.team_id,
        facts=tuple(facts),
        buttons=tuple(_button(one, panel, who) for one in panel.buttons),
        more=tuple(_button(one, panel, who) for one in panel.more),
        typed=tuple(Shown(f"{kind}|{panel.position}|{amount}|", words, True) for kind, amount, words in typed)
        if falls
        else (),
    )


def _name(panel: Panel, cards: Sequence[TeamCard], who: Mapping[str, str]) -> str:
    """Whose total it is: the team's where it is shared, else the player's."""
    if len(panel.seats) > 1:
        return cards[panel.side].shown_name
    return who.get(panel.position, panel.position)


def _button(button: Button, panel: Panel, who: Mapping[str, str]) -> Shown:
    amount = button.amount or 0
    value = f"{button.tap}|{panel.position}|{amount}|{button.source}"
    return Shown(value, _words(button.tap, amount, button.source, who), button.ready)


def _words(tap: Tap, amount: int, source: str, who: Mapping[str, str]) -> str:
    """What a button or an entry says; signs are written, so that a phone reads them aloud."""
    signed = f"+{amount}" if amount > 0 else f"\N{MINUS SIGN}{abs(amount)}"
    words = {
        Tap.SCORE: signed,
        Tap.PAY: _("pay %(n)s") % {"n": amount},
        Tap.POISON: _("poison %(n)s") % {"n": signed},
        Tap.COMMANDER: _("%(n)s from %(who)s") % {"n": signed, "who": who.get(source, source)},
        Tap.CANNOT_GAIN: _("cannot gain life") if amount > 0 else _("can gain life again"),
        Tap.CANNOT_LOSE: _("cannot lose life") if amount > 0 else _("can lose life again"),
        Tap.HOLD: _("hold %(n)s") % {"n": source},
        Tap.CONQUER: _("conquer %(n)s") % {"n": source},
        Tap.ALLY: _("teammate held %(n)s") % {"n": source},
        Tap.TURN: _("turn"),
        Tap.RESTART: _("begun anew"),
    }
    said = words.get(tap, tap.value)
    return said[:1].upper() + said[1:]


def _told(one: Tapped, names: Mapping[str, str], who: Mapping[str, str]) -> str:
    """An entry of the log in words."""
    worth = f" +{one.amount}" if one.tap in (Tap.HOLD, Tap.CONQUER) and one.amount else ""
    name = (who if one.tap is Tap.TURN else names).get(one.position, one.position)
    return f"{name}: {_words(one.tap, one.amount, one.source, who)}{worth}"


def _turns(tracked: Tracked, who: Mapping[str, str]) -> list[tuple[str, str]]:
    """Whose turn may come next: the next in order first."""
    order, coming = tracked.table.order, tracked.table.next_in_order
    rest = [one for one in order if one != coming]
    return [(f"{Tap.TURN}|{one}|0|", who.get(one, one)) for one in (coming, *rest)]
