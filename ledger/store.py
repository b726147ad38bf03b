"""The one door through which facts and chips enter the ledger."""

import secrets
from collections.abc import Callable, Mapping, Sequence

from django.db import IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper

from ledger import chain, write_postgresql, write_sqlite
from ledger.batch import Batch, Head, Moved, Net, Taken
from ledger.chain import Posted, Stored
from ledger.drafts import (
    CHIPS_MOVED,
    AccountRef,
    Appended,
    Claim,
    CommandReused,
    Draft,
    Overdrawn,
    StreamMoved,
    TransferDraft,
)
from ledger.models import Log
from ledger.reading import head_of

__all__ = [
    "CHIPS_MOVED",
    "AccountRef",
    "Appended",
    "Claim",
    "CommandReused",
    "Draft",
    "Overdrawn",
    "Stored",
    "StreamMoved",
    "TransferDraft",
    "answer_to",
    "append",
    "open_log",
]


def open_log() -> Log:
    """A new empty log with keys of its own."""
    key, command_key = secrets.token_hex(16), secrets.token_hex(32)
    return Log.objects.create(key=key, command_key=command_key, hash=chain.genesis(key, command_key))


def append(
    log: int,
    claim: Claim,
    drafts: Sequence[Draft],
    *,
    expected: Mapping[str, int],
    now: int,
    project: Callable[[Sequence[Stored]], None] | None = None,
) -> Appended:
    """Store `drafts` as the next events of `log`, all or none, with their command, transfers and account counters.

    `expected` has the version of every stream written or relied on (0 = new); `now` is in microseconds UTC. The
    same command again gives its first answer with `repeated` and stores nothing. `project` sees the stored events
    in the same transaction. Overdraft is judged on the net of the whole append.

    Raises CommandReused, StreamMoved, Overdrawn, Log.DoesNotExist, ValueError for drafts that no log could hold,
    and IntegrityError for what the database itself refuses.
    """
    _refuse_malformed(claim, drafts, expected)
    writer = write_postgresql if connection.vendor == "postgresql" else write_sqlite
    with transaction.atomic(), connection.cursor() as cursor:
        head, taken, versions = writer.lock(cursor, log, claim.id, list(expected))
        if head is None:
            raise Log.DoesNotExist(f"there is no log {log}")
        digest = chain.command_digest(head.command_key, claim.content)
        if taken:
            return _stored_answer(cursor, head, claim, taken)
        _refuse_moved(expected, versions)
        batch = _batch(head, claim, digest, drafts, versions, now, _reversed_positions(cursor, drafts))
        try:
            writer.write(cursor, batch)
        except IntegrityError as error:
            if "ledger_account_overdraft" in str(error):
                raise Overdrawn from error
            raise
        if project:
            project(batch.events)
    return Appended(
        first=batch.events[0].position,
        last=batch.events[-1].position,
        versions={event.stream: event.version for event in batch.events},
        repeated=False,
    )


def answer_to(log: int, claim: Claim) -> Appended | None:
    """The answer this command got when it was taken, or None. Raises CommandReused if it said something else then."""
    with connection.cursor() as cursor:
        cursor.execute(write_sqlite.TAKEN, [log, claim.id])
        taken = cursor.fetchone()
        return _stored_answer(cursor, head_of(log), claim, Taken._make(taken)) if taken else None


def _stored_answer(cursor: CursorWrapper, head: Head, claim: Claim, taken: Taken) -> Appended:
    if taken.digest != chain.command_digest(head.command_key, claim.content):
        raise CommandReused(claim.id)
    cursor.execute(
        "SELECT stream, max(version) FROM ledger_event WHERE log_id = %s AND position BETWEEN %s AND %s GROUP BY stream",
        [head.log, taken.first, taken.last],
    )
    return Appended(first=taken.first, last=taken.last, versions=dict(cursor.fetchall()), repeated=True)


