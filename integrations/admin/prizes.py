"""Payout tables and the ledger of prizes."""

from django.contrib import admin

from config.admin_base import Records, of_tournament
from integrations.models import Payout, Prize


@admin.register(Payout)
class PayoutAdmin(Records):
    tournament_path = "tournament"
    list_display = ("__str__", "tournament", "amount_minor", "currency", "what")
    list_select_related = ("tournament",)
    list_filter = (of_tournament("tournament"),)
    ordering = ("-tournament_id", "first")


@admin.register(Prize)
class PrizeAdmin(Records):
    tournament_path = "tournament"
    list_display = ("place", "team", "label", "amount_minor", "currency", "what", "status", "external_ref")
    list_select_related = ("team", "tournament")
    list_filter = (of_tournament("tournament"), "status")
    search_fields = ("external_ref",)
    ordering = ("-tournament_id", "place", "team_id", "label")
