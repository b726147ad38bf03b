"""Ids and PINs that say nothing."""

import secrets
import uuid

PIN_DIGITS = 4


def new_id() -> str:
    """A fresh opaque id: 32 hexadecimal digits."""
    return uuid.uuid4().hex


def new_pin() -> str:
    """Four random digits. They are kept readable: the owner shows them to scorers, and they open
    nothing without the link.
    """
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
