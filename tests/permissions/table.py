"""Who may do what, written out once more, and the people who try every door."""

from collections.abc import Mapping
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import Model
from django.test import Client

from integrations.models import Endpoint
from journal.actors import COMMAND
from teams.models import Player, User
from tests.admin.hall import Hall, staff_user, superuser
from tournaments.staff import Can, appoint

ROLES = ("viewer", "judge", "scorekeeper", "head-judge", "organizer")
WHO = ("anonymous", "stranger", *ROLES, "superuser")

# One line for each thing there is to be allowed; a new one fails the tests until it has its line here.
MAY: Mapping[Can, str] = {
    Can.VIEW: "viewer judge scorekeeper head-judge organizer",
    Can.SETTINGS: "organizer",
    Can.REGISTER: "scorekeeper head-judge organizer",
    Can.PAIR: "scorekeeper head-judge organizer",
    Can.RUN_CLOCK: "scorekeeper head-judge organizer",
    Can.RESULTS: "judge scorekeeper head-judge organizer",
    Can.CORRECT: "scorekeeper head-judge organizer",
    Can.DROP: "judge scorekeeper head-judge organizer",
    Can.DISQUALIFY: "head-judge organizer",
    Can.PENALTIES: "judge head-judge organizer",
    Can.DECKLISTS: "judge head-judge organizer",
    Can.PRIZES: "organizer",
    Can.ERASE: "organizer",
    Can.STAFF: "organizer",
}


def is_allowed(who: str, can: Can) -> bool:
    return who == "superuser" or who in MAY[can].split()


def everybody(hall: Hall) -> dict[str, User | None]:
    """One person for each way to look at the hall; the stranger has an account that may enter the admin."""
    people: dict[str, User | None] = {"anonymous": None, "stranger": staff_user("stranger")}
    for role in ROLES:
        user = staff_user(f"the-{role}")
        appoint(tournament_id=hall.tournament.pk, user_id=user.pk, role=role, actor=COMMAND)
        people[role] = user
    people["superuser"] = superuser()
    return people


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def rows_of(model: type[Model], hall: Hall) -> Any:
    """The model's rows that belong to the hall's tournament."""
    if model is Player:
        return Player.objects.filter(store=hall.store)
    if model is Endpoint:
        return Endpoint.objects.filter(store=hall.store)
    path = getattr(admin.site._registry[model], "tournament_path", "")
    return (
        model._default_manager.filter(**{path: hall.tournament.pk}) if path else model._default_manager.none()
    )


def row_named(word: str, hall: Hall) -> int:
    """The id of the hall's row that an address calls `word`: "match" or "match_id" is one of its matches."""
    wanted = word.removesuffix("_id").replace("_", "")
    for model in apps.get_models():
        if model._meta.model_name == wanted and model in admin.site._registry:
            row = rows_of(model, hall).order_by("-pk").first()
            assert row is not None, f"the hall has no {wanted}: add one to tests/admin/hall.py"
            return int(row.pk)
    raise AssertionError(
        f"an address has <{word}>, and no model is called {wanted}: say in `VALUES` what it is"
    )
