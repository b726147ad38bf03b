"""Lists as files: what is in them tells what they are; what is no list is refused with words."""

import io
import struct
import subprocess
import zipfile
import zlib
from typing import Any

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import NotationError
from tournament.formats import list_files, workbook_reading
from tournament.formats.list_files import MAX_TEXT, MAX_WORKBOOK, check_text, read_list_file

LIST = "Zoë Ångström & Łukasz Żak; Core; 1510"


def workbook(*sheets: list[list[Any]], hidden: int = -1) -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        for number, rows in enumerate(sheets):
            sheet = book.add_worksheet(f"List {number + 1}")
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
            if number == hidden:
                sheet.hide()
            elif number == hidden + 1:
                sheet.activate()
                sheet.set_first_sheet()
    return out.getvalue()


def ods(*rows: tuple[str, ...]) -> bytes:
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p>'
            "</table:table-cell>"
            for cell in row
        )
        + "</table:table-row>"
        for row in rows
    )
    space = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{space}:office:1.0" '
        f'xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="Meldungen">{cells}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return archive(
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest/>"),
        ("content.xml", content),
    )


def archive(*members: tuple[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members:
            packed.writestr(name, content)
    return out.getvalue()


def xls(*cells: tuple[int, int, str]) -> bytes:
    """A workbook of 1997 as small as it can be: BIFF8 in a compound file."""

    def record(kind: int, body: bytes) -> bytes:
        return struct.pack("<HH", kind, len(body)) + body

    def begins(kind: int) -> bytes:
        return record(0x809, struct.pack("<HHHHII", 0x600, kind, 0x0DBB, 1997, 0, 6))

    def label(row: int, column: int, text: str) -> bytes:
        body = struct.pack("<HHHHB", row, column, 0, len(text), 1) + text.encode("utf-16-le")
        return record(0x204, body)

    end = record(0x0A, b"")
    name = b"\x06\x00Liste1"
    head = begins(5) + record(0x42, struct.pack("<H", 1200))
    size = len(head) + 4 + 6 + len(name) + len(end)
    book = head + record(0x85, struct.pack("<IBB", size, 0, 0) + name) + end
    book += begins(0x10) + b"".join(label(*cell) for cell in cells) + end
    book = book.ljust(4096, b"\x00")
    sectors = len(book) // 512
    fat = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, 2 + sectors), 0xFFFFFFFE]
    fat += [0xFFFFFFFF] * (128 - len(fat))

    def entry(name: str, kind: int, child: int, start: int, length: int) -> bytes:
        told = name.encode("utf-16-le") + b"\x00\x00"
        return (
            told.ljust(64, b"\x00")
            + struct.pack("<HBBIII", len(told), kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
            + b"\x00" * 36
            + struct.pack("<IQ", start, length)
        )

    folder = entry("Root Entry", 5, 1, 0xFFFFFFFE, 0)
    folder += entry("Workbook", 2, 0xFFFFFFFF, 2, len(book)) + 2 * (b"\x00" * 128)
    header = struct.pack(
        "<8s16sHHHHH6sIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"",
        0x3E,
        3,
        0xFFFE,
        9,
        6,
        b"",
        0,
        1,
        1,
        0,
        4096,
        0xFFFFFFFE,
        0,
        0xFFFFFFFE,
        0,
        0,
    )
    header += struct.pack("<I", 0xFFFFFFFF) * 108
    return header + struct.pack("<128I", *fat) + folder + book


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_text_is_read_by_its_mark(encoding: str) -> None:
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""

    assert read_list_file((mark + LIST).encode(encoding)).text.lstrip("\ufeff") == LIST


def test_text_of_older_spreadsheets_is_read() -> None:
    assert read_list_file("Zoë Ångström & René".encode("cp1252")).text == "Zoë Ångström & René"


PNG = b"\x89PNG\r\n\x1a\n" + zlib.compress(bytes(range(256)) * 9)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04" + bytes(range(256)) + b"Ann & Bob\n", "can't be read; save the list as CSV"),
        (archive(("word/document.xml", "<w/>")), "is a text document or an archive, not a list"),
        (b"%PDF-1.7\nAnn & Bob\n", "is a PDF, not a list"),
        (PNG, "is a picture, not a list"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "is a picture, not a list"),
        (b"GIF89a Ann & Bob", "is a picture, not a list"),
        (b"\x1f\x8b\x08Ann & Bob", "is a packed file, not a list"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 2000, "can't be read; save the list"),
        (b"{\\rtf1\\ansi Ann & Bob}", "is a text document (RTF), not a list"),
        (b"<html><td>Ann & Bob</td></html>", "is a web page or XML, not a list"),
        (b'\xef\xbb\xbf <?xml version="1.0"?>', "is a web page or XML, not a list"),
        (b'{"format": "salon-tournament/1"}', "is JSON, not a list"),
        (b"Ann\x00 & Bob\n", "isn't text"),
        (b"Ann & Bob\x07\n", "isn't text"),
        (LIST.encode("utf-16-le"), "isn't text"),
        (b"Ann \x81\x8d & Bob\n", "isn't text"),
        ("Ann \x9f & Bob\n".encode(), "isn't text"),
        (b"\xff\xfeAnn", "isn't text"),
        (b"x" * (MAX_TEXT + 1), "a list has 500 kB at most"),
        (b"PK\x03\x04" + b"x" * MAX_WORKBOOK, "a workbook has 2000 kB at most"),
    ],
)
def test_what_is_no_list_is_refused_with_words(content: bytes, words: str) -> None:
    with pytest.raises(NotationError) as refusal:
        read_list_file(content)

    assert words in str(refusal.value)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_text_that_shows_or_a_refusal(content: bytes) -> None:
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return
    try:
        text = read_list_file(content).text
    except NotationError:
        return
    assert text == check_text(text)


