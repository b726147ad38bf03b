"""Rate limit of expensive requests of an address: a number of times in a number of
seconds.
"""

import hashlib
import time
from dataclasses import dataclass

from django.core.cache import cache


@dataclass(frozen=True, slots=True)
class Rate:
    """`most` times in `seconds`, counted under this name; 0 is any number."""

    name: str
    most: int
    seconds: int


class TooOften(Exception):
    """Somebody asked more often than a rate allows; `seconds` until they may again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def refuse_beyond(rate: Rate, caller: str) -> None:
    """Count one more of this caller. Raises TooOften beyond the rate."""
    if not rate.most:
        return
    window, into = divmod(int(time.time()), rate.seconds)
    key = f"rate:{rate.name}:{window}:{hashlib.sha256(caller.encode()).hexdigest()}"
    if _count_request(key, rate.seconds) > rate.most:
        raise TooOften(rate.seconds - into)


def _count_request(key: str, seconds: int) -> int:
    try:
        return cache.incr(key)
    except ValueError:  # the first of this window
        cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # It was thrown out between the two calls.
        return 1
