"""What a tournament's deeds ask first."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import Q
from django.utils import timezone

from config.admin_deeds import QuestionForm, ReasonForm
from journal.clock import now
from teams.models import User
from tournaments.bracket_plan import CUTS
from tournaments.models import Staff

BackForm = ReasonForm


class CutForm(QuestionForm):
    size = forms.TypedChoiceField(
        label="How many teams", coerce=int, choices=[(size, f"Top {size}") for size in CUTS if size]
    )
    tie_decision = forms.CharField(
        label="If teams are equal on the last place",
        max_length=300,
        required=False,
        help_text='Only when they are: how the place is given, as in "by lot". Then the stored lots decide.',
    )

    def ask(self) -> None:
        if self.row.cut:
            self.fields["size"].initial = self.row.cut


class AppointForm(QuestionForm):
    account = forms.CharField(label="User name or e-mail", max_length=254)
    role = forms.ChoiceField(choices=Staff.Role.choices, initial=Staff.Role.SCOREKEEPER)

    def clean_account(self) -> User:
        said = self.cleaned_data["account"].strip()
        found = list(User.objects.filter(Q(username=said) | Q(email__iexact=said), is_active=True)[:2])
        if len(found) != 1:
            raise forms.ValidationError(
                "No active account has that user name or e-mail; ask for the exact user name."
            )
        return found[0]


class PublishAtForm(QuestionForm):
    at = forms.DateTimeField(
        label="When",
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )

    def ask(self) -> None:
        zone = ZoneInfo(self.row.zone)
        self.fields["at"].help_text = f"On the clock of the venue ({self.row.zone})."
        self.fields["at"].initial = now().astimezone(zone).replace(tzinfo=None)

    def clean(self) -> dict[str, Any]:
        """The time is read on the venue's clock, whatever zone the page is shown in."""
        answers = super().clean() or {}
        if "at" in answers:
            zone = ZoneInfo(self.row.zone)
            answers["at"] = timezone.make_naive(answers["at"]).replace(tzinfo=zone)
            answers["zone"] = zone
        return answers
