"""Tables for spreadsheets: CSV whose cells no spreadsheet runs as a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(value: object) -> str:
    """The value as text that no spreadsheet takes for a formula: such a text begins with an apostrophe."""
    text = "" if value is None else str(value)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return f"'{text}" if not is_number and text.lstrip(" ").startswith(STARTS_A_FORMULA) else text


def csv_of(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table as CSV with a byte order mark, by which spreadsheets know that it is UTF-8."""
    told = io.StringIO()
    writer = csv.writer(told)
    writer.writerow(header)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return "\ufeff" + told.getvalue()
