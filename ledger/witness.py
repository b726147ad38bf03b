"""Countersign another salon's checkpoints: only ever a log that begins with what was countersigned
before.

What is handed in is what C2SP's tlog-witness asks for: `old N`, the lines of the consistency proof
from N entries on, an empty line, the checkpoint. The first time N is 0, there is no proof, and the
other salon's key is given beside it.
"""

import base64
import binascii
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from ledger import merkle, notes
from ledger.checkpoints import Consistency
from ledger.models import Log, Witnessed
from ledger.notes import BadNote, Note, Verifier
from ledger.signing import SECOND, Keyring, origin_of, signer

MOST_LINES = 63


class NotWitnessed(Exception):
    """A checkpoint that must not be countersigned; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Request of another salon: its checkpoint and the proof from the one of `old`
    entries.
    """

    old: int
    path: tuple[bytes, ...]
    note: Note
    checkpoint: notes.Checkpoint


def request_text(proof: Consistency, note: str) -> str:
    """Return the text our own salon submits to be countersigned by a salon that last saw
    the checkpoint of `proof.old` entries.
    """
    lines = "".join(f"{base64.b64encode(each).decode()}\n" for each in proof.path)
    return f"old {proof.old}\n{lines}\n{note}"


def read_request(written: str) -> Request:
    """The request of this text; a checkpoint alone is one with `old 0`. Raises BadNote."""
    text = written.replace("\r\n", "\n").lstrip("\n").rstrip() + "\n"
    if not text.startswith("old "):
        text = f"old 0\n\n{text}"
    first, _, rest = text.partition("\n")
    lines, separator, note_text = (
        rest.partition("\n") if rest.startswith("\n") else rest.partition("\n\n")
    )
    old = first.removeprefix("old ")
    if not separator or not old.isascii() or not old.isdigit() or len(old) > 18:
        raise BadNote(
            "a line like “old 120”, the lines of a proof, an empty line and a checkpoint "
            "are expected"
        )
    path = tuple(_hash(line) for line in lines.split("\n") if line)
    if len(path) > MOST_LINES:
        raise BadNote(f"a proof has at most {MOST_LINES} lines")
    note = notes.read_note(note_text)
    return Request(old=int(old), path=path, note=note, checkpoint=notes.read_checkpoint(note.text))


def last_seen(log: int, origin: str) -> Witnessed | None:
    """The checkpoint of the most entries that was countersigned for this origin."""
    return Witnessed.objects.filter(log=log, origin=origin).order_by("-size").first()


def countersign(
    log: Log, request: Request, key: Verifier | None, keyring: Keyring, *, now: int
) -> Witnessed:
    """Countersign for the salon of `log`; the same checkpoint again gives the first answer.

    `key` is needed the first time, and must be the known one later. Raises NotWitnessed, KeyIsAway.
    """
    asked, seen = request.checkpoint, last_seen(log.pk, request.checkpoint.origin)
    verifier = _choose_key(asked.origin, seen, key)
    if not notes.is_signed(request.note, verifier):
        raise NotWitnessed(f"The checkpoint is not signed by {verifier.vkey}.")
    if seen is not None and asked.size == seen.size and asked.root.hex() == seen.root:
        return seen
    _refuse_inconsistent(request, seen)
    _, private = signer(log, keyring, now=now)
    signature = notes.cosign(request.note.text, private, origin_of(log), seconds=now // SECOND)
    note = Note(text=request.note.text, signatures=(*request.note.signatures, signature))
    try:
        with transaction.atomic():
            Log.objects.select_for_update().get(pk=log.pk)
            if last_seen(log.pk, asked.origin) != seen:
                raise NotWitnessed(
                    "Another checkpoint of this salon was countersigned a moment ago; start from "
                    "that one."
                )
            return Witnessed.objects.create(
                log=log,
                origin=asked.origin,
                vkey=verifier.vkey,
                old=seen.size if seen is not None else 0,
                size=asked.size,
                root=asked.root.hex(),
                note=str(note),
                seen_at=now // SECOND * SECOND,
            )
    except IntegrityError as error:
        raise NotWitnessed(
            "This checkpoint can't be kept: it is of no later size than one that was countersigned."
        ) from error


def _choose_key(origin: str, seen: Witnessed | None, key: Verifier | None) -> Verifier:
    if seen is None:
        if key is None:
            raise NotWitnessed(
                f"{origin} has not been countersigned yet: its key is needed, as that salon "
                f"shows it."
            )
        if key.kind != notes.SIGNED or key.name != origin:
            raise NotWitnessed(f"The key of {origin} is expected, this one is named {key.name}.")
        return key
    if key is not None and key.vkey != seen.vkey:
        raise NotWitnessed(
            f"The last checkpoint of {origin} was signed by another key: {seen.vkey}. Ask "
            f"that salon what happened."
        )
    return notes.read_vkey(seen.vkey)


def _refuse_inconsistent(request: Request, seen: Witnessed | None) -> None:
    asked = request.checkpoint
    if not asked.size:
        raise NotWitnessed("A log without lines has nothing to countersign.")
    if seen is None:
        if request.old or request.path:
            raise NotWitnessed(
                "This salon has not been countersigned yet: a checkpoint alone, or with “old "
                "0”, is expected."
            )
        return
    if asked.size < seen.size:
        raise NotWitnessed(
            f"An old checkpoint: one of {seen.size} lines has been countersigned already, "
            f"this one has {asked.size}."
        )
    if asked.size == seen.size:
        raise NotWitnessed(
            f"Two histories: another checkpoint of {seen.size} lines with another root has "
            f"been countersigned."
        )
    if request.old != seen.size:
        raise NotWitnessed(
            f"The last one countersigned has {seen.size} lines: the proof has to begin "
            f"there, with “old {seen.size}”."
        )
    if not merkle.is_consistent(
        seen.size, asked.size, bytes.fromhex(seen.root), asked.root, request.path
    ):
        raise NotWitnessed(
            f"The proof doesn't hold: this log does not begin with the {seen.size} lines "
            f"that were countersigned."
        )


def _hash(line: str) -> bytes:
    try:
        found = base64.b64decode(line, validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if len(found) != 32:
        raise BadNote(f"{line[:20]!r} is no line of a proof")
    return found
