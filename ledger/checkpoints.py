"""Checkpoints: what a log holds so far, signed; proofs that lead from an event, or from an earlier
checkpoint, to one.
"""

from dataclasses import dataclass

from django.db import transaction

from ledger import last_signed, merkle, notes, tree
from ledger.last_signed import Inconsistent
from ledger.models import Checkpoint, Cosignature, Log
from ledger.notes import BadNote, Note, Verifier
from ledger.reading import fetch_all, head_of
from ledger.signing import SECOND, Keyring, origin_of, signer

LEAF = "SELECT hash FROM ledger_event WHERE log_id = %s AND position = %s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inclusion:
    """The proof that the event at `position` is in the tree of `size` entries with `root`; hashes
    from the leaf up.
    """

    position: int
    size: int
    leaf: bytes
    root: bytes
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """The proof that the tree of `new` entries begins with that of `old` ones."""

    old: int
    new: int
    old_root: bytes
    new_root: bytes
    path: tuple[bytes, ...]


def make(log: Log, keyring: Keyring, *, now: int) -> Checkpoint | None:
    """Sign what the log holds now; the last checkpoint where nothing came since, None for an empty
    log.

    What is signed is remembered outside the database first. Times never fall from one checkpoint to
    the next, even where the clock was set back: a checkpoint says when it was made at the earliest.
    Raises KeyIsAway, BrokenTree, and Inconsistent when the log no longer begins with what was
    signed last.
    """
    size, last, origin = head_of(log.pk).position, latest(log.pk), origin_of(log)
    last_signed.require_last_signed(log, origin, keyring.memory)
    if not size:
        return last
    if last is not None and last.size == size:
        last_signed.remember(last, origin, keyring.memory)
        return last
    tree.grow(log.pk, size)
    node = tree.nodes_of(log.pk)
    if last is not None and (last.size > size or merkle.root(last.size, node).hex() != last.root):
        raise Inconsistent(last.size)
    root = merkle.root(size, node)
    signer(log, keyring, now=now)  # Outside the lock: the first one makes the key.
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=log.pk)
        before, known = latest(log.pk), last_signed.require_last_signed(log, origin, keyring.memory)
        if known.size > (before.size if before is not None else 0):
            before = last_signed.put_back(log, known)
        if before is not None and before.size >= size:
            return before
        row = _sign_checkpoint(log, keyring, before, size=size, root=root, now=now)
        last_signed.remember(row, origin, keyring.memory)
        row.save(force_insert=True)
    return row


def _sign_checkpoint(
    log: Log, keyring: Keyring, before: Checkpoint | None, *, size: int, root: bytes, now: int
) -> Checkpoint:
    """The next checkpoint, not stored yet."""
    key, private = signer(log, keyring, now=now)
    origin, previous = origin_of(log), before.size if before is not None else 0
    seconds = max(now, before.made_at if before is not None else 0) // SECOND
    text = notes.Checkpoint(origin=origin, size=size, root=root).text
    # The second line says when: the first one, as C2SP has it, does not.
    note = Note(
        text=text,
        signatures=(
            notes.sign(text, private, origin),
            notes.cosign(text, private, origin, seconds=seconds),
        ),
    )
    return Checkpoint(
        log=log,
        previous=previous,
        size=size,
        root=root.hex(),
        key=key.number,
        note=str(note),
        made_at=seconds * SECOND,
    )


def latest(log: int) -> Checkpoint | None:
    """The checkpoint of the most entries."""
    return Checkpoint.objects.filter(log=log).order_by("-size").first()


def find_covering_checkpoint(log: int, position: int) -> Checkpoint | None:
    """The first checkpoint that the event at `position` is in."""
    return Checkpoint.objects.filter(log=log, size__gte=position).order_by("size").first()


def with_cosignatures(checkpoint: Checkpoint) -> str:
    """The checkpoint as a note with every signature under it, the log's own first."""
    lines = (
        Cosignature.objects.filter(log=checkpoint.log_id, size=checkpoint.size)
        .order_by("pk")
        .values_list("line", flat=True)
    )
    return checkpoint.note + "".join(f"{line}\n" for line in lines)


def cosigned(checkpoint: Checkpoint, line: str, key: Verifier) -> Cosignature:
    """Keep another one's signature under a checkpoint; the same one again changes nothing.

    Raises BadNote when it was not made by the owner of `key` for this checkpoint.
    """
    signature = notes.read_signature(line)
    if not notes.holds(signature, notes.read_note(checkpoint.note).text, key):
        raise BadNote(
            f"this is no signature of {key.name} under the checkpoint of {checkpoint.size} lines"
        )
    known = Cosignature.objects.filter(
        log=checkpoint.log_id, size=checkpoint.size, vkey=key.vkey
    ).first()
    signed_at = notes.read_cosignature_time(signature) * SECOND if key.kind == notes.COSIGNED else 0
    return known or Cosignature.objects.create(
        log_id=checkpoint.log_id,
        size=checkpoint.size,
        vkey=key.vkey,
        line=signature.line,
        signed_at=signed_at,
    )


def inclusion(log: int, position: int, size: int) -> Inclusion:
    """The proof for one event in the tree of the first `size`. Raises LookupError where there is
    none.
    """
    found = fetch_all(LEAF, [log, position])
    if not found or position > size:
        raise LookupError(f"there is no event {position} in a tree of {size}")
    node = tree.nodes_of(log)
    path = tuple(merkle.inclusion(position - 1, size, node))
    return Inclusion(
        position=position,
        size=size,
        leaf=bytes.fromhex(found[0][0]),
        root=merkle.root(size, node),
        path=path,
    )


def consistency(log: int, old: int, new: int) -> Consistency:
    """The proof that the first `new` events begin with the first `old`. Raises LookupError where
    the log has not so many.
    """
    if not 0 <= old <= new <= head_of(log).position:
        raise LookupError(f"there is no tree of {new} lines that begins with {old}")
    node = tree.nodes_of(log)
    path = tuple(merkle.consistency(old, new, node))
    return Consistency(
        old=old,
        new=new,
        old_root=merkle.root(old, node),
        new_root=merkle.root(new, node),
        path=path,
    )
