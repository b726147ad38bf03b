"""Verify a log: read every row back and say where it is not as it was recorded."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ledger import chain
from ledger.batch import EVENT_COLUMNS, Head
from ledger.canonical import are_canonical, encode_independently, fault_of
from ledger.chain import Posted, Stored
from ledger.drafts import CHIPS_MOVED
from ledger.findings import COMMAND, EVENT, LOG, TRANSFER, Finding
from ledger.reading import fetch_all, head_of
from ledger.verify_chips import MovedRow, account_findings, fetch_transfers, transfer_findings

PAGE = 2000
BODY = Stored._fields.index("body")
TYPES = (int, int, str, int, str, int, int, int, str, str, str, str, str)

_LOWEST = -(2**63)
_EVENTS = (
    f"SELECT {EVENT_COLUMNS} FROM ledger_event WHERE log_id = %s AND position > %s "  # noqa: S608
    f"AND position <= %s ORDER BY position LIMIT %s"
)
_COMMANDS = """
SELECT key, actor, digest, first_position, last_position, recorded_at FROM ledger_command
 WHERE log_id = %s AND first_position > %s AND first_position <= %s ORDER BY first_position"""
# One statement, so that an append that happens meanwhile is seen whole or not at all.
_BEYOND = """
SELECT 'ledger_event', e.position FROM ledger_log l JOIN ledger_event e ON e.log_id = l.id
  AND e.position > l.position WHERE l.id = %s
UNION ALL
SELECT 'ledger_command', c.first_position FROM ledger_log l
  JOIN ledger_command c ON c.log_id = l.id AND c.first_position > l.position WHERE l.id = %s
UNION ALL
SELECT 'ledger_transfer', t.position FROM ledger_log l JOIN ledger_transfer t
  ON t.log_id = l.id AND t.position > l.position WHERE l.id = %s
ORDER BY 1, 2 LIMIT 100"""


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command as it is stored."""

    key: str
    actor: str
    digest: str
    first: int
    last: int
    recorded_at: int


@dataclass(slots=True)
class Walk:
    """Progress of the verification, and what the next event has to follow."""

    head: Head
    full: bool
    position: int
    hash: str
    recorded_at: int = 0
    command: CommandRow | None = None
    versions: dict[str, int] = field(default_factory=dict)


