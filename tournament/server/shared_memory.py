"""The memory that all processes share, in Redis. While that is away each process remembers by
itself: counting goes on, nobody waits.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import structlog
from django.conf import settings
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from scoring.shape import JsonObject

SECONDS_ALONE = 10.0  # after Redis failed it isn't asked again for so long
# A request may lose a second or two by a server that is away, not more: nothing is tried again.
OPTIONS = {"socket_timeout": 1, "socket_connect_timeout": 1, "retry": Retry(NoBackoff(), 0)}

STANDARD: Final[Any] = DEFAULT_TIMEOUT  # what the settings say

log_line = structlog.stdlib.get_logger(__name__)
_alone_until: dict[str, float] = {}


class SharedOrOwn(RedisCache):
    """Django's cache in Redis; while Redis is away, one in this process alone."""

    def __init__(self, server: str, params: JsonObject) -> None:
        super().__init__(server, {**params, "OPTIONS": {**OPTIONS, **params.get("OPTIONS", {})}})
        self._server = server
        self._own = LocMemCache(
            server, {**params, "OPTIONS": {"MAX_ENTRIES": settings.COUNTED_AT_ONCE}}
        )

    def _asked[Result](self, shared: Callable[[], Result], own: Callable[[], Result]) -> Result:
        if time.monotonic() < _alone_until.get(self._server, 0.0):
            return own()
        try:
            return shared()
        except RedisError as failed:
            log_line.warning("redis is away: this process counts by itself", error=str(failed))
            _alone_until[self._server] = time.monotonic() + SECONDS_ALONE
            return own()

    def add(
        self,
        key: object,
        value: object,
        timeout: float | None = STANDARD,
        version: int | None = None,
    ) -> bool:
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).add(key, value, timeout, version),
            lambda: self._own.add(key, value, timeout, version),
        )

    def get(self, key: object, default: object = None, version: int | None = None) -> Any:  # noqa: ANN401 - what was put there
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).get(key, default, version),
            lambda: self._own.get(key, default, version),
        )

    def set(
        self,
        key: object,
        value: object,
        timeout: float | None = STANDARD,
        version: int | None = None,
    ) -> None:
        """As Django's."""
        self._asked(
            lambda: super(SharedOrOwn, self).set(key, value, timeout, version),
            lambda: self._own.set(key, value, timeout, version),
        )

    def touch(
        self, key: object, timeout: float | None = STANDARD, version: int | None = None
    ) -> bool:
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).touch(key, timeout, version),
            lambda: self._own.touch(key, timeout, version),
        )

    def delete(self, key: object, version: int | None = None) -> bool:
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).delete(key, version),
            lambda: self._own.delete(key, version),
        )

    def get_many(self, keys: Iterable[object], version: int | None = None) -> dict[Any, Any]:
        """As Django's."""
        wanted = list(keys)
        return self._asked(
            lambda: super(SharedOrOwn, self).get_many(wanted, version),
            lambda: self._own.get_many(wanted, version),
        )

    def has_key(self, key: object, version: int | None = None) -> bool:
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).has_key(key, version),
            lambda: self._own.has_key(key, version),
        )

    def incr(self, key: object, delta: int = 1, version: int | None = None) -> int:
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).incr(key, delta, version),
            lambda: self._own.incr(key, delta, version),
        )

    def set_many(
        self, data: dict[Any, Any], timeout: float | None = STANDARD, version: int | None = None
    ) -> list[Any]:
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).set_many(data, timeout, version),
            lambda: self._own.set_many(data, timeout, version),
        )

    def delete_many(self, keys: Iterable[object], version: int | None = None) -> None:
        """As Django's."""
        wanted = list(keys)
        self._asked(
            lambda: super(SharedOrOwn, self).delete_many(wanted, version),
            lambda: self._own.delete_many(wanted, version),
        )

    def clear(self) -> None:
        """As Django's."""
        self._asked(super().clear, self._own.clear)
