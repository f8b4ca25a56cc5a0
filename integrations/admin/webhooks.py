"""Endpoints and what was sent to them; no secret is shown, for no row holds one."""

from django.contrib import admin

from config.admin_base import Records, of_tournament
from integrations.models import Delivery, Endpoint, Stream


@admin.register(Endpoint)
class EndpointAdmin(Records):
    list_display = ("__str__", "store", "url", "made_at", "disabled_at", "disabled_why")
    list_select_related = ("store",)
    exclude = ("salt", "old_salt")
    ordering = ("-id",)


@admin.register(Stream)
class StreamAdmin(Records):
    tournament_path = "tournament"
    list_display = ("endpoint", "tournament", "cursor", "next_try_at", "claimed_until")
    list_select_related = ("endpoint", "tournament")
    list_filter = (of_tournament("tournament"),)
    exclude = ("claim",)
    ordering = ("-id",)


@admin.register(Delivery)
class DeliveryAdmin(Records):
    tournament_path = "stream__tournament"
    list_display = ("message_id", "event", "state", "attempts", "last_status", "last_error", "delivered_at")
    list_filter = (of_tournament("stream__tournament"), "state", "event")
    search_fields = ("message_id",)
    ordering = ("-id",)
