"""Staff accounts. What somebody may do follows from his roles, so no permission is handed out here."""

from typing import Any

from axes.utils import reset
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.http import HttpRequest
from django.utils.html import format_html_join

# With Django's stock admin these three come from django.contrib.auth.forms under the same names.
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from config.admin_base import page_of
from config.admin_deeds import Asked, Deed, WithDeeds
from teams.models import User
from tournaments.models import Staff
from tournaments.staff import ALL, Can


@admin.register(User)
class UserAdmin(WithDeeds, DjangoUserAdmin):  # type: ignore[misc]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("username", "email", "first_name", "last_name")
    ordering = ("username",)
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        (
            "Account",
            {
                "fields": ("is_active", "is_staff", "is_superuser", "last_login", "date_joined"),
                "description": "An account that is not active cannot log in; it is never deleted. "
                "What it may do in a tournament follows from its roles there.",
            },
        ),
    )
    add_fieldsets = ((None, {"fields": ("username", "email", "password1", "password2")}),)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Nobody locks himself out."""
        own = (
            ("is_active", "is_staff", "is_superuser") if obj is not None and obj.pk == request.user.pk else ()
        )
        return ("last_login", "date_joined", *own)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if not change:
            obj.is_staff = True
        super().save_model(request, obj, form, change)

    def powers(self, request: HttpRequest, row: User) -> frozenset[Can]:
        return ALL if request.user.is_superuser else frozenset()

    def facts(self, request: HttpRequest, row: User) -> list[tuple[str, Any]]:
        roles = Staff.objects.filter(user=row).select_related("tournament").order_by("-tournament_id")[:50]
        served = format_html_join(
            ", ", "{} ({})", ((page_of(one.tournament), one.get_role_display()) for one in roles)
        )
        stores = format_html_join(", ", "{}", ((page_of(store),) for store in row.stores.all()))
        return [("Serves in", served or "no tournament"), ("Keeps", stores or "no store")]

    def deeds(self, row: User) -> list[Deed]:
        says = "Forgets failed log-ins of this name, so that the person can try again at once."
        return [Deed("unlock", "Unlock log-in", Can.STAFF, _unlock, says)]


def _unlock(asked: Asked) -> str:
    names = {asked.row.get_username().lower(), asked.row.email.lower()} - {""}
    for name in names:
        reset(username=name)
    return f"{asked.row} may log in again at once."
