"""Players and the stores that know them."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest

from config.admin_base import Records, choosing, registering_stores, serves, user_of, zones
from config.admin_deeds import ThroughService
from teams.admin.forms import PlayerForm
from teams.models import Player, Store
from teams.names import folded
from tournaments.staff import served_by


@admin.register(Player)
class PlayerAdmin(ThroughService):
    """A registrar sees the players of his stores, everybody else who sits in a tournament he serves in."""

    tournament_path = "seats__tournament"
    form = PlayerForm
    list_display = ("name", "display_name", "store")
    list_select_related = ("store",)
    search_fields = ("folded", "external_id")
    search_help_text = "Search by name or external id"

    def own(self, rows: Any, request: HttpRequest) -> Any:
        seated = served_by(user_of(request)).values("pk")
        return rows.filter(
            Q(store__in=registering_stores(request.user))
            | Q(pk__in=Player.objects.filter(seats__tournament__in=seated).values("pk"))
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_module_permission(request) and registering_stores(request.user).exists()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return request.user.is_superuser or serves(request)
        return obj.erased_at is None and registering_stores(request.user).filter(pk=obj.store_id).exists()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Sequence[str]:
        if obj is not None and not self.has_change_permission(request, obj):
            return ("name", "display_name", "store")  # no contact for those who only look
        return ("store", "name", "display_name", "contact", "source", "external_id")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Sequence[str]:
        return ("store", "contact", "source", "external_id") if obj is not None else ()

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "store":
            stores = registering_stores(request.user)
            kwargs["queryset"] = stores
            only = list(stores[:2])
            if len(only) == 1:
                kwargs["initial"] = only[0].pk
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        return super().get_search_results(request, queryset, folded(search_term))


@admin.register(Store)
class StoreAdmin(Records):
    """Superusers found stores and name their keepers."""

    list_display = ("name", "slug", "zone")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "zone", "keepers")
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("keepers",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "zone":
            db_field = choosing(db_field, zones())
        return super().formfield_for_dbfield(db_field, request, **kwargs)
