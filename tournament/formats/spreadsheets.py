"""A sheet as a file that other programs open: CSV, a workbook, or JSON. Text that begins like a
formula stays text.
"""

import csv
import io
import json
from typing import TYPE_CHECKING

from tournament.formats.sheets import Cell, Sheet

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
MARK = "\ufeff"  # without it spreadsheet programs read UTF-8 as something else
SHEET_NAME = 31  # characters a workbook allows
NOT_IN_A_NAME = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
WIDEST = 48  # characters of a column


def as_csv(sheet: Sheet) -> bytes:
    """The sheet as RFC 4180 in UTF-8. A text that a spreadsheet would take for a formula has an
    apostrophe before it.
    """
    out = io.StringIO(newline="")
    write = csv.writer(out)
    write.writerow(sheet.headings)
    write.writerows([_plain(cell) for cell in row] for row in sheet.rows)
    return (MARK + out.getvalue()).encode()


def as_json(sheet: Sheet) -> bytes:
    """The sheet as one object: its title, and every row by the keys of its columns."""
    return json.dumps(
        {"title": sheet.title, "rows": list(sheet.records())}, ensure_ascii=False, indent=1
    ).encode()


def as_workbook(sheet: Sheet) -> bytes:
    """The sheet as an XLSX workbook of one page, numbers as numbers and every text as text."""
    import xlsxwriter  # when a workbook is wanted: no command waits for it

    out = io.BytesIO()
    book = xlsxwriter.Workbook(
        out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    page = book.add_worksheet(sheet.title.translate(NOT_IN_A_NAME)[:SHEET_NAME].strip() or "Accord")
    bold = book.add_format({"bold": True})
    for column, heading in enumerate(sheet.headings):
        page.write_string(0, column, heading, bold)
        longest = max(len(str(row[column] or "")) for row in (*sheet.rows, sheet.headings))
        page.set_column(column, column, min(longest + 2, WIDEST))
    for line, row in enumerate(sheet.rows, start=1):
        for column, cell in enumerate(row):
            _write(page, line, column, cell)
    page.freeze_panes(1, 0)
    book.close()
    return out.getvalue()


def _write(page: "Worksheet", line: int, column: int, cell: Cell) -> None:
    if isinstance(cell, str):
        page.write_string(line, column, cell)
    elif cell is not None:
        page.write_number(line, column, cell)


def _plain(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_BEGINS) else cell
