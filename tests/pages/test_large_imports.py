"""A long list of teams: previewed by the page, entered by a worker, once, all of it or nothing."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from journal.actors import COMMAND, Door, user_actor
from journal.clock import now, reset_clock, shift_clock
from journal.models import Deed
from rulebook.errors import RuleBroken
from teams import seats
from teams.models import Player, Team
from teams.people import add_player
from tests.pages import halls
from tests.pages.test_public import text_of
from tournaments import large_imports, team_import
from tournaments.heartbeat import KEY, note_tick
from tournaments.models import Staff, Tournament, Upload
from tournaments.pages import imports as pages
from tournaments.retention import forget_before
from tournaments.setting_up import cancel_tournament
from tournaments.tasks import imports
from tournaments.tournament_file import export_tournament

pytestmark = pytest.mark.django_db
LIST = "Player A;Player B\n" + "".join(f"Ana {n};Bo {n}\n" for n in range(5))


@pytest.fixture(autouse=True)
def short_lists(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Four rows are many, two are a chunk, and the clock ticks."""
    monkeypatch.setattr(large_imports, "AT_ONCE", 3)
    monkeypatch.setattr(team_import, "CHUNK", 2)
    note_tick()
    yield
    reset_clock()


def sent_in(client: Any, tournament: Tournament, text: str = LIST) -> str:
    """The address of the page on which the rows are looked at."""
    file = SimpleUploadedFile("league.csv", text.encode())
    return str(client.post(f"/desk/{tournament.slug}/teams/import/", {"file": file}).url)


def asked(client: Any, tournament: Tournament, text: str = LIST, do: str = "all") -> str:
    page = sent_in(client, tournament, text)
    assert client.post(page, {"column_name_A": "0", "column_name_B": "1", "do": do}).url == page
    return page


