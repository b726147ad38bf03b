"""The memory that all processes share: Redis where there is one, else a file that the processes of
this machine have in common. While it is away each process remembers by itself: counting goes on,
nobody waits.
"""

import contextlib
import json
import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any, Final

import structlog
from django.conf import settings
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from scoring.shape import JsonObject

SECONDS_ALONE = 10.0  # after the shared memory failed it isn't asked again for so long
SECONDS_FOR_A_FILE = 1.0  # to wait for another process that writes
WRITES_BETWEEN_SWEEPS = 1000

type Seconds = float | None
type Version = int | None

STANDARD: Final[Any] = DEFAULT_TIMEOUT  # what the settings say

# What is remembered needs no disk: after a power cut everybody starts to count anew.
PRAGMAS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA mmap_size=67108864;"
TABLE = (
    "CREATE TABLE IF NOT EXISTS remembered "
    "(key TEXT PRIMARY KEY, value, until REAL NOT NULL) WITHOUT ROWID"
)
READ = "SELECT value FROM remembered WHERE key = ? AND until > ?"
PUT = "INSERT OR REPLACE INTO remembered (key, value, until) VALUES (?, ?, ?)"
PUT_IF_GONE = (
    "INSERT INTO remembered (key, value, until) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE "
    "SET value = excluded.value, until = excluded.until WHERE remembered.until <= ?"
)
COUNT = "UPDATE remembered SET value = value + ? WHERE key = ? AND until > ? RETURNING value"
LIVE_LONGER = "UPDATE remembered SET until = ? WHERE key = ? AND until > ?"
FORGET = "DELETE FROM remembered WHERE key = ?"
FORGET_OLD = "DELETE FROM remembered WHERE until <= ?"
FORGET_NEXT = (  # those that would be forgotten next anyway
    "DELETE FROM remembered WHERE key IN (SELECT key FROM remembered ORDER BY until LIMIT "
    "max(0, (SELECT count(*) FROM remembered) - ?))"
)

log_line = structlog.stdlib.get_logger(__name__)
_alone_until: dict[str, float] = {}


class JSONInRedis:
    """A serializer of Django's cache that stores JSON in Redis: anyone who can write there
    can't make this process run anything. Values that aren't JSON count as forgotten.
    """

    def dumps(self, value: object) -> int | bytes:
        """As Django's serializer: a number is one that Redis can count."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, kept: bytes) -> object:
        """As Django's serializer."""
        try:
            return json.loads(kept)
        except (ValueError, RecursionError):
            return None


# A request may lose a second or two by a server that is away, not more: nothing is tried again.
OPTIONS = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "retry": Retry(NoBackoff(), 0),
    "serializer": JSONInRedis,
}


def _of_either(what: str) -> Any:  # noqa: ANN401 - a method as Django's
    """The method of this name, of the shared cache, or while that fails of the own one."""

    def call_either(self: "SharedOrOwn", *arguments: object, **named: object) -> Any:  # noqa: ANN401 - as it answers
        if time.monotonic() < _alone_until.get(self.server, 0.0):
            return getattr(self.own, what)(*arguments, **named)
        try:
            return getattr(self.shared, what)(*arguments, **named)
        except (RedisError, sqlite3.Error) as failed:
            log_line.warning(
                "the shared memory is away: this process counts by itself", error=str(failed)
            )
            _alone_until[self.server] = time.monotonic() + SECONDS_ALONE
            return getattr(self.own, what)(*arguments, **named)

    return call_either


class SharedOrOwn(BaseCache):
    """Django's cache in what all processes share: `server` is the address of a Redis, or the path
    of a file; while that fails, one in this process alone.
    """

    def __init__(self, server: str, params: JsonObject) -> None:
        super().__init__(params)
        self.server = server
        own = {**params, "OPTIONS": {"MAX_ENTRIES": settings.COUNTED_AT_ONCE}}
        self.own = LocMemCache(server, own)
        self.shared: BaseCache
        if "://" in server:
            options = {**OPTIONS, **params.get("OPTIONS", {})}
            self.shared = RedisCache(server, {**params, "OPTIONS": options})
        else:
            self.shared = InOneFile(server, params, max_entries=settings.COUNTED_AT_ONCE)

    add = _of_either("add")
    get = _of_either("get")
    set = _of_either("set")
    touch = _of_either("touch")
    delete = _of_either("delete")
    get_many = _of_either("get_many")
    has_key = _of_either("has_key")
    incr = _of_either("incr")
    set_many = _of_either("set_many")
    delete_many = _of_either("delete_many")
    clear = _of_either("clear")


