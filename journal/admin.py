"""The journal, read only: who did what, when, and through which door."""

from typing import Any

from django.contrib import admin
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html

from config.admin_base import Records, local, of_tournament
from journal.models import ClockSetting, Deed, Head
from teams.models import User

PAGES = {
    "tournament": "tournaments_tournament",
    "round": "tournaments_round",
    "stage": "tournaments_stage",
    "step": "tournaments_step",
    "team": "teams_team",
    "match": "matches_match",
}


class OfSubject(admin.SimpleListFilter):
    """Deeds done to one thing; reached from the thing's own page and offered nowhere else."""

    title = "subject"
    parameter_name = "subject"

    def has_output(self) -> bool:
        return self.value() is not None

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        value = request.GET.get("subject", "")
        return [(value, value.replace(":", " "))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(subject=self.value()) if self.value() else queryset


@admin.register(Deed)
class DeedAdmin(Records):
    tournament_path = "tournament"
    list_display = ("number", "kind", "subject_page", "who", "door", "when", "reason", "tournament")
    list_select_related = ("tournament",)
    list_filter = (of_tournament("tournament"), OfSubject, "door")
    search_fields = ("kind", "subject", "reason")
    ordering = ("-tournament_id", "-number")

    def prepare(self, rows: list[Any]) -> None:
        ids = {int(row.actor.partition(":")[2]) for row in rows if row.actor.startswith("user:")}
        names = dict(User.objects.filter(pk__in=ids).values_list("pk", "username"))
        for row in rows:
            kind, _, pk = row.actor.partition(":")
            row.who = names.get(int(pk), row.actor) if kind == "user" else row.actor.replace(":", " ")

    @admin.display(description="who", ordering="actor")
    def who(self, row: Any) -> str:
        return row.who

    @admin.display(description="when", ordering="at")
    def when(self, row: Deed) -> str:
        return local(row.at, row.tournament.zone)

    @admin.display(description="what it was done to", ordering="subject")
    def subject_page(self, row: Deed) -> Any:
        kind, _, pk = row.subject.partition(":")
        page = PAGES.get(kind)
        if page is None:
            return row.subject.replace(":", " ")
        try:
            address = reverse(f"admin:{page}_change", args=[pk])
        except NoReverseMatch:
            return row.subject
        return format_html('<a class="td-link" href="{}">{} {}</a>', address, kind, pk)


@admin.register(Head)
class HeadAdmin(Records):
    tournament_path = "tournament"
    list_display = ("tournament", "last")
    list_select_related = ("tournament",)


@admin.register(ClockSetting)
class ClockSettingAdmin(Records):
    list_display = ("shown_at", "speed", "real_at")
