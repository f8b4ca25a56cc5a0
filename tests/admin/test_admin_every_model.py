"""What holds for the admin pages of every model at once."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.admin_base import Records
from integrations.models import ApiKey, Endpoint, Once
from journal.actors import COMMAND
from journal.models import ClockSetting
from teams.models import Player, Store, User
from tests.admin.hall import Hall, add_team, new_hall, running_round, staff_user
from tournaments.setting_up import start_tournament

pytestmark = pytest.mark.django_db

ROOMS = ("journal", "teams", "matches", "tournaments", "notices", "integrations")
MODELS = sorted(
    (model for model in apps.get_models() if model._meta.app_label in ROOMS),
    key=lambda model: model._meta.label,
)
IDS = [model._meta.label for model in MODELS]
# Rows that only superusers see, whatever tournament somebody serves in.
HOUSE = (Store, User, ClockSetting, ApiKey, Once, Endpoint)
EDITED = {"tournaments.Tournament", "teams.Team", "teams.Player", "teams.Store", "teams.User"}
ADDED = EDITED

every_model = pytest.mark.parametrize("model", MODELS, ids=IDS)
# Pages take their time: the rooms are looked at one by one, so that more than one worker can do it.
every_room = pytest.mark.parametrize("room", ROOMS)


def models_of(room: str) -> list[type[Model]]:
    return [model for model in MODELS if model._meta.app_label == room]


def address(model: type[Model], page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def rows_of(model: type[Model], hall: Hall) -> Any:
    """The model's rows that belong to the hall's tournament."""
    path = admin.site._registry[model].tournament_path
    if model is Player:
        return Player.objects.filter(store=hall.store)
    return model._default_manager.filter(**{path: hall.tournament.pk})


@every_model
def test_every_model_is_registered_under_the_theme(model):
    assert isinstance(admin.site._registry[model], Records)


def test_no_other_record_of_the_site_escapes_the_theme():
    assert [model for model, page in admin.site._registry.items() if not isinstance(page, Records)] == []


@every_room
def test_a_superuser_opens_every_list_with_the_rows_of_both_halls_and_a_page_of_every_model(
    room, root, north, south, signed_in
):
    """A list that can be searched is searched too; no page offers to delete its row."""
    client = signed_in(root)
    for model in models_of(room):
        row = model._default_manager.order_by("pk").first()
        assert row is not None, f"no row of {model._meta.label} to look at"
        listed = client.get(address(model, "changelist"))
        assert listed.status_code == 200, model
        if model not in HOUSE:
            shown = {row.pk for row in listed.context["cl"].result_list}
            assert set(rows_of(model, north).values_list("pk", flat=True)[:5]) <= shown, model
            assert set(rows_of(model, south).values_list("pk", flat=True)[:5]) <= shown, model
        if admin.site._registry[model].search_fields:
            assert client.get(address(model, "changelist"), {"q": "anna"}).status_code == 200, model
        page = client.get(address(model, "change", row.pk))
        assert page.status_code == 200, model
        assert "history" in page.content.decode()
        assert "/delete/" not in page.content.decode(), model


@every_room
def test_staff_see_the_rows_of_their_own_tournament_and_no_others(room, north, south, signed_in):
    client = signed_in(north.organizer)
    for model in models_of(room):
        if model in HOUSE:
            continue
        own = set(rows_of(model, north).values_list("pk", flat=True))
        foreign = set(rows_of(model, south).values_list("pk", flat=True))
        assert own, f"{model._meta.label}: nothing to see"
        assert foreign, f"{model._meta.label}: nothing to hide"
        shown = {row.pk for row in client.get(address(model, "changelist")).context["cl"].result_list}
        assert shown == own, model
        assert client.get(address(model, "change", min(own))).status_code == 200, model
        assert client.get(address(model, "change", min(foreign))).status_code == 404, model
        assert client.get(address(model, "history", min(foreign))).status_code == 404, model


@pytest.mark.parametrize("model", HOUSE, ids=[model._meta.label for model in HOUSE])
def test_what_belongs_to_the_house_is_for_superusers_alone(model, root, north, signed_in):
    client = signed_in(north.organizer)
    row = model._default_manager.order_by("pk").first()
    assert client.get(address(model, "changelist")).status_code == 403
    assert client.get(address(model, "change", row.pk)).status_code in (403, 404)
    assert signed_in(root).get(address(model, "change", row.pk)).status_code == 200


def test_staff_without_a_role_see_nothing(north, signed_in):
    client = signed_in(staff_user("newcomer"))
    assert client.get(reverse("admin:index")).status_code == 200
    for model in MODELS:
        assert client.get(address(model, "changelist")).status_code == 403, model


def test_an_account_that_is_not_staff_does_not_enter(north, signed_in):
    north.organizer.is_staff = False
    north.organizer.save()
    assert signed_in(north.organizer).get(reverse("admin:index"), follow=True).status_code == 403


def test_a_filter_by_tournament_offers_and_finds_no_foreign_one(north, south, signed_in):
    client = signed_in(north.organizer)
    page = client.get(address(apps.get_model("teams.Team"), "changelist"))
    assert north.tournament.name in page.content.decode()
    assert south.tournament.name not in page.content.decode()
    found = client.get(
        address(apps.get_model("teams.Team"), "changelist"), {"tournament_id": south.tournament.pk}
    )
    assert list(found.context["cl"].result_list) == []


def test_nothing_is_deleted_by_anybody(root, north, signed_in):
    client = signed_in(root)
    for model in MODELS:
        before = model._default_manager.count()
        row = model._default_manager.order_by("pk").first()
        assert client.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403, model
        chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        client.post(address(model, "changelist"), chosen)
        assert model._default_manager.count() == before, model


def test_what_has_history_takes_no_post_and_no_new_row(root, north, signed_in):
    client = signed_in(root)
    for model in MODELS:
        if model._meta.label in EDITED:
            continue
        row = model._default_manager.order_by("pk").first()
        before = model._default_manager.filter(pk=row.pk).values().get()
        posted = dict.fromkeys(before, "1") | {"state": "closed", "kind": "played"}
        assert client.post(address(model, "change", row.pk), posted).status_code == 403, model
        assert model._default_manager.filter(pk=row.pk).values().get() == before, model
        assert client.get(address(model, "add")).status_code == 403, model


def test_lists_ask_the_database_as_often_for_ten_rows_as_for_five(root, signed_in):
    client = signed_in(root)
    hall = new_hall("Small", teams=4, rounds=3)
    for number in range(6):
        add_team(hall, f"Cleo {number}", f"Dana {number}")
    start_tournament(tournament_id=hall.tournament.pk, actor=COMMAND)
    running_round(hall)
    client.get(reverse("admin:index"))
    counts = {model: count_queries(client, model) for model in MODELS}
    other = new_hall("Large", teams=16, rounds=3)
    start_tournament(tournament_id=other.tournament.pk, actor=COMMAND)
    running_round(other)
    grown = {
        model._meta.label: (counts[model], again)
        for model in MODELS
        if (again := count_queries(client, model)) > counts[model]
    }
    assert grown == {}


def count_queries(client: Any, model: type[Model]) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address(model, "changelist")).status_code == 200
    return len(seen)
