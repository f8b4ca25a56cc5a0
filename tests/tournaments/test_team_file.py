"""Lists of teams are read whatever program saved them."""

import io

import openpyxl
import pytest

from rulebook.errors import RuleBroken
from tournaments.team_file import MOST_BYTES, MOST_ROWS, guess_columns, read_table

NAMES = ["Ægir", "Øst", "Åse", "Jörg"]


@pytest.mark.parametrize("body", [pytest.param(b"name;club\r\nM\xfcller;X", id="case-110")])
def test_an_old_export_is_read_and_said_to_be(body: bytes) -> None:
    table = read_table(body)
    assert table.rows == ((2, ("Müller", "X")),)
    assert "file read as Windows-1252" in table.notice


@pytest.mark.parametrize(
    "encoding", [pytest.param(e, id=f"case-112-{e}") for e in ("utf-8", "utf-8-sig", "cp1252", "utf-16")]
)
@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_every_encoding_and_delimiter_gives_the_same_names(encoding: str, delimiter: str) -> None:
    text = "\n".join([f"name{delimiter}club", *(f'"{name}"{delimiter}"a,b;c"' for name in NAMES)])
    table = read_table(text.encode(encoding))
    assert [row[0] for _, row in table.rows] == NAMES
    assert table.head == ("name", "club")


def test_a_workbook_is_read_with_whole_numbers_as_they_look() -> None:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for line in (["Player A", "ID A"], ["佐藤 陽菜", 6054871.0], [None, None]):
        book.active.append(line)
    book.save(out)
    assert read_table(out.getvalue()).rows == ((2, ("佐藤 陽菜", "6054871")),)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "file-empty"),
        (b"name\n", "file-empty"),
        (b"PK\x03\x04broken", "file-broken"),
        (b"\xff\xfea\x00\x00\xd8", "file-broken"),
        pytest.param(b"x" * (MOST_BYTES + 1), "file-too-large", id="too-large"),
        (b"name\n" + b"a\n" * (MOST_ROWS + 1), "too-many-rows"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(body: bytes, code: str) -> None:
    with pytest.raises(RuleBroken) as error:
        read_table(body)
    assert error.value.code == code


def test_columns_are_guessed_by_their_names() -> None:
    head = [
        "Team",
        "Player A",
        "Spieler B",
        "Email A",
        "e-mail B",
        "ID 1",
        "id_b",
        "Club",
        "Seed",
        "Bye round",
    ]
    guessed = guess_columns(head, ("A", "B"))
    assert [
        guessed[field] for field in ("team", "name_A", "name_B", "email_A", "email_B", "id_A", "id_B")
    ] == [*range(7)]
    assert [guessed[field] for field in ("group", "seed", "bye")] == [7, 8, 9]
    assert guess_columns(["name", "club"], ("A",)) == {"name_A": 0, "group": 1}
