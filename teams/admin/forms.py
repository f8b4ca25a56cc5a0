"""Forms of teams and players, and what a team's deeds ask first."""

import re
from typing import Any

from django import forms
from django.urls import reverse

from config.admin_deeds import QuestionForm, ServiceForm
from matches.models import Match
from matches.results import WAITS_FOR_RESULT, sides_of
from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind
from teams.admin.naming import player_named
from teams.models import Player, Team
from teams.people import add_player, rename_player
from teams.selectors import members_of
from tournaments.models import ByeGrant, Tournament
from tournaments.registration import change_team, register_team

NAME_HELP = "A known player's name, or a new one."


class NameInput(forms.TextInput):
    """A text field that offers the store's players while one types, and takes any other name."""

    class Media:
        js = ("tandem/names.js",)

    def __init__(self, tournament: Tournament, label: str) -> None:
        address = reverse("admin:teams_team_names", args=[tournament.pk])
        super().__init__(
            {
                "class": "td-input",
                "data-names": address,
                "list": f"names-{label}",
                "autocomplete": "off",
                "maxlength": 140,
            }
        )


def name_field(tournament: Tournament, label: str, *, required: bool, shown: str = "") -> forms.CharField:
    return forms.CharField(
        label=shown or f"Seat {label}",
        required=required,
        help_text=NAME_HELP,
        widget=NameInput(tournament, label),
    )


class TeamForm(ServiceForm):
    """Registers a team, or changes its name, group, fixed table and start seed."""

    tournament: Tournament
    fields_of_codes = {
        "table-taken": "fixed_table",
        "wrong-table": "fixed_table",
        "seeds-frozen": "seed",
        "seed-taken": "seed",
        "wrong-seed": "seed",
        "name-too-long": "name",
        "nobody-entered": "seat_A",
    }

    class Meta:
        model = Team
        fields = ["name"]  # the admin page names the others

    def deed(self) -> Team:
        given = self.cleaned_data
        if self.instance.pk:
            table = given.get("fixed_table") or 0
            return change_team(
                team_id=self.instance.pk,
                actor=self.actor,
                name=given["name"] if "name" in self.changed_data else None,
                group=given["group"] if "group" in self.changed_data else None,
                fixed_table=table if "fixed_table" in self.changed_data else None,
                seed=(given.get("seed") or 0) if "seed" in self.changed_data else None,
            )
        labels = modes.mode_of(self.tournament.mode).labels
        return register_team(
            tournament_id=self.tournament.pk,
            members=[(label, pk) for label in labels if (pk := self._player(label)) is not None],
            actor=self.actor,
            name=given["name"],
            group=given["group"],
            fixed_table=given["fixed_table"],
        )

    def _player(self, label: str) -> int | None:
        text = self.cleaned_data.get(f"seat_{label}", "")
        if not text.strip():
            return None
        try:
            return player_named(self.tournament.store_id, text).pk
        except RuleBroken as refused:
            raise RuleBroken(f"seat-{label}", f"Seat {label}: {refused.sentence}") from refused


class PlayerForm(ServiceForm):
    """Adds a player to a store, or gives a known one another name."""

    fields_of_codes = {"name-missing": "name", "name-too-long": "name"}

    class Meta:
        model = Player
        fields = ["name"]  # the admin page names the others

    def deed(self) -> Player:
        given = self.cleaned_data
        if self.instance.pk:
            return rename_player(
                player_id=self.instance.pk,
                name=given["name"],
                display_name=given["display_name"],
                actor=self.actor,
            )
        return add_player(
            store_id=given["store"].pk,
            name=given["name"],
            display_name=given["display_name"],
            source=given["source"],
            external_id=given["external_id"],
            contact=given["contact"],
        )


class FillSeatForm(QuestionForm):
    def ask(self) -> None:
        tournament = self.row.tournament
        taken = {seat.label for seat in self.row.seats.filter(is_live=True, is_reserve=False)}
        free = [label for label in modes.mode_of(tournament.mode).labels if label not in taken]
        self.fields["label"] = forms.ChoiceField(label="Seat", choices=[(label, label) for label in free])
        self.fields["player"] = name_field(tournament, "fill", required=True, shown="Player")


class ByeForm(QuestionForm):
    round_number = forms.IntegerField(label="Round", min_value=1)
    reason = forms.ChoiceField(choices=ByeGrant.Reason.choices)


class ByeBackForm(QuestionForm):
    """Which of the byes that were granted is taken back."""

    def ask(self) -> None:
        rounds = self.row.granted_byes.values_list("round_number", flat=True)
        self.fields["round_number"] = forms.TypedChoiceField(
            label="Round", coerce=int, choices=[(number, f"Round {number}") for number in rounds]
        )


class LeaveForm(QuestionForm):
    """Who leaves, why, and what was won so far at the table that is left."""

    reason_required = False

    def ask(self) -> None:
        members = members_of([self.row.pk]).get(self.row.pk, ())
        self.fields["player"] = forms.TypedChoiceField(
            label="Player", coerce=int, choices=[(m.player_id, f"{m.label}: {m.name}") for m in members]
        )
        self.fields["reason"] = forms.CharField(
            max_length=300,
            required=self.reason_required,
            widget=forms.Textarea({"rows": 2}),
            help_text="Kept in the journal.",
        )
        sides = _sides_in_play(self.row)
        if len(sides) == 2:
            self.fields["score"] = forms.CharField(
                label="Games so far",
                required=False,
                help_text=f"Won by {sides[0]}, then by {sides[1]}, then drawn ones, as in 1-0. "
                "Empty: what was recorded.",
            )

    def clean_score(self) -> tuple[tuple[int, ...], int]:
        said = self.cleaned_data["score"].strip()
        if not said:
            return (), 0
        if not re.fullmatch(r"\d{1,2}-\d{1,2}(-\d{1,2})?", said):
            raise forms.ValidationError("Write the games as 1-0, or 1-0-1 with drawn games at the end.")
        counts = [int(part) for part in said.split("-")]
        return tuple(counts[:2]), counts[2] if len(counts) == 3 else 0


class DisqualifyForm(LeaveForm):
    reason_required = True


def _sides_in_play(team: Team) -> list[str]:
    """Who sits at the table the team plays at now, in side order; nobody when it does not play."""
    waiting = Match.objects.filter(
        kind=MatchKind.TABLE, state__in=WAITS_FOR_RESULT, sides__team=team, sides__is_live=True
    )
    match = waiting.order_by("-id").first()
    if match is None:
        return []
    teams = [side.team_id for side in sides_of(match)]
    seated = members_of(teams)
    return [" & ".join(member.name for member in seated.get(pk, ())) for pk in teams]


def form_with_seats(tournament: Tournament, form: type[TeamForm]) -> type[TeamForm]:
    """The form with a name field for every seat of the mode."""
    labels = modes.mode_of(tournament.mode).labels
    declared: dict[str, Any] = {
        f"seat_{label}": name_field(
            tournament, label, required=False, shown="Player" if len(labels) == 1 else ""
        )
        for label in labels
    }
    codes = {**form.fields_of_codes, **{f"seat-{label}": f"seat_{label}" for label in labels}}
    return type(
        "TeamFormWithSeats", (form,), {**declared, "tournament": tournament, "fields_of_codes": codes}
    )
