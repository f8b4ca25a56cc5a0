"""Exported tables cannot run anything in a spreadsheet."""

import csv
import io

import pytest

from tournaments.exporting import csv_of, safe_cell


@pytest.mark.parametrize("typed", ["=1+1", "+49 30", "-2", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"])
def test_text_that_would_start_a_formula_is_text(typed: str) -> None:
    assert safe_cell(typed) == f"'{typed}"


@pytest.mark.parametrize("value", ["Anna Kim", "2-1", "O'Neil", "11111111+Nana", -3, 0.5, "藤原 さくら"])
def test_names_scores_and_numbers_are_left_alone(value: object) -> None:
    assert safe_cell(value) == value


def test_a_written_table_is_read_back_with_its_marks_and_commas() -> None:
    written = csv_of(["team", "points"], [["Kim, Anna", 3], ["=cmd|' /C calc'!A0", None]])
    assert written.startswith("\ufeff")
    assert list(csv.reader(io.StringIO(written.removeprefix("\ufeff")))) == [
        ["team", "points"],
        ["Kim, Anna", "3"],
        ["'=cmd|' /C calc'!A0", ""],
    ]
