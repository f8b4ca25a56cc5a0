"""One table at the desk: its result, its correction, its boards with their openings and games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from matches.boards import board_lines
from matches.models import Match, Result
from matches.results import enter_result
from matches.tracking import tracked_game
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState
from rulebook.panels import panels
from rulebook.scoring import LOST_BY_ONE, Line, Outcome, ResultKind
from teams.selectors import Member, TeamCard
from tournaments.models import Round
from tournaments.pages.at_time import TimeAsked, time_asked
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.openings import OpeningState, opening_state, positions
from tournaments.pages.result_form import DRAW, is_pod, result_choices, result_of
from tournaments.pages.scenes import name_of
from tournaments.pages.sheets import SideRow, TableRow, counts_text, row_of
from tournaments.staff import Can


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One contest of the match: who sits at it, its games, its result as far as it is in."""

    label: str
    opening: OpeningState
    sides: tuple[tuple[SideRow, tuple[Member, ...], int | None], ...]
    score: str = ""
    time: TimeAsked | None = None
    points: tuple[tuple[str, int], ...] = ()


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page()
def match_page(request: HttpRequest, desk: Desk, match_id: int) -> HttpResponse:
    """The table; a posted result is entered. A confirmed one is corrected through its preview."""
    match = get_object_or_404(Match, tournament=desk.tournament, pk=match_id)
    rnd = Round.objects.select_related("stage").defer("inputs", "output").get(pk=match.round_id)
    error = ""
    if request.method == "POST":
        desk.require(Can.RESULTS)
        try:
            _enter(request, desk, match)
            messages.success(request, f"Table {match.table} is in.")
            return redirect(after_entry(desk, rnd))
        except RuleBroken as broken:
            error = broken.sentence
    return table_page(request, desk, match, rnd, error)


def table_page(request: HttpRequest, desk: Desk, match: Match, rnd: Round, error: str) -> HttpResponse:
    """The table with its forms; with an `error` the forms keep what was typed."""
    is_correction = match.state == MatchState.CONFIRMED
    scene = desk.scene()
    row = row_of(match, scene.labels)
    is_table, terms = match.kind == MatchKind.TABLE, match.frozen_terms
    names = [side.card.shown_name for side in row.sides]
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
        is_pod=is_pod(terms),
        has_boards=len(terms.boards) > 1,
        choices=result_choices(
            names, played=len(terms.boards) == 1 or is_correction, draws=terms.draws_allowed
        ),
        board_choices=result_choices(names),
        shown=_shown(request, row),
        error=error,
        is_correction=is_correction,
        can_enter=is_table and (Can.CORRECT if is_correction else Can.RESULTS) in desk.powers,
        waits=is_table and match.state == MatchState.PAIRED,
        boards=_boards(match, rnd, row, request.GET) if is_table and match.state != MatchState.PAIRED else [],
        earlier=_earlier(match),
    )


def _enter(request: HttpRequest, desk: Desk, match: Match) -> None:
    """The posted result counts; a match of several boards is played on its boards."""
    said = result_of(request.POST, match.frozen_terms)
    if len(match.frozen_terms.boards) > 1 and said["kind"] is ResultKind.PLAYED:
        raise RuleBroken("board-missing", "Enter the result of each board.")
    enter_result(match_id=match.pk, actor=desk.actor, **said)


def after_entry(desk: Desk, rnd: Round) -> str:
    """Back to the desk while the round runs; a round of the past is corrected from its own page."""
    if rnd.state == RoundState.RUNNING:
        return reverse("desk", args=[desk.tournament.slug])
    return reverse("desk-round", args=[desk.tournament.slug, rnd.pk])


def _boards(match: Match, rnd: Round, row: TableRow, asked: Mapping[str, str]) -> list[BoardRow]:
    """Each contest of the match with its openings, its score and the question of time."""
    cards = [side.card for side in row.sides]
    labels = match.frozen_terms.boards
    lines = board_lines(match) if len(labels) > 1 else {}
    return [
        BoardRow(
            label,
            opening_state(match, rnd, cards, label),
            _seated(row, label, found),
            _score(found),
            _time(match, row, label, asked) if not found else None,
            _points(match, label, cards),
        )
        for label in labels
        for found in (lines.get(label, ()),)
    ]


def _points(match: Match, label: str, cards: Sequence[TeamCard]) -> tuple[tuple[str, int], ...]:
    """The totals that the players track on their phones, once anybody tapped."""
    tracked = tracked_game(match, label)
    if tracked is None or not tracked.taps:
        return ()
    who = positions(cards)
    return tuple(
        (cards[one.side].shown_name if len(one.seats) > 1 else who.get(one.position, one.position), one.total)
        for one in panels(tracked.table)
    )


def _time(match: Match, row: TableRow, label: str, asked: Mapping[str, str]) -> TimeAsked | None:
    """What happens when time is called, asked while the match has no result."""
    if match.state == MatchState.CONFIRMED:
        return None
    names = [
        next((one.name for one in side.card.members if label and one.label == label), side.card.shown_name)
        for side in row.sides
    ]
    return time_asked(match, names, asked, label)


def _seated(
    row: TableRow, label: str, lines: Sequence[Line]
) -> tuple[tuple[SideRow, tuple[Member, ...], int | None], ...]:
    won = {line.side: line.wins for line in lines}
    return tuple(
        (
            side,
            tuple(member for member in side.card.members if label in ("", member.label)),
            won.get(side.index),
        )
        for side in row.sides
    )


def _score(lines: Sequence[Line]) -> str:
    return counts_text([line.wins for line in lines], lines[0].draws) if lines else ""


def _shown(request: HttpRequest, row: TableRow) -> dict[str, Any]:
    """What the form shows: what was typed, else what counts now."""
    if request.method == "POST":
        return {
            "sides": [
                (side, request.POST.get(f"wins_{side.index}", ""), request.POST.get(f"out_{side.index}", ""))
                for side in row.sides
            ],
            "winner": request.POST.get("winner", ""),
            "draws": request.POST.get("draws", ""),
            "kind": request.POST.get("kind", "played"),
            "reason": request.POST.get("reason", ""),
        }
    kind = row.result_kind or "played"
    loser = next((side.index for side in row.sides if side.outcome == Outcome.LOSS), 0)
    winner = next((str(side.index) for side in row.sides if side.outcome == Outcome.WIN), "")
    return {
        "sides": [(side, "" if side.wins is None else side.wins, side.out_order or "") for side in row.sides],
        "winner": winner or (DRAW if row.result_kind else ""),
        "draws": row.draws,
        "kind": f"{kind}:{loser}" if kind in LOST_BY_ONE else kind,
        "reason": "",
    }


def _earlier(match: Match) -> list[Result]:
    """Results that do not count any more, newest first."""
    old = Result.objects.filter(match=match, is_current=False, board_label="")
    return list(old.prefetch_related("lines__side").order_by("-id"))
