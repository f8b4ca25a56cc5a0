"""Places that store software sold."""

from django.contrib import admin

from config.admin_base import Records, local, of_tournament
from integrations.models import Order


@admin.register(Order)
class OrderAdmin(Records):
    tournament_path = "tournament"
    list_display = ("external_order_id", "state", "team", "tournament", "made", "expires_at")
    list_select_related = ("team", "tournament")
    list_filter = (of_tournament("tournament"), "state")
    search_fields = ("external_order_id",)
    ordering = ("-id",)

    @admin.display(description="made", ordering="made_at")
    def made(self, row: Order) -> str:
        return local(row.made_at, row.tournament.zone)
