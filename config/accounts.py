"""Who may open an account: nobody by himself; organizers invite their staff."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class StaffOnlyAccounts(DefaultAccountAdapter):
    """Sign-up is closed: players need no account, staff are invited."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False


def login_name(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """The name under which failed log-ins are counted: the user name or e-mail typed, in small letters."""
    said = credentials or {}
    return str(said.get("username") or said.get("email") or request.POST.get("login", "")).strip().lower()
