"""The forms of accounts in the words of the site, without text that vanishes when one types."""

from typing import Any

from allauth.account.forms import LoginForm, SignupForm
from django import forms


def without_placeholders(form: forms.Form) -> None:
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class SignIn(LoginForm):
    """Name and password."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["login"].label = "User name or e-mail"
        if "remember" in self.fields:
            self.fields["remember"].label = "Stay signed in on this device"
        without_placeholders(self)


class SignUp(SignupForm):
    """The account of somebody who was invited."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["username"].label = "User name"
        self.fields["username"].help_text = "Colleagues see it."
        self.fields["email"].label = "E-mail"
        self.fields["email"].help_text = "For a forgotten password; players never see it."
        without_placeholders(self)
