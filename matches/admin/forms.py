"""What entering or correcting a result asks."""

from typing import Any

from django import forms

from config.admin_deeds import QuestionForm
from matches.models import Match
from matches.results import sides_of
from rulebook.scoring import ALONE, ResultKind
from teams.selectors import members_of

ENTERED = [(kind.value, kind.value.replace("-", " ")) for kind in ResultKind if kind not in ALONE]


class ResultForm(QuestionForm):
    """Kind and counts, in side order; the rulebook judges them."""

    kind = forms.TypedChoiceField(coerce=ResultKind, choices=ENTERED, initial=ResultKind.PLAYED)

    def ask(self) -> None:
        names = names_of_sides(self.row)
        for index, name in enumerate(names):
            self.fields[f"wins_{index}"] = forms.IntegerField(
                label=f"Games won by {name}", min_value=0, max_value=99, initial=0, required=False
            )
        self.fields["draws"] = forms.IntegerField(
            label="Games drawn", min_value=0, max_value=99, initial=0, required=False
        )
        sides = [("", "nobody"), *((str(index), name) for index, name in enumerate(names))]
        self.fields["loser"] = _side_field(
            "Who conceded, was absent or was penalised", sides, "Only for concession, no show and match loss."
        )
        self.fields["winner"] = _side_field(
            "Who wins by agreement", sides, "Only for an agreed or unplayed match."
        )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        names = sorted((name for name in self.fields if name.startswith("wins_")), key=lambda n: int(n[5:]))
        return {
            "kind": given.get("kind"),
            "wins": tuple(given.get(name) or 0 for name in names),
            "draws": given.get("draws") or 0,
            "loser": given.get("loser"),
            "winner": given.get("winner"),
            **({"reason": given.get("reason", "")} if "reason" in self.fields else {}),
        }


class CorrectionForm(ResultForm):
    reason = forms.CharField(
        max_length=300, help_text="Kept in the journal.", widget=forms.Textarea({"rows": 2})
    )
    field_order = ("kind",)

    def ask(self) -> None:
        super().ask()
        self.order_fields([*(name for name in self.fields if name != "reason"), "reason"])


def names_of_sides(match: Match) -> list[str]:
    """What each side is called at the table, in side order."""
    sides = list(sides_of(match))
    seated = members_of(side.team_id for side in sides)
    return [
        " & ".join(member.name for member in seated.get(side.team_id, ())) or f"side {side.index + 1}"
        for side in sides
    ]


def _side_field(label: str, sides: list[tuple[str, str]], help_text: str) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label, choices=sides, coerce=int, empty_value=None, required=False, help_text=help_text
    )
