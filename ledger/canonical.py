"""Canonical JSON (RFC 8785) once more, written by an encoder that the store never uses.

For text whose keys are ASCII and whose numbers are integers below 2^53, the standard library's sorted, compact
output is RFC 8785; everything else is put to the `rfc8785` package, which is thirty times slower.
"""

import json
import re

import rfc8785

from ledger.chain import Metadata

MOST = 2**53 - 1
_LONG_NUMBER = re.compile(r"\d{16}")


def _refuse_float(text: str) -> None:
    raise ValueError(f"{text} is not an integer")


_decoder = json.JSONDecoder(parse_float=_refuse_float, parse_constant=_refuse_float)
_encoder = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def encode_independently(entry: Metadata) -> bytes:
    """The canonical JSON of an event's metadata, whose keys are ASCII by construction.

    Raises ValueError for an integer that JSON numbers cannot hold exactly.
    """
    for value in entry.values():
        if type(value) is int and not -MOST <= value <= MOST:
            raise ValueError(f"{value} is beyond 2^53")
    return _encoder.encode(entry).encode()


def fault_of(body: str) -> str | None:
    """What is wrong with `body` as canonical JSON without fractions, or None."""
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
