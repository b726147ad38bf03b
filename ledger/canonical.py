"""Canonical JSON (RFC 8785) once more, written by an encoder that the store never uses.

For text whose keys are ASCII and whose numbers are integers below 2^53, the standard library's
sorted, compact output is RFC 8785; everything else is put to the `rfc8785` package, which is thirty
times slower.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from json.encoder import encode_basestring as _text

import rfc8785

from ledger.chain import Posted, Stored

MOST = 2**53 - 1
_LONG_NUMBER = re.compile(r"\d{16}")


def _refuse_float(text: str) -> None:
    raise ValueError(f"{text} is not an integer")


_decoder = json.JSONDecoder(parse_float=_refuse_float, parse_constant=_refuse_float)
_encoder = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def encode_independently(
    event: Stored, *, log_key: str, digest: str, posted: Posted | None
) -> bytes:
    """All that an event's hash covers as canonical JSON, written out key by key: what
    `chain.metadata` and its encoder come to.

    Raises ValueError for an integer that JSON numbers cannot hold exactly, TypeError for a value of
    another type.
    """
    numbers = (event.position, event.version, event.schema, event.occurred_at, event.recorded_at)
    if max(numbers) > MOST or min(numbers) < -MOST:
        raise ValueError(f"an integer of event {event.position} is beyond 2^53")
    body = hashlib.sha256(event.body.encode()).hexdigest()
    transfer = "" if posted is None else f',"transfer":{_transfer(posted)}'
    return (
        f'{{"actor":{_text(event.actor)},"body":"{body}","command":{_text(event.command)},'
        f'"command_digest":{_text(digest)},"log":{_text(log_key)},'
        f'"occurred_at":{event.occurred_at:d},"position":{event.position:d},'
        f'"prev":{_text(event.prev_hash)},"recorded_at":{event.recorded_at:d},'
        f'"schema":{event.schema:d},"stream":{_text(event.stream)}{transfer},'
        f'"type":{_text(event.type)},"version":{event.version:d}}}'
    ).encode()


def _transfer(posted: Posted) -> str:
    taken_back = "null" if posted.reverses is None else f"{_safe_integer(posted.reverses):d}"
    return (
        f'{{"chips":{_safe_integer(posted.chips):d},"reverses":{taken_back},'
        f'"source":{_text(posted.source)},"source_overdraft":{_safe_integer(posted.source_overdraft):d},'
        f'"source_owner":{_text(posted.source_owner)},"target":{_text(posted.target)},'
        f'"target_overdraft":{_safe_integer(posted.target_overdraft):d},'
        f'"target_owner":{_text(posted.target_owner)}}}'
    )


def _safe_integer(number: int) -> int:
    if type(number) is not int or not -MOST <= number <= MOST:
        raise ValueError(f"{number!r} is not an integer below 2^53")
    return number


def are_canonical(bodies: Sequence[str]) -> bool:
    """Whether all of these are surely without a fault; False says only that each has to be asked.

    They are read and written again as one list with a mark between them that none of them can hold,
    as it is a hash of them all: so each stands alone between two marks, and one call does what
    would take thousands.
    """
    together = "".join(bodies)
    if not together.isascii() or _LONG_NUMBER.search(together):
        return False
    mark = f'"{hashlib.sha256(together.encode()).hexdigest()}"'
    text = f"[{f',{mark},'.join(bodies)}]"
    try:
        values = _decoder.decode(text)
        alone = len(values) == 2 * len(bodies) - 1 and values[1::2] == [mark[1:-1]] * (
            len(bodies) - 1
        )
        return alone and _encoder.encode(values) == text
    except (ValueError, RecursionError):
        return False


def fault_of(body: str) -> str | None:
    """Return the fault of `body` as canonical JSON without fractions, or None."""
    try:
        value = _decoder.decode(body)
        if body.isascii() and not _LONG_NUMBER.search(body):
            return None if _encoder.encode(value) == body else "it is not in canonical form"
        if not _ascii_keys(value):
            return "a key is not ASCII"
        return None if rfc8785.dumps(value) == body.encode() else "it is not in canonical form"
    except (ValueError, RecursionError) as error:
        return str(error)


def _ascii_keys(value: object) -> bool:
    if isinstance(value, dict):
        return all(key.isascii() for key in value) and all(map(_ascii_keys, value.values()))
    return all(map(_ascii_keys, value)) if isinstance(value, list) else True
