"""Sheets of paper as PDF: typeset in a process that ends, one at a time, and kept as long as
nothing on them changes.

A kept file is named by a digest of everything that stands on it, so whoever may see the same gets
the same file; nobody finds it by another way. Erasing a person throws all of them away.
"""

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, TextIO

import structlog
from django.conf import settings
from django.core.files import locks

from tournament.accounts.rate_limit import Rate, refuse_beyond
from tournament.formats import typesetting
from tournament.server.environment.secret_file import private_folder

FOLDER = "papers"
MOST_BYTES = 100 * 1024 * 1024
SECONDS_KEPT = 24 * 60 * 60
SECONDS_TO_TYPESET = 180
SECONDS_TO_WAIT = 10.0  # for another one's to be done
SECONDS_BETWEEN_TRIES = 0.1
# Whoever has the lock is alone until its file is closed: no other thread, nor any other process.
NOW = locks.LOCK_EX | locks.LOCK_NB
MOST_WAITING = 2  # of a web process; each of them holds a thread
NEW_ONES = Rate("papers", most=20, seconds=60)  # of one address; what is kept already costs nothing

log_line = structlog.stdlib.get_logger(__name__)
_waiting = threading.BoundedSemaphore(MOST_WAITING)


class Busy(Exception):
    """Others are being typeset just now: try again after `seconds`."""

    seconds = 10


class NotTypeset(Exception):
    """The process that typesets failed."""


def paper(
    template: str, shown: Mapping[str, object], *, printed: str, caller: str, keep: bool = True
) -> bytes | BinaryIO:
    """The PDF of what is shown, one that is kept as its open file. `printed` is the moment that
    stands on it: the one when it was first asked for as it is. What is secret yet is not to `keep`.

    `caller` is the address that asks, "" for one that is not counted. Raises Busy, rates.TooOften,
    NotTypeset.
    """
    known_by = json.dumps([template, shown, _typesetter()], sort_keys=True)
    name = hashlib.sha256(known_by.encode()).hexdigest()
    path = _folder() / f"{name}.pdf"
    if (kept := _read_paper(path)) is not None:
        return kept
    with _the_only_one():
        if (kept := _read_paper(path)) is not None:
            return kept
        if caller:
            refuse_beyond(NEW_ONES, caller)
        erased_before = _last_erasure()
        made = _typeset(template, {**shown, "printed": printed})
        if keep:
            _keep_paper(path, made, erased_before)
        return made


def forget_papers() -> None:
    """Throw away every kept file: somebody's name must not stay in one. What is being typeset
    meanwhile is not kept.
    """
    (_folder() / ".erased").touch()
    for path in _folder().glob("*.pdf"):
        path.unlink(missing_ok=True)


def sweep_papers() -> None:
    """Throw away what is older than a day, and the oldest of what is too much."""
    found = sorted(((path.stat().st_mtime, path) for path in _folder().glob("*.pdf")), reverse=True)
    room = MOST_BYTES
    for made, path in found:
        room -= path.stat().st_size
        if room < 0 or made < time.time() - SECONDS_KEPT:
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def _the_only_one() -> Iterator[None]:
    """Hold the place of the one that is typeset; wait for it a little, with a few others at most.
    Raises Busy.
    """
    with (_folder() / ".typesetting").open("a", encoding="ascii") as place:
        if not locks.lock(place, NOW):
            _wait_for(place)
        yield


def _wait_for(place: TextIO) -> None:
    if not _waiting.acquire(blocking=False):
        raise Busy
    try:
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while not locks.lock(place, NOW):
            if time.monotonic() >= deadline:
                raise Busy
            time.sleep(SECONDS_BETWEEN_TRIES)
    finally:
        _waiting.release()


def _typeset(template: str, shown: Mapping[str, object]) -> bytes:
    asked = {"template": template, "shown": json.dumps(shown, ensure_ascii=False)}
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-I", str(Path(typesetting.__file__))],
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=SECONDS_TO_TYPESET,
            check=True,
        )
    except (subprocess.SubprocessError, OSError) as failed:
        said = str(getattr(failed, "stderr", "") or failed)[:2000]
        log_line.error("a sheet can't be typeset", error=said)
        raise NotTypeset from failed
    return done.stdout


def _keep_paper(path: Path, made: bytes, erased_before: int) -> None:
    """Keep the file, unless somebody was erased since it was begun; where the disk is full it is
    made again next time.
    """
    with contextlib.suppress(OSError):
        number, partial = tempfile.mkstemp(dir=path.parent, prefix=".partial-")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(made)
            Path(partial).replace(path)
        finally:
            Path(partial).unlink(missing_ok=True)
        if _last_erasure() != erased_before:
            path.unlink(missing_ok=True)
        sweep_papers()


def _read_paper(path: Path) -> BinaryIO | None:
    try:
        return path.open("rb")
    except FileNotFoundError:
        return None


def _last_erasure() -> int:
    try:
        return (_folder() / ".erased").stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _folder() -> Path:
    return private_folder(Path(settings.DATA_DIR) / FOLDER)


def _typesetter() -> str:
    """Return the version of the typesetter: another one makes other pages."""
    from importlib.metadata import version

    return version("typst")
