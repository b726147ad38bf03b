"""A sheet as a file that other programs open: CSV, a workbook, or JSON. Text that begins like a
formula stays text.
"""

import csv
import io
import json
import re
from typing import TYPE_CHECKING

from tournament.formats.sheets import Cell, Sheet

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
MARK = "\ufeff"  # without it spreadsheet programs read UTF-8 as something else
# Excel counts UTF-16 units: an emoji is two.
LONGEST_SHEET_NAME, LONGEST_CELL = 31, 32_767
NOT_IN_A_NAME = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
RESERVED_NAME = "history"
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WIDEST = 48  # characters of a column


def as_csv(sheet: Sheet, *, semicolons: bool = False) -> bytes:
    """The sheet as RFC 4180 in UTF-8, or with `semicolons` between cells and a comma in numbers,
    which is what spreadsheets of many countries open. A text that a spreadsheet would take for a
    formula has an apostrophe before it.
    """
    out = io.StringIO(newline="")
    write = csv.writer(out, delimiter=";" if semicolons else ",")
    write.writerow([_plain(heading) for heading in sheet.headings])
    write.writerows([_plain(cell, semicolons) for cell in row] for row in sheet.rows)
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
    page = book.add_worksheet(_sheet_name(sheet.title))
    bold = book.add_format({"bold": True})
    for column, heading in enumerate(sheet.headings):
        page.write_string(0, column, _cut_text(heading, LONGEST_CELL), bold)
        longest = max(len(str(row[column] or "")) for row in (*sheet.rows, sheet.headings))
        page.set_column(column, column, min(longest + 2, WIDEST))
    for line, row in enumerate(sheet.rows, start=1):
        for column, cell in enumerate(row):
            _write(page, line, column, cell)
    page.freeze_panes(1, 0)
    book.close()
    return out.getvalue()


def _sheet_name(title: str) -> str:
    """The title as Excel allows a page to be called."""
    name = _cut_text(title.translate(NOT_IN_A_NAME), LONGEST_SHEET_NAME).strip()
    return name if name and name.casefold() != RESERVED_NAME else "Accord"


def _cut_text(text: str, units: int) -> str:
    """The text without what XML can't hold, cut to so many UTF-16 units; half a letter is none."""
    plain = NO_XML.sub("", text)
    return plain.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore")


def _write(page: "Worksheet", line: int, column: int, cell: Cell) -> None:
    if isinstance(cell, str):
        page.write_string(line, column, _cut_text(cell, LONGEST_CELL))
    elif cell is not None:
        page.write_number(line, column, cell)


def _plain(cell: Cell, has_comma: bool = False) -> Cell:
    if has_comma and isinstance(cell, float):
        return str(cell).replace(".", ",")
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_BEGINS) else cell
