"""The checkpoint on a printed result, by which the paper itself is a proof: the one
that covers it, with a code to scan.
"""

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe

from ledger import notes
from ledger.checkpoints import find_covering_checkpoint, latest
from ledger.notes import Note
from scoring.shape import JsonObject
from tournament.models import Salon
from tournament.queries.history_lines import at_time


def printed_checkpoint(salon: Salon, position: int) -> JsonObject:
    """The first checkpoint that has the entry at `position`, else the newest there is; `covers`
    says which.
    """
    found = find_covering_checkpoint(salon.log_id, position)
    row = found or latest(salon.log_id)
    if row is None:
        return {"checkpoint": None}
    root = " ".join(row.root[place : place + 4] for place in range(0, len(row.root), 4))
    return {
        "checkpoint": row,
        "root": root,
        "made": at_time(row.made_at),
        "picture": picture_of(row.note),
        "covers": found is not None,
    }


@lru_cache(maxsize=32)
def picture_of(note: str) -> SafeString:
    """A checkpoint as a QR code: its text and the salon's first signature, so that paper
    keeps it.
    """
    read = notes.read_note(note)
    plain = str(Note(text=read.text, signatures=read.signatures[:1]))
    # The picture is made of numbers only: nothing anybody typed is in it.
    return mark_safe(  # noqa: S308
        segno.make(plain, error="l").svg_inline(
            border=4, light="#fff", svgclass="qr", lineclass=None, omitsize=True
        )
    )
