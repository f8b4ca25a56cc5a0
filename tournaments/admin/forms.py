"""The form of a tournament: what it is, how it is played, and what the organizer announces otherwise."""

from typing import Any

from config.admin_deeds import ServiceForm
from tournaments.models import Tournament
from tournaments.setting_up import EDITABLE, change_tournament, create_tournament

ALWAYS = {"name", "planned_rounds"}


class TournamentForm(ServiceForm):
    """Creates or changes through the services; what is left empty in a new tournament follows its mode."""

    fields_of_codes = {
        "name-missing": "name",
        "name-too-long": "name",
        "slug-taken": "slug",
        "unknown-store": "store",
        "unknown-zone": "zone",
        "wrong-rounds": "planned_rounds",
        "rounds-exist": "planned_rounds",
        "wrong-best-of": "best_of",
        "wrong-cut": "cut",
        "wrong-cut-method": "cut_method",
        "wrong-format": "format",
        "wrong-pods": "pod_policy",
        "wrong-hall": "hall",
        "wrong-minutes": "round_minutes",
        "wrong-policy": "policy",
        "wrong-late-round": "last_late_round",
        "wrong-feature-table": "feature_table",
        "wrong-capacity": "capacity",
    }

    class Meta:
        model = Tournament
        fields = ["name"]  # the admin page names the others

    def deed(self) -> Tournament:
        given = self.cleaned_data
        if self.instance.pk:
            changes = {name: given[name] for name in EDITABLE if name in given and name in self.changed_data}
            return change_tournament(tournament_id=self.instance.pk, actor=self.actor, **changes)
        announced: dict[str, Any] = {
            name: given[name] for name in EDITABLE - ALWAYS if given.get(name) not in (None, "")
        }
        return create_tournament(
            store_id=given["store"].pk,
            name=given["name"],
            mode=given["mode"],
            slug=given.get("slug") or "",
            planned_rounds=given["planned_rounds"],
            organizer_id=self.user_id,
            actor=self.actor,
            **announced,
        )
