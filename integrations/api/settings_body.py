"""The settings of a tournament as a body."""

from typing import Any

from rest_framework import serializers

from integrations.api.fields import Body, Flag, Many, Moment, Number, One, Words
from rulebook.deck_formats import FORMATS
from rulebook.modes import MODES
from rulebook.pairing.pod_sizes import POD_POLICIES
from rulebook.policies import POLICIES
from tournaments.models import Tournament

CHANGED = {
    "name": "Friday Night",
    "planned_rounds": 4,
    "capacity": 32,
}


class ChangeBody(Body):
    """What may change of a tournament; what is left out stays."""

    name = Words(max_length=120, required=False)
    level = One(choices=Tournament.Level.values, required=False)
    policy = One(choices=sorted(POLICIES), required=False, help_text="standings policy")
    cut_policy = One(choices=["", *sorted(POLICIES)], required=False, allow_blank=True)
    best_of = Number(min_value=1, max_value=9, required=False)
    planned_rounds = Number(min_value=1, max_value=30, required=False)
    cut = Number(max_value=1024, required=False)
    cut_method = One(choices=["", *Tournament.CutMethod.values], required=False, allow_blank=True)
    format = One(choices=Tournament.Format.values, required=False)
    keeps_results = Flag(required=False)
    round_minutes = Number(min_value=1, max_value=600, required=False)
    late_policy = One(choices=Tournament.LatePolicy.values, required=False)
    last_late_round = Number(max_value=30, required=False, allow_null=True)
    hide_never_played = Flag(required=False)
    options = Many(child=Words(max_length=40), max_length=20, required=False)
    draft_rounds = Number(max_value=7, required=False)
    last_round_by_standing = Flag(required=False)
    pod_policy = One(choices=["", *sorted(POD_POLICIES)], required=False, allow_blank=True)
    hall = Words(max_length=120, required=False, allow_blank=True, help_text="e.g. 1-20, 31-40")
    tables_in_a_row = Number(min_value=1, max_value=50, required=False)
    feature_table = Number(min_value=1, max_value=99_999, required=False, allow_null=True)
    shows_standings = Flag(required=False)
    zone = Words(max_length=64, required=False, help_text="e.g. Europe/Berlin")
    capacity = Number(max_value=100_000, required=False, allow_null=True)
    signs_up = Flag(required=False, help_text="teams enter on a public page while registration is open")
    hold_hours = Number(
        min_value=1, max_value=240, required=False, help_text="until a sign-up has confirmed the e-mail"
    )
    confirm_after_s = Number(
        max_value=7200, required=False, help_text="a report nobody answers counts after that; 0: never"
    )
    opening_after_s = Number(
        max_value=7200, required=False, help_text="the default order where nobody chose by then; 0: never"
    )
    decklists_until = Moment(required=False, allow_null=True, help_text="null: no deck lists are asked for")
    deck_format = One(choices=["", *sorted(FORMATS)], required=False, allow_blank=True)
    starts_at = Moment(required=False, allow_null=True)


class CreateBody(ChangeBody):
    """A new tournament; `store` may be left out where there is only one."""

    name = Words(max_length=120)
    mode = One(choices=sorted(MODES))
    planned_rounds = Number(min_value=1, max_value=30)
    slug = serializers.RegexField(
        r"^[-a-zA-Z0-9_]{1,80}$",
        required=False,
        help_text="its address",
        error_messages={"invalid": "Letters without accents, digits, - and _, at most 80."},
    )
    store = Words(max_length=50, required=False, help_text="the store's address")

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and not isinstance(data.get("slug", ""), str):
            raise serializers.ValidationError({"slug": ["Enter letters."]})
        return super().to_internal_value(data)
