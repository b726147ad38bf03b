"""Reading files of records, one object or one a line, or a report (TRF), with clear words for what
cannot be read.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from scoring.errors import NotationError, sentence
from tournament.formats.trf_reading import read_trf

LONGEST = 8_000_000  # bytes of one record
DEEPEST = 20  # objects and lists in one another; a record has 6
TRF_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?(?:0[0-9]2|001|###|XX[A-Z]|1[0-9]2) ")  # a report (TRF)
BLANK = b"\xef\xbb\xbf \t\r\n"  # a byte order mark, and white space
type Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """One record of a file: the JSON value, or why there is none; `where` names file and line."""

    where: str
    value: Any = None
    error: NotationError | None = None


def records_in(path: Path, advance: Advance) -> Iterator[FileRecord]:
    """Every record of a file. `advance` is told how many bytes were read, piece by piece.

    A file that cannot be opened, is empty, or isn't UTF-8 or JSON gives a FileRecord with the error
    in its place.
    """
    try:
        with path.open("rb") as file:
            yield from _records(file, str(path), advance)
    except OSError as error:
        yield FileRecord(
            where=str(path),
            error=NotationError(
                sentence("%(path)s can't be read: %(strerror)s", path=path, strerror=error.strerror)
            ),
        )


def _records(file: BinaryIO, name: str, advance: Advance) -> Iterator[FileRecord]:
    lines = _lines(file, advance)
    first, number = _first_line(lines)
    if first is None:
        yield FileRecord(
            where=name,
            error=NotationError(
                "%(name)s is empty; a file holds one game, or one a line", name=name
            ),
        )
        return
    if TRF_BEGINS.match(first):
        text = first + file.read(LONGEST + 1)
        advance(len(text) - len(first))
        yield _report_record(text, name, number)
        return
    if _begins_object(first):
        block = first + file.read(LONGEST + 1 - len(first)) + file.readline(LONGEST)
        advance(len(block) - len(first))
        if not _has_a_record_a_line(block):
            yield _file_record(block, name)
            return
        lines = chain(BytesIO(block), lines)
    else:
        lines = chain([first], lines)
    for here, line in enumerate(lines, start=number):
        if line.strip():
            yield _file_record(line, f"{name}:{here}")


def _report_record(content: bytes, name: str, number: int) -> FileRecord:
    """The tournament of a report; lines are counted from the top of the file."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    try:
        return FileRecord(where=name, value=read_trf("\n" * (number - 1) + text))
    except NotationError as error:
        return FileRecord(where=name, error=error)


def _lines(file: BinaryIO, advance: Advance) -> Iterator[bytes]:
    """The lines of a file, each cut off when it is longer than a record can be."""
    while line := file.readline(LONGEST + 1):
        advance(len(line))
        yield line
        if len(line) > LONGEST:
            while line and not line.endswith(b"\n"):
                line = file.readline(LONGEST)
                advance(len(line))


def _first_line(lines: Iterator[bytes]) -> tuple[bytes | None, int]:
    """The first line that isn't blank, and its number."""
    return next(
        ((line, number) for number, line in enumerate(lines, start=1) if line.strip(BLANK)),
        (None, 0),
    )


def _begins_object(line: bytes) -> bool:
    """Whether this first line may be the beginning of an object that goes on over several lines."""
    if len(line) > LONGEST or not line.lstrip(BLANK).startswith(b"{"):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def _has_a_record_a_line(block: bytes) -> bool:
    """Whether one of these lines is a whole record, so that the first is a broken one and not a
    beginning.
    """
    return any(
        b'"format"' in line and _is_object(line) for line in BytesIO(block) if line.startswith(b"{")
    )


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _file_record(text: bytes, where: str) -> FileRecord:
    try:
        return FileRecord(where=where, value=read_json(text))
    except NotationError as error:
        return FileRecord(where=where, error=error)


def read_json(text: bytes) -> object:
    """The JSON value of a text in UTF-8. Raises NotationError for anything that is none, or has a
    key twice.
    """
    if len(text) > LONGEST:
        raise NotationError(
            "this is longer than %(longest)s million bytes; a record is one game, or there "
            "is one a line",
            longest=LONGEST // 1_000_000,
        )
    try:
        value = json.loads(
            text.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_constant
        )
    except UnicodeDecodeError as error:
        raise NotationError(
            "this isn't UTF-8: byte %(start)s can't be read", start=error.start + 1
        ) from None
    except json.JSONDecodeError as error:
        raise NotationError(
            "this isn't JSON: %(msg)s at line %(lineno)s, column %(colno)s",
            msg=error.msg,
            lineno=error.lineno,
            colno=error.colno,
        ) from None
    except RecursionError:
        raise NotationError("this is nested too deep to be a record") from None
    except ValueError as error:
        raise NotationError("this isn't JSON: %(error)s", error=error) from None
    _refuse_depth(value)
    return value


def _refuse_depth(value: object) -> None:
    """Raise NotationError for more than DEEPEST objects or lists in one another; a level at a time,
    without recursion.
    """
    level: list[object] = [value]
    for _depth in range(DEEPEST + 1):
        level = [part for each in level for part in _parts_of(each)]
        if not level:
            return
    raise NotationError("this is nested too deep to be a record")


def _parts_of(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read: dict[str, object] = {}
    for key, value in pairs:
        if key in read:
            raise NotationError("the key %(key)s stands twice in one object", key=repr(key[:40]))
        read[key] = value
    return read


def _constant(name: str) -> object:
    raise NotationError("%(name)s is no number in JSON", name=name)
