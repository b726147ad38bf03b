"""Memory of the last signature of each log, kept outside the database, so that an
older database is not taken for whole.

Whoever holds the database alone can take back its newest rows, by hand or by restoring an older
copy: what is left is a log without a fault. So the newest checkpoint is also kept beside the
private key, and written there first: a crash in between leaves it without its row, which the next
checkpoint puts back as it was signed. Whatever does not begin with what is remembered is neither
signed nor passed by an audit, until somebody says that it is meant (`accept`), and every audit
tells that afterwards.

Each machine that signs remembers what it signed itself. Where several of them share a database and
no folder, each memory is a lower bound: whoever signed last refuses, the others may not know.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from django.db import transaction

from ledger import merkle, notes, tree
from ledger.findings import CHECKPOINT, SIGNING_KEY, Finding
from ledger.models import Checkpoint, Log, SigningKey
from ledger.notes import BadNote
from ledger.reading import head_of

FORMAT = "accord-last-signed/1"
ROLLED_BACK = "rolled_back"  # the kind of a finding that `accept` ends
# What is remembered of the row of a checkpoint.
COLUMNS = ("previous", "size", "root", "key", "note", "made_at")
WAY_ON = "If an older copy was restored on purpose: manage.py keys --accept-rollback."


class Memory(Protocol):
    """Memory outside the database, beside the private keys."""

    def recall(self, origin: str) -> str:
        """Return the text kept last for this origin, "" for nothing."""

    def store(self, origin: str, text: str) -> None:
        """Keep this instead; it is on the disk when this returns."""

    def publics(self, origin: str) -> Collection[bytes]:
        """The public keys whose private ones were made for this origin and lie here."""


class Inconsistent(Exception):
    """The log does not hold any more what an earlier checkpoint signed: nothing is signed on top of
    that.
    """

    def __init__(self, size: int) -> None:
        super().__init__(f"the log does not begin with the {size} lines that were signed")
        self.size = size


class OlderThanSigned(Inconsistent):
    """The log does not extend what was signed here, as far as the memory outside the database
    knows.
    """

    def __init__(self, size: int, what: str) -> None:
        super().__init__(size)
        self.what = what

    def __str__(self) -> str:
        """In words, with what can be done."""
        return f"this database is older than what was signed here: {self.what}"


class KeyForgotten(OlderThanSigned):
    """The key that signed last is not among those of the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """Somebody said at `at` (microseconds UTC) that a log may go on from `back_to` entries although
    `size` were signed.
    """

    size: int
    root: str
    back_to: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSigned:
    """The newest checkpoint, as its row has it, and what was accepted before; `size` 0 where none
    counts any more.
    """

    previous: int = 0
    size: int = 0
    root: str = ""
    key: int = 0
    vkey: str = ""
    note: str = ""
    made_at: int = 0
    accepted: tuple[Accepted, ...] = ()


NOTHING = LastSigned()


def require_last_signed(log: Log, origin: str, memory: Memory) -> LastSigned:
    """Return what was signed last, having checked that the log begins with it.

    Raises OlderThanSigned where it does not, or the memory can't be read; BrokenTree.
    """
    last, size = recall_last_signed(memory, origin), head_of(log.pk).position
    if last.size > size:
        raise OlderThanSigned(last.size, f"{last.size} lines were signed, and the log has {size}")
    if merkle.root(last.size, tree.nodes_of(log.pk)).hex() != last.root and last.size:
        what = f"the first {last.size} lines are not those that were signed"
        raise OlderThanSigned(last.size, what)
    key = SigningKey.objects.filter(log=log, number=last.key, vkey=last.vkey)
    if last.size and not key.exists():
        what = f"key {last.key}, which signed {last.size} lines, is not among the keys of the log"
        raise KeyForgotten(last.size, what)
    return last


def recall_last_signed(memory: Memory, origin: str) -> LastSigned:
    """Return what was kept, NOTHING if nothing was. Raises OlderThanSigned if it can't be
    read.
    """
    text = memory.recall(origin)
    return _read_last_signed(text) if text else NOTHING


def remember(row: Checkpoint, origin: str, memory: Memory) -> None:
    """Keep a checkpoint, before or after its row is stored, unless a later one is remembered."""
    last = recall_last_signed(memory, origin)
    if last.size >= row.size:
        return
    vkey = SigningKey.objects.values_list("vkey", flat=True).get(log=row.log_id, number=row.key)
    columns = {name: getattr(row, name) for name in COLUMNS}
    memory.store(origin, as_text(LastSigned(vkey=vkey, accepted=last.accepted, **columns)))


def put_back(log: Log, last: LastSigned) -> Checkpoint:
    """The row of what is remembered, stored as it was signed. The caller holds the log's lock."""
    return Checkpoint.objects.create(log=log, **{name: getattr(last, name) for name in COLUMNS})


