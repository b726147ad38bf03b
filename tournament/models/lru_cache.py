"""A cache of recent values in a process, and numbers that identify a value in it."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from itertools import count

_numbers = count(1)


def new_token() -> int:
    """Return another number each time in this process, by which a value that is never
    changed can be known (`known_by`).
    """
    return next(_numbers)


class RecentValues[K: Hashable, V]:
    """The last values by key, at most so many. For all threads of a process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value; None where there is none."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep a value; the one that was put first goes where there are too many."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()
