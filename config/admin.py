"""The admin as a whole: its menu, its first page, and other apps' records under the theme."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.urls import reverse

from config.admin_base import Records, user_of
from tournaments.staff import served_by

# Rights come from roles, so groups would promise something that nothing reads.
for model in (Group, EmailAddress, Authenticator, AccessAttempt, AccessFailureLog, AccessLog):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


@admin.register(EmailAddress)
class EmailAddressAdmin(Records):
    list_display = ("email", "user", "primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__username")


@admin.register(Authenticator)
class AuthenticatorAdmin(Records):
    """That somebody has a second factor, never its secret."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")


@admin.register(AccessAttempt)
class AccessAttemptAdmin(Records):
    """Failed log-ins that still count; the page of the account unlocks it."""

    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username", "ip_address")
    fields = readonly_fields = (
        "username", "ip_address", "user_agent", "failures_since_start", "attempt_time", "path_info",
    )  # fmt: skip


MENU = (
    (
        "Run",
        (
            ("tournaments.tournament", "trophy"),
            ("teams.team", "group"),
            ("teams.player", "person"),
            ("tournaments.round", "cycle"),
            ("matches.match", "table_restaurant"),
            ("tournaments.snapshot", "leaderboard"),
        ),
    ),
    (
        "Look up",
        (
            ("journal.deed", "history"),
            ("tournaments.staff", "badge"),
            ("tournaments.penalty", "gavel"),
            ("matches.result", "scoreboard"),
            ("tournaments.step", "alarm"),
        ),
    ),
    (
        "House",
        (
            ("teams.store", "storefront"),
            ("teams.user", "manage_accounts"),
            ("axes.accessattempt", "lock_person"),
            ("journal.clocksetting", "schedule"),
        ),
    ),
)
NAMES = {
    "tournaments.snapshot": "Standings",
    "journal.deed": "Journal",
    "tournaments.step": "Clock steps",
    "teams.user": "Accounts",
    "axes.accessattempt": "Failed log-ins",
    "journal.clocksetting": "Clock",
}


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The menu: what is needed during a day first; every other record is under "All applications"."""
    known = {model._meta.label_lower: model_admin for model, model_admin in admin.site._registry.items()}
    groups: list[dict[str, Any]] = []
    for title, entries in MENU:
        items = [
            {
                "title": NAMES.get(label) or str(known[label].opts.verbose_name_plural).capitalize(),
                "icon": icon,
                "link": reverse(f"admin:{label.replace('.', '_')}_changelist"),
            }
            for label, icon in entries
            if label in known and known[label].has_module_permission(request)
        ]
        if items:
            groups.append({"title": title, "separator": bool(groups), "items": items})
    return groups


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The first page shows the tournaments one serves in, the newest first."""
    model_admin = next(
        a for m, a in admin.site._registry.items() if m._meta.label_lower == "tournaments.tournament"
    )
    return {
        **context,
        "title": "Tournaments",
        "tournaments": list(served_by(user_of(request)).select_related("store")[:60]),
        "may_create": model_admin.has_add_permission(request),
    }
