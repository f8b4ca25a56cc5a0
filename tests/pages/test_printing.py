"""Paper and walls: what is printed, how it is cut, and what a hall without network has."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from journal.actors import COMMAND
from journal.kinds import DeedKind
from journal.recording import record
from teams.models import Link
from teams.selectors import Member, TeamCard
from tests.pages import halls
from tests.pages.halls import person
from tournaments.announcements import announce
from tournaments.exporting import safe_cell
from tournaments.models import Round, StageEntry
from tournaments.pages import bundles, paper
from tournaments.pages.brackets import Column, Drawn, Place
from tournaments.pages.screen import density_of
from tournaments.pages.sheets import SideRow, TableRow
from tournaments.tournament_file import export_tournament

needs_pdf = pytest.mark.skipif(paper.pdf_library() is None, reason="needs WeasyPrint and Pango")
OPEN = {"name": "Open", "slug": "open"}
LONG = "Wolfeschlegelsteinhausenbergerdorff Maria-Magdalena"


def card(number: int) -> TeamCard:
    """A team with names as long as they come."""
    members = tuple(Member(label, number, f"{LONG} {number}{label}", number) for label in "AB")
    return TeamCard(
        number, number, "Society for the Prevention of Mana Screw in Lower Saxony", "playing", members, True
    )


def slips_html(count: int, size: str) -> str:
    sides = [(SideRow(0, card(2 * n)), SideRow(1, card(2 * n + 1))) for n in range(count)]
    rows = [TableRow(n, n, "table", "open", pair) for n, pair in enumerate(sides, 1)]
    pages = paper.in_cut_order(rows, paper.SLIPS_A_PAGE)
    context = {"pages": pages, "a_page": paper.SLIPS_A_PAGE, "paper": size, "scene": {"labels": ("A", "B")}}
    return paper.html_of(
        "slips", {**context, "tournament": {"name": "Open", "slug": "open"}, "round_name": "Round 1"}
    )


@needs_pdf
@pytest.mark.parametrize(
    "size", [pytest.param("a4", id="case-131 A4"), pytest.param("letter", id="case-131 Letter")]
)
def test_twenty_slips_fill_four_pages_and_none_is_cut_in_two(size: str) -> None:
    pages = paper.rendered(slips_html(20, size)).pages
    on_page = [{name for name in page.anchors if name.startswith("slip-")} for page in pages]
    assert [len(found) for found in on_page] == [5, 5, 5, 5]
    assert len(set().union(*on_page)) == 20


@pytest.mark.parametrize("count", [1, 4, 5, 6, 20, 23])
def test_the_cut_pile_is_in_table_order(count: int) -> None:
    pages = paper.in_cut_order(range(1, count + 1), 5)
    piles = [[page[place] for page in pages if place < len(page)] for place in range(5)]
    assert [table for pile in piles for table in pile] == list(range(1, count + 1))
    assert all(pages)


def bracket(entrants: int) -> tuple[Column, ...]:
    columns, size, number = [], entrants // 2, 1
    while size:
        nodes = tuple(
            Drawn(f"r{number}m{m}", f"Match {m}", m, (Place(card(m), m), Place(card(m + 99), m + 99)))
            for m in range(1, size + 1)
        )
        columns.append(Column(f"Round of {2 * size}", nodes))
        size, number = size // 2, number + 1
    return tuple(columns)


@needs_pdf
@pytest.mark.parametrize(
    "size", [pytest.param("a4", id="case-134 A4"), pytest.param("letter", id="case-134 Letter")]
)
def test_a_bracket_of_sixty_four_is_a_page_per_quarter_and_no_match_is_split(size: str) -> None:
    context = {"pages": paper.bracket_pages(bracket(64)), "is_wide": True, "paper": size}
    pages = paper.rendered(
        paper.html_of("bracket", {**context, "tournament": {"name": "Open", "slug": "open"}})
    ).pages
    assert len(pages) == 4
    found = [name for page in pages for name in page.anchors]
    first = [name.partition("-")[2] for name in found if "-r1m" in name]
    assert sorted(first) == sorted(f"r1m{m}" for m in range(1, 33))
    assert len(found) == len(set(found))


@pytest.fixture
def hall(db: None) -> Any:
    tournament = halls.running(9, 1, planned_rounds=3)
    halls.started(tournament)
    return tournament


def test_every_sheet_is_printed_for_staff_and_nobody_else(hall: Any, signed_in: Any, client: Any) -> None:
    organizer = signed_in(person("organizer", "organizer", hall))
    assert organizer.get(f"/desk/{hall.slug}/print/").status_code == 200
    for what in ("pairings", "names", "slips", "standings", "sign-up", "tags"):
        for size in ("a4", "letter"):
            page = organizer.get(f"/desk/{hall.slug}/print/{what}/?paper={size}").content.decode()
            assert f"print/{size}.css" in page
            assert " style=" not in page
    assert organizer.get(f"/desk/{hall.slug}/print/nothing/").status_code == 404
    assert client.get(f"/desk/{hall.slug}/print/names/").status_code == 302
    assert signed_in(person("stranger")).get(f"/desk/{hall.slug}/print/names/").status_code == 404


def test_by_name_each_player_stands_once_with_both_seats(hall: Any, signed_in: Any) -> None:
    page = signed_in(person("viewer", "viewer", hall)).get(f"/desk/{hall.slug}/print/names/").content.decode()
    assert page.count('<th scope="row">') == 18


def test_personal_codes_make_a_link_for_who_has_none_and_print_the_same_again(
    hall: Any, signed_in: Any
) -> None:
    organizer = signed_in(person("organizer", "organizer", hall))
    first = organizer.post(f"/desk/{hall.slug}/print/codes/")
    assert first["Cache-Control"] == "no-store"
    assert Link.objects.count() == 18 == hall.deeds.filter(kind="LinkMade").count()
    again = organizer.post(f"/desk/{hall.slug}/print/codes/")
    assert Link.objects.count() == 18
    assert first.content.decode().count("<svg") == again.content.decode().count("<svg") == 18
    assert (
        signed_in(person("viewer", "viewer", hall)).post(f"/desk/{hall.slug}/print/codes/").status_code == 403
    )


def test_without_the_pdf_library_the_button_says_how_to_get_it(
    hall: Any, signed_in: Any, monkeypatch: Any
) -> None:
    organizer = signed_in(person("organizer", "organizer", hall))
    if paper.pdf_library() is not None:
        assert organizer.get(f"/desk/{hall.slug}/print/names/?as=pdf").content.startswith(b"%PDF")
    monkeypatch.setattr("tournaments.pages.paper.pdf_library", lambda: None)
    monkeypatch.setattr("tournaments.pages.printing.pdf_library", lambda: None)
    page = organizer.get(f"/desk/{hall.slug}/print/").content.decode()
    assert "requirements-pdf.in" in page
    assert 'value="pdf"' not in page
    assert organizer.get(f"/desk/{hall.slug}/print/names/?as=pdf").status_code == 501


def test_the_big_screen_shows_tables_clock_and_what_is_announced(hall: Any, client: Any) -> None:
    announce(tournament_id=hall.pk, text="Lunch until half past one", actor=COMMAND)
    page = client.get(f"/t/{hall.slug}/screen/").content.decode()
    assert "Lunch until half past one" in page
    assert "data-ends=" in page
    assert page.count('<li id="w') == 5
    assert "佐藤 陽菜" in page
    assert '<body class="roomy"' in page
    assert [density_of(tables) for tables in (24, 25, 80, 81)] == ["roomy", "many", "many", "crowd"]


def test_each_publish_leaves_a_bundle_that_needs_nothing_else(
    hall: Any, settings: Any, tmp_path: Path, signed_in: Any
) -> None:
    settings.BUNDLES_DIR = tmp_path
    assert bundles.write_bundles() == 1
    assert bundles.write_bundles() == 0
    folder = tmp_path / hall.slug / "round-2"
    page = (folder / "index.html").read_text()
    assert "/static/" not in page
    assert "<script" not in page
    assert (folder / "pairings.csv").read_text().count("\n") == 6
    assert [path for path in folder.parent.iterdir() if path.name.startswith(".")] == []
    rnd = Round.objects.get(stage__tournament=hall, number=2)
    client = signed_in(person("viewer", "viewer", hall))
    (folder / "pairings.pdf").write_bytes(b"%PDF that is there already")
    paper = {"round": rnd.pk, "as": "pdf"}
    assert client.get(f"/desk/{hall.slug}/print/pairings/", paper).content == b"%PDF that is there already"
    answer = client.get(f"/desk/{hall.slug}/files/bundle/{rnd.pk}.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert f"{hall.slug}-round-2/index.html" in archive.namelist()


@pytest.mark.django_db
def test_a_finished_tournament_leaves_its_final_ranking_and_writes_it_again_after_a_change(
    settings: Any, tmp_path: Path, signed_in: Any
) -> None:
    settings.BUNDLES_DIR = tmp_path
    ended = halls.in_cut(4, bracket_rounds=2, finish=True)
    assert bundles.bundles() == 1
    assert bundles.bundles() == 0
    folder = tmp_path / ended.slug / "final"
    page = (folder / "index.html").read_text()
    assert "<p>Final ranking</p>" in page
    assert 'class="bracket"' in page
    first = (folder / "standings.csv").read_text().splitlines()[1]
    team = StageEntry.objects.get(stage__tournament=ended, stage__number=1, place=1).team
    assert first.startswith(f"1,{team.name}")
    staff = person("viewer", "viewer", ended)
    answer = signed_in(staff).get(f"/desk/{ended.slug}/files/bundle/final.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert f"{ended.slug}-final/index.html" in archive.namelist()
    assert "Final ranking (ZIP)" in signed_in(staff).get(f"/desk/{ended.slug}/print/").content.decode()
    record(tournament_id=ended.pk, kind=DeedKind.PLAYER_ERASED, actor=COMMAND)
    assert bundles.bundles() == 1


def test_a_bundle_that_cannot_be_written_harms_nothing(hall: Any, settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    settings.BUNDLES_DIR = tmp_path / "file"
    assert bundles.write_bundles() == 0


def test_tables_for_spreadsheets_hold_no_formula_and_no_draft(hall: Any, signed_in: Any, client: Any) -> None:
    viewer = signed_in(person("viewer", "viewer", hall))
    hall.teams.filter(number=1).update(name='=HYPERLINK("http://x")')
    for what in ("pairings", "results", "standings"):
        text = client.get(f"/t/{hall.slug}/files/{what}.csv").content.decode("utf-8-sig")
        assert "'=HYPERLINK" in text
        assert viewer.get(f"/desk/{hall.slug}/files/{what}.csv").status_code == 200
    assert client.get(f"/t/{hall.slug}/files/deeds.csv").status_code == 404


@pytest.mark.parametrize(
    ("value", "cell"),
    [("=1+1", "'=1+1"), ("-2", "'-2"), (" @x", "' @x"), ("2–1", "2–1"), (-2, -2), (None, "")],
)
def test_a_cell_never_begins_a_formula(value: object, cell: str) -> None:
    assert safe_cell(value) == cell


def test_the_desk_gives_the_tournament_file_to_organizers_and_takes_it_back(
    hall: Any, signed_in: Any
) -> None:
    user = person("organizer", "organizer", hall)
    hall.store.keepers.add(user)
    organizer = signed_in(user)
    given = organizer.get(f"/desk/{hall.slug}/files/tournament.json")
    assert given.content.decode() == export_tournament(hall)
    golden = Path(__file__).parents[1] / "golden/events/melee_8_drop_makes_bye.json"
    for name, body in (("again.json", given.content), ("melee-8.json", golden.read_bytes())):
        answer = organizer.post(
            "/desk/import", {"store": hall.store_id, "file": SimpleUploadedFile(name, body)}
        )
        assert answer.status_code == 302
        assert organizer.get(answer["Location"]).status_code == 200
    broken = organizer.post(
        "/desk/import", {"store": hall.store_id, "file": SimpleUploadedFile("x.json", b"{}")}
    )
    assert broken.status_code == 409
    keeper = signed_in(person("scorer", "scorekeeper", hall))
    assert keeper.get(f"/desk/{hall.slug}/files/tournament.json").status_code == 403
    assert keeper.get("/desk/import").status_code == 403
