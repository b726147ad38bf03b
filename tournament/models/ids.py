"""Ids and PINs that say nothing."""

import secrets
import uuid

PIN_DIGITS = 4
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is taken for another
CODE_LENGTH = 8


def new_id() -> str:
    """A fresh opaque id: 32 hexadecimal digits."""
    return uuid.uuid4().hex


def new_pin() -> str:
    """Four random digits. They are kept readable: the owner shows them to scorers, and they open
    nothing without the link.
    """
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"


def new_code() -> str:
    """Eight random letters and digits that somebody can read off paper and type: nearly 40 bits."""
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))
