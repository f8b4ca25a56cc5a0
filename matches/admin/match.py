"""A match's page: its sides, reports and result, and the deeds that settle it."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from config.admin_base import chip, of_tournament, page_of, teams_in_words
from config.admin_deeds import Asked, Deed, WithDeeds
from matches.admin.forms import CorrectionForm, ResultForm
from matches.models import Line, Match, Side
from matches.results import WAITS_FOR_RESULT, confirm_result, enter_result
from rulebook.lifecycle import MatchKind, MatchState, TournamentState
from rulebook.scoring import ResultKind
from teams.names import folded
from tournaments.corrections import correct_result
from tournaments.staff import Can

VERSUS = mark_safe('<span class="td-versus"> vs </span>')


@admin.register(Match)
class MatchAdmin(WithDeeds):
    tournament_path = "tournament"
    journal_subject = "match"
    list_display = ("place", "sides", "shown_state", "result", "round", "tournament")
    list_display_links = ("place",)
    list_select_related = ("round", "tournament")
    list_filter = (of_tournament("tournament"), "state", "kind")
    search_fields = ("=table", "sides__team__name", "sides__team__seats__player__folded")
    search_help_text = "Search by table, team or player"
    ordering = ("-round_id", "table", "id")
    fieldsets = (
        (None, {"fields": ("tournament", "round", "table", "kind", "state", "extension_s", "why")}),
        ("Terms, frozen at pairing", {"fields": ("terms",), "classes": ("collapse",)}),
    )

    # --- the list --------------------------------------------------------------------------------

    def prepare(self, rows: list[Any]) -> None:
        sides, results = sides_in_words(rows), results_in_words(rows)
        for row in rows:
            row.in_words = sides[row.pk]
            row.result_in_words = results.get(row.pk, "–")

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        return super().get_search_results(request, queryset, folded(search_term))

    @admin.display(description="table", ordering="table")
    def place(self, row: Match) -> str:
        return f"Table {row.table}" if row.table else row.get_kind_display()

    @admin.display(description="sides")
    def sides(self, row: Any) -> SafeString:
        return row.in_words

    @admin.display(description="state", ordering="state")
    def shown_state(self, row: Match) -> SafeString:
        return chip(row.state)

    @admin.display(description="result")
    def result(self, row: Any) -> str:
        return row.result_in_words

    # --- now -------------------------------------------------------------------------------------

    def facts(self, request: HttpRequest, row: Match) -> list[tuple[str, Any]]:
        sides = list(Side.objects.filter(match=row).select_related("team").order_by("index"))
        words = teams_in_words(side.team for side in sides)
        shown = [
            (f"Side {side.index + 1}" if len(sides) > 1 else "Team", page_of(side.team, words[side.team_id]))
            for side in sides
        ]
        reports = [
            f"{report.side.team}: {_reported(report.body, sides)}"
            for report in row.reports.filter(is_current=True).select_related("side__team")
        ]
        return [
            *shown,
            ("State", chip(row.state)),
            ("Result", results_in_words([row]).get(row.pk, "none yet")),
            *((("Reported", "; ".join(reports)),) if reports else ()),
            ("Round", page_of(row.round)),
            ("Tournament", page_of(row.tournament)),
        ]

    def deeds(self, row: Match) -> list[Deed]:
        return match_deeds(row)


def match_deeds(match: Match) -> list[Deed]:
    """Every deed that makes sense at the table now."""
    if match.kind != MatchKind.TABLE:
        return []
    is_live = match.tournament.state == TournamentState.RUNNING
    found = []
    if is_live and match.state == MatchState.REPORTED:
        says = "The reported result counts."
        found.append(Deed("confirm", "Confirm the report", Can.RESULTS, _confirm, says, is_next=True))
    if is_live and match.state in WAITS_FOR_RESULT:
        says = "The result counts at once."
        is_next = match.state != MatchState.REPORTED
        found.append(
            Deed("result", "Enter the result", Can.RESULTS, _enter, says, form=ResultForm, is_next=is_next)
        )
    if match.state == MatchState.CONFIRMED and (
        is_live or match.tournament.state == TournamentState.FINISHED
    ):
        says = "The old result is kept; standings of closed rounds change, pairings already made stay."
        found.append(
            Deed(
                "correct",
                "Correct the result",
                Can.CORRECT,
                _correct,
                says,
                form=CorrectionForm,
                is_grave=True,
            )
        )
    return found


def sides_in_words(matches: Iterable[Match]) -> dict[int, SafeString]:
    """The sides of each match, by match id, in two queries."""
    ids = [match.pk for match in matches]
    by_match: dict[int, list[Side]] = {pk: [] for pk in ids}
    for side in Side.objects.filter(match_id__in=ids).select_related("team").order_by("index"):
        by_match[side.match_id].append(side)
    words = teams_in_words({side.team for sides in by_match.values() for side in sides})
    return {
        pk: format_html_join(
            VERSUS,
            "{}",
            ((words[side.team_id],) for side in sides),
        )
        for pk, sides in by_match.items()
    }


def results_in_words(matches: Iterable[Match]) -> dict[int, str]:
    """The current result of each match that has one, as 2-1 in side order and its kind, in one query."""
    lines = Line.objects.filter(
        result__match__in=[match.pk for match in matches], result__is_current=True, result__board_label=""
    )
    found: dict[int, list[Line]] = defaultdict(list)
    for line in lines.select_related("result").order_by("side__index"):
        found[line.result.match_id].append(line)
    return {match: _in_words(of_match) for match, of_match in found.items()}


def _in_words(lines: list[Line]) -> str:
    counts = "-".join(str(line.wins) for line in lines)
    drawn = f"-{lines[0].draws}" if lines[0].draws else ""
    kind = lines[0].result.kind
    return counts + drawn + ("" if kind == ResultKind.PLAYED else f" ({kind.replace('-', ' ')})")


def _reported(body: dict[str, Any], sides: list[Side]) -> str:
    counts = "-".join(str(body["wins"].get(str(side.team_id), 0)) for side in sides)
    drawn = f"-{body['draws']}" if body.get("draws") else ""
    kind = body.get("kind", ResultKind.PLAYED)
    return counts + drawn + ("" if kind == ResultKind.PLAYED else f" ({kind.replace('-', ' ')})")


def _confirm(asked: Asked) -> str:
    match = confirm_result(match_id=asked.row.pk, actor=asked.actor)
    return f"{str(match).capitalize()}: the report is confirmed."


def _enter(asked: Asked) -> str:
    match = enter_result(match_id=asked.row.pk, actor=asked.actor, **asked.answers)
    return f"{str(match).capitalize()}: {results_in_words([match])[match.pk]} is confirmed."


def _correct(asked: Asked) -> str:
    match = correct_result(match_id=asked.row.pk, actor=asked.actor, **asked.answers)
    return f"{str(match).capitalize()}: corrected to {results_in_words([match])[match.pk]}."
