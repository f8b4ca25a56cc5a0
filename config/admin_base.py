"""What every admin page is made of: read-only, scoped to the tournaments one serves in, never deleted."""

from collections.abc import Iterable, Sequence
from copy import copy
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import admin
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q, QuerySet
from django.db.models.fields import NOT_PROVIDED
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

# The one line to change for Django's stock admin: from django.contrib.admin import ModelAdmin
from unfold.admin import ModelAdmin

from journal.actors import Actor, Door, user_actor
from journal.zones import known_zones
from teams.models import Store, User
from teams.selectors import members_of
from tournaments.models import Staff, Tournament
from tournaments.staff import ROLES, Can, served_by

REGISTRARS = [role for role, powers in ROLES.items() if Can.REGISTER in powers]


class Records(ModelAdmin):
    """Rows that may be looked at: those of the tournaments the user serves in, all of them for a superuser.

    `tournament_path` leads from a row to its tournament; rows without one are for superusers alone.
    """

    tournament_path = ""
    list_per_page = 100
    show_full_result_count = False
    journal_subject = ""  # "team" where the journal, not Django's log, remembers what was done to a row

    class Media:
        css = {"all": ("tandem/admin.css",)}

    # --- who sees what ---------------------------------------------------------------------------

    def has_module_permission(self, request: HttpRequest) -> bool:
        user = request.user
        if not (user.is_active and user.is_staff):
            return False
        return user.is_superuser or (bool(self.tournament_path) and serves(request))

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return rows if request.user.is_superuser else self.own(rows, request)

    def own(self, rows: QuerySet[Any], request: HttpRequest) -> QuerySet[Any]:
        """Those of the rows that a staff member who is no superuser may see."""
        if not self.tournament_path:
            return rows.none()
        return rows.filter(**{f"{self.tournament_path}__in": served_by(user_of(request))})

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> HttpResponse:
        raise Http404(f"no {opts.verbose_name} {object_id}")

    # --- what a page shows -----------------------------------------------------------------------

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[Any]:
        declared = tuple(self.readonly_fields)
        if self.fields or self.fieldsets:
            return declared
        hidden = {"id", *(self.exclude or ())}
        return (*(field.name for field in self.opts.concrete_fields if field.name not in hidden), *declared)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[Any]:
        return self.fields or self.get_readonly_fields(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        return {}

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changes = super().get_changelist_instance(request)
        rows = list(changes.result_list)
        self.prepare(rows)
        changes.result_list = rows
        return changes

    def prepare(self, rows: list[Any]) -> None:
        """The rows of one page carry what their columns show, in a fixed number of queries."""

    def changeform_view(self, request: HttpRequest, object_id: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Times are read and shown on the clock of the venue."""
        with timezone.override(ZoneInfo(self.zone_of(request, object_id))):
            response = super().changeform_view(request, object_id, *args, **kwargs)
            return response.render() if hasattr(response, "render") else response

    def zone_of(self, request: HttpRequest, object_id: Any) -> str:
        """The time zone in which the row's page is shown."""
        if not self.tournament_path or not str(object_id or "").isdecimal():
            return "UTC"
        column = "zone" if self.tournament_path == "pk" else f"{self.tournament_path}__zone"
        found = self.model._default_manager.filter(pk=object_id).values_list(column, flat=True).first()
        return found or "UTC"

    # --- who did what ----------------------------------------------------------------------------

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        if not self.journal_subject:
            return super().history_view(request, object_id, extra_context)
        if self.get_object(request, object_id) is None:
            raise Http404
        column = "tournament_id" if self.journal_subject == "tournament" else "subject"
        value = object_id if self.journal_subject == "tournament" else f"{self.journal_subject}:{object_id}"
        return HttpResponseRedirect(f"{reverse('admin:journal_deed_changelist')}?{column}={value}")

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None:
        self._log(request, obj, ADDITION, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:
        self._log(request, obj, CHANGE, message)

    def _log(self, request: HttpRequest, obj: Model, flag: int, message: Any) -> None:
        """Django's log keeps what the journal does not, by id, since names may have to be forgotten."""
        if self.journal_subject:
            return
        LogEntry.objects.create(
            user_id=user_of(request).pk,
            content_type=ContentType.objects.get_for_model(obj, for_concrete_model=False),
            object_id=str(obj.pk),
            object_repr=f"{self.opts.model_name} {obj.pk}",
            action_flag=flag,
            change_message="" if isinstance(message, str) else _changed_fields(message),
        )


def _changed_fields(message: Any) -> str:
    return ", ".join(sorted({name for part in message for name in part.get("changed", {}).get("fields", ())}))


class OfTournament(admin.SimpleListFilter):
    """Rows of one tournament, offered among those the user serves in; `of_tournament` sets `path`."""

    title = "tournament"
    parameter_name = "tournament_id"
    path = "tournament"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(pk), name) for pk, name in served_by(user_of(request)).values_list("pk", "name")[:200]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if not value:
            return queryset
        if not value.isdecimal():
            return queryset.none()
        return queryset.filter(**{f"{self.path}_id": value})


def of_tournament(path: str) -> type[OfTournament]:
    """The filter by tournament of rows whose tournament lies at `path`."""
    return type("OfTournament", (OfTournament,), {"path": path})


# --- who asks -----------------------------------------------------------------------------------


def admin_actor(request: HttpRequest) -> Actor:
    """The signed-in staff member, acting through the admin."""
    return user_actor(user_of(request).pk, Door.ADMIN)


def user_of(request: HttpRequest) -> User:
    """The signed-in account; the admin's own door has turned away everybody else."""
    assert isinstance(request.user, User)
    return request.user


def serves(request: HttpRequest) -> bool:
    """The user has a role somewhere or keeps a store; asked once a request."""
    known = getattr(request, "_serves", None)
    if known is None:
        user_id = user_of(request).pk
        known = (
            Staff.objects.filter(user_id=user_id).exists() or Store.objects.filter(keepers=user_id).exists()
        )
        request._serves = known  # type: ignore[attr-defined]
    return known


def kept_stores(user: Any) -> QuerySet[Store]:
    """The stores in which the user may create tournaments."""
    return Store.objects.all() if user.is_superuser else Store.objects.filter(keepers=user.pk)


def registering_stores(user: Any) -> QuerySet[Store]:
    """The stores whose players the user may search and add: he keeps them, or registers teams there."""
    if user.is_superuser:
        return Store.objects.all()
    registers = Staff.objects.filter(user_id=user.pk, role__in=REGISTRARS).values("tournament__store_id")
    return Store.objects.filter(Q(pk__in=registers) | Q(pk__in=kept_stores(user).values("pk")))


def registering_in(user: Any) -> QuerySet[Tournament]:
    """The tournaments into which the user may register teams now, newest first."""
    open_now = served_by(user).filter(state__in=[Tournament.State.REGISTRATION, Tournament.State.RUNNING])
    if user.is_superuser:
        return open_now
    roles = Staff.objects.filter(user_id=user.pk, role__in=REGISTRARS)
    return open_now.filter(pk__in=roles.values("tournament_id"))


# --- how things look ----------------------------------------------------------------------------


def choosing(field: Any, choices: Iterable[tuple[Any, str]], *, may_be_empty: bool = False) -> Any:
    """A copy of the model's field that a form shows as a choice; the field itself stays."""
    offered = copy(field)
    offered.choices = list(choices)
    if may_be_empty:
        offered.blank, offered.default = True, NOT_PROVIDED
    return offered


def zones() -> list[tuple[str, str]]:
    return [(zone, zone.replace("_", " ")) for zone in sorted(known_zones())]


def local(moment: datetime | None, zone: str) -> str:
    """The moment on the clock of the venue."""
    return f"{moment.astimezone(ZoneInfo(zone)):%d %b %Y, %H:%M}" if moment else "–"


def chip(state: str) -> SafeString:
    """A state as a small label; the word says it, the colour only helps."""
    return format_html('<span class="td-chip td-chip-{}">{}</span>', state, state.replace("-", " "))


def page_of(row: Model, text: object = "") -> SafeString:
    """A link to the row's admin page."""
    address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
    return format_html('<a class="td-link" href="{}">{}</a>', address, text or row)


def seat_mark(label: str) -> SafeString:
    """The seat's letter in its shape: A a square, B a circle, C a triangle."""
    return format_html('<span class="td-seat td-seat-{}">{}</span>', label.lower(), label)


def teams_in_words(teams: Iterable[Any]) -> dict[int, SafeString]:
    """Each team with its members and their seats, by id, in one query."""
    rows = list(teams)
    seated = members_of(team.pk for team in rows)
    return {
        team.pk: format_html(
            '<span class="td-team">{}<span class="td-members">{}</span></span>',
            format_html('<span class="td-team-name">{}</span>', team.name) if team.name else "",
            format_html_join(
                "", "<span>{}{}</span>", ((seat_mark(m.label), m.name) for m in seated.get(team.pk, ()))
            )
            or f"Team {team.number}",
        )
        for team in rows
    }
