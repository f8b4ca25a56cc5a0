"""Tables as files that a spreadsheet opens: no cell of them can become a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

import tablib

STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(value: object) -> object:
    """The value as a spreadsheet may have it: text that would start a formula has an apostrophe in front.

    Numbers stay numbers, None is empty, anything else is its text.
    """
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    text = str(value)
    if text.lstrip(" ").startswith(STARTS_A_FORMULA) or text.startswith(STARTS_A_FORMULA):
        return f"'{text}"
    return text


def csv_of(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table as CSV with commas, a byte order mark in front so that spreadsheets read it as UTF-8."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe_cell(cell) for cell in head])
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return "\ufeff" + out.getvalue()


def xlsx_of(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """The table as one sheet of a workbook; every text is a text cell."""
    sheet = tablib.Dataset(headers=[safe_cell(cell) for cell in head], title=title[:31])
    for row in rows:
        sheet.append([safe_cell(cell) for cell in row])
    return bytes(sheet.export("xlsx"))
