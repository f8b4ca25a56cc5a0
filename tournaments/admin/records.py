"""The records of a tournament that only deeds write."""

from fractions import Fraction
from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from config.admin_base import Records, chip, local, of_tournament, page_of, teams_in_words
from config.admin_deeds import Asked, Deed, WithDeeds
from matches.models import Side
from rulebook.policies import policy_of
from rulebook.tiebreakers import TIEBREAKERS
from tournaments.models import (
    ByeGrant,
    Penalty,
    Round,
    Slot,
    Snapshot,
    SnapshotRow,
    Staff,
    Stage,
    StageEntry,
    Step,
)
from tournaments.staff import Can, dismiss

VERSUS = mark_safe('<span class="td-versus"> vs </span>')


@admin.register(Staff)
class StaffAdmin(WithDeeds):
    tournament_path = "tournament"
    list_display = ("user", "role", "tournament")
    list_select_related = ("user", "tournament")
    list_filter = (of_tournament("tournament"), "role")
    search_fields = ("user__username",)

    def deeds(self, row: Staff) -> list[Deed]:
        return [
            Deed(
                "dismiss",
                f"Dismiss as {row.get_role_display()}",
                Can.STAFF,
                self._dismiss,
                f"{row.user} loses this role in {row.tournament} at once.",
                is_grave=True,
            )
        ]

    def after(self, row: Staff, deed: Deed, back: str) -> str:
        return reverse("admin:tournaments_tournament_change", args=[row.tournament_id])

    def _dismiss(self, asked: Asked) -> str:
        dismiss(staff_id=asked.row.pk, actor=asked.actor)
        return f"{asked.row.user} is no longer {asked.row.get_role_display()}."


@admin.register(Stage)
class StageAdmin(Records):
    tournament_path = "tournament"
    list_display = ("__str__", "tournament", "shown_state", "planned_rounds")
    list_select_related = ("tournament",)
    list_filter = (of_tournament("tournament"), "method", "state")

    @admin.display(description="state", ordering="state")
    def shown_state(self, row: Stage) -> SafeString:
        return chip(row.state)


@admin.register(StageEntry)
class StageEntryAdmin(Records):
    tournament_path = "stage__tournament"
    list_display = ("team", "stage", "seed", "place")
    list_select_related = ("team", "stage__tournament")
    list_filter = (of_tournament("stage__tournament"),)


@admin.register(Round)
class RoundAdmin(Records):
    tournament_path = "stage__tournament"
    journal_subject = "round"
    list_display = ("__str__", "stage", "tournament", "shown_state", "published", "started", "closed")
    list_select_related = ("stage__tournament",)
    list_filter = (of_tournament("stage__tournament"), "state")
    ordering = ("-stage__tournament_id", "-stage__number", "-number", "-id")
    readonly_fields = ("tables",)
    fieldsets = (
        (None, {"fields": ("stage", "number", "state", "tables")}),
        (
            "Times",
            {
                "fields": (
                    "paired_at",
                    "published_at",
                    "started_at",
                    "ends_at",
                    "time_called_at",
                    "closed_at",
                )
            },
        ),
        ("How it was paired", {"fields": ("engine", "seed", "inputs", "output"), "classes": ("collapse",)}),
    )

    @admin.display(description="tournament")
    def tournament(self, row: Round) -> str:
        return row.stage.tournament.name

    @admin.display(description="state", ordering="state")
    def shown_state(self, row: Round) -> SafeString:
        return chip(row.state)

    @admin.display(description="published", ordering="published_at")
    def published(self, row: Round) -> str:
        return local(row.published_at, row.stage.tournament.zone)

    @admin.display(description="started", ordering="started_at")
    def started(self, row: Round) -> str:
        return local(row.started_at, row.stage.tournament.zone)

    @admin.display(description="closed", ordering="closed_at")
    def closed(self, row: Round) -> str:
        return local(row.closed_at, row.stage.tournament.zone)

    @admin.display(description="tables")
    def tables(self, row: Round) -> Any:
        """Every table of the round with its sides, in a fixed number of queries."""
        matches = list(row.matches.order_by("table", "id"))
        sides = Side.objects.filter(match__in=matches).select_related("team").order_by("match_id", "index")
        words = teams_in_words({side.team for side in sides})
        by_match: dict[int, list[SafeString]] = {}
        for side in sides:
            by_match.setdefault(side.match_id, []).append(words[side.team_id])
        return format_html(
            '<div class="td-scroll"><table class="td-table"><tr><th>Table</th><th>Sides</th>'
            "<th>State</th></tr>{}</table></div>",
            format_html_join(
                "",
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                (
                    (
                        page_of(match, match.table or match.get_kind_display()),
                        format_html_join(VERSUS, "{}", ((side,) for side in by_match.get(match.pk, ()))),
                        chip(match.state),
                    )
                    for match in matches
                ),
            ),
        )


