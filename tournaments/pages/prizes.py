"""Prizes at the desk: what each place wins, who has won what, and what of it is paid."""

import re
from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from integrations.models import Payout, Prize
from integrations.prizes import (
    Share,
    award_prizes,
    ledger_csv,
    ledger_of,
    money,
    pay_prize,
    reopen_prize,
    set_payouts,
    void_open_prizes,
)
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TournamentState
from teams.selectors import team_cards
from tournaments.pages.asked import Asked, DeskDeed, number_in
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.staff import Can

BLANK_ROWS = 4
MOST_ROWS = 64
AMOUNT = re.compile(r"(\d{1,10})(?:[.,](\d{1,2}))?", re.ASCII)


@require_safe
@never_cache
@staff_page(Can.PRIZES)
def prizes_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The payout table until prizes are awarded, then the ledger with what is still to pay."""
    payouts = list(Payout.objects.filter(tournament=desk.tournament))
    ledger = ledger_of(desk.tournament)
    cards = team_cards(list({row.team_id: row.team for row in ledger}.values()), desk.scene().labels)
    standing = [row for row in ledger if row.status != Prize.Status.VOID]
    is_finished = desk.tournament.state == TournamentState.FINISHED
    return desk_page(
        request,
        "desk/prizes.html",
        desk,
        tab="prizes",
        payouts=[*((one, money(one.amount_minor)) for one in payouts), *[(None, "")] * BLANK_ROWS],
        has_payouts=bool(payouts),
        currency=next((one.currency for one in payouts if one.currency), "EUR"),
        ledger=[(row, cards[row.team_id], money(row.amount_minor)) for row in ledger],
        is_awarded=bool(standing),
        can_award=is_finished and bool(payouts) and not standing,
        open_rows=sum(row.status == Prize.Status.OPEN for row in ledger),
    )


@require_safe
@staff_page(Can.PRIZES)
def ledger_file(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The ledger for a spreadsheet."""
    response = HttpResponse(ledger_csv(desk.tournament), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{desk.tournament.slug}-prizes.csv"'
    return response


def _set(desk: Desk, asked: Asked) -> str:
    rows = [row for at in range(MOST_ROWS) if (row := _row(asked, at)) is not None]
    set_payouts(tournament_id=desk.tournament.pk, rows=rows, actor=desk.actor)
    return "The payout table is saved."


def _row(asked: Asked, at: int) -> Share | None:
    """One line of the form; None where no place is typed."""
    first, last = asked.get(f"first_{at}", "").strip(), asked.get(f"last_{at}", "").strip()
    if not first:
        return None
    if not (first.isdecimal() and (last or first).isdecimal()) or len(first + last) > 8:
        raise RuleBroken("wrong-places", "Type places as numbers, the better one first.")
    return Share(
        first=int(first),
        last=int(last or first),
        amount_minor=_cents(asked.get(f"amount_{at}", "")),
        currency=asked.get("currency", "").strip(),
        what=asked.get(f"what_{at}", "")[:200],
    )


def _cents(typed: str) -> int:
    """12,5 and 12.50 as 1250; nothing typed as 0."""
    if not typed.strip():
        return 0
    found = AMOUNT.fullmatch(typed.strip())
    if found is None:
        raise RuleBroken("wrong-amount", "Type an amount such as 12 or 12.50.")
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def _award(desk: Desk, asked: Asked) -> str:
    made = award_prizes(tournament_id=desk.tournament.pk, actor=desk.actor)
    return f"Prizes are awarded to {len({row.team_id for row in made})} teams."


def _pay(desk: Desk, asked: Asked) -> str:
    prize = _own(desk, asked)
    pay_prize(prize_id=prize.pk, external_ref=asked.get("reference", ""), actor=desk.actor)
    return f"Marked as paid: place {prize.place}{f', seat {prize.label}' if prize.label else ''}."


def _reopen(desk: Desk, asked: Asked) -> str:
    prize = _own(desk, asked)
    reopen_prize(prize_id=prize.pk, reason=asked.get("reason", ""), actor=desk.actor)
    return f"Open again: place {prize.place}{f', seat {prize.label}' if prize.label else ''}."


def _void(desk: Desk, asked: Asked) -> str:
    gone = void_open_prizes(
        tournament_id=desk.tournament.pk, reason=asked.get("reason", ""), actor=desk.actor
    )
    return f"{len(gone)} open rows are void."


def _own(desk: Desk, asked: Asked) -> Prize:
    return get_object_or_404(Prize, tournament=desk.tournament, pk=number_in(asked, "prize"))


PRIZE_DEEDS: Mapping[str, DeskDeed] = {
    "set-payouts": DeskDeed(Can.PRIZES, _set),
    "award-prizes": DeskDeed(Can.PRIZES, _award),
    "pay-prize": DeskDeed(Can.PRIZES, _pay),
    "reopen-prize": DeskDeed(Can.PRIZES, _reopen),
    "void-prizes": DeskDeed(Can.PRIZES, _void),
}
