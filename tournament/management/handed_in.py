"""What a command is handed: the text of a file or of standard input, an e-mail address."""

import sys
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import validate_email

LARGEST = 100_000  # bytes; a checkpoint with its proof and signatures is far smaller


def text_of(name: str) -> str:
    """The text of the file of this name, or of standard input for `-`, its lines ended as notes
    have them.

    Raises CommandError for one that can't be read or is no text of that size.
    """
    try:
        written = sys.stdin.buffer.read(LARGEST + 1) if name == "-" else _read(Path(name))
        text = written.decode()
    except OSError as error:
        raise CommandError(f"{name} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is no text in UTF-8.") from error
    if len(written) > LARGEST:
        raise CommandError(f"{name} is too long for a checkpoint.")
    return text.replace("\r\n", "\n")


def check_address(email: str) -> None:
    """Raise CommandError for what is no e-mail address."""
    try:
        validate_email(email)
    except ValidationError as error:
        raise CommandError(f"{email!r} is no e-mail address.") from error


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)