def _refuse_malformed(claim: Claim, drafts: Sequence[Draft], expected: Mapping[str, int]) -> None:
    if not drafts:
        raise ValueError("an append has at least one event")
    if not 0 < len(claim.id) <= 36:
        raise ValueError("a command id has 1 to 36 characters")
    if not 0 < len(claim.actor) <= 64:
        raise ValueError("an actor has 1 to 64 characters")
    for draft in drafts:
        if draft.stream not in expected:
            raise ValueError(f"the expected version of stream {draft.stream} is missing")
        if not 0 < len(draft.stream) <= 32 or not 0 < len(draft.type) <= 64:
            raise ValueError("a stream has 1 to 32 characters, a type 1 to 64")
        if (draft.transfer is None) is (draft.type == CHIPS_MOVED):
            raise ValueError(f"an event has a transfer exactly when its type is {CHIPS_MOVED}")


def _refuse_moved(expected: Mapping[str, int], versions: Mapping[str, int]) -> None:
    for stream, version in expected.items():
        if versions[stream] != version:
            raise StreamMoved(stream, expected=version, actual=versions[stream])


def _reversed_positions(cursor: CursorWrapper, drafts: Sequence[Draft]) -> dict[tuple[str, int], int]:
    """The position of each stored event whose transfer `drafts` take back, by stream and version."""
    wanted = {(draft.stream, draft.transfer.reverses) for draft in drafts if draft.transfer and draft.transfer.reverses is not None}
    found = {}
    for stream in {stream for stream, _ in wanted}:
        versions = [version for of, version in wanted if of == stream]
        cursor.execute(
            f"SELECT version, position FROM ledger_event WHERE stream = %s AND version IN ({', '.join(['%s'] * len(versions))})",  # noqa: S608 - marks only
            [stream, *versions],
        )
        found.update({(stream, version): position for version, position in cursor.fetchall()})
    return found


def _batch(
    head: Head,
    claim: Claim,
    digest: str,
    drafts: Sequence[Draft],
    versions: Mapping[str, int],
    now: int,
    positions: dict[tuple[str, int], int],
) -> Batch:
    """Give each draft its place, its transfer and its hash. `positions` learns the place of every new event."""
    recorded_at = max(now, head.recorded_at)
    at, prev = dict(versions), head.hash
    events: list[Stored] = []
    moved: list[Moved] = []
    for position, draft in enumerate(drafts, head.position + 1):
        at[draft.stream] += 1
        positions[draft.stream, at[draft.stream]] = position
        posted = _posted(draft.stream, draft.transfer, positions) if draft.transfer else None
        if posted:
            moved.append(Moved(position, draft.stream, posted))
        event = Stored(
            head.log,
            position,
            draft.stream,
            at[draft.stream],
            draft.type,
            draft.schema,
            draft.occurred_at,
            recorded_at,
            claim.actor,
            claim.id,
            draft.body.decode(),
            prev_hash=prev,
            hash="",
        )
        events.append(chain.sealed(event, log_key=head.key, digest=digest, posted=posted))
        prev = events[-1].hash
    return Batch(head, events, digest, moved, _nets(moved))


def _posted(stream: str, transfer: TransferDraft, positions: Mapping[tuple[str, int], int]) -> Posted:
    if transfer.reverses is not None and (stream, transfer.reverses) not in positions:
        raise ValueError(f"stream {stream} has no version {transfer.reverses} to take back")
    return Posted(
        source=transfer.source.key,
        source_owner=transfer.source.owner,
        source_overdraft=int(transfer.source.overdraft),
        target=transfer.target.key,
        target_owner=transfer.target.owner,
        target_overdraft=int(transfer.target.overdraft),
        chips=transfer.chips,
        reverses=None if transfer.reverses is None else positions[stream, transfer.reverses],
    )


def _nets(moved: Sequence[Moved]) -> list[Net]:
    """What each account pays and gets in all; its last transfer says whether it may go below zero."""
    nets: dict[tuple[str, str], Net] = {}
    for _, stream, posted in moved:
        source = nets.get((stream, posted.source))
        target = nets.get((stream, posted.target))
        nets[stream, posted.source] = Net(
            stream,
            posted.source,
            posted.source_owner,
            bool(posted.source_overdraft),
            (source.debits if source else 0) + posted.chips,
            source.credits if source else 0,
        )
        nets[stream, posted.target] = Net(
            stream,
            posted.target,
            posted.target_owner,
            bool(posted.target_overdraft),
            target.debits if target else 0,
            (target.credits if target else 0) + posted.chips,
        )
    return list(nets.values())
