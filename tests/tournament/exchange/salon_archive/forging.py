"""Archives that somebody changed and made whole again, as far as one can who has this or
that key.
"""

import hashlib
from collections.abc import Callable, Sequence
from copy import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import chain, notes
from ledger.canonical import encode_independently
from tournament.exchange.salon_archive.file_format import (
    KIND_OF,
    EndLine,
    EventLine,
    KeyLine,
    Part,
    SalonLine,
    line_of,
    value_of,
)
from tournament.exchange.salon_archive.read import entry_of
from tournament.integrity.signing_keys import load_keyring

type Change = Callable[[Any], Any]


def values_of(archive: bytes) -> list[Any]:
    """What the lines say, but for the last."""
    return [value_of(line) for line in archive.splitlines(keepends=True)][:-1]


def changed(values: Sequence[Any], shape: type, **columns: Any) -> list[Any]:
    """The values with these columns in the first one of this shape."""
    place = next(place for place, value in enumerate(values) if isinstance(value, shape))
    return [*values[:place], replace(values[place], **columns), *values[place + 1 :]]


def chained(values: Sequence[Any]) -> list[Any]:
    """The values with every event's hash as it would be, and the head that follows."""
    salon = values[0]
    assert isinstance(salon, SalonLine)
    last, made = chain.genesis(salon.log, salon.command_key), list[Any]()
    for value in values[1:]:
        if isinstance(value, EventLine):
            entry = entry_of(replace(value, prev=last))
            encoded = encode_independently(
                entry.event, log_key=salon.log, digest=entry.digest, posted=entry.posted
            )
            last = hashlib.sha256(b"\0" + encoded).hexdigest()
            value = replace(value, prev=entry.event.prev_hash, hash=last)
        made.append(value)
    return [
        replace(salon, hash=last, events=sum(isinstance(value, EventLine) for value in made)),
        *made,
    ]


def signed(values: Sequence[Any], private: Ed25519PrivateKey | None = None) -> bytes:
    """The values as an archive that ends as it should, signed by the salon's own key or another
    one.
    """
    salon, lines = values[0], [line_of(value) for value in values]
    assert isinstance(salon, SalonLine)
    origin, kinds = (
        f"accord/{salon.log}",
        list(dict.fromkeys(KIND_OF[type(value)] for value in values)),
    )
    of_kind = {
        kind: [line for line in lines if line.startswith(b'{"%s":' % kind.encode())]
        for kind in kinds
    }
    parts = tuple(
        Part(kind=kind, lines=len(some), digest=hashlib.sha256(b"".join(some)).hexdigest())
        for kind, some in of_kind.items()
    )
    text = f"accord salon archive\n{origin}\n{hashlib.sha256(b''.join(lines)).hexdigest()}\n"
    note = notes.Note(text=text, signatures=(notes.sign(text, private or own_key(values), origin),))
    return b"".join(lines) + line_of(EndLine(parts=parts, note=str(note)))


def own_key(values: Sequence[Any]) -> Ed25519PrivateKey:
    """The private key of the archive's salon, which this test has."""
    key = next(value for value in reversed(values) if isinstance(value, KeyLine))
    verifier = notes.read_vkey(key.vkey)
    private = load_keyring().find(verifier.public, verifier.name)
    assert private is not None
    return private
