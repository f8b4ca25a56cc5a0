"""Who was told what; never by what address."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse

from config.admin_base import Records, of_tournament
from notices.channels import mail_is_set_up
from notices.models import Agreement, Notice, Reader, Subscription

NO_MAIL = "E-mail is not set up (EMAIL_URL), so nobody gets mails; push messages and pages do not need it."


@admin.register(Notice)
class NoticeAdmin(Records):
    tournament_path = "tournament"
    list_display = ("kind", "channel", "seat", "tournament", "round", "state", "tries", "sent_at", "why")
    list_select_related = ("tournament", "round", "seat")
    list_filter = (of_tournament("tournament"), "kind", "channel", "state")
    ordering = ("-id",)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not mail_is_set_up():
            messages.info(request, NO_MAIL)
        return super().changelist_view(request, extra_context)


@admin.register(Agreement)
class AgreementAdmin(Records):
    tournament_path = "seat__tournament"
    list_display = ("seat", "agreed_at")
    list_select_related = ("seat",)
    list_filter = (of_tournament("seat__tournament"),)
    ordering = ("-id",)


@admin.register(Subscription)
class SubscriptionAdmin(Records):
    tournament_path = "seat__tournament"
    list_display = ("seat", "made_at")
    list_select_related = ("seat",)
    list_filter = (of_tournament("seat__tournament"),)
    exclude = ("endpoint", "p256dh", "auth")
    ordering = ("-id",)


@admin.register(Reader)
class ReaderAdmin(Records):
    tournament_path = "tournament"
    list_display = ("tournament", "last")
    list_select_related = ("tournament",)
    ordering = ("-id",)
