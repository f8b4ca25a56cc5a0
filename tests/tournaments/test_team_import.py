"""Teams from a file, planned row by row and entered in one deed."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from journal.actors import COMMAND
from journal.clock import now
from journal.models import Deed
from rulebook.errors import RuleBroken
from teams.models import Player, Seat, Team
from tests.pages import halls
from tournaments.models import ByeGrant, Tournament, Upload
from tournaments.team_import import apply_import, plan_of

pytestmark = pytest.mark.django_db

HEAD = "Team;Player A;ID A;Email A;Player B;ID B;Email B;Club;Seed;Bye round"


def upload(tournament: Tournament, *rows: str, **choices: Any) -> Upload:
    return Upload.objects.create(
        tournament=tournament,
        user=halls.person("mara", "organizer", tournament),
        name="teams.csv",
        body="\n".join([HEAD, *rows]).encode(),
        choices=choices,
        made_at=now(),
    )


def brought_in(sent: Upload, **how: bool) -> list[Team]:
    return apply_import(upload_id=sent.pk, actor=COMMAND, **how)


def test_a_file_is_entered_in_one_deed_with_ids_clubs_seeds_byes_and_a_waiting_list() -> None:
    tournament = halls.registering(0, capacity=2)
    sent = upload(
        tournament,
        "Zug um Zug;Jörg Müller;17;j@example.org;佐藤 陽菜;18;;Karlsruhe;1;1",
        ";Ben Li;;;Tom O'Neill;;;;;",
        "Third;Ole;;;Radu;;;;;",
        source="league",
    )
    first, second, third = brought_in(sent)
    assert (first.name, first.group, first.seed, first.state) == ("Zug um Zug", "Karlsruhe", 1, "registered")
    assert (second.state, third.state) == ("registered", "waitlisted")
    assert ByeGrant.objects.get().team == first
    assert Player.objects.get(source="league", external_id="17").contact == "j@example.org"
    deed = Deed.objects.filter(tournament=tournament).latest("number")
    assert (deed.kind, deed.after["teams"], deed.after["new_players"]) == (
        "TeamsImported",
        [first.pk, second.pk, third.pk],
        6,
    )
    sent.refresh_from_db()
    assert not sent.body


def test_one_wrong_row_stops_all_unless_the_good_ones_are_asked_for() -> None:
    tournament = halls.registering(0)
    rows = ("One;Ann;;nomail;Bob;;;;0;9", "Two;Cleo;;;Dan;;;;;", "Three;;;;Eve;;;;;")
    sent = upload(tournament, *rows)
    plan = plan_of(sent)
    assert [len(row.errors) for row in plan.rows] == [3, 0, 1]
    with pytest.raises(RuleBroken, match="2 rows are wrong"):
        brought_in(sent)
    assert not Team.objects.exists()
    assert not Player.objects.exists()
    assert [team.name for team in brought_in(sent, only_good=True)] == ["Two"]


@pytest.mark.parametrize("placeholder", [pytest.param("1999999", id="case-115")])
def test_a_corrected_id_finds_the_same_person_who_is_entered_once(placeholder: str) -> None:
    tournament = halls.registering(0)
    brought_in(upload(tournament, f"T;E;{placeholder};;F;77;;;;", source="fide"))
    again = upload(tournament, "T;E;6054871;;F;77;;;;", source="fide")
    asked = plan_of(again).rows[0]
    assert asked.errors == ["Is E the E you know? Choose."]
    person = Player.objects.get(name="E")
    again.choices = {**again.choices, "answers": {"2-A": person.pk}}
    again.save()
    assert brought_in(again) == []
    assert Player.objects.filter(name="E").count() == 1
    person.refresh_from_db()
    assert person.external_id == "6054871"
    assert Team.objects.count() == 1


def test_a_namesake_is_never_taken_for_the_known_person_unasked() -> None:
    tournament = halls.registering(0)
    brought_in(upload(tournament, "T;Anna Kim;;;F;;;;;"))
    sent = upload(tournament, "U;ANNA  KIM;;;G;;;;;")
    assert not plan_of(sent).good
    sent.choices = {"answers": {"2-A": "new"}}
    sent.save()
    brought_in(sent)
    assert Player.objects.filter(folded="anna kim").count() == 2


def test_an_address_finds_a_person_of_another_spelling_and_asks() -> None:
    tournament = halls.registering(0)
    brought_in(upload(tournament, "T;Anna Kim;;anna@example.org;F;;;;;"))
    row = plan_of(upload(tournament, "U;Ann Kim;;Anna@Example.org;G;;;;;")).rows[0]
    assert row.errors == ["Is Ann Kim the Anna Kim you know? Choose."]


def test_one_id_or_seed_twice_in_a_file_is_an_error_of_the_later_row() -> None:
    tournament = halls.registering(0)
    sent = upload(tournament, "T;A;5;;B;;;;1;", "U;C;5;;D;;;;1;")
    assert [len(row.errors) for row in plan_of(sent).rows] == [0, 2]


def test_a_hundred_rows_take_no_more_queries_than_ten_but_for_the_batches_of_the_database() -> None:
    counts = []
    for rows in (10, 100):
        tournament = halls.registering(0, name=f"Open {rows}")
        sent = upload(tournament, *(f"T{n};P{rows}x{n};{rows}{n};;Q{rows}x{n};;;;;" for n in range(rows)))
        with CaptureQueriesContext(connection) as seen:
            brought_in(sent)
        counts.append(len(seen.captured_queries))
        assert Seat.objects.filter(tournament=tournament).count() == 2 * rows
    assert counts[1] - counts[0] < 6


def test_a_new_name_that_stands_in_the_file_twice_is_asked_about() -> None:
    tournament = halls.registering(0)
    rows = (
        ";Ann;;;Bob;;;;;",
        ";ann;;;Bob;;;;;",
        ";Cy;1;;Dan;;d@example.org;;;",
        ";Cy;2;;Dan;;e@example.org;;;",
    )
    sent = upload(tournament, *rows)
    assert [row.errors for row in plan_of(sent).rows if row.errors] == [
        [f"{name} stands in row 2 already. Is it somebody else? Choose." for name in ("ann", "Bob")]
    ]
    sent.choices["answers"] = {"3-A": "new", "3-B": "0"}
    assert plan_of(sent).wrong[0].errors == ["Bob stands in row 2 already."]
    sent.choices["answers"] = {"3-A": "new", "3-B": "new"}
    assert plan_of(sent).wrong == []