def test_pasted_text_is_no_list_either_where_it_holds_what_nobody_types() -> None:
    with pytest.raises(NotationError, match="isn't text"):
        check_text("Ann & Bob\nPK\x03\x04")


def test_a_workbook_is_read_as_somebody_would_type_it() -> None:
    content = workbook(
        [
            ["Name", "", "Elo", "Club"],
            ["Zoë\nÅngström", None, 1510.0, "A; B"],
            ["Kit", None, "", 7.5],
        ]
    )

    listed = read_list_file(content)

    assert listed.text == 'Name;Elo;Club\nZoë Ångström;1510;"A; B"\nKit;;7.5\n'
    assert (listed.sheet, listed.others) == ("List 1", ())


def test_of_a_workbook_the_first_sheet_that_shows_something_is_read() -> None:
    listed = read_list_file(workbook([["Secret", "x"]], [], [["Ann & Bob"]], [["Old"]], hidden=0))

    assert (listed.text, listed.sheet, listed.others) == ("Ann & Bob", "List 3", ("List 4",))


def test_workbooks_of_other_programs_are_read() -> None:
    assert read_list_file(ods(("Zoë", "Łukasz"), ("Ann", "Bob"))).text == "Zoë;Łukasz\nAnn;Bob\n"
    listed = read_list_file(xls((0, 0, "Zoë"), (0, 1, "Łukasz"), (1, 0, "Ann"), (1, 1, "Bob")))
    assert (listed.text, listed.sheet) == ("Zoë;Łukasz\nAnn;Bob\n", "Liste1")


@pytest.mark.parametrize(
    "content",
    [
        workbook([["x"] * (workbook_reading.MAX_COLUMNS + 1)]),
        workbook([["x"]] * (workbook_reading.MAX_ROWS + 1)),
        archive(*((f"xl/{number}.xml", "") for number in range(workbook_reading.MAX_MEMBERS + 1))),
        archive(("xl/workbook.xml", b"\x00" * (workbook_reading.MAX_UNPACKED + 1))),
    ],
    ids=["columns", "rows", "members", "bomb"],
)
def test_a_workbook_too_large_is_refused_before_it_is_worked_on(content: bytes) -> None:
    with pytest.raises(NotationError, match="this workbook is too large"):
        read_list_file(content)


def test_an_archive_that_is_larger_than_it_says_is_refused() -> None:
    content = bytearray(archive(("xl/workbook.xml", b"\x00" * (workbook_reading.MAX_UNPACKED + 1))))
    size = struct.pack("<I", workbook_reading.MAX_UNPACKED + 1)
    content = content.replace(size, struct.pack("<I", 9))

    with pytest.raises(NotationError):
        read_list_file(bytes(content))


def test_two_cells_far_apart_do_no_harm() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "Ann")
        sheet.write(1_048_575, 16_383, "Bob")

    with pytest.raises(NotationError, match="this workbook is too large"):
        read_list_file(out.getvalue())


def test_a_reader_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_files, "SECONDS_TO_READ", 0.001)

    with pytest.raises(NotationError, match="this workbook is too large"):
        read_list_file(workbook([["Ann"]]))


def test_the_reader_of_workbooks_knows_nothing_of_accord() -> None:
    done = subprocess.run(
        [
            "grep",
            "-nE",
            "^(from|import) (tournament|scoring|ledger|django)",
            workbook_reading.__file__,
        ],
        capture_output=True,
        check=False,
    )

    assert done.stdout == b""
