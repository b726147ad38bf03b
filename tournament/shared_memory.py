"""The memory that all processes share, in Redis. While that is away each process remembers by itself: counting goes on, nobody waits."""

import time
from collections.abc import Callable
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

SECONDS_ALONE = 10.0  # after Redis failed it isn't asked again for so long
# A request may lose a second or two by a server that is away, not more: nothing is tried again.
OPTIONS = {"socket_timeout": 1, "socket_connect_timeout": 1, "retry": Retry(NoBackoff(), 0)}

log_line = structlog.stdlib.get_logger(__name__)
_alone_until: dict[str, float] = {}


class SharedOrOwn(RedisCache):
    """Django's cache in Redis; while Redis is away, one in this process alone."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": {**OPTIONS, **params.get("OPTIONS", {})}})
        self._server = server
        self._own = LocMemCache(server, {key: value for key, value in params.items() if key != "OPTIONS"})

    def _asked[Result](self, shared: Callable[[], Result], own: Callable[[], Result]) -> Result:
        if time.monotonic() < _alone_until.get(self._server, 0.0):
            return own()
        try:
            return shared()
        except RedisError as failed:
            log_line.warning("redis is away: this process counts by itself", error=str(failed))
            _alone_until[self._server] = time.monotonic() + SECONDS_ALONE
            return own()

    def add(self, key: Any, value: Any, *args: Any, **named: Any) -> bool:
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).add(key, value, *args, **named), lambda: self._own.add(key, value, *args, **named)
        )

    def get(self, key: Any, *args: Any, **named: Any) -> Any:
        """As Django's."""
        return self._asked(lambda: super(SharedOrOwn, self).get(key, *args, **named), lambda: self._own.get(key, *args, **named))

    def set(self, key: Any, value: Any, *args: Any, **named: Any) -> None:
        """As Django's."""
        self._asked(lambda: super(SharedOrOwn, self).set(key, value, *args, **named), lambda: self._own.set(key, value, *args, **named))

    def touch(self, key: Any, *args: Any, **named: Any) -> bool:
        """As Django's."""
        return self._asked(lambda: super(SharedOrOwn, self).touch(key, *args, **named), lambda: self._own.touch(key, *args, **named))

    def delete(self, key: Any, *args: Any, **named: Any) -> bool:
        """As Django's."""
        return self._asked(lambda: super(SharedOrOwn, self).delete(key, *args, **named), lambda: self._own.delete(key, *args, **named))

    def get_many(self, keys: Any, *args: Any, **named: Any) -> Any:
        """As Django's."""
        wanted = list(keys)
        return self._asked(
            lambda: super(SharedOrOwn, self).get_many(wanted, *args, **named), lambda: self._own.get_many(wanted, *args, **named)
        )

    def has_key(self, key: Any, *args: Any, **named: Any) -> bool:
        """As Django's."""
        return self._asked(lambda: super(SharedOrOwn, self).has_key(key, *args, **named), lambda: self._own.has_key(key, *args, **named))

    def incr(self, key: Any, *args: Any, **named: Any) -> int:
        """As Django's."""
        return self._asked(lambda: super(SharedOrOwn, self).incr(key, *args, **named), lambda: self._own.incr(key, *args, **named))

    def set_many(self, data: Any, *args: Any, **named: Any) -> Any:
        """As Django's."""
        return self._asked(
            lambda: super(SharedOrOwn, self).set_many(data, *args, **named), lambda: self._own.set_many(data, *args, **named)
        )

    def delete_many(self, keys: Any, *args: Any, **named: Any) -> None:
        """As Django's."""
        wanted = list(keys)
        self._asked(
            lambda: super(SharedOrOwn, self).delete_many(wanted, *args, **named), lambda: self._own.delete_many(wanted, *args, **named)
        )

    def clear(self) -> Any:
        """As Django's."""
        return self._asked(super().clear, self._own.clear)
