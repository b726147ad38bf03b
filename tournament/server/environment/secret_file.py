"""Keep a secret in a file that only its owner can read."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path


def private_folder(folder: Path) -> Path:
    """The folder itself, made with mode 0700 when it is missing."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def read_or_create_secret(path: Path) -> str:
    """Return the secret in `path`; the first call makes it (mode 0600), and every later
    one reads the same.
    """
    if not path.exists():
        _make(path, secrets.token_urlsafe(64))
    return path.read_text(encoding="ascii").strip()


def write_secret(path: Path, content: str) -> None:
    """Put `content` into `path` with mode 0600, whole or not at all; it is on the disk when this
    returns.
    """
    partial = _write_beside(path, content)
    partial.replace(path)
    settle(path.parent)


def settle(folder: Path) -> None:
    """Have the disk know the names in a folder: a rename is safe from a power cut only then."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _make(path: Path, content: str) -> None:
    """Link a whole file into place, so that two who start together agree on one and neither reads
    half.
    """
    partial = _write_beside(path, content)
    with contextlib.suppress(FileExistsError):
        path.hardlink_to(partial)
    partial.unlink()


def _write_beside(path: Path, content: str) -> Path:
    number, name = tempfile.mkstemp(dir=private_folder(path.parent), prefix=".partial-")
    with os.fdopen(number, "w", encoding="ascii") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)
