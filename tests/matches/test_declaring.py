"""What players bring, through service, phone, API and command."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from journal.actors import COMMAND
from matches.declaring import declare
from matches.games import choose_first
from matches.models import Match
from matches.sheets import sheet_of
from rulebook.errors import RuleBroken
from teams.links import make_link
from teams.models import Seat
from tests.day import Day, new_day


def opened(mode: str) -> tuple[Day, Match]:
    day = new_day(2, mode=mode, best_of=3)
    match = day.run().matches.get()
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    return day, match


def told(match: Match) -> dict[str, list[str]]:
    return {str(step.step): [line.text for line in step.lines] for step in sheet_of(match).steps}


@pytest.mark.django_db
def test_what_is_not_declared_does_not_appear_and_what_is_does() -> None:
    _, match = opened("magic-1v1")
    assert "companion" not in told(match)
    declare(
        match_id=match.pk, position="1A", brings={"companions": ["Lurrus"], "sideboard": True}, actor=COMMAND
    )
    assert any("Lurrus" in text for text in told(match)["companion"])
    assert "set-aside" in told(match)
    declare(match_id=match.pk, position="1A", brings={}, actor=COMMAND)
    assert "companion" not in told(match)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("position", "brings", "code"),
    [
        ("3A", {}, "unknown-seat"),
        ("1A", {"dragons": ["Shivan"]}, "unknown-declaration"),
        ("1A", {"companions": ["Lurrus", "Yorion"]}, "two-companions"),
        ("1A", {"sticker_sheets": ["one"]}, "too-few-sticker-sheets"),
        ("1A", {"substitutes": ["x"]}, "unreadable-declaration"),
    ],
    ids=str,
)
def test_what_the_rules_do_not_allow_is_refused_and_nothing_is_kept(
    position: str, brings: dict[str, Any], code: str
) -> None:
    _, match = opened("magic-1v1")
    with pytest.raises(RuleBroken) as error:
        declare(match_id=match.pk, position=position, brings=brings, actor=COMMAND)
    assert error.value.code == code
    assert not match.chairs.exclude(declared={}).exists()


@pytest.mark.django_db
def test_a_player_tells_from_his_phone_and_page_and_api_show_it() -> None:
    day, match = opened("riftbound-match")
    seat = Seat.objects.get(player=day.players[0][0])
    client, address = Client(), f"/me/{make_link(seat_id=seat.pk)}"
    assert b"What I bring" in client.get(address, follow=True).content
    form = {"legend": "Jinx", "champion": "Jinx, Rebel", "battlefields": "Zaun\nPiltover\nThe Pit"}
    assert client.post(f"{address}/brings", form).status_code == 302
    assert "Jinx" in client.get(f"{address}/brings", follow=True).content.decode()
    page = client.get(f"/t/{day.tournament.slug}/tables/{match.pk}/").content.decode()
    sheet = json.dumps(client.get(f"/api/v1/matches/{match.pk}/setup-sheet/").json())
    assert "Jinx" in page
    assert "Jinx" in sheet


@pytest.mark.django_db
def test_a_refused_declaration_is_said_on_the_phone_and_the_form_is_kept() -> None:
    day, _ = opened("magic-1v1")
    seat = Seat.objects.get(player=day.players[0][0])
    address = f"/me/{make_link(seat_id=seat.pk)}/brings"
    response = Client().post(address, {"companions": "Lurrus\nYorion"})
    assert response.status_code == 409
    assert "one companion at most" in response.content.decode()
    assert "Yorion" in response.content.decode()


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("setup_sheet", *words, stdout=out)
    return out.getvalue()


def test_the_command_tells_what_is_declared() -> None:
    words = ("--mode", "magic-1v1", "--declared", '{"2A": {"companions": ["Lurrus"]}}')
    assert "Lurrus" in printed(*words)
    with pytest.raises(CommandError, match="as JSON"):
        printed("--mode", "magic-1v1", "--declared", "Lurrus")


def test_the_command_keeps_the_order_after_a_draw_in_riftbound_and_asks_the_chooser_in_magic() -> None:
    kept = printed("--mode", "riftbound-2v2", "--game", "2", "--drawn", "--starts", "1B")
    assert kept.splitlines()[0].endswith("1B 2B 1A 2A")
    again = printed("--mode", "magic-1v1", "--game", "2", "--drawn", "--chooser", "second", "--starts", "2A")
    assert again.splitlines()[0].endswith("2A 1A")
    with pytest.raises(CommandError, match="Say which side chose"):
        printed("--mode", "magic-1v1", "--game", "2", "--drawn", "--starts", "2A")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("brings", "code"),
    [
        ({"battlefields": ["Zaun", "Piltover"]}, "wrong-count"),
        ({"battlefields": ["Zaun", "Zaun", "Piltover"]}, "same-card-twice"),
        (
            {"battlefields": ["Zaun", "Piltover", "Pit"], "used_battlefields": ["X"]},
            "unknown-battlefield",
        ),
        ({"legend": "jinx"}, "different-legends"),
        ({"battlefields": ["Zaun", "Piltover", "Pit"]}, "different-battlefields"),
    ],
    ids=str,
)
def test_what_a_team_may_not_bring_is_refused_and_its_sheet_stays(brings: dict[str, Any], code: str) -> None:
    _, match = opened("riftbound-2v2")
    own = {"legend": "Jinx", "battlefields": ["Zaun", "Ionia", "Demacia"]}
    declare(match_id=match.pk, position="1A", brings=own, actor=COMMAND)
    with pytest.raises(RuleBroken) as error:
        declare(match_id=match.pk, position="1B", brings=brings, actor=COMMAND)
    assert error.value.code == code
    assert match.chairs.exclude(declared={}).count() == 1
    declare(match_id=match.pk, position="2A", brings=own, actor=COMMAND)
    assert "Place the legend Jinx." in told(match)["legend"]
