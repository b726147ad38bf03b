"""Answers that one web process made and the others of the same `serve` may send: in a small file of
this machine, under everything that they were made of.

Only processes that one `serve` began, and that run the same code, share: so settings and published
files are the same. Where the file fails each process makes its own answers.
"""

import marshal
import os
import sqlite3
import time
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings

from tournament.server.http.cache_backend import SECONDS_ALONE, InOneFile

TOGETHER = "ACCORD_TOGETHER"  # names one run of `serve` to all its processes
FILE = "answers.sqlite3"
MOST = 1024  # answers, of some six kilobytes
SOURCES = (("templates", "*.html"), ("tournament", "*.py"), ("scoring", "*.py"))
WITHOUT_REFERENCES = 2  # a version of marshal's that writes the same wherever a value came from

log_line = structlog.stdlib.get_logger(__name__)


class SharedAnswers:
    """The answers of the processes that run `together`, in this file."""

    def __init__(self, path: Path, together: str) -> None:
        self._together = together
        self._file = InOneFile(str(path), {}, max_entries=MOST)
        self._alone_until = 0.0

    def get(self, name: str) -> bytes | None:
        """Return the answer stored under this name, within its time."""
        found = self._ask_file("get", name)
        return found if isinstance(found, bytes) else None

    def put(self, name: str, answer: bytes, *, seconds: float) -> None:
        """Have the other processes find it for so long."""
        self._ask_file("set", name, answer, seconds)

    def forget(self) -> None:
        """Have no process find any of them again."""
        self._ask_file("clear")

    def name_of(self, made_of: tuple[Any, ...]) -> str | None:
        """Return the key of an answer made of these values and by this code; None if a value
        is neither text, bytes, number, truth value nor None, nor a tuple of these.
        """
        try:
            # Another type or number of anything gives other bytes, the same values the same.
            said = marshal.dumps((self._together, made_of), WITHOUT_REFERENCES)
        except ValueError:
            return None
        return blake2b(said, digest_size=32).hexdigest()

    def _ask_file(self, what: str, *arguments: object) -> object:
        if time.monotonic() < self._alone_until:
            return None
        try:
            return getattr(self._file, what)(*arguments)
        except (sqlite3.Error, OSError) as failed:
            log_line.warning(
                "answers can't be shared: each process makes its own", error=str(failed)
            )
            self._alone_until = time.monotonic() + SECONDS_ALONE
            return None


@cache
def shared_answers() -> SharedAnswers | None:
    """Return the answers that this process shares; None if it runs alone."""
    together = os.environ.get(TOGETHER)
    if not together:
        return None
    return SharedAnswers(Path(settings.DATA_DIR, FILE), f"{together} {code_of(settings.BASE_DIR)}")


def code_of(folder: Path) -> str:
    """Return a digest that changes with the code and the templates below a folder."""
    digest = blake2b(digest_size=16)
    for inside, kind in SOURCES:
        for path in sorted(Path(folder, inside).rglob(kind)):
            about = path.stat()
            digest.update(f"{path}\0{about.st_size}\0{about.st_mtime_ns}\0".encode())
    return digest.hexdigest()