@admin.register(Slot)
class SlotAdmin(Records):
    tournament_path = "stage__tournament"
    list_display = (
        "__str__",
        "tournament",
        "round_number",
        "source",
        "source_seed",
        "source_node",
        "team",
        "match",
    )
    list_select_related = ("stage__tournament", "team", "match")
    list_filter = (of_tournament("stage__tournament"),)

    @admin.display(description="tournament")
    def tournament(self, row: Slot) -> str:
        return row.stage.tournament.name


@admin.register(Snapshot)
class SnapshotAdmin(Records):
    tournament_path = "stage__tournament"
    list_display = ("__str__", "tournament", "policy", "taken")
    list_select_related = ("stage__tournament",)
    list_filter = (of_tournament("stage__tournament"),)
    ordering = ("-stage__tournament_id", "-after_round", "-version")
    readonly_fields = ("ranking",)
    fields = ("stage", "after_round", "version", "policy", "ranking", "taken_at", "published_at", "digest")

    @admin.display(description="tournament")
    def tournament(self, row: Snapshot) -> str:
        return row.stage.tournament.name

    @admin.display(description="taken", ordering="taken_at")
    def taken(self, row: Snapshot) -> str:
        return local(row.taken_at, row.stage.tournament.zone)

    @admin.display(description="standings")
    def ranking(self, row: Snapshot) -> Any:
        rows = list(row.rows.select_related("team", "snapshot"))
        words = teams_in_words(one.team for one in rows)
        return format_html(
            '<div class="td-scroll"><table class="td-table"><tr><th>Rank</th><th>Team</th><th>Points</th>'
            "<th>Won, lost, drawn</th><th>Tiebreakers</th></tr>{}</table></div>",
            format_html_join(
                "",
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                ((one.rank, words[one.team_id], one.points, _record(one), _figures(one)) for one in rows),
            ),
        )


def _record(row: SnapshotRow) -> str:
    return f"{row.record.get('wins', 0)}-{row.record.get('losses', 0)}-{row.record.get('draws', 0)}"


def _figures(row: SnapshotRow) -> str:
    """Tiebreakers as people read them: shares in per cent with two digits, the rest as numbers."""
    figures = dict(row.figures)
    order = [key for key in policy_of(row.snapshot.policy).tiebreakers if key in figures]
    order += [key for key in figures if key not in order]  # the database may not keep the order of keys
    return ", ".join(_figure(key, Fraction(figures[key])) for key in order)


def _figure(key: str, value: Fraction) -> str:
    known = TIEBREAKERS.get(key)
    label = known.label if known else key
    return f"{label} {float(value * 100):.2f}" if known and known.is_share else f"{label} {float(value):g}"


@admin.register(SnapshotRow)
class SnapshotRowAdmin(Records):
    tournament_path = "snapshot__stage__tournament"
    list_display = ("rank", "team", "points", "won", "tournament", "snapshot")
    list_display_links = ("rank",)
    list_select_related = ("team", "snapshot__stage__tournament")
    list_filter = (of_tournament("snapshot__stage__tournament"),)
    ordering = ("-snapshot_id", "position")

    @admin.display(description="won, lost, drawn")
    def won(self, row: SnapshotRow) -> str:
        return _record(row)

    @admin.display(description="tournament")
    def tournament(self, row: SnapshotRow) -> str:
        return row.snapshot.stage.tournament.name


@admin.register(Step)
class StepAdmin(Records):
    tournament_path = "tournament"
    list_display = (
        *("kind", "tournament", "round", "table", "due", "own_time", "mode", "own_mode"),
        *("shown_state", "done_by", "blocked_why"),
    )
    list_select_related = ("tournament", "round", "match", "deed")
    list_filter = (of_tournament("tournament"), "state", "mode", "kind")
    ordering = ("-due_at", "-id")

    @admin.display(description="due", ordering="due_at")
    def due(self, row: Step) -> str:
        return local(row.due_at, row.tournament.zone)

    @admin.display(description="table", ordering="match__table")
    def table(self, row: Step) -> str:
        return f"{row.match.table}" if row.match else ""

    @admin.display(description="done by", ordering="deed")
    def done_by(self, row: Step) -> str:
        return f"{row.deed.actor} (no. {row.deed.number})" if row.deed else ""

    @admin.display(description="state", ordering="state")
    def shown_state(self, row: Step) -> SafeString:
        return chip(row.state)


@admin.register(ByeGrant)
class ByeGrantAdmin(Records):
    tournament_path = "team__tournament"
    list_display = ("team", "round_number", "reason", "tournament")
    list_select_related = ("team__tournament",)
    list_filter = (of_tournament("team__tournament"), "reason")
    ordering = ("-team__tournament_id", "round_number", "team")

    @admin.display(description="tournament")
    def tournament(self, row: ByeGrant) -> str:
        return row.team.tournament.name


@admin.register(Penalty)
class PenaltyAdmin(Records):
    tournament_path = "tournament"
    list_display = ("level", "infraction", "team", "player", "match", "tournament")
    list_select_related = ("tournament", "team", "player", "match")
    list_filter = (of_tournament("tournament"), "level")
    ordering = ("-id",)
