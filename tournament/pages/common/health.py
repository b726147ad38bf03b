"""Whether the server can do its work: for load balancers and watchdogs."""

import os
import tempfile
import threading
import time
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.server.http.failures import is_full

SECONDS_KNOWN = 1.0  # so long one try to write answers everybody who asks
ROOM = 256 * 1024  # bytes: less than that, and the next hand may not fit

_trying = threading.Lock()
_last_answer: tuple[float, str] = (float("-inf"), "")


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """`ok` when the database answers and takes what is written, else 503 and why."""
    wrong = _unreadable() or _unwritable()
    return HttpResponse(
        f"{wrong or 'ok'}\n", status=503 if wrong else 200, content_type="text/plain"
    )


def _unreadable() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "the database does not answer"
    return ""


def _unwritable() -> str:
    """Return the reason that nothing can be recorded, as found some seconds ago at most;
    "" if there is none.
    """
    global _last_answer
    if time.monotonic() - _last_answer[0] < SECONDS_KNOWN or not _trying.acquire(blocking=False):
        return _last_answer[1]
    try:
        _last_answer = (time.monotonic(), _write_failure())
    finally:
        _trying.release()
    return _last_answer[1]


def _write_failure() -> str:
    try:
        _write()
    except (DatabaseError, OSError) as failed:
        return (
            "the disk is full: nothing can be recorded"
            if is_full(failed)
            else "nothing can be recorded"
        )
    return ""


def _write() -> None:
    """Write as an act would, and leave nothing behind. Raises DatabaseError, OSError."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Goes through the log that every commit is written to, and into no table.
            cursor.execute("SELECT pg_logical_emit_message(true, 'accord', 'probe')")
            return
        cursor.execute("SELECT 1")  # SQLite's transactions here begin with the right to write
    with tempfile.TemporaryFile(dir=_folder()) as probe:
        probe.write(b"\0" * ROOM)
        probe.flush()
        os.fsync(probe.fileno())


def _folder() -> Path:
    """Return the folder of the database file; the data folder for a database in memory."""
    beside = Path(str(connection.settings_dict["NAME"])).parent
    return beside if beside.is_absolute() and beside.is_dir() else Path(settings.DATA_DIR)
