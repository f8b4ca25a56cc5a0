"""Players and the stores that know them."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest

from config.admin_base import Records, choosing, kept_stores, registering_stores, serves, user_of, zones
from config.admin_deeds import Asked, Deed, QuestionForm, ThroughService, WithDeeds
from teams.admin.forms import PlayerForm
from teams.models import Player, Store
from teams.names import folded
from tournaments.erasing import erase_person
from tournaments.staff import Can, served_by, served_with


class SureForm(QuestionForm):
    sure = forms.BooleanField(label="This cannot be taken back")


@admin.register(Player)
class PlayerAdmin(WithDeeds, ThroughService):
    """A keeper sees the players of his store, everybody else those who entered a tournament he serves in, and
    a registrar also those who have not entered any."""

    tournament_path = "seats__tournament"
    form = PlayerForm
    list_display = ("name", "display_name", "store")
    list_select_related = ("store",)
    search_fields = ("folded", "external_id")
    search_help_text = "Search by name or external id"

    def own(self, rows: Any, request: HttpRequest) -> Any:
        user = user_of(request)
        served = served_by(user).values("pk")
        entered = Player.objects.filter(seats__tournament__in=served).values("pk")
        return rows.filter(
            Q(store__in=kept_stores(user))
            | Q(pk__in=entered)
            | Q(store__in=registering_stores(user), seats__isnull=True)
        )

    def powers(self, request: HttpRequest, row: Player) -> frozenset[Can]:
        """Erasing is for the keepers of the store and for organizers of a tournament the player entered."""
        user = user_of(request)
        entered = served_with(user, Can.ERASE).filter(pk__in=row.seats.values("tournament_id"))
        if kept_stores(user).filter(pk=row.store_id).exists() or entered.exists():
            return frozenset({Can.VIEW, Can.ERASE})
        return frozenset({Can.VIEW})

    def deeds(self, row: Player) -> list[Deed]:
        if row.erased_at is not None:
            return []
        says = "Name, contact, ids and links are gone for good; results stay under “Erased player”."
        return [Deed("erase", "Erase the person", Can.ERASE, _erase, says, form=SureForm, is_grave=True)]

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


def _erase(asked: Asked) -> str:
    erased = erase_person(player_id=asked.row.pk, actor=asked.actor)
    return f"The person is forgotten; results stay under “{erased.name}”."


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
