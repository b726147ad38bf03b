"""The auditors’ file of a salon: written, read, changed and checked by the script."""

import io
import json
from typing import Any

from ledger import checkpoints
from ledger.standalone import verify_export
from tournament.integrity.auditors_export import auditors_file
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Game, Salon

Verify = verify_export.Faults


def sign(salon: Salon) -> str:
    signed = checkpoints.make(salon.log, load_keyring(), now=5_000_000)
    assert signed is not None
    return checkpoints.with_cosignatures(signed)


def stream(record: str) -> str:
    return str(Game.objects.get(record=record).pk)


def written(salon: Salon, record: str | None = None, *, redacted: bool = False) -> bytes:
    return b"".join(
        auditors_file(
            salon, load_keyring(), stream=stream(record) if record else None, redacted=redacted
        )
    )


def checked(
    file: bytes, *kept: str, keys: tuple[str, ...] = (), witnesses: tuple[str, ...] = ()
) -> tuple[Verify, dict[str, int]]:
    """What the stand-alone script finds."""
    found = verify_export.Faults()
    try:
        outside = [
            (f"kept-{number}", verify_export.read_note(text)) for number, text in enumerate(kept)
        ]
        seen = verify_export.check(io.BytesIO(file), keys, outside, found, witnesses)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        found.append(f"can't be read: {error!r}")
        seen = {}
    return found, seen


def lines(file: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.splitlines()]


def joined(values: list[dict[str, Any]]) -> bytes:
    return b"".join(verify_export.canonical(value) for value in values)
