"""The tournament's own page: settings below, and above them where it stands and what may be done next."""

from collections.abc import Callable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import admin
from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.admin_base import (
    chip,
    choosing,
    kept_stores,
    local,
    page_of,
    registering_in,
    serves,
    user_of,
    zones,
)
from config.admin_deeds import Deed, ThroughService, WithDeeds
from journal.zones import known_zones
from rulebook import policies
from rulebook.lifecycle import OVER, TournamentState
from tournaments.admin.deeds import deeds_of
from tournaments.admin.forms import TournamentForm
from tournaments.admin.situation import Situation, situation_of
from tournaments.bracket_plan import CUTS
from tournaments.models import Tournament
from tournaments.setting_up import FROZEN_AT_START
from tournaments.staff import Can, may

CHOICES: dict[str, Callable[[], list[tuple[Any, str]]]] = {
    "cut": lambda: [(size, f"Top {size}" if size else "No cut") for size in CUTS],
    "best_of": lambda: [(number, f"Best of {number}") for number in (1, 3, 5, 7, 9)],
    "zone": zones,
    "policy": policies.choices,
}
HELP = {
    "planned_rounds": "Usual: 3 up to 8 teams, 4 up to 16, 5 up to 32, 6 up to 64, 7 up to 128.",
    "cut": "How many teams play the elimination after the rounds before it.",
    "starts_at": "On the clock of the time zone below.",
    "zone": "The time zone where it is played.",
    "slug": "The address of its pages; empty: made from the name.",
}
# What a new tournament may leave empty.
BY_MODE = {
    "best_of": "Empty: as the mode says.",
    "policy": "Empty: as the game's rules say.",
    "zone": "The time zone where it is played; empty: the store's.",
}
SHOWN_MISSING = 24


@admin.register(Tournament)
class TournamentAdmin(ThroughService, WithDeeds):
    tournament_path = "pk"
    journal_subject = "tournament"
    form = TournamentForm
    list_display = ("name", "shown_state", "mode", "store", "teams_in", "when")
    list_select_related = ("store",)
    list_filter = ("state", "mode")
    search_fields = ("name", "slug")
    readonly_fields = ("created",)

    # --- who may ---------------------------------------------------------------------------------

    def has_add_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return self.has_module_permission(request) and (user.is_superuser or kept_stores(user).exists())

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return request.user.is_superuser or serves(request)
        is_over = obj.state in OVER
        return not is_over and may(user_of(request), obj.pk, Can.SETTINGS)

    # --- the form --------------------------------------------------------------------------------

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return (
            (None, {"fields": ("name", "store", "mode", "format", "planned_rounds", "cut", "round_minutes")}),
            ("When and how many", {"fields": ("starts_at", "zone", "capacity", "signs_up", "hold_hours")}),
            (
                "Announced changes",
                {
                    "fields": (
                        "level",
                        "policy",
                        "best_of",
                        "late_policy",
                        "last_late_round",
                        "last_round_by_standing",
                        "draft_rounds",
                        "cut_method",
                        "cut_policy",
                        "keeps_results",
                        "pod_policy",
                        "hall",
                        "tables_in_a_row",
                        "feature_table",
                        "shows_standings",
                        "confirm_after_s",
                        "opening_after_s",
                        "slug",
                    )
                    + (("edition", "created") if obj else ()),
                    "description": "Leave these alone unless the tournament is announced differently.",
                },
            ),
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Sequence[str]:
        if obj is None:
            return ()
        frozen = sorted(FROZEN_AT_START) if obj.state == TournamentState.RUNNING else []
        return ("store", "mode", "slug", "edition", "created", *frozen)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        is_new = not (request.resolver_match and request.resolver_match.kwargs.get("object_id"))
        name = db_field.name
        if name in CHOICES:
            db_field = choosing(db_field, CHOICES[name](), may_be_empty=is_new and name in BY_MODE)
        formfield = super().formfield_for_dbfield(db_field, request, **kwargs)
        if name in HELP:
            formfield.help_text = HELP[name]
        if is_new and name in BY_MODE:
            formfield.help_text = BY_MODE[name]
        if name == "slug":
            formfield.required = False
        return formfield

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "store":
            stores = kept_stores(request.user)
            kwargs["queryset"] = stores
            only = list(stores[:2])
            if len(only) == 1:
                kwargs["initial"] = only[0].pk
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"planned_rounds": 4, **super().get_changeform_initial_data(request)}

    def zone_of(self, request: HttpRequest, object_id: Any) -> str:
        """The zone that is being entered, else the tournament's, else that of the store."""
        posted = request.POST.get("zone", "")
        if posted in known_zones():
            return posted
        if object_id:
            return super().zone_of(request, object_id)
        store = request.POST.get("store", "")
        kept = kept_stores(request.user)
        found = kept.filter(pk=store) if store.isdecimal() else kept
        return found.values_list("zone", flat=True).first() or "UTC"

    # --- the list --------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(team_count=Count("teams"))

    @admin.display(description="state", ordering="state")
    def shown_state(self, row: Tournament) -> SafeString:
        return chip(row.state)

    @admin.display(description="teams", ordering="team_count")
    def teams_in(self, row: Any) -> int:
        return row.team_count

    @admin.display(description="starts", ordering="starts_at")
    def when(self, row: Tournament) -> str:
        return local(row.starts_at, row.zone)

    @admin.display(description="created")
    def created(self, row: Tournament) -> str:
        return local(row.created_at, row.zone)

    # --- now -------------------------------------------------------------------------------------

    def deeds(self, row: Tournament) -> list[Deed]:
        return deeds_of(situation_of(row))

    def facts(self, request: HttpRequest, row: Tournament) -> list[tuple[str, Any]]:
        now = situation_of(row)
        shown: list[tuple[str, Any]] = [("State", chip(row.state))]
        if now.stage is not None and now.rnd is not None:
            shown.append(("Round", _round(now)))
        if now.missing and now.rnd and now.rnd.state == now.rnd.State.RUNNING:
            shown.append(("Tables without a result", _missing(now)))
        teams = row.teams.aggregate(
            all=Count("pk"), playing=Count("pk", filter=Q(state__in=["playing", "registered", "checked-in"]))
        )
        shown += [
            ("Teams", f"{teams['playing']} in, {teams['all'] - teams['playing']} out or waiting"),
            ("Look at", _links(row, may_register=registering_in(request.user).filter(pk=row.pk).exists())),
            ("Staff", _staff(row)),
        ]
        return shown