def verify_log(
    log: int,
    *,
    full: bool = True,
    known: Mapping[int, str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Finding]:
    """Every way in which the rows of `log` are not as they were recorded, as far as its head when
    this began.

    The full pass encodes metadata anew with an encoder the store never uses and asks whether each
    body is canonical; the other pass trusts the store's encoder. `known` has hashes noted
    elsewhere, by position: without one, a log rewritten as a whole by someone who also moved its
    head looks right. `progress` is told events done and in all.
    """
    head = head_of(log)
    walk = Walk(head, full, 0, chain.genesis(head.key, head.command_key))
    after = _LOWEST
    while page := fetch_all(_EVENTS, [log, after, head.position, PAGE]):
        last = int(page[-1][1])
        yield from _page_findings(walk, page, after, last, known or {})
        after = last
        progress(walk.position, head.position)
    yield from _end_findings(walk)
    yield from account_findings(log)


def _page_findings(
    walk: Walk, page: list[tuple[Any, ...]], after: int, last: int, known: Mapping[int, str]
) -> Iterator[Finding]:
    log = walk.head.log
    commands = {row[3]: CommandRow(*row) for row in fetch_all(_COMMANDS, [log, after, last])}
    moved = fetch_transfers(log, after, last)
    canonical = not walk.full or _all_canonical(page)
    for row in page:
        event = Stored._make(row)
        if not _follows(walk, event):
            yield from _place_findings(walk, event)
        if not _goes_on(walk, event, starting := commands.pop(event.position, None)):
            yield from _command_findings(walk, event, starting)
        transfer = moved.pop(event.position, None)
        if tuple(map(type, row)) == TYPES:
            yield from _content_findings(walk, event, transfer, canonical)
            if transfer or event.type == CHIPS_MOVED:
                yield from transfer_findings(event, transfer)
        else:
            yield _wrong_type(row)
        if known.get(event.position, event.hash) != event.hash:
            yield _event(event, "known", "is not the hash that was noted for it", "hash")
        walk.position, walk.hash, walk.recorded_at = event.position, event.hash, event.recorded_at
        walk.versions[event.stream] = event.version
    for stray in commands.values():
        yield _command(stray, None, f"starts at {stray.first}, where no event is")
    for position in moved:
        message = f"The transfer at {position} has no chip event."
        yield Finding("transfer", TRANSFER, position, message)


def _follows(walk: Walk, event: Stored) -> bool:
    """Whether `_place_findings` has nothing to say, which is so of nearly every event."""
    return (
        event.position == walk.position + 1
        and event.prev_hash == walk.hash
        and event.version == walk.versions.get(event.stream, 0) + 1
        and type(event.recorded_at) is int
        and event.recorded_at >= walk.recorded_at
    )


def _goes_on(walk: Walk, event: Stored, starting: CommandRow | None) -> bool:
    """Whether `_command_findings` has nothing to say; the event's command is then the walk's."""
    running = walk.command if walk.command and walk.command.last >= event.position else None
    command = starting or running
    if command is None or (starting and running):
        return False
    if (command.key, command.actor, command.recorded_at) != (
        event.command,
        event.actor,
        event.recorded_at,
    ):
        return False
    walk.command = command
    return True


def _place_findings(walk: Walk, event: Stored) -> Iterator[Finding]:
    """Does the event follow the one before it in the log and in its stream?"""
    if event.position != walk.position + 1:
        message = f"After event {walk.position} comes event {event.position}."
        yield Finding("gap", EVENT, walk.position + 1, message)
    elif event.prev_hash != walk.hash:
        before = f"event {walk.position}" if walk.position else f"the keys of log {walk.head.log}"
        yield _event(event, "link", f"does not follow {before}", "prev_hash")
        if not walk.position:
            message = "The keys of the log are not those its first event follows."
            yield Finding("link", LOG, walk.head.log, message)
    expected = walk.versions.get(event.stream, 0) + 1
    if event.version != expected:
        what = f"is version {event.version} of its stream, where version {expected} comes next"
        yield _event(event, "order", what, "version")
    if type(event.recorded_at) is int and event.recorded_at < walk.recorded_at:
        yield _event(event, "order", "was recorded before the event it follows", "recorded_at")


def _command_findings(walk: Walk, event: Stored, starting: CommandRow | None) -> Iterator[Finding]:
    """Does exactly one command cover the event, and does it say the same of it?"""
    running = walk.command if walk.command and walk.command.last >= event.position else None
    if starting and running:
        what = f"reaches to {running.last}, but command {starting.key} starts at {starting.first}"
        yield _command(running, "last_position", what)
    walk.command = starting or running
    if walk.command is None:
        message = (
            f"No command row covers event {event.position}; it was written by command "
            f"{event.command}."
        )
        yield Finding("command", COMMAND, event.command, message)
        return
    for column, of_command, of_event in (
        ("key", walk.command.key, event.command),
        ("actor", walk.command.actor, event.actor),
        ("recorded_at", walk.command.recorded_at, event.recorded_at),
    ):
        if of_command != of_event:
            what = f"has {column} {of_command}, but its event {event.position} has {of_event}"
            yield _command(walk.command, column, what)


def _all_canonical(page: list[tuple[Any, ...]]) -> bool:
    """Whether `fault_of` has nothing to say of any body of a page, which is so of nearly every
    page.
    """
    bodies = [row[BODY] for row in page]
    return all(type(body) is str for body in bodies) and are_canonical(bodies)


def _content_findings(
    walk: Walk, event: Stored, transfer: MovedRow | None, canonical: bool
) -> Iterator[Finding]:
    """Is the hash that of what is stored, and is the body canonical, where that is not known?"""
    if walk.command is None:
        return
    posted = transfer.posted if transfer else None
    if _hash_of(walk, event, walk.command.digest, posted) != event.hash:
        covered = f"its row, the digest of ledger_command {walk.command.key}"
        if transfer:
            covered += (
                f", ledger_transfer {event.position} or the owner in ledger_account "
                f"{transfer.source} or {transfer.target}"
            )
        what = f"does not have the hash of what is stored: {covered} was changed"
        yield _event(event, "hash", what)
    if not canonical and (fault := fault_of(event.body)):
        yield _event(event, "canonical", f"has a body that is not canonical JSON: {fault}", "body")


def _hash_of(walk: Walk, event: Stored, digest: str, posted: Posted | None) -> str | None:
    try:
        if walk.full:
            return chain.leaf_hash(
                encode_independently(event, log_key=walk.head.key, digest=digest, posted=posted)
            )
        return chain.leaf_hash(
            chain.encode(chain.metadata(event, log_key=walk.head.key, digest=digest, posted=posted))
        )
    except (ValueError, TypeError):
        return None


def _end_findings(walk: Walk) -> Iterator[Finding]:
    head = walk.head
    if walk.position < head.position:
        first = walk.position + 1
        yield Finding("gap", EVENT, first, f"Events {first} to {head.position} are missing.")
    if walk.command and walk.command.last > walk.position:
        what = f"reaches to {walk.command.last}, beyond the last event {walk.position}"
        yield _command(walk.command, "last_position", what)
    for column, of_head, of_event in (
        ("position", head.position, walk.position),
        ("hash", head.hash, walk.hash),
        ("recorded_at", head.recorded_at, walk.recorded_at),
    ):
        if of_head != of_event:
            message = (
                f"The head of log {head.log} has {column} {of_head}; its last event has {of_event}."
            )
            yield Finding("head", LOG, head.log, message, column)
    for table, position in fetch_all(_BEYOND, [head.log, head.log, head.log]):
        message = f"A row of {table} at {position} is beyond the head of its log."
        yield Finding("head", table, position, message)


def _event(event: Stored, kind: str, what: str, column: str | None = None) -> Finding:
    return Finding(kind, EVENT, event.position, f"Event {event.position} {what}.", column)


def _command(command: CommandRow, column: str | None, what: str) -> Finding:
    return Finding("command", COMMAND, command.key, f"Command {command.key} {what}.", column)


def _wrong_type(row: tuple[Any, ...]) -> Finding:
    columns = [
        name
        for name, value, kind in zip(Stored._fields, row, TYPES, strict=True)
        if type(value) is not kind
    ]
    message = (
        f"Event {row[1]} has a value of another type than it was recorded with in "
        f"{', '.join(columns)}."
    )
    return Finding("type", EVENT, row[1], message, columns[0])
