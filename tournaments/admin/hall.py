"""The records of the desk in the hall: announcements, invitations, deck checks, uploads."""

from django.contrib import admin

from config.admin_base import Records, local, of_tournament
from tournaments.models import Announcement, DeckCheck, Invitation, SignUp, Upload


@admin.register(Announcement)
class AnnouncementAdmin(Records):
    tournament_path = "tournament"
    list_display = ("text", "tournament", "made", "taken_down_at")
    list_select_related = ("tournament",)
    list_filter = (of_tournament("tournament"),)
    ordering = ("-id",)

    @admin.display(description="made", ordering="made_at")
    def made(self, row: Announcement) -> str:
        return local(row.made_at, row.tournament.zone)


@admin.register(Invitation)
class InvitationAdmin(Records):
    tournament_path = "tournament"
    list_display = ("__str__", "tournament", "role", "expires_at", "used_by", "revoked_at")
    list_select_related = ("tournament", "used_by")
    list_filter = (of_tournament("tournament"), "role")
    exclude = ("token_hash",)
    ordering = ("-id",)


@admin.register(SignUp)
class SignUpAdmin(Records):
    tournament_path = "tournament"
    list_display = ("team", "tournament", "made_at", "held_until", "confirmed_at", "released_at")
    list_select_related = ("tournament", "team")
    list_filter = (of_tournament("tournament"),)
    exclude = ("confirm_hash", "invite_hash", "email", "asks")
    ordering = ("-id",)


@admin.register(DeckCheck)
class DeckCheckAdmin(Records):
    tournament_path = "round__stage__tournament"
    list_display = ("__str__", "round", "picked_at", "ended_at", "given_back_s")
    list_select_related = ("round",)
    list_filter = (of_tournament("round__stage__tournament"),)
    ordering = ("-id",)


@admin.register(Upload)
class UploadAdmin(Records):
    tournament_path = "tournament"
    list_display = ("name", "tournament", "user", "made_at", "asked_at", "applied_at")
    list_select_related = ("tournament", "user")
    list_filter = (of_tournament("tournament"),)
    exclude = ("body", "choices")
    ordering = ("-id",)