def _round(now: Situation) -> SafeString:
    assert now.stage is not None
    assert now.rnd is not None
    ends = ""
    if now.rnd.state == now.rnd.State.RUNNING and now.rnd.ends_at:
        ends = f" until {now.rnd.ends_at.astimezone(ZoneInfo(now.tournament.zone)):%H:%M}"
    return format_html(
        "{} of {}, {} {}{}",
        page_of(now.rnd, f"{now.rnd.number}"),
        now.stage.planned_rounds,
        now.stage.get_method_display(),
        chip(now.rnd.state),
        ends,
    )


def _missing(now: Situation) -> SafeString:
    links = format_html_join(
        ", ", "{}", ((page_of(match, f"table {match.table}"),) for match in now.missing[:SHOWN_MISSING])
    )
    more = len(now.missing) - SHOWN_MISSING
    return format_html("{}{}", links, f" and {more} more" if more > 0 else "")


def _links(row: Tournament, *, may_register: bool) -> SafeString:
    lists = [
        ("teams", reverse("admin:teams_team_changelist")),
        ("matches", reverse("admin:matches_match_changelist")),
        ("rounds", reverse("admin:tournaments_round_changelist")),
        ("standings", reverse("admin:tournaments_snapshot_changelist")),
        ("journal", reverse("admin:journal_deed_changelist")),
    ]
    addresses = [(f"{address}?tournament_id={row.pk}", word) for word, address in lists]
    if may_register:
        addresses.insert(0, (f"{reverse('admin:teams_team_add')}?tournament={row.pk}", "register a team"))
    links = format_html_join("", '<a class="td-link" href="{}">{}</a>', addresses)
    return format_html('<span class="td-list">{}</span>', links)


def _staff(row: Tournament) -> Any:
    roles = row.staff.select_related("user").order_by("role", "user__username")
    return (
        format_html_join(
            ", ",
            "{} ({})",
            ((page_of(one, one.user.get_username()), one.get_role_display()) for one in roles),
        )
        or "nobody yet"
    )
