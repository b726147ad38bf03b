"""Read an archive line by line; every line is checked before it is handed on, and the whole at its
end.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from ledger import chain, notes
from ledger.chain import Posted, Stored
from ledger.models import Log
from ledger.notes import BadNote
from ledger.restoring import Entry
from ledger.signing import origin_of
from tournament.exchange.salon_archive import file_format
from tournament.streams.codec import is_readable
from tournament.streams.texts import gives_digest

LONGEST = 16_000_000  # bytes of one line
ORDER = {kind: place for place, kind in enumerate(file_format.SHAPES)}
ONCE = ("salon", "successor", "end")


@dataclass(slots=True)
class _LinesRead:
    """State of the lines read so far."""

    salon: file_format.SalonLine
    number: int = 0
    kind: str = ""
    position: int = 0
    hash: str = ""
    vkey: str = ""
    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    of_kind: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    lines_of_kind: int = 0
    parts: list[file_format.Part] = field(default_factory=list)


def salon_of(file: BinaryIO) -> file_format.SalonLine:
    """The first line of an archive. Raises ArchiveRefused `not_an_archive`, `newer_format`."""
    first = file.readline(LONGEST)
    try:
        found = file_format.value_of(first)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, file_format.SalonLine) and found.format == file_format.FORMAT:
        return found
    if b'"format":"salon-archive/' in first and file_format.FORMAT.encode() + b'"' not in first:
        raise file_format.ArchiveRefused(
            "newer_format",
            f"the archive is not {file_format.FORMAT}, which this program reads: a newer one "
            f"wrote it",
        )
    raise file_format.ArchiveRefused(
        "not_an_archive", f"the file does not begin as {file_format.FORMAT} does", path="line 1"
    )


def lines_of(file: BinaryIO) -> Iterator[Any]:
    """The values of an archive's lines in order, its end apart.

    Raises ArchiveRefused at the first line that is not as it was written, and at the end where the
    whole is not.
    """
    read = _LinesRead(salon_of(file))
    read.hash = chain.genesis(read.salon.log, read.salon.command_key)
    file.seek(0)
    while line := file.readline(LONGEST):
        read.number += 1
        value = _value(read, line)
        if isinstance(value, file_format.EndLine):
            _check_end(read, value, file.read(1))
            return
        read.digest.update(line)
        read.of_kind.update(line)
        yield value
    raise _refused(read, "cut_short", "the file ends here, before the line that ends an archive")


def entry_of(line: file_format.EventLine) -> Entry:
    """The event of a line, in no log yet."""
    event = Stored(
        0,
        line.position,
        line.stream,
        line.version,
        line.type,
        line.schema,
        line.occurred_at,
        line.recorded_at,
        line.actor,
        line.command,
        line.body,
        line.prev,
        line.hash,
    )
    moved = line.transfer
    if moved is None:
        return Entry(event, line.command_digest, None)
    source = (moved.source, moved.source_owner, moved.source_overdraft)
    target = (moved.target, moved.target_owner, moved.target_overdraft)
    return Entry(event, line.command_digest, Posted(*source, *target, moved.chips, moved.reverses))


def _value(read: _LinesRead, line: bytes) -> object:
    try:
        value = file_format.value_of(line)
    except (ValueError, RecursionError) as error:
        raise _refused(
            read, "bad_line", f"the line is not as an archive has it: {error}"
        ) from error
    kind = file_format.KIND_OF[type(value)]
    if ORDER[kind] < ORDER.get(read.kind, 0) or (kind == read.kind and kind in ONCE):
        raise _refused(read, "bad_line", f"a line of {kind} can't stand after one of {read.kind}")
    if kind != read.kind:
        _end_part(read)
        read.kind = kind
    read.lines_of_kind += 1
    match value:
        case file_format.EventLine():
            _check_event(read, value)
        case file_format.TextLine() if not gives_digest(value.salt, value.text, value.digest):
            raise _refused(read, "altered", "the words and their salt don't give the digest")
        case file_format.KeyLine():
            read.vkey = value.vkey
    return value


def _check_event(read: _LinesRead, line: file_format.EventLine) -> None:
    """The event comes next, and its hash is that of what the line holds."""
    if (line.position, line.prev) != (read.position + 1, read.hash):
        raise _refused(
            read, "altered", f"event {line.position} does not follow event {read.position}"
        )
    entry = entry_of(line)
    if (
        chain.sealed(
            entry.event, log_key=read.salon.log, digest=entry.digest, posted=entry.posted
        ).hash
        != line.hash
    ):
        raise _refused(
            read, "altered", f"event {line.position} does not have the hash of what the line holds"
        )
    if not is_readable(line.type, line.schema):
        message = (
            f"event {line.position} is a {line.type} of schema {line.schema}, which only a "
            f"newer version of this program reads"
        )
        raise _refused(read, "newer_events", message)
    read.position, read.hash = line.position, line.hash


def _end_part(read: _LinesRead) -> None:
    if read.kind:
        read.parts.append(
            file_format.Part(
                kind=read.kind, lines=read.lines_of_kind, digest=read.of_kind.hexdigest()
            )
        )
    read.of_kind, read.lines_of_kind = hashlib.sha256(), 0


def _check_end(read: _LinesRead, end: file_format.EndLine, after: bytes) -> None:
    """The archive is whole, and signed by the last of its log's keys."""
    if after:
        raise _refused(read, "bad_line", "something stands after the line that ends an archive")
    said = {part.kind: part for part in end.parts}
    for part in read.parts:
        if said.get(part.kind) != part:
            raise _refused(
                read,
                "altered",
                f"the {part.lines} lines of kind {part.kind} are not those that were written",
                part.kind,
            )
    if (read.position, read.hash) != (read.salon.events, read.salon.hash):
        raise _refused(
            read,
            "cut_short",
            f"{read.position} events are there, and the first line says {read.salon.events}",
        )
    if end.parts != tuple(read.parts) or not _is_signed(read, end):
        raise _refused(
            read, "altered", "the signature at the end does not hold for the lines above"
        )


def _is_signed(read: _LinesRead, end: file_format.EndLine) -> bool:
    origin = origin_of(Log(key=read.salon.log))
    try:
        key, note = notes.read_vkey(read.vkey), notes.read_note(end.note)
    except BadNote:
        return False
    return (
        key.name == origin
        and note.text == file_format.build_signed_text(origin, read.digest.hexdigest())
        and notes.is_signed(note, key)
        and len(note.signatures) == 1  # nothing covers what another signature would say
    )


def _refused(
    read: _LinesRead, code: str, message: str, kind: str = ""
) -> file_format.ArchiveRefused:
    return file_format.ArchiveRefused(code, message, path=kind or f"line {read.number}")
