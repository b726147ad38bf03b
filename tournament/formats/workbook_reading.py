"""Reads the first sheet of a workbook and ends: a program of its own, so that a file made to do
harm can't fill the memory of who asks.

Reads the workbook (XLSX, XLS, ODS) from its input, writes `{"sheet": …, "others": …, "rows": …}` or
`{"problem": …}` as JSON to its output. Nothing of Accord is imported here.
"""

import contextlib
import datetime
import io
import json
import os
import resource
import sys
import zipfile

CPU_SECONDS = 10
MAX_MEMORY = 768 * 1024 * 1024  # bytes of addresses, the program itself among them
MAX_MEMBERS = 2_000  # files of the archive that a workbook is
MAX_UNPACKED = 60 * 1024 * 1024  # bytes
MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 5_000, 100, 100_000
MAX_LETTERS = 400  # of a cell
ZIP = b"PK\x03\x04"
WORKBOOKS = ("xl/workbook.xml", "xl/workbook.bin")
ODS = b"application/vnd.oasis.opendocument.spreadsheet"
TOO_LARGE, LOCKED, NO_WORKBOOK, UNREADABLE = "too_large", "locked", "no_workbook", "unreadable"


def main() -> None:
    """Read the workbook that comes in."""
    with contextlib.suppress(OSError, ValueError):  # not every system knows both
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)
    content = sys.stdin.buffer.read()
    problem = _problem_of_archive(content) if content.startswith(ZIP) else ""
    answer = {"problem": problem} if problem else _read_workbook(content)
    sys.stdout.buffer.write(json.dumps(answer).encode())


def _problem_of_archive(content: bytes) -> str:
    """Return the fault of an archive before anything is unpacked, "" for nothing."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > MAX_MEMBERS or sum(x.file_size for x in members) > MAX_UNPACKED:
                return TOO_LARGE
            names = {member.filename for member in members}
            if names.isdisjoint(WORKBOOKS) and not _is_ods(archive, names):
                return NO_WORKBOOK
            return TOO_LARGE if _is_larger_than_it_says(archive, members) else ""
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        return UNREADABLE
    except Exception as error:
        if type(error).__module__ == "zlib":
            return UNREADABLE
        raise


def _is_ods(archive: zipfile.ZipFile, names: set[str]) -> bool:
    if "mimetype" not in names or archive.getinfo("mimetype").file_size > 200:
        return False
    return archive.read("mimetype").strip() == ODS


def _is_larger_than_it_says(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> bool:
    left = MAX_UNPACKED
    for member in members:
        with archive.open(member) as file:
            while part := file.read(1024 * 1024):
                left -= len(part)
                if left < 0:
                    return True
    return False


def _read_workbook(content: bytes) -> dict[str, object]:
    import python_calamine

    try:
        with python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            return _first_sheet(book)
    except python_calamine.PasswordError:
        return {"problem": LOCKED}
    except (python_calamine.CalamineError, ValueError, OSError):
        return {"problem": UNREADABLE}


def _first_sheet(book: object) -> dict[str, object]:
    """The first sheet that can be seen and has a cell; `others` are the further ones of that
    kind.
    """
    import python_calamine

    assert isinstance(book, python_calamine.CalamineWorkbook)
    shown = [
        sheet.name
        for sheet in book.sheets_metadata
        if sheet.visible == python_calamine.SheetVisibleEnum.Visible
        and sheet.typ == python_calamine.SheetTypeEnum.WorkSheet
    ]
    rows: list[list[str]] = []
    for place, name in enumerate(shown):
        sheet = book.get_sheet_by_name(name)
        height, width = sheet.height, sheet.width
        if height > MAX_ROWS or width > MAX_COLUMNS or height * width > MAX_CELLS:
            return {"problem": TOO_LARGE, "sheet": name, "height": height, "width": width}
        rows = [[_text(cell) for cell in row] for row in sheet.iter_rows()]
        if any(any(row) for row in rows):
            return {"sheet": name, "others": shown[place + 1 :], "rows": rows}
    return {"sheet": "", "others": [], "rows": []}


def _text(cell: object) -> str:
    """A cell as somebody would type it, on one line."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        cell = cell.date()
    return " ".join(str(cell)[:MAX_LETTERS].split())


if __name__ == "__main__":
    main()
