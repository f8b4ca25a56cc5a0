"""Who may open an account: nobody by himself; organizers invite their staff."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class StaffOnlyAccounts(DefaultAccountAdapter):
    """Sign-up is closed: players need no account, staff are invited."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
