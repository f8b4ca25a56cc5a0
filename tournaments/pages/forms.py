"""The shapes of what people type. What it means is the services' to decide."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from rulebook import modes, policies
from rulebook.modes import MODES, mode_of
from rulebook.options import OPTIONS, option_choices
from rulebook.pairing.pod_sizes import POD_POLICIES
from teams.models import Store, User
from tournaments.bracket_plan import CUTS
from tournaments.models import Tournament
from tournaments.setting_up import FROZEN_AT_START

# What an organizer empties is empty; other fields left empty keep what they are.
MAY_BE_EMPTY = frozenset({"capacity", "last_late_round", "hall", "pod_policy", "options"})
AT_VENUE = "%Y-%m-%dT%H:%M"


def mode_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The play modes by game."""
    games: dict[str, list[tuple[str, str]]] = {}
    for key, name in modes.choices():
        games.setdefault(MODES[key].game.value.capitalize(), []).append((key, name))
    return list(games.items())


def pod_choices() -> list[tuple[str, str]]:
    """How a field may be cut into pods."""
    return [(policy.key, policy.name) for policy in POD_POLICIES.values()]


class SettingsForm(forms.Form):
    """What an organizer announces, in the time zone of the venue."""

    name = forms.CharField(max_length=120, label="Name")
    starts_at = forms.DateTimeField(
        required=False,
        label="Begins",
        input_formats=[AT_VENUE, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AT_VENUE),
        help_text="in the time zone of the venue",
    )
    zone = forms.CharField(
        required=False, label="Time zone", help_text="like Europe/Berlin; empty: the store's"
    )
    planned_rounds = forms.IntegerField(min_value=1, max_value=30, initial=5, label="Swiss rounds")
    cut = forms.TypedChoiceField(
        coerce=int,
        label="Cut",
        choices=[(size, f"top {size}" if size else "no cut") for size in CUTS],
        initial=0,
        required=False,
    )
    round_minutes = forms.IntegerField(min_value=1, max_value=600, initial=50, label="Minutes a round")
    best_of = forms.TypedChoiceField(
        coerce=lambda text: int(text) if text else None,
        required=False,
        empty_value=None,
        label="Best of",
        choices=[("", "as the mode says"), *((n, str(n)) for n in (1, 3, 5, 7, 9))],
    )
    policy = forms.ChoiceField(required=False, label="Standings policy")
    level = forms.ChoiceField(
        required=False, label="Rules level", choices=Tournament.Level.choices, initial=Tournament.Level.CASUAL
    )
    capacity = forms.IntegerField(
        required=False, min_value=2, max_value=10000, label="Room for", help_text="teams; empty: no limit"
    )
    late_policy = forms.ChoiceField(
        required=False,
        label="A late team's",
        choices=Tournament.LatePolicy.choices,
        initial=Tournament.LatePolicy.LOSS,
    )

    last_late_round = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=30,
        label="Late entry until round",
        help_text="empty: half of the rounds, plus one",
    )
    hall = forms.CharField(
        required=False,
        max_length=120,
        label="Tables of the hall",
        help_text="like 1-20, 31-40; empty: from 1 on",
    )
    pod_policy = forms.ChoiceField(required=False, label="How a field is cut into pods")
    options = forms.MultipleChoiceField(
        required=False, label="Options laid over the mode", widget=forms.CheckboxSelectMultiple
    )
    last_round_by_standing = forms.BooleanField(
        required=False, label="Pair the last Swiss round by rank", help_text="first against second, and so on"
    )
    hide_never_played = forms.BooleanField(
        required=False,
        label="Leave out of the standings who left without a match",
        help_text="exports still have everybody",
    )
    expected = forms.IntegerField(
        required=False,
        min_value=2,
        max_value=10000,
        label="Teams you expect",
        help_text="for the recommendation",
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._offer("policy", [("", "as the game says"), *policies.choices()])
        self._offer("pod_policy", [("", "as the mode says"), *pod_choices()])
        self._offer(
            "options", [(one.key, f"{one.name} ({one.game.capitalize()})") for one in OPTIONS.values()]
        )

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean_starts_at(self) -> Any:
        """The time as it was typed, without the zone of this server."""
        moment = self.cleaned_data["starts_at"]
        return moment.replace(tzinfo=None) if moment else None

    def announced(self, zone: str) -> dict[str, Any]:
        """The fields as a service takes them; what was left empty is left to the service."""
        said = {
            key: value
            for key, value in self.cleaned_data.items()
            if key in MAY_BE_EMPTY or value not in ("", None)
        }
        said.pop("expected", None)
        moment = self.cleaned_data["starts_at"]
        venue = said.get("zone", zone)
        said["starts_at"] = moment.replace(tzinfo=ZoneInfo(venue)) if moment and _is_zone(venue) else None
        return said


class CreateForm(SettingsForm):
    """A new tournament of one of the person's stores."""

    store = forms.ModelChoiceField(Store.objects.none(), label="Store", empty_label=None)
    mode = forms.ChoiceField(label="Play mode")
    field_order = ["store", "name", "mode", "starts_at", "planned_rounds", "cut", "round_minutes", "capacity"]

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        super().__init__(*args, **more)
        stores = self.fields["store"]
        assert isinstance(stores, forms.ModelChoiceField)
        stores.queryset = stores_of(user)
        mode = self.fields["mode"]
        assert isinstance(mode, forms.ChoiceField)
        mode.choices = mode_choices()


class ChangeForm(SettingsForm):
    """The settings of a tournament; what is frozen at the start cannot be touched after it."""

    def __init__(self, *args: Any, tournament: Tournament, **more: Any) -> None:
        initial = {name: getattr(tournament, name, None) for name in SettingsForm.base_fields}
        if tournament.starts_at:
            initial["starts_at"] = tournament.starts_at.astimezone(ZoneInfo(tournament.zone)).replace(
                tzinfo=None
            )
        super().__init__(*args, initial={**initial, **more.pop("initial", {})}, **more)
        mode = mode_of(tournament.mode)
        self._offer("options", option_choices(mode))
        if not self.fields["options"].choices:  # type: ignore[attr-defined]
            del self.fields["options"]
        if mode.sides == 2:
            del self.fields["pod_policy"]
        if tournament.state == Tournament.State.RUNNING:
            for name in FROZEN_AT_START & self.fields.keys():
                self.fields[name].disabled = True
                self.fields[name].help_text = "frozen at the start"


def stores_of(user: User) -> Any:
    """The stores in which the person may run tournaments."""
    return Store.objects.all() if user.is_superuser else user.stores.all()


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