def accept(log: Log, origin: str, memory: Memory, *, now: int) -> LastSigned:
    """Let the log go on as it is: what was remembered counts no longer, and stands among what was
    accepted.

    Raises LookupError where the log holds all that is remembered. `now` in microseconds UTC.
    """
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=log.pk)
        try:
            require_last_signed(log, origin, memory)
        except OlderThanSigned:
            last = _readable(memory, origin)
        else:
            raise LookupError("the log holds all that was signed here")
        said = Accepted(size=last.size, root=last.root, back_to=head_of(log.pk).position, at=now)
        kept = replace(NOTHING, accepted=(*last.accepted, said))
        memory.store(origin, as_text(kept))
        row = Checkpoint.objects.filter(log=log).order_by("-size").first()
        if row is not None and SigningKey.objects.filter(log=log, number=row.key).exists():
            remember(row, origin, memory)
    return last


def verify_last_signed(log: Log, origin: str, memory: Memory) -> tuple[list[Finding], list[str]]:
    """Return the findings and remarks that the memory gives about the log and the log
    itself can't give.
    """
    remarks = [*_list_accepted_remarks(memory, origin), *_key_remarks(memory, origin)]
    try:
        last = require_last_signed(log, origin, memory)
    except OlderThanSigned as older:
        table = SIGNING_KEY if isinstance(older, KeyForgotten) else CHECKPOINT
        message = f"{str(older).capitalize()}. {WAY_ON}"
        return [Finding(ROLLED_BACK, table, older.size, message)], remarks
    except tree.BrokenTree as broken:
        message = f"What was signed here last can't be compared: {broken}."
        return [Finding(ROLLED_BACK, CHECKPOINT, log.pk, message)], remarks
    return list(_row_findings(log, origin, memory, last)), remarks


def as_text(last: LastSigned) -> str:
    """As it is kept: one JSON object."""
    return json.dumps({"format": FORMAT, **asdict(last)}, sort_keys=True) + "\n"


def _read_last_signed(text: str) -> LastSigned:
    try:
        found: dict[str, Any] = json.loads(text)
        if found.pop("format") != FORMAT:
            raise ValueError(text)
        last = LastSigned(
            **found | {"accepted": tuple(Accepted(**each) for each in found["accepted"])}
        )
        if last.size and notes.read_checkpoint(notes.read_note(last.note).text).size != last.size:
            raise ValueError(text)
    except (ValueError, TypeError, KeyError, AttributeError, BadNote) as fault:
        raise OlderThanSigned(
            0, "what was signed last is kept beside the private key, and can't be read"
        ) from fault
    return last


def _readable(memory: Memory, origin: str) -> LastSigned:
    try:
        return recall_last_signed(memory, origin)
    except OlderThanSigned:
        return NOTHING


def _row_findings(log: Log, origin: str, memory: Memory, last: LastSigned) -> Iterator[Finding]:
    """The newest checkpoint must be stored as it was signed; one that is being written just now is
    waited for.
    """
    if last.size and _find_stored_note(log, last.size) is None:
        with transaction.atomic():
            Log.objects.select_for_update().get(pk=log.pk)
            last = recall_last_signed(memory, origin)
    note = _find_stored_note(log, last.size) if last.size else last.note
    if note is None:
        message = (
            f"The checkpoint of {last.size} lines was signed here and is not among the "
            f"checkpoints of the log."
        )
        yield Finding("checkpoint", CHECKPOINT, last.size, message)
    elif note != last.note:
        message = f"The checkpoint of {last.size} lines is not as it was signed here."
        yield Finding("checkpoint", CHECKPOINT, last.size, message, "note")


def _find_stored_note(log: Log, size: int) -> str | None:
    return Checkpoint.objects.filter(log=log, size=size).values_list("note", flat=True).first()


def _list_accepted_remarks(memory: Memory, origin: str) -> Sequence[str]:
    accepted = _readable(memory, origin).accepted
    return [
        (
            f"{each.size} lines were signed here, and the log was taken back to "
            f"{each.back_to} on purpose."
        )
        for each in accepted
    ]


def _key_remarks(memory: Memory, origin: str) -> Iterator[str]:
    """A key that was made for this log and that no log of the database has: a row that is gone, or
    a start that failed.
    """
    publics = memory.publics(origin)
    if not publics:
        return
    known = {
        notes.read_vkey(vkey).public
        for vkey in SigningKey.objects.values_list("vkey", flat=True)
        if _is_vkey(vkey)
    }
    for public in sorted(set(publics) - known):
        yield (
            f"The private key {public[:8].hex()} was made for this log, and the database has "
            f"no such key."
        )


def _is_vkey(vkey: str) -> bool:
    try:
        notes.read_vkey(vkey)
    except BadNote:
        return False
    return True
