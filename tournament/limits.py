"""After five wrong tries wait a minute, after fifty of a PIN without its link a day: counted by address and by what is tried."""

import hashlib
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.serving.callers import seen_address

WRONG_TRIES = 5
SECONDS_TO_WAIT = 60
WRONG_TRIES_A_DAY = 50  # for a PIN that is asked without its link
DAY = 24 * 60 * 60


def address_of(request: HttpRequest) -> str:
    """The address a request comes from. Behind PROXIES trusted proxies it is what the first of them saw."""
    peer = str(request.META.get("REMOTE_ADDR", ""))
    return seen_address(peer, request.headers.get("X-Forwarded-For", ""), settings.PROXIES)


def seconds_to_wait(*keys: str) -> int:
    """How long nobody may try with any of these keys; 0 when one may."""
    until = cache.get_many([_closed(key) for key in keys]).values()
    return max((int(each - time.time()) + 1 for each in until if each > time.time()), default=0)


def note_wrong_try(*keys: str) -> None:
    """Count a wrong try against each key; the fifth within a minute closes it for a minute."""
    for key in keys:
        cache.add(_tries(key), 0, SECONDS_TO_WAIT)
        if _counted(key) >= WRONG_TRIES:
            cache.set(_closed(key), time.time() + SECONDS_TO_WAIT, SECONDS_TO_WAIT)
            cache.delete(_tries(key))


def note_wrong_try_of_the_day(key: str) -> None:
    """Count a wrong try against a key that nothing but a PIN guards; the fiftieth within a day closes it for a day."""
    day = f"{_tries(key)}:day"
    cache.add(day, 0, DAY)
    try:
        count = cache.incr(day)
    except ValueError:  # It expired between the two calls.
        return
    if count >= WRONG_TRIES_A_DAY:
        cache.set(_closed(key), time.time() + DAY, DAY)
        cache.delete(day)


def forget(*keys: str) -> None:
    """A right answer came: these keys start again."""
    cache.delete_many([each(key) for key in keys for each in (_tries, _closed)])


def too_many_tries(seconds: int) -> str:
    """What the door says while it waits."""
    return ngettext(
        "Too many wrong tries. Wait %(seconds)s second, then try again.",
        "Too many wrong tries. Wait %(seconds)s seconds, then try again.",
        seconds,
    ) % {"seconds": seconds}


def too_many_today() -> str:
    """What the door says while it waits for another day."""
    return _("Too many wrong PINs came for this table today. Scan the code on its slip instead.")


def _counted(key: str) -> int:
    try:
        return cache.incr(_tries(key))
    except ValueError:  # It expired between the two calls.
        cache.set(_tries(key), 1, SECONDS_TO_WAIT)
        return 1


def _tries(key: str) -> str:
    return f"wrong-tries:{_safe(key)}"


def _closed(key: str) -> str:
    return f"closed:{_safe(key)}"


def _safe(key: str) -> str:
    """Keys hold addresses and what people typed: the cache sees neither, and no key is too long for it."""
    return hashlib.sha256(key.encode()).hexdigest()
