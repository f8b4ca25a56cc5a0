"""A name that is taken is said on the form, and what was typed stays."""

from collections.abc import Callable
from typing import Any

import pytest

from teams.models import Team
from tests.pages import halls

pytestmark = pytest.mark.django_db


def test_case_119_a_player_who_plays_already_is_named_and_the_form_is_kept(
    signed_in: Callable[..., Any],
) -> None:
    tournament = halls.registering(2)
    staff = signed_in(halls.person("mara", "organizer", tournament))
    taken = Team.objects.filter(tournament=tournament).earliest("number").seats.get(label="A").player.name
    typed = {"name": "Late Lunch", "seat_A": taken, "seat_B": "Brand New"}
    response = staff.post(f"/desk/{tournament.slug}/teams/", typed)
    page = response.content.decode()
    assert response.status_code == 409
    assert "already plays in" in page
    assert all(f'value="{words}"' in page for words in ("Late Lunch", "Brand New"))
    assert Team.objects.filter(tournament=tournament).count() == 2


def test_case_116_a_plus_sign_typed_into_the_form_is_stored_as_it_is(signed_in: Callable[..., Any]) -> None:
    tournament = halls.registering(2)
    staff = signed_in(halls.person("mara", "organizer", tournament))
    staff.post(f"/desk/{tournament.slug}/teams/", {"seat_A": "11111111+Nana", "seat_B": "Brand New"})
    team = Team.objects.filter(tournament=tournament).latest("number")
    assert team.seats.get(label="A").player.name == "11111111+Nana"
    shown = staff.get(f"/desk/{tournament.slug}/teams/").content.decode()
    assert f"Team {team.number} registered: A 11111111+Nana, B Brand New." in shown
