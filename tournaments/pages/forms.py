"""The shapes of what people type. What it means is the services' to decide."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms

from rulebook.errors import RuleBroken
from rulebook.modes import MODES, Mode
from rulebook.options import option_choices
from teams.models import Store, User
from tournaments.models import Tournament
from tournaments.pages import setting_choices as offered
from tournaments.setting_up import FROZEN_AT_START
from tournaments.venue_time import moment_at

MOMENTS = ("starts_at", "decklists_until")
# What an organizer empties is empty; other fields left empty keep what they are.
MAY_BE_EMPTY = frozenset(
    {
        "capacity",
        "last_late_round",
        "deck_format",
        "hall",
        "pod_policy",
        "options",
        "cut_method",
        "cut_policy",
        "feature_table",
    }
)
# Not settings of the tournament: they help to fill in the form, or say what is made.
ONLY_ASKED = frozenset({"expected", "store", "mode"})
AT_VENUE = "%Y-%m-%dT%H:%M"
FIELDS_OF_CODES: Mapping[str, str] = {
    "name-missing": "name",
    "name-too-long": "name",
    "unknown-store": "store",
    "unknown-mode": "mode",
    "unknown-zone": "zone",
    "no-such-time": "starts_at",
    "unknown-option": "options",
    "wrong-game": "options",
    "wrong-rounds": "planned_rounds",
    "rounds-exist": "planned_rounds",
    "wrong-best-of": "best_of",
    "wrong-cut": "cut",
    "wrong-cut-method": "cut_method",
    "cut-made": "cut_method",
    "wrong-format": "format",
    "unknown-policy": "policy",
    "wrong-policy": "policy",
    "unknown-pod-policy": "pod_policy",
    "wrong-pods": "pod_policy",
    "wrong-hall": "hall",
    "wrong-feature-table": "feature_table",
    "wrong-late-round": "last_late_round",
    "wrong-minutes": "round_minutes",
    "wrong-row": "tables_in_a_row",
    "wrong-draft": "draft_rounds",
    "wrong-capacity": "capacity",
    "wrong-hours": "hold_hours",
    "wrong-seconds": "confirm_after_s",
    "unknown-format": "deck_format",
}


class AtVenue(forms.Form):
    """A tournament's name and beginning, told on the clock of the venue."""

    name = forms.CharField(max_length=120, label="Name")
    starts_at = forms.DateTimeField(
        required=False,
        label="Begins",
        input_formats=[AT_VENUE, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AT_VENUE),
        help_text="on the clock of the venue",
    )

    def __init__(self, *args: Any, zone: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.zone_of_venue = zone

    def clean(self) -> dict[str, Any]:
        """What was typed as a wall clock is a moment, judged on the clock of the venue."""
        given: dict[str, Any] = super().clean() or {}
        zone = given.get("zone") or self.zone_of_venue
        for key in MOMENTS:
            wall = given.get(key)
            if isinstance(wall, datetime) and zone in available_timezones():
                try:
                    given[key] = moment_at(wall.replace(tzinfo=None), zone)
                except RuleBroken as broken:
                    self.add_error(key, broken.sentence)
        return given

    def refuse(self, broken: RuleBroken) -> None:
        """The sentence stands at the field it is about, or above the form."""
        field = FIELDS_OF_CODES.get(broken.code)
        self.add_error(field if field in self.fields else None, broken.sentence)


class CloneForm(AtVenue):
    """What the copy of a tournament does not take over."""

    with_teams = forms.BooleanField(
        required=False, label="Register its teams too", help_text="registration is then open at once"
    )


class SettingsForm(AtVenue):
    """What an organizer announces."""

    zone = forms.CharField(
        required=False,
        label="Time zone of the venue",
        help_text="like Europe/Berlin; empty: the store's",
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )
    capacity = forms.IntegerField(
        required=False, min_value=2, max_value=10000, label="Room for", help_text="teams; empty: no limit"
    )
    signs_up = forms.BooleanField(
        required=False,
        initial=True,
        label="Teams sign up by themselves",
        help_text="on a public page, while registration is open",
    )
    hold_hours = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=240,
        initial=24,
        label="Hours a place is held",
        help_text="until who signed up has confirmed the e-mail",
    )
    options = forms.MultipleChoiceField(
        required=False, label="Options laid over the mode", widget=forms.CheckboxSelectMultiple
    )
    level = forms.ChoiceField(
        required=False,
        label="Rules level",
        choices=Tournament.Level.choices,
        initial=Tournament.Level.CASUAL,
        widget=forms.RadioSelect,
    )
    format = forms.ChoiceField(
        required=False, label="Format", choices=Tournament.Format.choices, initial=Tournament.Format.SWISS
    )
    planned_rounds = forms.IntegerField(min_value=1, max_value=30, initial=5, label="Swiss rounds")
    round_minutes = forms.IntegerField(min_value=1, max_value=600, initial=50, label="Minutes a round")
    cut = forms.TypedChoiceField(
        coerce=int, label="Cut", choices=offered.cut_choices(), initial=0, required=False
    )
    cut_method = forms.ChoiceField(required=False, label="The elimination is")
    keeps_results = forms.BooleanField(
        required=False,
        label="Keep the results of who leaves early",
        help_text="round robin only; otherwise they count for nobody when less than half was played",
    )
    policy = forms.ChoiceField(required=False, label="Standings policy")
    cut_policy = forms.ChoiceField(
        required=False,
        label="Policy of the elimination",
        help_text="orders those who leave it in the same round",
    )
    draft_rounds = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=7,
        initial=0,
        label="Rounds inside drafting groups",
        help_text="of eight teams who draft together; 0: no draft",
    )
    best_of = forms.TypedChoiceField(
        coerce=lambda text: int(text) if text else None, required=False, empty_value=None, label="Best of"
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
    pod_policy = forms.ChoiceField(required=False, label="How a field is cut into pods")
    hall = forms.CharField(
        required=False,
        max_length=120,
        label="Tables of the hall",
        help_text="like 1-20, 31-40; empty: from 1 on",
    )
    tables_in_a_row = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=50,
        initial=8,
        label="Tables in a row",
        help_text="how the table map is drawn",
    )
    feature_table = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=1000000,
        label="Feature table",
        help_text="of the match everybody watches; empty: none",
    )
    last_round_by_standing = forms.BooleanField(
        required=False, label="Pair the last Swiss round by rank", help_text="first against second, and so on"
    )
    hide_never_played = forms.BooleanField(
        required=False,
        label="Leave out of the standings who left without a match",
        help_text="exports still have everybody",
    )
    shows_standings = forms.BooleanField(
        required=False,
        initial=True,
        label="Publish the standings when a round is closed",
        help_text="otherwise a button of the desk publishes them",
    )
    confirm_after_s = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=7200,
        initial=300,
        label="An unanswered report counts after",
        help_text="seconds; 0: only the other side or the desk confirms it",
    )
    opening_after_s = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=7200,
        initial=0,
        label="The default turn order applies after",
        help_text="seconds in which nobody chose who starts; 0: the table waits",
    )
    decklists_until = forms.DateTimeField(
        required=False,
        label="Deck lists are handed in until",
        input_formats=[AT_VENUE, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AT_VENUE),
        help_text="on the clock of the venue; empty: none are asked",
    )
    deck_format = forms.ChoiceField(required=False, label="A deck list is checked by")
    expected = forms.IntegerField(
        required=False,
        min_value=2,
        max_value=10000,
        label="Teams you expect",
        help_text="for the recommendation",
    )

    def __init__(self, *args: Any, mode: Mode | None, zone: str, **more: Any) -> None:
        super().__init__(*args, zone=zone, **more)
        self.played = mode
        self.fields["zone"].widget.attrs["placeholder"] = zone
        for name, choices in (
            ("policy", offered.policy_choices(mode)),
            ("cut_policy", offered.cut_policy_choices()),
            ("pod_policy", offered.pod_choices(mode)),
            ("deck_format", offered.deck_format_choices(mode)),
            ("options", offered.every_option()),
            ("cut_method", offered.cut_method_choices(mode)),
            ("best_of", offered.best_of_choices(mode)),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    @property
    def levels(self) -> list[tuple[Any, list[str]]]:
        """Each rules level with what follows from it in the mode."""
        follows = offered.what_follows(self.played)[1] if self.played else {}
        return [(choice, follows.get(choice.data["value"], [])) for choice in self["level"]]

    @property
    def same_at_every_level(self) -> list[str]:
        return offered.what_follows(self.played)[0] if self.played else []

    @property
    def mode_has_pods(self) -> bool:
        return self.played is not None and self.played.sides > 2

    @property
    def shown_options(self) -> list[Any]:
        """The options that can be laid over the mode."""
        if "options" not in self.fields or self.played is None:
            return []
        fitting = {key for key, _ in option_choices(self.played)}
        return [choice for choice in self["options"] if choice.data["value"] in fitting]

    def announced(self) -> dict[str, Any]:
        """The fields as a service takes them; what was left empty is left to the service."""
        return {
            key: value
            for key, value in self.cleaned_data.items()
            if key not in ONLY_ASKED and (key in MAY_BE_EMPTY or value not in ("", None) or key in MOMENTS)
        }


class CreateForm(SettingsForm):
    """A new tournament of one of the person's stores."""

    store = forms.ModelChoiceField(Store.objects.none(), label="Store", empty_label=None)
    mode = forms.ChoiceField(label="Play mode")

    def __init__(self, *args: Any, user: User, mode: Mode | None = None, **more: Any) -> None:
        stores = stores_of(user)
        given = args[0].get("store", "") if args and args[0] else ""
        store = stores.filter(pk=given).first() if str(given).isdecimal() else stores.first()
        super().__init__(*args, mode=mode, zone=store.zone if store else "UTC", **more)
        field = self.fields["store"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = stores
        choice = self.fields["mode"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = offered.mode_choices()


class ChangeForm(SettingsForm):
    """The settings of a tournament; what is frozen at the start cannot be touched after it."""

    def __init__(self, *args: Any, tournament: Tournament, **more: Any) -> None:
        initial = {name: getattr(tournament, name, None) for name in SettingsForm.base_fields}
        for key in MOMENTS:
            if moment := initial[key]:
                initial[key] = moment.astimezone(ZoneInfo(tournament.zone)).replace(tzinfo=None)
        mode = MODES.get(tournament.mode)
        super().__init__(
            *args,
            mode=mode,
            zone=tournament.zone,
            initial={**initial, **more.pop("initial", {})},
            **more,
        )
        options = self.fields["options"]
        assert isinstance(options, forms.ChoiceField)
        options.choices = option_choices(mode) if mode else []
        if not options.choices:
            del self.fields["options"]
        if mode is None or mode.sides == 2:
            del self.fields["pod_policy"]
        if tournament.state == Tournament.State.RUNNING:
            for name in FROZEN_AT_START & self.fields.keys():
                self.fields[name].disabled = True
                self.fields[name].help_text = "frozen at the start"


def stores_of(user: User) -> Any:
    """The stores in which the person may run tournaments."""
    return Store.objects.all() if user.is_superuser else user.stores.all()