def test_a_long_list_is_entered_once_by_a_worker_while_the_page_shows_how_far_it_is(
    at_desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = halls.registering(0, capacity=4)
    client = at_desk(tournament)
    page = asked(client, tournament)
    waits = client.get(page)
    assert "5 rows wait to be entered: that begins within seconds" in text_of(waits)
    assert "How far is it?" in text_of(waits)
    assert not Team.objects.exists()
    tell, seen = large_imports.tell, []

    def watched(*told: Any) -> None:
        tell(*told)
        seen.append(text_of(client.get(page)))

    monkeypatch.setattr(large_imports, "tell", watched)
    assert imports() is True
    for shown, words in zip(
        seen,
        ("2 of 5 rows are looked at", "4 of 5 rows are looked at", "2 of 5 rows are", "4 of 5", "5 of 5"),
        strict=True,
    ):
        assert words in shown
    done = client.get(page)
    assert "5 teams are entered, 1 of them on the waiting list" in text_of(done)
    assert f'href="/desk/{tournament.slug}/teams/"' in done.content.decode()
    assert b"data-working" not in done.content
    deed = Deed.objects.filter(tournament=tournament).latest("number")
    assert (deed.kind, deed.actor, deed.door) == (
        "TeamsImported",
        user_actor(halls.person("organizer").pk).who,
        Door.DESK,
    )
    for again in (imports, lambda: large_imports.do_import(upload_id=Upload.objects.get().pk)):
        assert not again()
    assert Team.objects.filter(tournament=tournament).count() == 5
    assert "5 teams entered" in text_of(client.get(f"/desk/{tournament.slug}/teams/import/"))


@pytest.mark.parametrize("change", ["cancelled", "not staff any more", "rows became wrong"])
def test_what_may_not_be_entered_any_more_is_refused_in_a_sentence_with_nothing_entered(
    at_desk: Any, change: str
) -> None:
    tournament = halls.registering(0)
    client = at_desk(tournament)
    page = asked(client, tournament)
    if change == "cancelled":
        cancel_tournament(tournament_id=tournament.pk, actor=COMMAND)
        words = f"{tournament.name} is cancelled, not at registration."
    elif change == "not staff any more":
        Staff.objects.filter(tournament=tournament).delete()
        words = large_imports.NOT_ANY_MORE
    else:
        add_player(store_id=tournament.store_id, name="Ana 3")
        words = "Nothing is entered. 1 row is wrong"
    known = Player.objects.count()
    assert imports() is True
    assert not Team.objects.exists()
    assert Player.objects.count() == known
    halls.person("organizer", "organizer", tournament)
    assert words in text_of(client.get(page))
    assert not imports()


def test_a_worker_that_dies_leaves_nothing_and_the_next_one_takes_the_list_up_until_it_is_given_up(
    at_desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = halls.registering(0)
    client = at_desk(tournament)
    page = asked(client, tournament)
    seat_many = seats.seat_many
    done: list[None] = []

    def dies(teams: Any, members: Any) -> None:
        if done:
            raise MemoryError
        done.append(seat_many(teams, members))

    for number in range(large_imports.MOST_TRIES):
        done.clear()
        with monkeypatch.context() as broken:
            broken.setattr(seats, "seat_many", dies)
            with pytest.raises(MemoryError):
                imports()
        assert not Team.objects.exists()
        assert not Player.objects.exists()
        if number == 1:
            assert "rows are being entered: that was interrupted, this is try 2" in text_of(client.get(page))
        assert imports() is False, "somebody may be at it"
        # Once the clock is set back: what the worker claimed lies ahead then.
        shift_clock(large_imports.PATIENCE * (-2 if number == 0 else 1))
    assert imports() is True
    assert large_imports.GIVEN_UP in text_of(client.get(page))
    client.post(page, {"column_name_A": "0", "column_name_B": "1", "do": "all"})
    assert imports() is True
    assert Team.objects.filter(tournament=tournament).count() == 5


def test_a_list_that_waits_can_be_taken_back_and_is_entered_by_hand_where_no_clock_ticks(
    at_desk: Any,
) -> None:
    tournament = halls.registering(0)
    client = at_desk(tournament)
    page = asked(client, tournament)
    for again in (large_imports.ask_import, team_import.apply_import):
        with pytest.raises(RuleBroken, match="is being imported"):
            again(upload_id=Upload.objects.get().pk, actor=COMMAND)
    assert client.post(page, {"do": "now"}).url == page
    assert not Team.objects.exists(), "the worker does it"
    client.post(page, {"do": "take-back"})
    assert imports() is False
    assert "Import 5 teams" in text_of(client.get(page))
    client.post(page, {"column_name_A": "0", "column_name_B": "1", "do": "all"})
    cache.delete(KEY)
    assert "The clock does not run" in text_of(client.get(page))
    client.post(page, {"do": "now"})
    assert "5 teams are entered" in text_of(client.get(page))


def test_of_a_long_list_wrong_rows_come_first_and_answers_of_other_pages_are_kept(
    at_desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = halls.registering(0)
    for number in (1, 2, 3):
        add_player(store_id=tournament.store_id, name=f"Ana {number}")
    for most in ("MOST_ASKED", "MOST_GOOD"):
        monkeypatch.setattr(pages, most, 1)
    client = at_desk(tournament)
    page = sent_in(client, tournament, LIST + ";Bo 9\n")
    text = text_of(client.get(page))
    for words in ("2 good, 4 wrong", "Wrong rows 4", "The name of A is missing.", "1–1 of 2", "1–1 of 3"):
        assert words in text
    assert ("Bo 0" in text, "Bo 4" in text) == (True, False)
    assert "Bo 4" in text_of(client.get(f"{page}?good=2"))
    columns = {"column_name_A": "0", "column_name_B": "1"}
    client.post(page, {**columns, "do": "look", "who_3-A": "new"})
    client.post(f"{page}?asked=2", {**columns, "do": "look", "who_4-A": "new"})
    assert "4 good, 2 wrong" in text_of(client.post(page, {**columns, "do": "look", "everybody": ""}))
    assert "5 good, 1 wrong" in text_of(client.post(page, {**columns, "do": "look", "everybody": "known"}))
    assert Upload.objects.get().choices["answers"]["3-A"] == "new"


@pytest.mark.parametrize("is_keeper", [True, False])
def test_a_large_tournament_file_is_made_a_tournament_by_a_worker_for_who_still_keeps_the_store(
    signed_in: Any, monkeypatch: pytest.MonkeyPatch, is_keeper: bool
) -> None:
    tournament = halls.registering(2)
    user = halls.person("keeper")
    user.stores.add(tournament.store)
    client, stranger = signed_in(user), signed_in(halls.person("other"))
    monkeypatch.setattr(large_imports, "BYTES_AT_ONCE", 100)
    file = SimpleUploadedFile("x.json", b'{"tandem-tournament"'.ljust(200))
    assert client.post("/desk/import", {"store": tournament.store_id, "file": file}).status_code == 409
    file = SimpleUploadedFile("big.json", export_tournament(tournament).encode())
    page = client.post("/desk/import", {"store": tournament.store_id, "file": file}).url
    assert "rows wait to be entered" in text_of(client.get(page))
    assert stranger.get(page).status_code == 404
    assert "big.json : under way" in text_of(client.get("/desk/import"))
    if not is_keeper:
        user.stores.clear()
    tell, seen = large_imports.tell, []

    def watched(*told: Any) -> None:
        tell(*told)
        seen.append(text_of(client.get(page)))

    monkeypatch.setattr(large_imports, "tell", watched)
    shift_clock(timedelta(days=400))
    forget_before(moment=now() - timedelta(days=100), actor=COMMAND)
    assert imports() is True
    if not is_keeper:
        assert large_imports.NOT_ANY_MORE in text_of(client.get(page))
        assert Tournament.objects.get() == tournament
        forget_before(moment=now() - timedelta(days=100), actor=COMMAND)
        assert not Upload.objects.exists()
        return
    assert any("rows are entered" in text for text in seen)
    assert f"{tournament.name} is imported." in text_of(client.get(page))
    made = Tournament.objects.latest("pk")
    deed = Deed.objects.filter(tournament=made).latest("number")
    assert (deed.kind, deed.actor) == ("TournamentImported", user_actor(user.pk).who)
    assert (export_tournament(made), Upload.objects.get().body) == (
        export_tournament(tournament).replace(tournament.slug, made.slug),
        b"",
    )
    assert client.get(f"/desk/{made.slug}/").status_code == 200


def test_an_import_that_waits_is_not_forgotten_and_an_idle_worker_asks_one_query(at_desk: Any) -> None:
    tournament = halls.registering(0)
    asked(at_desk(tournament), tournament)
    shift_clock(timedelta(days=400))
    forget_before(moment=now() - timedelta(days=100), actor=COMMAND)
    assert Upload.objects.get().state == Upload.State.WAITING
    Upload.objects.update(error="The list is wrong.")
    with CaptureQueriesContext(connection) as seen:
        assert imports() is False
    assert len(seen) == 1
    forget_before(moment=now() - timedelta(days=100), actor=COMMAND)
    assert not Upload.objects.exists()
