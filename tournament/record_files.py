"""Reading files of records, one object or one a line, with clear words for what cannot be read."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from scoring.errors import NotationError

LONGEST = 8_000_000  # bytes of one record
type Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One record of a file: the JSON value, or why there is none; `where` names file and line."""

    where: str
    value: Any = None
    error: NotationError | None = None


def records_in(path: Path, advance: Advance) -> Iterator[Found]:
    """Every record of a file. `advance` is told how many bytes were read, piece by piece.

    A file that cannot be opened, is empty, or isn't UTF-8 or JSON gives a Found with the error in its place.
    """
    try:
        with path.open("rb") as file:
            yield from _records(file, str(path), advance)
    except OSError as error:
        yield Found(where=str(path), error=NotationError(f"{path} can't be read: {error.strerror}"))


def _records(file: BinaryIO, name: str, advance: Advance) -> Iterator[Found]:
    empty = True
    for number, line in enumerate(_lines(file), start=1):
        advance(len(line))
        if not line.strip():
            continue
        if empty and _begins_object(line):
            yield _one_object(line, file, name, advance)
            return
        empty = False
        yield _found(line, f"{name}:{number}")
    if empty:
        yield Found(where=name, error=NotationError(f"{name} is empty; a file holds one game, or one a line"))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST + 1):
        yield line
        if len(line) > LONGEST:
            while line and not line.endswith(b"\n"):
                line = file.readline(LONGEST)


def _begins_object(line: bytes) -> bool:
    """Whether this first line is the beginning of an object that goes on over several lines."""
    if len(line) > LONGEST or not line.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return not line.rstrip().endswith(b"}")
    return False


def _one_object(line: bytes, file: BinaryIO, name: str, advance: Advance) -> Found:
    rest = file.read(LONGEST + 1 - len(line))
    advance(len(rest))
    return _found(line + rest, name)


def _found(text: bytes, where: str) -> Found:
    try:
        return Found(where=where, value=read_json(text))
    except NotationError as error:
        return Found(where=where, error=error)


def read_json(text: bytes) -> Any:
    """The JSON value of a text in UTF-8. Raises NotationError for anything that is none, or has a key twice."""
    if len(text) > LONGEST:
        raise NotationError(f"this is longer than {LONGEST // 1_000_000} million bytes; a record is one game, or there is one a line")
    try:
        return json.loads(text.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise NotationError(f"this isn't UTF-8: byte {error.start + 1} can't be read") from None
    except json.JSONDecodeError as error:
        raise NotationError(f"this isn't JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise NotationError("this is nested too deep to be a record") from None
    except ValueError as error:
        raise NotationError(f"this isn't JSON: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotationError(f"the key {twice[:40]!r} stands twice in one object")
    return read


def _constant(name: str) -> Any:
    raise NotationError(f"{name} is no number in JSON")
