"""Who may open an account: nobody by himself; organizers invite their staff."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from rulebook.errors import RuleBroken
from tournaments.invitations import INVITED_BY, invitation_behind


class StaffOnlyAccounts(DefaultAccountAdapter):
    """Players need no account; whoever came by an invitation that still works may sign up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        try:
            invitation_behind(str(request.session.get(INVITED_BY, "")))
        except RuleBroken:
            return False
        return True

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Wrong passwords are counted by name and address together (axes), so that nobody is locked out by
        somebody else; the limit this would count by name alone is left to second factors."""


def login_name(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """The name under which failed log-ins are counted: the user name or e-mail typed, in small letters."""
    said = credentials or {}
    return str(said.get("username") or said.get("email") or request.POST.get("login", "")).strip().lower()
