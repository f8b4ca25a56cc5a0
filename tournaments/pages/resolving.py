"""Every open table of the round with a choice how it ends: settled together or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from matches.models import Game, Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState, RoundState
from rulebook.scoring import ResultKind
from rulebook.terms import Terms
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.hall_deeds import plural
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.result_form import DRAW, is_pod, result_choices
from tournaments.pages.scenes import name_of
from tournaments.pages.sheets import TableRow, counts_text
from tournaments.resolving import Resolution, resolve_tables
from tournaments.staff import Can

REPORTED, AS_PLAYED, WON = "reported", "as-played", "won"
REST = {
    "": "leave them open",
    DRAW: "a draw",
    ResultKind.DOUBLE_LOSS.value: "loss for everybody",
    ResultKind.BOTH_ABSENT.value: "nobody came",
}


@dataclass(frozen=True, slots=True)
class OpenTable:
    """One table without a result, the ways it can end and the one that is chosen."""

    row: TableRow
    choices: tuple[tuple[str, str], ...]
    chosen: str
    terms: Terms


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.RESULTS)
def resolve_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The open tables; posted, every chosen one has its result."""
    scene = desk.scene()
    rnd = scene.last_round
    if rnd is None or rnd.state != RoundState.RUNNING:
        messages.error(request, "No round is running; there are no tables to resolve.")
        return redirect("desk", desk.tournament.slug)
    sheet = sheet_of(rnd, scene.labels, with_reports=True)
    tables = _open_tables(sheet.missing, request.POST if request.method == "POST" else {})
    error = ""
    if request.method == "POST":
        rest = request.POST.get("rest", "")
        try:
            rest = rest if rest in REST else ""
            found = [_resolution(one, one.chosen or rest) for one in tables if one.chosen or rest]
            done = resolve_tables(round_id=rnd.pk, resolutions=found, actor=desk.actor)
            messages.success(request, f"{plural(len(done), 'table')} settled.")
            return redirect("desk", desk.tournament.slug)
        except RuleBroken as broken:
            error = broken.sentence
    return desk_page(
        request,
        "desk/resolve.html",
        desk,
        tab="desk",
        status=409 if error else 200,
        scene=scene,
        rnd=rnd,
        round_name=name_of(rnd),
        tables=tables,
        rest_choices=[(key, words) for key, words in REST.items() if key != DRAW or _draws(tables)],
        rest=request.POST.get("rest", ""),
        error=error,
    )


def _draws(tables: list[OpenTable]) -> bool:
    return all(_may_draw(one.terms) for one in tables)


def _may_draw(terms: Terms) -> bool:
    """A draw without counts can be said of the match; of a match of several boards each board says it."""
    return terms.draws_allowed and len(terms.boards) == 1


def _open_tables(rows: list[TableRow], asked: Mapping[str, str]) -> list[OpenTable]:
    """Two queries: the terms of the tables, and the games recorded at them."""
    ids = [row.match_id for row in rows]
    terms = {
        pk: Terms.from_dict(stored)
        for pk, stored in Match.objects.filter(pk__in=ids).values_list("pk", "terms")
    }
    won: dict[int, list[int | None]] = {}
    games = Game.objects.filter(board__match__in=ids, board__label="", state=Game.State.ENDED)
    for match_id, winner in games.order_by("board__match_id", "number").values_list(
        "board__match_id", "winner"
    ):
        won.setdefault(match_id, []).append(winner)
    made = []
    for row in rows:
        choices = _choices(row, terms[row.match_id], won.get(row.match_id, []))
        first = REPORTED if row.state == MatchState.REPORTED else ""
        chosen = asked.get(f"table_{row.match_id}", first)
        made.append(OpenTable(row, choices, chosen if chosen in dict(choices) else "", terms[row.match_id]))
    return made


def _choices(row: TableRow, terms: Terms, winners: list[int | None]) -> tuple[tuple[str, str], ...]:
    names = [side.card.shown_name for side in row.sides]
    first = [("", "leave open")]
    if row.state == MatchState.REPORTED:
        first.append((REPORTED, f"as reported: {row.reported}"))
    if winners and not is_pod(terms):
        wins = [winners.count(index) for index in range(terms.sides)]
        drawn = winners.count(None)
        if terms.draws_allowed or wins.count(max(wins)) == 1:
            first.append((AS_PLAYED, f"as recorded: {counts_text(wins, drawn)}"))
    if is_pod(terms):
        first += [(f"{WON}:{index}", f"{name} won") for index, name in enumerate(names)]
    if _may_draw(terms):
        first.append((DRAW, "a draw"))
    without_play = result_choices(names, played=False, draws=False)
    return (*first, *(one for one in without_play if not is_pod(terms) or ":" not in one[0]))


def _resolution(table: OpenTable, choice: str) -> Resolution:
    match_id, terms = table.row.match_id, table.terms
    if choice == REPORTED:
        return Resolution(match_id, as_reported=True)
    if choice == AS_PLAYED:
        return Resolution(match_id, as_played=True)
    if choice == DRAW:
        nobody = (0,) * terms.sides
        return Resolution(match_id, wins=nobody, draws=int(is_pod(terms)))
    kind, _, side = choice.partition(":")
    if kind == WON:
        return Resolution(match_id, wins=tuple(int(index == int(side)) for index in range(terms.sides)))
    return Resolution(match_id, kind=ResultKind(kind), loser=int(side) if side else None)