class InOneFile(BaseCache):
    """Django's cache in a file of SQLite for all processes of this machine; counts are exact, as
    each is one statement. Values are numbers, bytes, or what JSON holds. Raises sqlite3.Error.
    """

    def __init__(self, path: str, params: JsonObject, *, max_entries: int) -> None:
        super().__init__(params)
        self._path = path
        self._entries = max_entries
        self._of_thread = threading.local()
        self._writes = 0

    def add(
        self,
        key: object,
        value: object,
        timeout: Seconds = STANDARD,
        version: Version = None,
    ) -> bool:
        """As Django's."""
        kept, until, now = _pack(value), self._until(timeout), time.time()
        return self._change_rows(PUT_IF_GONE, self._name(key, version), kept, until, now) > 0

    def get(self, key: object, default: object = None, version: Version = None) -> Any:  # noqa: ANN401 - what was put there
        """As Django's."""
        found = self._file().execute(READ, (self._name(key, version), time.time())).fetchone()
        return default if found is None else _unpack(found[0])

    def set(
        self,
        key: object,
        value: object,
        timeout: Seconds = STANDARD,
        version: Version = None,
    ) -> None:
        """As Django's."""
        self._change_rows(PUT, self._name(key, version), _pack(value), self._until(timeout))

    def touch(self, key: object, timeout: Seconds = STANDARD, version: Version = None) -> bool:
        """As Django's."""
        until, now = self._until(timeout), time.time()
        return self._change_rows(LIVE_LONGER, until, self._name(key, version), now) > 0

    def delete(self, key: object, version: Version = None) -> bool:
        """As Django's."""
        return self._change_rows(FORGET, self._name(key, version)) > 0

    def incr(self, key: object, delta: int = 1, version: Version = None) -> int:
        """As Django's. Raises ValueError where there is no such key."""
        asked = (delta, self._name(key, version), time.time())
        counted = self._file().execute(COUNT, asked).fetchall()
        if not counted:
            raise ValueError(f"Key '{key}' not found")
        return int(counted[0][0])

    def clear(self) -> None:
        """As Django's."""
        self._change_rows("DELETE FROM remembered")

    def _name(self, key: object, version: Version) -> str:
        return str(self.make_and_validate_key(key, version))

    def _until(self, timeout: Seconds) -> float:
        ends = self.get_backend_timeout(timeout)
        return float("inf") if ends is None else float(ends)

    def _change_rows(self, statement: str, *values: object) -> int:
        """Run a statement and return the number of its rows; now and then expired rows are
        deleted afterwards.
        """
        file = self._file()
        touched = file.execute(statement, values).rowcount
        self._writes += 1
        if self._writes % WRITES_BETWEEN_SWEEPS == 0:
            file.execute(FORGET_OLD, (time.time(),))
            file.execute(FORGET_NEXT, (self._entries,))
        return touched

    def _file(self) -> sqlite3.Connection:
        """This thread's connection to the file, which is made where it is missing; one that was
        there before a fork is the parent's.
        """
        process, file = getattr(self._of_thread, "file", (0, None))
        if file is None or process != os.getpid():
            file = self._opened()
            self._of_thread.file = (os.getpid(), file)
        return file

    def _opened(self) -> sqlite3.Connection:
        Path(self._path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            Path(self._path).touch(mode=0o600, exist_ok=False)
        file = sqlite3.connect(self._path, timeout=SECONDS_FOR_A_FILE, isolation_level=None)
        file.executescript(PRAGMAS)
        file.execute(TABLE)
        return file


def _pack(value: object) -> int | float | str | bytes:
    return value if type(value) in (int, float, bytes) else json.dumps(value)  # type: ignore[return-value]


def _unpack(kept: int | float | str | bytes) -> Any:  # noqa: ANN401 - what was put there
    return json.loads(kept) if isinstance(kept, str) else kept
