"""Keys and answered requests: looked at here, made and revoked on the store's page."""

from django.contrib import admin

from config.admin_base import Records
from integrations.models import ApiKey, Once


@admin.register(ApiKey)
class ApiKeyAdmin(Records):
    list_display = ("name", "prefix", "store", "tournament", "expires_at", "revoked_at", "last_used_at")
    list_select_related = ("store", "tournament")
    list_filter = ("store",)
    search_fields = ("name", "prefix")
    exclude = ("hash",)
    ordering = ("-id",)


@admin.register(Once)
class OnceAdmin(Records):
    list_display = ("created_at", "caller", "method", "path", "status")
    search_fields = ("caller", "path")
    exclude = ("answer", "body_hash")
    ordering = ("-id",)
