"""The records of a table that only deeds write."""

from django.contrib import admin
from django.utils.safestring import SafeString

from config.admin_base import Records, local, of_tournament, page_of
from matches.models import Board, Call, Chair, Entry, Game, Line, Opening, Report, Result, Side


class AtATable(Records):
    """Rows that belong to one match, whose page they link to."""

    tournament_path = "match__tournament"
    list_select_related: tuple[str, ...] = ("match__tournament",)
    ordering: tuple[str, ...] = ("-match_id", "id")

    @admin.display(description="tournament")
    def tournament(self, row: Side | Chair | Board | Result | Report) -> str:
        return row.match.tournament.name

    @admin.display(description="match")
    def of_match(self, row: Side | Chair | Board | Result | Report) -> SafeString:
        return page_of(row.match)


@admin.register(Side)
class SideAdmin(AtATable):
    list_display = ("__str__", "team", "of_match", "tournament", "is_live")
    list_select_related = ("match__tournament", "team")
    list_filter = (of_tournament("match__tournament"), "is_live")


@admin.register(Chair)
class ChairAdmin(AtATable):
    list_display = ("position", "label", "player", "of_match", "tournament")
    list_select_related = ("match__tournament", "player")
    list_filter = (of_tournament("match__tournament"),)
    search_fields = ("player__folded",)


@admin.register(Board)
class BoardAdmin(AtATable):
    list_display = ("__str__", "of_match", "tournament")
    list_filter = (of_tournament("match__tournament"),)


@admin.register(Result)
class ResultAdmin(AtATable):
    list_display = ("kind", "of_match", "tournament", "source", "confirmed", "is_current")
    list_filter = (of_tournament("match__tournament"), "is_current", "kind")
    ordering = ("-id",)

    @admin.display(description="confirmed", ordering="confirmed_at")
    def confirmed(self, row: Result) -> str:
        return local(row.confirmed_at, row.match.tournament.zone)


@admin.register(Report)
class ReportAdmin(AtATable):
    list_display = ("reported", "of_match", "tournament", "team", "is_current")
    list_select_related = ("match__tournament", "side__team")
    list_filter = (of_tournament("match__tournament"), "is_current")
    ordering = ("-id",)

    @admin.display(description="reported", ordering="reported_at")
    def reported(self, row: Report) -> str:
        return local(row.reported_at, row.match.tournament.zone)

    @admin.display(description="team")
    def team(self, row: Report) -> str:
        return str(row.side.team)


@admin.register(Call)
class CallAdmin(AtATable):
    list_display = ("__str__", "of_match", "tournament", "opened", "taken_by", "ended_at")
    list_select_related = ("match__tournament", "taken_by")
    list_filter = (of_tournament("match__tournament"), "kind")
    ordering = ("-id",)

    @admin.display(description="opened", ordering="opened_at")
    def opened(self, row: Call) -> str:
        return local(row.opened_at, row.match.tournament.zone)


@admin.register(Game)
class GameAdmin(Records):
    tournament_path = "board__match__tournament"
    list_display = ("__str__", "of_match", "state", "winner", "is_draw", "ended_by")
    list_select_related = ("board__match",)
    list_filter = (of_tournament("board__match__tournament"), "state")
    ordering = ("-board__match_id", "number")

    @admin.display(description="match")
    def of_match(self, row: Game) -> SafeString:
        return page_of(row.board.match)


@admin.register(Entry)
class EntryAdmin(Records):
    tournament_path = "board__match__tournament"
    list_display = ("__str__", "game", "of_match", "number", "undoes", "actor")
    list_select_related = ("board__match",)
    list_filter = (of_tournament("board__match__tournament"), "kind")
    ordering = ("-id",)

    @admin.display(description="match")
    def of_match(self, row: Entry) -> SafeString:
        return page_of(row.board.match)


@admin.register(Opening)
class OpeningAdmin(Records):
    tournament_path = "game__board__match__tournament"
    list_display = ("__str__", "game", "of_match", "by", "chooser", "option", "is_default")
    list_select_related = ("game__board__match",)
    list_filter = (of_tournament("game__board__match__tournament"), "by")
    ordering = ("-game__board__match_id", "game__number")

    @admin.display(description="match")
    def of_match(self, row: Opening) -> SafeString:
        return page_of(row.game.board.match)


@admin.register(Line)
class LineAdmin(Records):
    tournament_path = "result__match__tournament"
    list_display = ("__str__", "team", "of_match", "draws", "half_points")
    list_select_related = ("result__match", "side__team")
    list_filter = (of_tournament("result__match__tournament"), "outcome")
    ordering = ("-result_id", "side__index")

    @admin.display(description="team")
    def team(self, row: Line) -> str:
        return str(row.side.team)

    @admin.display(description="match")
    def of_match(self, row: Line) -> SafeString:
        return page_of(row.result.match)
