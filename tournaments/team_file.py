"""A list of teams as a store sends it: CSV of any usual encoding and delimiter, or a workbook."""

import csv
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import openpyxl

from rulebook.errors import RuleBroken
from teams.names import folded

MOST_BYTES, MOST_ROWS, MOST_COLUMNS, MOST_UNPACKED = 5_000_000, 10_000, 60, 100_000_000
DELIMITERS = {";": "semicolons", "\t": "tabs", ",": "commas"}
WORDS: Mapping[str, tuple[str, ...]] = {
    "team": ("team", "teamname", "mannschaft", "entry", "equipe", "equipo"),
    "group": ("group", "club", "gruppe", "verein", "family"),
    "seed": ("seed", "rank", "setzplatz"),
    "bye": ("bye", "byeround", "freilos"),
    "name": ("name", "player", "playername", "spieler", "fullname", "joueur", "jugador"),
    "id": ("id", "externalid", "playerid", "membership", "membershipnumber", "mitgliedsnummer"),
    "email": ("email", "mail", "emailaddress"),
    "display": ("displayname", "display", "publicname", "nickname"),
}


@dataclass(frozen=True, slots=True)
class Table:
    """The file's head, its rows with their line numbers, and how it was read."""

    head: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    notice: str


def refuse_large(size: int) -> None:
    """So many bytes are a list of teams; otherwise `RuleBroken("file-too-large")`."""
    if size > MOST_BYTES:
        raise RuleBroken(
            "file-too-large",
            f"The file is larger than {MOST_BYTES // 1_000_000} MB; send only the list of teams.",
        )


def read_table(body: bytes) -> Table:
    """The table in the file; `RuleBroken` says in a sentence why there is none."""
    refuse_large(len(body))
    if body[:4] == b"PK\x03\x04":
        lines, notice = _workbook(body), "file read as an XLSX workbook, first sheet"
    else:
        text, encoding = _decoded(body)
        delimiter = _delimiter(text)
        lines, notice = _lines(text, delimiter), f"file read as {encoding}, with {DELIMITERS[delimiter]}"
    filled = [(number, line) for number, line in lines if any(cell.strip() for cell in line)]
    if len(filled) < 2:
        raise RuleBroken("file-empty", "The file needs a line of column names and at least one team.")
    if len(filled) - 1 > MOST_ROWS:
        raise RuleBroken("too-many-rows", f"The file has more than {MOST_ROWS:,} rows; split it.")
    head = filled[0][1]
    if len(head) > MOST_COLUMNS:
        raise RuleBroken("too-many-columns", f"The file has more than {MOST_COLUMNS} columns.")
    rows = ((number, tuple((*line, *[""] * len(head))[: len(head)])) for number, line in filled[1:])
    return Table(tuple(head), tuple(rows), notice)


def fields_of(labels: Sequence[str]) -> dict[str, str]:
    """What a column can mean, with the words for it."""
    known = {"team": "Team name"} if len(labels) > 1 else {}
    for label in labels:
        of = f" of {label}" if len(labels) > 1 else ""
        known |= {f"name_{label}": f"Name{of}", f"id_{label}": f"Player id{of}"}
        known |= {f"email_{label}": f"E-mail{of}", f"display_{label}": f"Public name{of}"}
    return known | {"group": "Club or group", "seed": "Seed", "bye": "Bye in round"}


def guess_columns(head: Sequence[str], labels: Sequence[str]) -> dict[str, int]:
    """The column of each field as its name suggests; a field nobody names is left out."""
    guessed: dict[str, int] = {}
    for index, words in enumerate(head):
        field = _field(words, labels)
        if field and field not in guessed:
            guessed[field] = index
    return guessed


def _field(words: str, labels: Sequence[str]) -> str:
    tokens = re.findall(r"[^\W_]+", folded(words))
    label = next((one for one in labels if one.casefold() in tokens), "")
    for number, one in enumerate(labels, start=1):
        if not label and (str(number) in tokens or (tokens and tokens[-1].endswith(str(number)))):
            label = one
    bare = "".join(token for token in tokens if token != label.casefold()).rstrip("0123456789")
    bare = re.sub(r"^(player|spieler)(?=.)", "", bare) if bare not in ("playername", "playerid") else bare
    meaning = next((key for key, known in WORDS.items() if bare in known), "")
    if not meaning and not bare and label:
        meaning = "name"
    if meaning in ("team", "group", "seed", "bye"):
        return meaning
    if not meaning:
        return ""
    return f"{meaning}_{label or labels[0]}" if label or len(labels) == 1 else ""


def _decoded(body: bytes) -> tuple[str, str]:
    if body.startswith(b"\xef\xbb\xbf"):
        return _strict(body, "utf-8-sig"), "UTF-8"
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _strict(body, "utf-16"), "UTF-16"
    if b"\0" in body[:200]:
        return _strict(body, "utf-16-le" if body[1:2] == b"\0" else "utf-16-be"), "UTF-16"
    for encoding, name in (("utf-8", "UTF-8"), ("cp1252", "Windows-1252")):
        try:
            return body.decode(encoding), name
        except UnicodeDecodeError:
            continue
    return body.decode("latin-1"), "Latin-1"


def _strict(body: bytes, encoding: str) -> str:
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        raise RuleBroken(
            "file-broken", "The file's letters are broken; save it as CSV UTF-8 and try again."
        ) from error


def _delimiter(text: str) -> str:
    """The one that stands most often in the line of column names, outside of quotes."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", first)
    return max(DELIMITERS, key=bare.count)


def _lines(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return [(reader.line_num, line) for line in reader]
    except csv.Error as error:
        raise RuleBroken("file-broken", f"Line {reader.line_num} of the file cannot be read.") from error


def _workbook(body: bytes) -> list[tuple[int, list[str]]]:
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_UNPACKED:
                raise RuleBroken("file-too-large", "The workbook is too large; send only the list of teams.")
        sheet = openpyxl.load_workbook(io.BytesIO(body), read_only=True, data_only=True).worksheets[0]
        rows = sheet.iter_rows(values_only=True, max_row=MOST_ROWS + 50, max_col=MOST_COLUMNS + 1)
        lines = [(number, [_cell(value) for value in row]) for number, row in enumerate(rows, start=1)]
    except RuleBroken:
        raise
    except Exception as error:  # whatever the library says of a broken workbook
        raise RuleBroken("file-broken", "The workbook cannot be read; save it anew or as CSV.") from error
    width = max((index + 1 for _, line in lines for index, cell in enumerate(line) if cell), default=0)
    return [(number, line[:width]) for number, line in lines]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
