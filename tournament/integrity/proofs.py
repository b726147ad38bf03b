"""Proofs as JSON values and as text, for pages, files and the API; hashes stand in base64, as C2SP
and RFC 6962 write them.
"""

import base64

from ledger import checkpoints, witness
from ledger.exporting import in_text
from ledger.models import Checkpoint, Log
from ledger.signing import origin_of
from scoring.shape import JsonObject

LARGEST_NOTE = 20_000  # characters of a checkpoint that is handed in


def inclusion_proof(log: Log, position: int, checkpoint: Checkpoint) -> JsonObject:
    """That the event at `position` is in the log that the checkpoint signs. Raises LookupError
    where it isn't.
    """
    proof = checkpoints.inclusion(log.pk, position, checkpoint.size)
    return {
        "origin": origin_of(log),
        "position": position,
        "leaf": _text(proof.leaf),
        "size": proof.size,
        "root": _text(proof.root),
        "path": in_text(proof.path),
        "checkpoint": checkpoints.with_cosignatures(checkpoint),
    }


def consistency_proof(log: Log, old: int, checkpoint: Checkpoint) -> JsonObject:
    """That the log which the checkpoint signs begins with the first `old` events. Raises
    LookupError where it has not so many.
    """
    proof = checkpoints.consistency(log.pk, old, checkpoint.size)
    return {
        "origin": origin_of(log),
        "old": old,
        "old_root": _text(proof.old_root),
        "size": proof.new,
        "root": _text(proof.new_root),
        "path": in_text(proof.path),
        "checkpoint": checkpoints.with_cosignatures(checkpoint),
        "request": witness.request_text(proof, checkpoint.note),
    }


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()
