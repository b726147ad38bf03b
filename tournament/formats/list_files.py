"""A list of people as a file: text in the encodings of spreadsheets, or a workbook. Which of them
it is the bytes decide, never a name; what is neither is refused with words.
"""

import codecs
import csv
import io
import json
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.errors import NotationError
from tournament.formats import workbook_reading
from tournament.formats.trf_reading import is_trf, list_of_players
from tournament.formats.workbook_reading import LOCKED, NO_WORKBOOK, TOO_LARGE

MAX_TEXT = 500_000  # bytes of a text
MAX_WORKBOOK = 2_000_000  # bytes of a workbook, which has much beside its cells
SECONDS_TO_READ = 20
ZIP, OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
# The longer marks first: that of UTF-32 begins as one of UTF-16 does.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
KINDS = (
    (b"%PDF", "a PDF"),
    (b"%!PS", "a PostScript file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture or a sound"),
    (b"BM", "a picture"),
    (b"II*\x00", "a picture"),
    (b"MM\x00*", "a picture"),
    (b"PK", "a ZIP archive"),
    (b"\x1f\x8b", "a packed file"),
    (b"7z\xbc\xaf", "a packed file"),
    (b"Rar!", "a packed file"),
    (b"SQLite format 3", "a database"),
)
# They are text, yet nobody's list.
WRITTEN_KINDS = (
    ("{\\rtf", "a text document (RTF)"),
    ("%PDF", "a PDF"),
    ("%!PS", "a PostScript file"),
    ("<", "a web page or XML"),
    ("{", "JSON"),
    ("[{", "JSON"),
    ("BEGIN:VCARD", "an address book"),
    ("BEGIN:VCALENDAR", "a calendar"),
    ("-----BEGIN ", "a key or a certificate"),
)
PLAIN_CONTROLS = frozenset("\t\n\r\x0b\x0c\x85\u2028\u2029")
UNSEEN = frozenset({"Cc", "Cs", "Co", "Cn"})
_reading = threading.BoundedSemaphore(1)  # one workbook at a time in each process


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFile:
    """A list as text. Of a workbook `sheet` is the one that was read, `others` were not."""

    text: str
    sheet: str = ""
    others: tuple[str, ...] = ()


def read_list_file(content: bytes) -> ListFile:
    """The list in a file. Raises NotationError `file` for what isn't one, or is too large."""
    if content.startswith((ZIP, OLD_OFFICE)):
        return _list_of_workbook(content)
    if len(content) > MAX_TEXT:
        raise NotationError("a list has %(most)s kB at most", path="file", most=MAX_TEXT // 1000)
    return ListFile(text=check_text(_decode_text(content)))


def check_text(text: str) -> str:
    """A list that was typed, pasted or sent as text, if it is one; of a TRF its players as a list.

    Raises NotationError `file`.
    """
    if len(text) > MAX_TEXT:
        raise NotationError("a list has %(most)s kB at most", path="file", most=MAX_TEXT // 1000)
    start = text[:200].lstrip("\ufeff \t\r\n")
    for mark, kind in WRITTEN_KINDS:
        if start.startswith(mark):
            raise _not_a_list(kind)
    if not text.isprintable() and any(map(_is_unseen, set(text))):
        raise _not_text()
    return list_of_players(text) if is_trf(text) else text


def _is_unseen(letter: str) -> bool:
    return letter not in PLAIN_CONTROLS and unicodedata.category(letter) in UNSEEN


def _decode_text(content: bytes) -> str:
    """Text by its mark, else UTF-8, else what older spreadsheets of the West write."""
    encoding = next((name for mark, name in MARKS if content.startswith(mark)), "")
    for start, kind in () if encoding else KINDS:
        if content.startswith(start) and (start != b"BM" or b"\x00" in content[:64]):
            raise _not_a_list(kind)
    for each in (encoding,) if encoding else ("utf-8", "cp1252"):
        try:
            return content.decode(each)
        except UnicodeDecodeError:
            continue
    raise _not_text()


def _list_of_workbook(content: bytes) -> ListFile:
    if len(content) > MAX_WORKBOOK:
        raise NotationError(
            "a workbook has %(most)s kB at most; save the list as CSV",
            path="file",
            most=MAX_WORKBOOK // 1000,
        )
    answer = _read_apart(content)
    problem = answer.get("problem")
    if problem == NO_WORKBOOK:
        raise _not_a_list("a text document or an archive")
    if problem == LOCKED:
        raise NotationError(
            "this workbook is locked with a password; save the list as CSV", path="file"
        )
    if problem == TOO_LARGE:
        raise NotationError(
            "this workbook is too large: a list has %(rows)s rows and %(columns)s columns at most; "
            "save the list alone as CSV",
            path="file",
            rows=workbook_reading.MAX_ROWS,
            columns=workbook_reading.MAX_COLUMNS,
        )
    if problem:
        raise NotationError("this workbook can't be read; save the list as CSV", path="file")
    sheet, others, rows = answer["sheet"], answer["others"], answer["rows"]
    assert isinstance(sheet, str)
    assert isinstance(others, list)
    assert isinstance(rows, list)
    return ListFile(text=check_text(_as_lines(rows)), sheet=sheet, others=tuple(others))


def _read_apart(content: bytes) -> dict[str, object]:
    """Return the answer of the program that reads workbooks for this one."""
    try:
        with _reading:
            done = subprocess.run(  # noqa: S603 - our own program
                [sys.executable, "-I", str(Path(workbook_reading.__file__))],
                input=content,
                capture_output=True,
                timeout=SECONDS_TO_READ,
                check=True,
            )
    except (subprocess.SubprocessError, OSError):
        return {"problem": TOO_LARGE}
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def _as_lines(rows: Sequence[Sequence[str]]) -> str:
    """The rows as text: columns without a cell left out, the others between semicolons."""
    width = max((len(row) for row in rows), default=0)
    used = [place for place in range(width) if any(row[place : place + 1] != [""] for row in rows)]
    if len(used) < 2:
        return "\n".join("".join(row) for row in rows)
    out = io.StringIO(newline="")
    write = csv.writer(out, delimiter=";", lineterminator="\n")
    write.writerows([row[place] if place < len(row) else "" for place in used] for row in rows)
    return out.getvalue()


def _not_a_list(kind: str) -> NotationError:
    return NotationError(
        "this file is %(kind)s, not a list; save the list as CSV and choose that file",
        path="file",
        kind=kind,
    )


def _not_text() -> NotationError:
    return NotationError(
        "this file isn't text; save the list as CSV and choose that file", path="file"
    )
