"""The desk before the start: files in and out, who is here, who moves up."""

import csv
import io
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from journal.models import Deed
from teams.links import make_link
from teams.models import Team
from tests.pages import halls
from tests.pages.test_desk import do
from tests.pages.test_public import text_of
from tournaments.models import Upload

pytestmark = pytest.mark.django_db


def states(tournament: Any) -> dict[int, str]:
    return dict(Team.objects.filter(tournament=tournament).values_list("number", "state"))


def test_a_file_is_sent_looked_at_answered_and_entered(at_desk: Any) -> None:
    tournament = halls.registering(0)
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/teams/import/"
    body = "who;Player B\nMüller;Anna Kim\n;Ben Li\n".encode("cp1252")
    sent = client.post(address, {"file": SimpleUploadedFile("liste.csv", body), "source": "league"})
    page = text_of(client.get(sent.url))
    assert "Windows-1252" in page
    assert "The name of A is missing." in page
    columns = {"column_name_A": "0", "column_name_B": "1", "source": "league"}
    page = text_of(client.post(sent.url, {**columns, "do": "look"}))
    assert "1 good, 1 wrong" in page
    assert client.post(sent.url, {**columns, "do": "all"}).status_code == 409
    assert not Team.objects.exists()
    done = client.post(sent.url, {**columns, "do": "good"}, follow=True)
    assert "1 team is entered" in text_of(done)
    assert Upload.objects.get().applied_at


def test_a_row_without_a_teammate_is_an_incomplete_team_or_looks_for_a_partner_as_chosen(
    at_desk: Any,
) -> None:
    tournament = halls.registering(0)
    known = halls.add_player(store_id=tournament.store_id, name="Anna Kim")
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/teams/import/"
    body = b"Player A;Player B;Seed\nAnna Kim;;3\nAna;Bo;1\n"
    sent = client.post(address, {"file": SimpleUploadedFile("liste.csv", body)})
    page = client.get(sent.url)
    assert "1 row with a missing teammate" in text_of(page)
    columns = {"column_name_A": "0", "column_name_B": "1", "column_seed": "2"}
    assert "The name of B is missing." in text_of(client.post(sent.url, {**columns, "do": "look"}))
    answers = {**columns, "missing": "solo", "who_2-A": known.pk}
    page = client.post(sent.url, {**answers, "do": "look"})
    assert "looks for a partner" in text_of(page)
    selects = page.content.decode()
    assert f'<option value="{known.pk}" selected>' in selects
    assert '<option value="solo" selected>' in selects
    assert '<option value="2" selected>Seed' in selects
    client.post(sent.url, {**answers, "missing": "incomplete", "do": "all"})
    first, second = Team.objects.filter(tournament=tournament).order_by("number")
    assert (first.is_solo, first.state, first.seed, second.seed) == (False, "registered", 3, 1)
    assert first.seats.get().player == known


def test_only_those_who_register_send_files_and_read_addresses(at_desk: Any) -> None:
    tournament = halls.registering(2)
    viewer = at_desk(tournament, "viewer")
    for page in ("teams/import/", "teams/file.csv", "check-in/"):
        assert viewer.get(f"/desk/{tournament.slug}/{page}").status_code == 403


def test_the_list_of_teams_leaves_as_csv_and_workbook_without_formulas(at_desk: Any) -> None:
    tournament = halls.registering(1)
    halls.lone_member(tournament, "=1+1")
    client = at_desk(tournament)
    answer = client.get(f"/desk/{tournament.slug}/teams/file.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(answer)))
    assert [row["Name A"] for row in rows] == ["Ana Beatriz Carvalho", "'=1+1"]
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"/desk/{tournament.slug}/teams/file.xlsx").content))
    assert [row[3] for row in book.active.iter_rows(values_only=True)][2] == "'=1+1"


def test_a_number_a_name_and_a_scanned_code_check_a_team_in(at_desk: Any) -> None:
    tournament = halls.registering(3)
    teams = list(Team.objects.filter(tournament=tournament).order_by("number"))
    client, address = at_desk(tournament, "scorekeeper"), f"/desk/{tournament.slug}/check-in/"
    token = make_link(seat_id=teams[2].seats.get(label="B").pk)
    name = teams[1].seats.get(label="A").player.name
    for words in ("1", name.upper(), f"https://hall.example/me/{token}"):
        assert "is here" in text_of(client.post(address, {"words": words}, follow=True))
    assert set(states(tournament).values()) == {"checked-in"}
    for words, refusal in (("1", "checked in already"), ("99", "no team number 99"), ("Nobody", "No team")):
        answer = client.post(address, {"words": words})
        assert answer.status_code == 409
        assert refusal in text_of(answer)


def test_those_who_did_not_check_in_leave_in_one_deed_and_the_list_moves_up(at_desk: Any) -> None:
    tournament = halls.registering(3, capacity=3)
    halls.lone_member(tournament)
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/check-in/"
    client.post(address, {"words": "1"})
    shown = client.get(address).context["absent"]
    client.post(address, {"words": "2"})
    assert "1 team is out" in do(client, tournament, "drop-absent", teams=shown, back=address)
    assert states(tournament) == {1: "checked-in", 2: "checked-in", 3: "withdrawn", 4: "registered"}
    kinds = list(Deed.objects.filter(tournament=tournament).order_by("number").values_list("kind", flat=True))
    assert kinds[-2:] == ["TeamPromoted", "TeamWithdrawn"]


def test_the_next_of_the_waiting_list_is_taken_only_to_a_free_place(at_desk: Any) -> None:
    tournament = halls.registering(2, capacity=2)
    halls.lone_member(tournament)
    client, back = at_desk(tournament), f"/desk/{tournament.slug}/teams/"
    assert "Take the next from the waiting list (1)" in text_of(client.get(back))
    assert "All 2 places are taken" in do(client, tournament, "promote-next", back=back)
    type(tournament).objects.filter(pk=tournament.pk).update(capacity=3)
    assert "has a place" in do(client, tournament, "promote-next", back=back)
    assert states(tournament)[3] == "registered"
